package dev.leeway.routing.connection;

import com.mysql.cj.protocol.ServerSessionStateController;
import com.mysql.cj.protocol.ServerSessionStateController.ServerSessionStateChanges;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChange;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChangesListener;
import dev.leeway.gate.GtidSet;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a session's OK packets carry beside the result: GTIDs, and a change of the schema.
 *
 * <p>The driver keeps its listeners weakly, and one that is collected while the driver goes through
 * them breaks the statement. Whoever owns the physical connection must own this object for as long.
 */
final class SessionTrail implements SessionStateChangesListener {
  private @Nullable String pending;
  private @Nullable String schema;

  @Override
  public void handleSessionStateChanges(ServerSessionStateChanges changes) {
    for (SessionStateChange change : changes.getSessionStateChangesList()) {
      if (change.getType() == ServerSessionStateController.SESSION_TRACK_GTIDS) {
        for (String value : change.getValues()) {
          add(value);
        }
      } else if (change.getType() == ServerSessionStateController.SESSION_TRACK_SCHEMA) {
        schema = change.getValues().isEmpty() ? "" : change.getValues().get(0);
      }
    }
  }

  private void add(String value) {
    if (!value.isBlank()) {
      // One call may commit more than once, and each commit answers for itself.
      pending = pending == null ? value : pending + "," + value;
    }
  }

  @Nullable String schema() {
    return schema;
  }

  @Nullable GtidSet take() {
    String text = pending;
    if (text == null) {
      return null;
    }
    pending = null;
    GtidSet gtids = GtidSet.parse(text);
    return gtids.isEmpty() ? null : gtids;
  }
}

package dev.leeway.routing.connection;

import com.mysql.cj.protocol.ServerSessionStateController;
import com.mysql.cj.protocol.ServerSessionStateController.ServerSessionStateChanges;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChange;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChangesListener;
import dev.leeway.gate.GtidSet;
import org.jspecify.annotations.Nullable;

/**
 * Collects the GTIDs that a session's OK packets carry.
 *
 * <p>The driver keeps its listeners weakly, and one that is collected while the driver goes through
 * them breaks the statement. Whoever owns the physical connection must own this object for as long.
 */
final class GtidTrail implements SessionStateChangesListener {
  private @Nullable String pending;

  @Override
  public void handleSessionStateChanges(ServerSessionStateChanges changes) {
    for (SessionStateChange change : changes.getSessionStateChangesList()) {
      if (change.getType() == ServerSessionStateController.SESSION_TRACK_GTIDS) {
        for (String value : change.getValues()) {
          add(value);
        }
      }
    }
  }

  private void add(String value) {
    if (!value.isBlank()) {
      // One call may commit more than once, and each commit answers for itself.
      pending = pending == null ? value : pending + "," + value;
    }
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

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
  /**
   * As long as this, texts are put together before they are read: a batch can commit a hundred
   * thousand times, and neither its texts nor copying them may grow with the square of that.
   */
  private static final int LONGEST_TEXT = 64 * 1024;

  private @Nullable String pending;
  private @Nullable StringBuilder more;
  private GtidSet gathered = GtidSet.EMPTY;
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
    if (value.isBlank()) {
      return;
    }
    if (pending == null) {
      pending = value;
      return;
    }
    // One call may commit more than once, and each commit answers for itself.
    StringBuilder further = more;
    if (further == null) {
      further = new StringBuilder();
      more = further;
    }
    further.append(',').append(value);
    if (further.length() > LONGEST_TEXT) {
      gathered = gathered.union(GtidSet.parse(pending + further));
      pending = null;
      more = null;
    }
  }

  @Nullable String schema() {
    return schema;
  }

  @Nullable GtidSet take() {
    String text = pending;
    if (text == null && gathered.isEmpty()) {
      return null;
    }
    StringBuilder further = more;
    GtidSet gtids =
        text == null
            ? gathered
            : gathered.union(GtidSet.parse(further == null ? text : text + further));
    pending = null;
    more = null;
    gathered = GtidSet.EMPTY;
    return gtids.isEmpty() ? null : gtids;
  }
}

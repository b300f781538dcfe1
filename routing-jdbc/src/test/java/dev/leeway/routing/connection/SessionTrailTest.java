package dev.leeway.routing.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.protocol.ServerSessionStateController;
import com.mysql.cj.protocol.ServerSessionStateController.ServerSessionStateChanges;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChange;
import dev.leeway.gate.GtidSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SessionTrailTest {
  private static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  private final SessionTrail trail = new SessionTrail();

  private void committed(String gtids) {
    SessionStateChange change =
        new SessionStateChange(ServerSessionStateController.SESSION_TRACK_GTIDS);
    change.addValue(gtids);
    ServerSessionStateChanges changes = () -> List.of(change);
    trail.handleSessionStateChanges(changes);
  }

  @Test
  void whatWasTakenIsNotTakenTwice() {
    committed(SOURCE + ":1");
    committed("");
    committed(SOURCE + ":3-4");

    assertThat(trail.take()).isEqualTo(GtidSet.parse(SOURCE + ":1:3-4"));
    assertThat(trail.take()).isNull();
    committed(SOURCE + ":9");
    assertThat(trail.take()).isEqualTo(GtidSet.parse(SOURCE + ":9"));
  }

  @Test
  @Timeout(20)
  void aBatchOfManyCommitsCostsNoMoreThanItsLength() {
    // Copied anew for each commit, the texts would come to 2 terabytes.
    int commits = 300_000;
    for (int i = 1; i <= commits; i++) {
      committed(SOURCE + ":" + i);
    }

    assertThat(trail.take()).isEqualTo(GtidSet.parse(SOURCE + ":1-" + commits));
  }
}

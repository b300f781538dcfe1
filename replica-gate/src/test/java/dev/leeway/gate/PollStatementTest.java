package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.PollStatement.Piece;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PollStatementTest {
  private static final ClusterModel.HeartbeatSource SOURCE =
      new ClusterModel.HeartbeatSource(Samples.PRIMARY, 7);

  @Test
  void theWholePollIsOneStatement() {
    assertThat(PollStatement.text(SOURCE, HeartbeatTable.leeway("leeway"), Set.of(), false))
        .isEqualTo(
            "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)),"
                + " @@global.server_uuid, @@global.server_id, @@global.read_only,"
                + " @@global.super_read_only, @@global.gtid_mode, @@global.gtid_owned,"
                + " @@global.gtid_executed,"
                + " @@global.replica_preserve_commit_order OR @@global.replica_parallel_workers <= 1,"
                + " (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', h.written_at) FROM"
                + " `leeway`.`heartbeat` h WHERE h.server_uuid ="
                + " '3e11fa47-71ca-11e1-9e33-000000000001'), r.channels, r.receiving, r.applying,"
                + " r.source FROM (SELECT COUNT(*) AS channels, SUM(c.SERVICE_STATE = 'ON') AS"
                + " receiving, SUM(a.SERVICE_STATE = 'ON') AS applying, MIN(c.SOURCE_UUID) AS source"
                + " FROM performance_schema.replication_connection_status c LEFT JOIN"
                + " performance_schema.replication_applier_status a USING (CHANNEL_NAME)) r");
  }

  @Test
  void whatAServerRefusesIsLeftOutAndTheColumnsKeepTheirPlaces() {
    assertThat(
            PollStatement.text(
                SOURCE, HeartbeatTable.leeway("leeway"), EnumSet.allOf(Piece.class), false))
        .endsWith("@@global.gtid_executed, NULL, NULL, NULL, NULL, NULL, NULL")
        .doesNotContain("FROM");
  }

  @Test
  void theHeartbeatOfOthersIsReadByServerId() {
    HeartbeatTable table = HeartbeatTable.ptHeartbeat("percona.heartbeat", ZoneOffset.UTC);

    assertThat(PollStatement.text(SOURCE, table, Set.of(), false))
        .contains("(SELECT h.ts FROM `percona`.`heartbeat` h WHERE h.server_id = 7)");
  }

  @Test
  void untilThePrimaryIsKnownNoHeartbeatIsAskedFor() {
    assertThat(PollStatement.text(null, HeartbeatTable.leeway("leeway"), Set.of(), false))
        .doesNotContain("heartbeat");
    assertThat(PollStatement.text(SOURCE, HeartbeatTable.none(), Set.of(), false))
        .doesNotContain("heartbeat");
  }

  @Test
  void anOlderServerIsAskedInItsOwnWords() {
    assertThat(PollSession.isOlder("8.0.25-log")).isTrue();
    assertThat(PollSession.isOlder("8.0.26")).isFalse();
    assertThat(PollSession.isOlder("9.7.4")).isFalse();
    assertThat(PollSession.isOlder("something else")).isFalse();
    assertThat(PollStatement.text(SOURCE, HeartbeatTable.none(), Set.of(), true))
        .contains("@@global.slave_preserve_commit_order OR @@global.slave_parallel_workers <= 1");
  }

  @Test
  void theOwnersOfWhatIsBeingCommittedAreLeftOut() {
    String u = Samples.PRIMARY.toString();
    String r = Samples.REPLICA_1.toString();

    assertThat(PollSession.owned("")).isEqualTo(GtidSet.EMPTY);
    assertThat(PollSession.owned(u + ":w7re1:30#60")).isEqualTo(GtidSet.parse(u + ":w7re1:30"));
    assertThat(PollSession.owned(u + ":7#12:9#13#14,\n" + r + ":1#5"))
        .isEqualTo(GtidSet.parse(u + ":7:9," + r + ":1"));
    // As the server prints two sources: the thread 60 runs into a UUID that begins with digits.
    assertThat(PollSession.owned(u + ":aaa:7#12:9#60" + r + ":1#5" + r + ":bbb:4#60"))
        .isEqualTo(GtidSet.parse(u + ":aaa:7:9," + r + ":1:bbb:4"));
    assertThat(PollSession.owned("something else")).isNull();
  }

  @Test
  void aMissingTableOrPrivilegeIsNoFailedPoll() {
    for (int code : new int[] {1146, 1049, 1142, 1143, 1044, 1054, 1193}) {
      assertThat(PollStatement.isRefusal(code)).isTrue();
    }
    for (int code : new int[] {0, 1045, 1064, 1317, 2013, 3024}) {
      assertThat(PollStatement.isRefusal(code)).isFalse();
    }
  }
}

package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a change of the primary is noticed, on real servers. */
@MySqlTopology(replicas = 2)
class PrimaryChangeIT {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration BACK = Duration.ofSeconds(20);

  private MySqlCluster cluster;
  private MySqlServer primary;
  private MySqlServer replica1;
  private TestSchema schema;

  @BeforeEach
  void servers(
      MySqlCluster shared,
      TestSchema empty,
      @Server("primary") MySqlServer p,
      @Server("replica-1") MySqlServer r1)
      throws Exception {
    cluster = shared;
    primary = p;
    replica1 = r1;
    schema = empty;
    schema
        .execute("CREATE TABLE t (id BIGINT PRIMARY KEY AUTO_INCREMENT, a INT)")
        .awaitReplicated();
  }

  @Test
  void aPlannedFailoverIsFollowedThereAndBack() throws Exception {
    try (Watch watch = Watch.of(cluster).ready();
        ReplicaGate gate = ReplicaGate.over(watch.monitor)) {
      List<String> changes = new CopyOnWriteArrayList<>();
      ClusterListener.Registration registration =
          watch.monitor.addListener(
              new ClusterListener() {
                @Override
                public void primaryChanged(int oldIndex, int newIndex, long epoch) {
                  changes.add(oldIndex + " -> " + newIndex + " @" + epoch);
                }
              });
      WritePosition before = insert(primary);
      try (Fault failover = cluster.promote(replica1)) {
        watch.probe.await(failover.description(), SOON, state -> state.primaryIndex() == 1);
        ClusterState state =
            watch.probe.await(
                "replica-2 follows, the heartbeat too",
                BACK,
                s ->
                    Watch.in(s, "replica-2").mayServe()
                        && s.heartbeat() == HeartbeatStatus.RUNNING);
        assertThat(state.cluster().epoch()).isEqualTo(2);
        assertThat(Watch.in(state, "primary").findings()).contains(Finding.DETACHED);
        assertThat(Watch.in(state, "primary").mayServe()).isFalse();
        assertThat(Watch.in(state, "replica-1").readOnly()).isFalse();

        WritePosition after = insert(replica1);
        GateResult result = gate.await(after, SOON);
        assertThat(result.outcome()).as(result.explanation()).isEqualTo(GateResult.Outcome.REACHED);
        assertThat(result.server()).isEqualTo("replica-2");
        assertThat(gate.await(before.merge(after), SOON).server()).isEqualTo("replica-2");
      }
      watch.probe.await("the first primary is back", BACK, state -> state.primaryIndex() == 0);
      watch.probe.awaitAllServing();
      assertThat(watch.monitor.state().cluster().epoch()).isEqualTo(3);
      Eventually.within(
          SOON,
          "the listener heard of the last change",
          () -> !changes.isEmpty() && changes.get(changes.size() - 1).endsWith("-> 0 @3"));
      assertThat(changes).anyMatch(change -> change.endsWith("-> 1 @2"));
      registration.close();
    }
  }

  @Test
  void aPrimaryThatBecomesReadOnlyLeavesNoPrimaryAndTheReplicasServeOn() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      primary.execute("SET GLOBAL super_read_only=ON");
      try {
        ClusterState state =
            watch.probe.await("there is no primary", SOON, s -> s.primaryIndex() == -1);
        assertThat(state.primaryExplanation())
            .isEqualTo("primary is read-only and no other server has taken over");
        watch.probe.forget();
        for (int i = 0; i < 3 * 1_000 / 50; i++) {
          watch.polled("primary");
          watch.polled("replica-1");
          watch.polled("replica-2");
        }
        watch.probe.await(
            "both replicas serve without a primary",
            SOON,
            s -> s.primaryIndex() == -1 && s.server(1).mayServe() && s.server(2).mayServe());
      } finally {
        primary.execute("SET GLOBAL super_read_only=OFF", "SET GLOBAL read_only=OFF");
      }
      watch.probe.await("it is the primary again", SOON, state -> state.primaryIndex() == 0);
      assertThat(watch.monitor.state().cluster().epoch()).isEqualTo(1);
    }
  }

  @Test
  void aDeadPrimaryIsSucceededByTheServerThatWasPromoted() throws Exception {
    try (Watch watch = Watch.of(cluster).ready();
        ReplicaGate gate = ReplicaGate.over(watch.monitor)) {
      insert(primary);
      cluster.awaitCaughtUp(BACK);
      primary.kill();
      watch.probe.await(
          "the primary is gone",
          SOON,
          state -> Watch.in(state, "primary").health() == Health.UNREACHABLE);
      assertThat(watch.monitor.state().primaryIndex()).isZero();

      try (Fault failover = cluster.promote(replica1)) {
        watch.probe.await(failover.description(), BACK, state -> state.primaryIndex() == 1);
        watch.probe.await(
            "replica-2 follows", BACK, state -> Watch.in(state, "replica-2").mayServe());
        assertThat(gate.hasReached(insert(replica1), BACK)).isTrue();
      }
    }
  }

  @Test
  void aPositionThatWasLostInAFailoverIsCalledLostAtOnce() throws Exception {
    // A heartbeat between the two stops would leave replica-2 ahead of its future source.
    try (Watch watch = Watch.of(cluster, s -> s.writeHeartbeat(false)).ready();
        ReplicaGate gate = ReplicaGate.over(watch.monitor)) {
      for (MySqlServer replica : cluster.replicas()) {
        replica.stopReceiving();
      }
      WritePosition lost = insert(primary);
      assertThat(gate.await(lost, Duration.ofMillis(100)).outcome())
          .isEqualTo(GateResult.Outcome.TIMED_OUT);
      primary.kill();
      try (Fault failover = cluster.promote(replica1)) {
        watch.probe.await(failover.description(), BACK, state -> state.primaryIndex() == 1);
        watch.probe.await(
            "replica-2 follows", BACK, state -> Watch.in(state, "replica-2").mayServe());

        GateResult result = gate.await(lost, Duration.ofSeconds(30));

        assertThat(result.outcome()).as(result.explanation()).isEqualTo(GateResult.Outcome.LOST);
        assertThat(result.waited()).isLessThan(Duration.ofSeconds(5));
        assertThat(result.explanation())
            .isEqualTo(
                "shop gate - the primary lacks "
                    + lost.gtids().describe()
                    + ", so no replica can reach it: it was lost, in a failover or a restore, or has"
                    + " not been written yet.");
      }
    }
  }

  private WritePosition insert(MySqlServer server) throws Exception {
    return Watch.write(server, "INSERT INTO " + schema.name() + ".t (a) VALUES (1)");
  }
}

package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.Samples.REPLICA_1;
import static dev.leeway.gate.Samples.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MonitorMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong now = new AtomicLong(1_000 * MILLIS);
  private final ClusterModel model =
      new ClusterModel("shop", MonitorSettings.defaults(), List.of("primary", "replica-1"), 0);
  private final MonitorMetrics metrics =
      new MonitorMetrics(
          registry,
          "shop",
          List.of("primary", "replica-1"),
          model::state,
          now::get,
          new MonitorMetrics.Readings() {
            @Override
            public double heartbeatLagSeconds(int index) {
              return model.heartbeatLagSeconds(index, now.get());
            }

            @Override
            public double receiverRunning(int index) {
              return model.running(index, true);
            }

            @Override
            public double applierRunning(int index) {
              return model.running(index, false);
            }
          });

  @Test
  void whatIsNotKnownIsNeverShownAsZero() {
    assertThat(replica("mysql.heartbeat.lag")).isNaN();
    assertThat(replica("leeway.replica.staleness")).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(replica("mysql.slave.status.slave.io.running")).isNaN();
    assertThat(replica("mysql.slave.status.slave.sql.running")).isNaN();
    assertThat(replica("leeway.server.serving")).isZero();
  }

  @Test
  void aHealthyReplicaIsShownWithItsAge() {
    answer(Samples.replica(REPLICA_1, 1_000, upTo(100)).heartbeatOf(800));
    now.set(1_500 * MILLIS);

    assertThat(replica("mysql.heartbeat.lag")).isBetween(0.69, 0.71);
    assertThat(replica("leeway.replica.staleness")).isBetween(0.5, 0.52);
    assertThat(replica("mysql.slave.status.slave.io.running")).isEqualTo(1);
    assertThat(replica("mysql.slave.status.slave.sql.running")).isEqualTo(1);
    assertThat(replica("leeway.server.serving")).isEqualTo(1);
    assertThat(replica("leeway.server.primary")).isZero();
  }

  @Test
  void aStoppedThreadAndADetachedReplicaAreShown() {
    answer(
        Samples.replica(REPLICA_1, 1_000, upTo(100))
            .replication(new Sample.Replication(1, false, true, Samples.PRIMARY)));
    assertThat(replica("mysql.slave.status.slave.io.running")).isZero();
    assertThat(replica("mysql.slave.status.slave.sql.running")).isEqualTo(1);

    answer(Samples.replica(REPLICA_1, 1_100, upTo(100)).detached());
    assertThat(replica("mysql.slave.status.slave.io.running")).isZero();
    assertThat(replica("mysql.slave.status.slave.sql.running")).isZero();
    assertThat(
            registry
                .get("leeway.server.finding")
                .tags("instance", "replica-1", "finding", "detached")
                .gauge()
                .value())
        .isEqualTo(1);
  }

  @Test
  void whatCannotBeReadOrReachedIsNotShownAsRunning() {
    answer(Samples.replica(REPLICA_1, 1_000, upTo(100)).replication(null));
    assertThat(replica("mysql.slave.status.slave.io.running")).isNaN();

    answer(Samples.replica(REPLICA_1, 1_100, upTo(100)).heartbeatOf(800));
    model.failed(1, 1_200 * MILLIS, "gone");

    assertThat(replica("mysql.slave.status.slave.io.running")).isNaN();
    assertThat(replica("mysql.heartbeat.lag")).isNaN();
  }

  @Test
  void pollsAreCountedByOutcome() {
    metrics.answered(1, 3 * MILLIS);
    metrics.failed(1, 1_000 * MILLIS);
    metrics.failed(1, 1_000 * MILLIS);

    assertThat(
            registry
                .get("leeway.poll")
                .tags("instance", "replica-1", "outcome", "failed")
                .timer()
                .count())
        .isEqualTo(2);
  }

  @Test
  void aClosedMonitorLeavesNoMetersBehind() {
    metrics.close();

    assertThat(registry.getMeters()).isEmpty();
  }

  private void answer(Samples.Maker maker) {
    model.answered(0, Samples.primary(1_000, upTo(100)).heartbeatOf(800).make());
    model.answered(1, maker.make());
  }

  private double replica(String name) {
    return registry.get(name).tag("instance", "replica-1").gauge().value();
  }
}

package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.PRIMARY;
import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.PositionTokens;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One user whose requests go to two instances in turn, over two replicas of which one is a second
 * late. A register that others count up all the time tells whether he is ever shown less than
 * before.
 */
class ManyInstancesIT {
  private static final String REGISTER = "SELECT value FROM register WHERE id = 1";

  private static TestSchema schema;
  private static List<Leeway> instances;

  private final List<Fault> faults = new ArrayList<>();
  private final Map<String, Integer> servedBy = new HashMap<>();
  private long seen;

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    schema.execute(
        "CREATE TABLE register (id INT PRIMARY KEY, value BIGINT NOT NULL)",
        "INSERT INTO register VALUES (1, 0), (2, 0)");
    schema.awaitReplicated();
    instances = List.of(instance(), instance());
  }

  private static Leeway instance() {
    return Servers.ready(
        Servers.builder("users", schema)
            .tokens(PositionTokens.builder().key("k1", new byte[32]).build())
            .start());
  }

  @AfterAll
  static void stop() {
    instances.forEach(Leeway::close);
    schema.close();
  }

  @AfterEach
  void undo() {
    faults.forEach(Fault::close);
  }

  private static MySqlServer replica(int number) {
    return Servers.CLUSTER.server("replica-" + number);
  }

  /** Somebody else counts the register up, some hundred times a second, until it is closed. */
  private static final class Others implements AutoCloseable {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<SQLException> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::count, "others");

    Others() {
      thread.setDaemon(true);
      thread.start();
    }

    private void count() {
      try (Connection connection = Servers.CLUSTER.server("primary").connect(schema.name())) {
        while (!stop.get()) {
          Sql.update(connection, "UPDATE register SET value = value + 1 WHERE id = 1");
          LockSupport.parkNanos(3_000_000);
        }
      } catch (SQLException e) {
        failure.set(e);
      }
    }

    @Override
    public void close() {
      stop.set(true);
      Servers.await("the others stop", () -> !thread.isAlive());
      assertThat((Throwable) failure.get()).isNull();
    }
  }

  private long read(Leeway leeway) throws SQLException {
    String value = Sql.read(leeway, REPLICA, REGISTER);
    servedBy.merge(leeway.lastDecision().orElseThrow().server(), 1, Integer::sum);
    return Long.parseLong(Objects.requireNonNull(value));
  }

  private void readNoLessThanBefore(Leeway leeway, String when) throws SQLException {
    long value = read(leeway);
    assertThat(value)
        .as("%s, %s", when, leeway.lastDecision().orElseThrow())
        .isGreaterThanOrEqualTo(seen);
    seen = value;
  }

  @Test
  @Timeout(180)
  void aUserNeverGoesBackInTimeWhicheverInstanceAndReplicaServesHim() throws Exception {
    faults.add(replica(1).delay(Duration.ofSeconds(1)));
    String token = null;
    long written = 0;
    try (Others others = new Others()) {
      assertThat(others).isNotNull();
      for (int request = 0; request < 1_500; request++) {
        Leeway leeway = instances.get(request % 2);
        befall(request);
        try (RequestScope scope = leeway.openScope(token)) {
          String when = "request " + request;
          readNoLessThanBefore(leeway, when);
          if (request % 60 == 10) {
            written = request;
            Sql.write(leeway, "UPDATE register SET value = " + written + " WHERE id = 2");
          }
          if (request % 100 == 20) {
            String value = Sql.read(leeway, PRIMARY, REGISTER);
            seen = Long.parseLong(Objects.requireNonNull(value));
          }
          readNoLessThanBefore(leeway, when);
          assertThat(Sql.read(leeway, REPLICA, "SELECT value FROM register WHERE id = 2"))
              .as(when)
              .isEqualTo(Long.toString(written));
          token = scope.toToken();
        }
        LockSupport.parkNanos(5_000_000);
      }
    }
    assertThat(servedBy.getOrDefault("replica-2", 0)).as("%s", servedBy).isPositive();
    assertThat(token).hasSizeLessThan(384);
  }

  /** The quick replica stops, is unreachable, comes back; the late one is late by more. */
  private void befall(int request) {
    switch (request) {
      case 300 -> faults.add(replica(2).pauseApplier());
      case 450, 750, 1_050 -> healExceptTheDelay();
      case 600 -> faults.add(replica(2).refuseConnections());
      case 900 -> faults.add(replica(1).delay(Duration.ofSeconds(2)));
      case 1_200 -> faults.add(replica(2).delay(Duration.ofSeconds(1)));
      case 1_350 -> faults.add(replica(1).refuseConnections());
      default -> {}
    }
  }

  private void healExceptTheDelay() {
    while (faults.size() > 1) {
      faults.remove(faults.size() - 1).close();
    }
  }

  @Test
  @Timeout(60)
  void whoComesWithoutATokenMayBeShownLessThanBefore() throws Exception {
    faults.add(replica(1).delay(Duration.ofSeconds(1)));
    try (Others others = new Others()) {
      assertThat(others).isNotNull();
      Servers.await(
          "a step back",
          () -> {
            try (RequestScope scope = instances.get(0).openScope()) {
              assertThat(scope.isClosed()).isFalse();
              long value = read(instances.get(0));
              boolean back = value < seen;
              seen = Math.max(seen, value);
              return back;
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  @Test
  void aTokenPresentedAgainAndAgainDoesNotKeepThePrimaryBusy() throws Exception {
    String token;
    try (RequestScope scope = instances.get(0).openScope()) {
      // A write without a GTID: nothing stands for it but its moment.
      Sql.write(instances.get(0), "UPDATE register SET value = value WHERE id = 2");
      assertThat(scope.position().isComplete()).isFalse();
      token = scope.toToken();
    }
    Servers.await(
        "a replica serves whoever presents it",
        () -> {
          try (RequestScope scope = instances.get(1).openScope(token)) {
            assertThat(scope.isClosed()).isFalse();
            read(instances.get(1));
            return instances.get(1).lastDecision().orElseThrow().role() == Reason.Role.REPLICA;
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
    for (int i = 0; i < 20; i++) {
      try (RequestScope scope = instances.get(1).openScope(token)) {
        assertThat(scope.isClosed()).isFalse();
        read(instances.get(1));
        assertThat(instances.get(1).lastDecision().orElseThrow().role())
            .isEqualTo(Reason.Role.REPLICA);
      }
    }
  }
}

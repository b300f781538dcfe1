package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.NoWritableServerException;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.ReadOnlyServerException;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Case D22: the primary is another server now. */
class FailoverIT {
  private static final int WRITERS = 4;
  private static final int POOLED = 8;

  @Test
  void writesGoToTheNewPrimaryWithinSecondsAndNoneIsLostOrDoubled() throws Exception {
    try (TestSchema schema = Servers.newSchema();
        Leeway leeway =
            Servers.ready(
                Servers.builder("failover", schema)
                    .pools(PoolSettings.defaults().maximum(8, POOLED).idle(POOLED))
                    .start())) {
      schema.execute("CREATE TABLE numbers (n BIGINT PRIMARY KEY)");
      schema.awaitReplicated();
      MySqlServer next = Servers.CLUSTER.replicas().get(0);
      ConcurrentLinkedQueue<Long> acknowledged = new ConcurrentLinkedQueue<>();
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      AtomicLong lastFailureAt = new AtomicLong();
      AtomicInteger readOnlyErrors = new AtomicInteger();
      AtomicLong numbers = new AtomicLong();
      AtomicLong until = new AtomicLong(Long.MAX_VALUE);
      ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
      for (int i = 0; i < WRITERS; i++) {
        writers.submit(
            () -> {
              while (System.nanoTime() < until.get()) {
                long n = numbers.incrementAndGet();
                try {
                  Sql.write(leeway, "INSERT INTO numbers VALUES (" + n + ")");
                  acknowledged.add(n);
                } catch (SQLException e) {
                  failures.add(e);
                  lastFailureAt.accumulateAndGet(System.nanoTime(), Math::max);
                  if (e instanceof ReadOnlyServerException) {
                    readOnlyErrors.incrementAndGet();
                  }
                }
                LockSupport.parkNanos(20_000_000);
              }
            });
      }
      try (Connection open = leeway.dataSource().getConnection()) {
        Servers.await("writes succeed", () -> acknowledged.size() > 20);
        open.setAutoCommit(false);
        Sql.update(open, "INSERT INTO numbers VALUES (-1)");

        Fault promoted = Servers.CLUSTER.promote(next);
        try {
          long switchedAt = System.nanoTime();
          Servers.await(
              "writes succeed on the new primary",
              Duration.ofSeconds(10),
              () ->
                  leeway.clusterState().primaryIndex() > 0
                      && acknowledged.size() > 20
                      && lastAcknowledgedOn(next, schema) > 20);
          assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
          open.rollback();

          // Long enough to notice a connection that was kept by mistake.
          until.set(System.nanoTime() + TimeUnit.SECONDS.toNanos(3));
          writers.shutdown();
          assertThat(writers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

          assertThat(Duration.ofNanos(Math.max(0, lastFailureAt.get() - switchedAt)))
              .isLessThan(Duration.ofSeconds(5));
          assertThat(readOnlyErrors.get()).isLessThanOrEqualTo(POOLED);
          assertThat(failures)
              .allSatisfy(
                  failure ->
                      assertThat(failure)
                          .isInstanceOfAny(
                              ReadOnlyServerException.class,
                              NoWritableServerException.class,
                              SQLException.class)
                          .message()
                          .startsWith("failover - "));
          List<Long> missing = new ArrayList<>();
          for (Long n : acknowledged) {
            if (!"1"
                .equals(
                    next.queryString(
                        "SELECT COUNT(*) FROM " + schema.name() + ".numbers WHERE n = " + n))) {
              missing.add(n);
            }
          }
          assertThat(missing).isEmpty();
          assertThat(
                  next.queryString(
                      "SELECT COUNT(*) FROM " + schema.name() + ".numbers WHERE n = -1"))
              .isEqualTo("0");

          // Reads find their replicas among the others, and own writes are read back.
          try (RequestScope scope = leeway.openScope()) {
            Sql.write(leeway, "INSERT INTO numbers VALUES (-2)");
            assertThat(scope.position().cluster().epoch()).isPositive();
            assertThat(Sql.read(leeway, Sql.REPLICA, "SELECT n FROM numbers WHERE n = -2"))
                .isEqualTo("-2");
          }
        } finally {
          until.set(0);
          promoted.close();
        }
      } finally {
        until.set(0);
        writers.shutdownNow();
      }
    }
  }

  private static int lastAcknowledgedOn(MySqlServer server, TestSchema schema) {
    try {
      String count = server.queryString("SELECT COUNT(*) FROM " + schema.name() + ".numbers");
      return count == null ? 0 : Integer.parseInt(count);
    } catch (SQLException e) {
      return 0;
    }
  }

  @Test
  void whileNobodyTakesWritesTheyWaitAndThenSayWhy() throws Exception {
    try (TestSchema schema = Servers.newSchema();
        Leeway leeway =
            Servers.ready(
                Servers.builder("held", schema).writeHold(Duration.ofMillis(700)).start())) {
      MySqlServer primary = Servers.CLUSTER.primary();
      primary.execute("SET GLOBAL super_read_only = ON");
      try {
        Servers.await("it is noticed", () -> leeway.clusterState().primaryIndex() < 0);
        assertThatThrownBy(() -> Sql.write(leeway, "UPDATE orders SET note = 'held' WHERE id = 1"))
            .isInstanceOf(NoWritableServerException.class)
            .hasMessageStartingWith("held - no server is known to take writes, after waiting 7")
            .hasMessageContaining("is read-only")
            .hasMessageEndingWith("The statement was not sent.");
        assertThat(Sql.whoami(leeway)).as("reads by staleness go on").isNotNull();
      } finally {
        primary.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
      }
      Servers.await("it is back", () -> leeway.clusterState().primaryIndex() == 0);
      assertThat(Sql.write(leeway, "UPDATE orders SET note = 'after' WHERE id = 1")).isEqualTo(1);
    }
  }
}

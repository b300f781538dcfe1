package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clusters come up whole, are small and quick, and leave nothing behind. */
class LifecycleIT {
  private static final Logger log = LoggerFactory.getLogger(LifecycleIT.class);
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void aClusterOfThreeIsSmallAndTellsAMonitorWhatItNeeds() throws SQLException {
    long start = System.nanoTime();
    try (MySqlCluster cluster = MySqlCluster.builder().replicas(2).start()) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      long bytes =
          cluster.servers().stream().mapToLong(server -> server.residentBytes().orElse(0)).sum();
      log.info("a cluster of three was up after {} ms and takes {} MB", millis, bytes >> 20);

      MySqlServer replica = cluster.replica("replica-1");
      assertThat(replica.queryString("SHOW REPLICA STATUS")).startsWith("Waiting for source");
      for (String table :
          List.of(
              "replication_connection_status",
              "replication_applier_status",
              "replication_applier_status_by_worker")) {
        assertThat(
                replica.queryString(
                    "SELECT SERVICE_STATE FROM performance_schema." + table + " LIMIT 1"))
            .as(table)
            .isEqualTo("ON");
      }
      for (MySqlServer server : cluster.servers()) {
        assertThat(Integer.parseInt(server.ask("SELECT @@max_connections"))).isEqualTo(400);
        assertThat(server.ask("SELECT @@gtid_mode")).isEqualTo("ON");
        assertThat(server.ask("SELECT @@binlog_format")).isEqualTo("ROW");
      }
    }
  }

  @Test
  void optionsReachEveryServer() {
    try (MySqlCluster cluster =
        MySqlCluster.builder().replicas(1).option("--max-connections", "123").start()) {
      for (MySqlServer server : cluster.servers()) {
        assertThat(server.ask("SELECT @@max_connections")).isEqualTo("123");
      }
    }
  }

  @Test
  void aClusterCanStayBehindFromItsStart() throws SQLException {
    try (MySqlCluster cluster =
        MySqlCluster.builder().replicas(1).delay(Duration.ofMinutes(10)).start()) {
      MySqlServer replica = cluster.replica("replica-1");
      cluster.primary().execute("CREATE SCHEMA late");
      assertThat(replica.queryString("SHOW SCHEMAS LIKE 'late'")).isNull();

      // Waits for no delay of ten minutes, and keeps it.
      cluster.undoFaults();

      assertThat(replica.queryString("SHOW SCHEMAS LIKE 'late'")).isEqualTo("late");
      cluster.primary().execute("CREATE SCHEMA later");
      assertThat(replica.queryString("SHOW SCHEMAS LIKE 'later'")).isNull();
    }
  }

  @Test
  void clocksCanBeSettableFromTheStartWithoutARestart() throws SQLException {
    try (MySqlCluster cluster = MySqlCluster.builder().replicas(1).settableClocks().start()) {
      MySqlServer replica = cluster.replica("replica-1");
      try (Connection connection =
          DriverManager.getConnection(replica.jdbcUrl(""), replica.user(), replica.password())) {
        replica.skewClock(Duration.ofMinutes(-2));

        long seconds = Long.parseLong(cluster.primary().ask("SELECT UNIX_TIMESTAMP()"));
        assertThat(
                Long.parseLong(
                    String.valueOf(Jdbc.queryString(connection, "SELECT UNIX_TIMESTAMP()"))))
            .as("the connection was not broken")
            .isBetween(seconds - 123, seconds - 117);
      }
    }
  }

  @Test
  void closingLeavesNeitherProcessesNorDataNorThreads() throws SQLException {
    Set<Long> before = children();
    Set<Thread> threads = threads();
    MySqlCluster cluster = MySqlCluster.builder().replicas(1).start();
    Path data = Path.of(String.valueOf(cluster.primary().queryString("SELECT @@datadir")));
    assertThat(data).isDirectory();
    assertThat(servers()).hasSizeGreaterThanOrEqualTo(2);
    Fault cut = cluster.primary().cutNetwork();
    cluster.replica("replica-1").longStatement(Duration.ofMinutes(10));
    cluster.replica("replica-1").freeze();

    cluster.close();
    cluster.close();
    cut.close();

    assertThat(data.resolve("../..").normalize()).doesNotExist();
    // One watchdog stays for as long as this JVM.
    assertThat(children()).hasSizeLessThanOrEqualTo(before.size() + 1);
    Await.until(
        "no thread is left",
        SOON,
        () -> {
          Set<Thread> left = threads();
          left.removeAll(threads);
          return left.isEmpty();
        });
  }

  @Test
  void aServerThatDoesNotComeUpLeavesNothingRunning() {
    Set<Long> before = servers();

    assertThatThrownBy(
            () -> MySqlCluster.builder().replicas(1).option("--no-such-option=1").start())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("mysqld did not come up")
        .hasMessageContaining("unknown variable 'no-such-option=1'");

    assertThat(servers()).isEqualTo(before);
  }

  @Test
  void aJvmThatIsKilledLeavesNothingBehind() throws Exception {
    Other other = Other.start("wait");

    other.process().destroyForcibly().waitFor();

    other.awaitGone();
  }

  @Test
  void aJvmThatExitsWithoutClosingLeavesNothingBehind() throws Exception {
    Other other = Other.start("exit");

    other.process().waitFor();

    other.awaitGone();
  }

  /** A cluster in another JVM. */
  private record Other(Process process, Path data, List<ProcessHandle> processes) {
    static Other start(String mode) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  ClusterInAnotherJvm.class.getName(),
                  mode)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      Path data = Path.of("nowhere");
      List<ProcessHandle> processes = new ArrayList<>();
      BufferedReader lines = process.inputReader();
      String line = lines.readLine();
      while (line != null && !line.equals("ready")) {
        if (line.startsWith("data ")) {
          data = Path.of(line.substring("data ".length()));
        } else if (line.startsWith("pid ")) {
          ProcessHandle.of(Long.parseLong(line.substring("pid ".length())))
              .ifPresent(processes::add);
        }
        line = lines.readLine();
      }
      assertThat(processes).as("two servers and a watchdog").hasSizeGreaterThanOrEqualTo(3);
      return new Other(process, data, processes);
    }

    void awaitGone() {
      Await.until(
          "no process of " + processes + " and nothing of " + data + " is left",
          SOON,
          () -> processes.stream().noneMatch(ProcessHandle::isAlive) && !Files.exists(data));
      assertThat(data.resolve("../..").normalize()).doesNotExist();
    }
  }

  private static Set<Long> children() {
    return ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  private static Set<Long> servers() {
    return ProcessHandle.current()
        .descendants()
        .filter(each -> each.info().commandLine().orElse("").contains("--gtid-mode=ON"))
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("leeway-"))
        .collect(Collectors.toSet());
  }
}

package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.testkit.Await;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.TestSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on servers that a file names. */
@MySqlTopology(replicas = 2)
class ConfiguredClusterIT {
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final MySqlCluster cluster;
  @TempDir Path folder;

  ConfiguredClusterIT(MySqlCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void lagShowsEachServerAndEndsWellWhenAllMayServe() throws IOException {
    CommandRun run = CommandRun.of("lag", "--once", "--config", config("").toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).hasSize(4);
    assertThat(run.out().get(1)).matches("primary +primary +fresh +- +[0-9a-f-]{36}:1-.*");
    assertThat(run.out().get(2)).matches("replica-1 +replica +fresh +[0-9.]+ m?s +[0-9a-f-]{36}.*");
    assertThat(run.out().get(3)).matches("replica-2 +replica +fresh +[0-9.]+ m?s +[0-9a-f-]{36}.*");
  }

  @Test
  void lagNamesAReplicaThatDoesNotAnswerAndEndsWithOne() throws IOException {
    Path config = config("settings: {pollTimeout: 300ms}\n");
    cluster.replica("replica-2").refuseConnections();

    CommandRun run = CommandRun.of("lag", "--once", "--json", "--config", config.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).hasSize(1);
    assertThat(run.out().get(0))
        .contains("\"healthy\":false")
        .contains("\"name\":\"replica-2\",\"role\":\"replica\",\"state\":\"UNREACHABLE\"")
        .contains("\"mayServe\":false,\"stalenessMillis\":null");
  }

  @Test
  void aWrongPasswordIsAMistakeInTheFile() throws IOException {
    Path config = config("");
    Files.writeString(
        config, Files.readString(config).replaceAll("password: [^}]*", "password: wrong"));

    for (List<String> command :
        List.of(List.of("lag", "--once"), List.of("drill", "read-after-write"))) {
      CommandRun run = on(config, command);

      assertThat(run.exitCode()).as("%s", run).isEqualTo(2);
      assertThat(run.err()).last().asString().contains("Access denied").startsWith("leeway: ");
      assertThat(run.err()).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  @Test
  void theDrillNamesTheServerItCannotConnectToWithCauseAndAdvice() throws IOException {
    Path config = config("drill: {schema: shop}\n");
    String servers = Files.readString(config);
    String lastPort = String.valueOf(cluster.replica("replica-2").port());

    assertDrillSays(
        servers.replace(":" + lastPort + "/", ":1/"),
        3,
        "leeway: drill - replica-2 (127.0.0.1:1): Connection refused. Is MySQL running there? Check"
            + " host and port in its url.");
    assertDrillSays(
        servers.replaceFirst("127.0.0.1:[0-9]+/", "nowhere.invalid/"),
        3,
        "leeway: drill - primary (nowhere.invalid): the host is not known (nowhere.invalid");
    assertDrillSays(
        servers.replaceFirst("password: [^}]*", "password: wrong"),
        2,
        "leeway: drill - primary (127.0.0.1:" + cluster.primary().port() + "): Access denied for");
    assertDrillSays(
        servers.replaceFirst(":([0-9]+)/", ":$1/nowhere"),
        2,
        "leeway: drill - primary (127.0.0.1:%d): Unknown database 'nowhere'. Check the schema in its url"
            .formatted(cluster.primary().port()));
  }

  private void assertDrillSays(String configuration, int exitCode, String message)
      throws IOException {
    Path config = Files.writeString(folder.resolve("said.yaml"), configuration);

    CommandRun run = on(config, List.of("drill", "read-after-write"));

    assertThat(run.exitCode()).as("%s", run).isEqualTo(exitCode);
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0)).startsWith(message);
  }

  @Test
  void lagSaysWhenTheConfigurationTakesAReplicaForThePrimary() throws IOException {
    Path config = folder.resolve("swapped.yaml");
    Files.writeString(
        config,
        """
        cluster: shop
        primary: %s
        replicas: [%s]
        """
            .formatted(
                server(cluster.replica("replica-1"), "127.0.0.1"),
                server(cluster.primary(), "127.0.0.1")));

    CommandRun run = on(config, List.of("lag", "--once"));

    assertThat(run.out())
        .contains(
            "primary: the configuration calls it the primary, but it is read-only, and replica-1"
                + " takes the writes");
  }

  @Test
  void theGateDoesNotClaimToKnowWhyThePrimaryLacksAPosition() throws IOException {
    String future = cluster.primary().serverUuid() + ":1-999999";

    CommandRun run = on(config(""), List.of("gate", "--timeout", "1m", "--position", future));

    assertThat(run.exitCode()).as("%s", run).isEqualTo(1);
    assertThat(run.out()).hasSize(1);
    assertThat(run.out().get(0)).contains("or has not been written yet");
  }

  @Test
  void serversThatAreNotThereAreTheEnvironmentsFault() throws IOException {
    Path config = folder.resolve("nowhere.yaml");
    Files.writeString(
        config,
        """
        cluster: shop
        primary: {url: "jdbc:mysql://127.0.0.1:1/shop", user: app}
        replicas: [{url: "jdbc:mysql://127.0.0.1:2/shop"}]
        drill: {schema: shop}
        """);

    for (List<String> command :
        List.of(List.of("lag", "--once"), List.of("drill", "read-after-write"))) {
      CommandRun run = on(config, command);

      assertThat(run.exitCode()).as("%s", run).isEqualTo(3);
      assertThat(run.err()).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  @Test
  void theGateTellsWhichReplicaHasReachedAPosition() throws IOException {
    String position = cluster.primary().executedGtids();

    CommandRun run = on(config(""), List.of("gate", "--position", position));

    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(run.out()).hasSize(1);
    assertThat(run.out().get(0)).containsPattern("replica-[12]");
  }

  @Test
  void theGateGivesUpOnAPositionThatIsNotReachedInTime(TestSchema schema)
      throws IOException, SQLException {
    cluster.replicas().forEach(MySqlServer::pauseApplier);
    schema.execute("CREATE TABLE late (id INT PRIMARY KEY)");
    WritePosition position =
        WritePosition.of(
            new ClusterId("shop", 0), GtidSet.parse(cluster.primary().executedGtids()));

    CommandRun run =
        on(config(""), List.of("gate", "--timeout", "500ms", "--position", position.toToken()));

    assertThat(run.exitCode()).as("%s", run).isEqualTo(1);
    assertThat(run.out()).hasSize(1);
  }

  @Test
  void theGateSaysAtOnceThatAPositionIsOfAnotherCluster() throws IOException {
    WritePosition position =
        WritePosition.of(
            new ClusterId("warehouse", 0), GtidSet.parse(cluster.primary().executedGtids()));

    CommandRun run =
        on(config(""), List.of("gate", "--timeout", "1m", "--position", position.toToken()));

    assertThat(run.exitCode()).as("%s", run).isEqualTo(1);
    assertThat(run.out().get(0)).contains("warehouse");
  }

  @Test
  void theDrillUsesATableOfItsOwnAndRemovesIt(TestSchema schema) throws IOException, SQLException {
    Path config = config(drillIn(schema));

    CommandRun run = on(config, List.of("drill", "read-after-write", "--iterations=20"));

    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(run.out()).contains("missing order: 0");
    assertThat(run.out()).last().asString().matches("served from primary: [0-9]+");
    assertThat(tablesIn(schema)).isEqualTo("0");
  }

  @Test
  void theDrillFailsWhereANaiveSplitterReads(TestSchema schema) throws Exception {
    Path config = config(drillIn(schema));
    Thread paused = pauseAppliersOnceTheTableIsThere(schema);

    CommandRun run =
        on(config, List.of("drill", "read-after-write", "--naive", "--iterations=500"));
    paused.join(BOUND.toMillis());

    assertThat(run.exitCode()).as("%s", run).isEqualTo(1);
    assertThat(run.out()).last().asString().isEqualTo("served from primary: 0");
    assertThat(run.out()).doesNotContain("missing order: 0");
    assertThat(tablesIn(schema)).isEqualTo("0");
  }

  @Test
  void theDrillRefusesWhereItCouldShowNothing(TestSchema schema) throws IOException {
    MySqlServer primary = cluster.primary();
    assertRefused(
        """
        cluster: shop
        primary: %s
        drill: {schema: %s}
        """
            .formatted(server(primary, "127.0.0.1"), schema.name()),
        "drill - no replica is configured, so no read could be stale");
    assertRefused(
        """
        cluster: shop
        primary: %s
        replicas: [%s]
        drill: {schema: %s}
        """
            .formatted(server(primary, "127.0.0.1"), server(primary, "localhost"), schema.name()),
        "replica-1 and the primary are the same server");
    assertRefused(Files.readString(config("")), "drill - the configuration names no drill.schema");
    assertRefused(
        Files.readString(config("drill: {schema: not_there}\n")),
        "primary: there is no schema 'not_there' (expected: one for the drill's table)");
  }

  @Test
  void theDrillNamesTheRightsItLacks(TestSchema schema) throws IOException, SQLException {
    cluster
        .primary()
        .execute(
            "CREATE USER IF NOT EXISTS reader IDENTIFIED BY 'reader'",
            "GRANT SELECT, REPLICATION CLIENT ON *.* TO reader");
    schema.awaitReplicated();
    String servers =
        Files.readString(config(drillIn(schema)))
            .replaceAll("user: [^,]*, password: [^}]*}", "user: reader, password: reader}");
    Path config = folder.resolve("reader.yaml");
    Files.writeString(config, servers);

    CommandRun run = on(config, List.of("drill", "read-after-write"));

    assertThat(run.exitCode()).as("%s", run).isEqualTo(2);
    assertThat(run.err())
        .last()
        .asString()
        .contains("primary: user 'reader' may not make a table in schema '" + schema.name() + "'")
        .contains("GRANT CREATE, DROP, SELECT, INSERT ON `" + schema.name() + "`.*");
  }

  private void assertRefused(String configuration, String reason) throws IOException {
    Path config = folder.resolve("refused.yaml");
    Files.writeString(config, configuration);

    CommandRun run = on(config, List.of("drill", "read-after-write"));

    assertThat(run.exitCode()).as("%s", run).isEqualTo(2);
    assertThat(run.err()).last().asString().contains(reason);
    assertThat(run.out()).isEmpty();
  }

  /** From the middle of the drill on, so that its table is on the replicas. */
  private Thread pauseAppliersOnceTheTableIsThere(TestSchema schema) {
    Thread thread =
        new Thread(
            () -> {
              Await.until(
                  "the drill's table is on the replicas",
                  BOUND,
                  () -> {
                    for (MySqlServer replica : cluster.replicas()) {
                      if (!"1".equals(replica.queryString(countTables(schema)))) {
                        return false;
                      }
                    }
                    return true;
                  });
              cluster.replicas().forEach(MySqlServer::pauseApplier);
            });
    thread.start();
    return thread;
  }

  private String tablesIn(TestSchema schema) throws SQLException {
    return String.valueOf(cluster.primary().queryString(countTables(schema)));
  }

  private static String countTables(TestSchema schema) {
    return "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '"
        + schema.name()
        + "' AND table_name LIKE 'leeway\\_drill\\_%'";
  }

  private static String drillIn(TestSchema schema) {
    return "drill: {schema: " + schema.name() + "}\n";
  }

  private Path config(String more) throws IOException {
    StringBuilder text = new StringBuilder("cluster: shop\n");
    text.append("primary: ").append(server(cluster.primary(), "127.0.0.1")).append('\n');
    text.append("replicas:\n");
    for (MySqlServer replica : cluster.replicas()) {
      text.append("  - ").append(server(replica, "127.0.0.1")).append('\n');
    }
    Path file = folder.resolve("topology.yaml");
    Files.writeString(file, text.append(more).toString());
    return file;
  }

  private static String server(MySqlServer server, String host) {
    return "{url: \"%s\", user: %s, password: %s}"
        .formatted(
            server.jdbcUrl("").replace(server.host(), host), server.user(), server.password());
  }

  private static CommandRun on(Path config, List<String> command) {
    String[] arguments = new String[command.size() + 2];
    command.toArray(arguments);
    arguments[command.size()] = "--config";
    arguments[command.size() + 1] = config.toString();
    return CommandRun.of(arguments);
  }
}

package dev.leeway.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.DurationText;
import dev.leeway.gate.Finding;
import dev.leeway.gate.HeartbeatTable;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.ServerEndpoint;
import dev.leeway.routing.Leeway;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyFileTest {
  private static final String SERVERS =
      """
      cluster: shop
      primary:
        url: jdbc:mysql://db-1:3306/shop
        user: leeway
        password: secret
      replicas:
        - url: jdbc:mysql://db-2:3306/shop
        - name: reports
          url: jdbc:mysql://db-3:3306/shop
          user: reader
          password: other
      """;

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("topology.yaml");
  }

  @Test
  void aFileWithServersAloneGetsTheDocumentedDefaults() throws IOException {
    Topology topology = read(SERVERS);

    assertThat(topology.cluster()).isEqualTo("shop");
    assertThat(topology.servers())
        .containsExactly(
            new ServerEndpoint("primary", "jdbc:mysql://db-1:3306/shop", "leeway", "secret"),
            new ServerEndpoint("replica-1", "jdbc:mysql://db-2:3306/shop", "leeway", "secret"),
            new ServerEndpoint("reports", "jdbc:mysql://db-3:3306/shop", "reader", "other"));
    assertThat(described(topology.monitoring()))
        .isEqualTo(
            described(
                MonitorSettings.builder()
                    .heartbeatTable(HeartbeatTable.none())
                    .writeHeartbeat(false)
                    .build()));
    assertThat(topology.catchUp()).isEqualTo(Duration.ofMillis(50));
    assertThat(topology.drillSchema()).isEmpty();
  }

  /** The table of keys is what the documentation shows; the gate is what really applies. */
  @Test
  void theDocumentedDefaultsAreThoseOfTheGate() throws IOException {
    String settings =
        Key.ALL.stream()
            .filter(key -> key.path().startsWith("settings."))
            .filter(key -> !key.path().startsWith("settings.heartbeat"))
            .filter(key -> !key.defaultText().startsWith("("))
            .map(key -> "  " + key.name() + ": " + key.defaultText() + "\n")
            .collect(Collectors.joining("", "settings:\n", ""));

    assertThat(described(read(SERVERS + settings).monitoring()))
        .isEqualTo(described(read(SERVERS).monitoring()));
    assertThat(
            described(
                read(SERVERS + "settings: {heartbeat: {kind: leeway, interval: 250ms}}\n")
                    .monitoring()))
        .isEqualTo(
            described(
                MonitorSettings.builder()
                    .heartbeatTable(
                        HeartbeatTable.leeway(Key.at("settings.heartbeat.schema").defaultText()))
                    .writeHeartbeat(false)
                    .build()));
  }

  @Test
  void everySettingIsReadFromItsKey() throws IOException {
    Topology topology =
        read(
            SERVERS
                + """
                settings:
                  pollInterval: 50ms
                  pollTimeout: 2s
                  ejectAbove: 1m
                  readmitBelow: 20s
                  readmitAfter: 5
                  catchUp: 75ms
                  takeOverAfter: 7s
                  refuse: [WRITABLE]
                  heartbeat:
                    kind: pt-heartbeat
                    table: pt.beat
                    interval: 1s
                    zone: Europe/Berlin
                drill:
                  schema: leeway_drill
                """);

    assertThat(described(topology.monitoring()))
        .isEqualTo(
            described(
                MonitorSettings.builder()
                    .pollInterval(Duration.ofMillis(50))
                    .pollTimeout(Duration.ofSeconds(2))
                    .ejectAbove(Duration.ofMinutes(1))
                    .readmitBelow(Duration.ofSeconds(20))
                    .readmitAfter(5)
                    .takeOverAfter(Duration.ofSeconds(7))
                    .refuse(Set.of(Finding.WRITABLE))
                    .heartbeatTable(
                        HeartbeatTable.ptHeartbeat("pt.beat", ZoneId.of("Europe/Berlin")))
                    .heartbeatInterval(Duration.ofSeconds(1))
                    .build()));
    assertThat(topology.catchUp()).isEqualTo(Duration.ofMillis(75));
    assertThat(topology.drillSchema()).contains("leeway_drill");
  }

  @Test
  void theWriterOfAHeartbeatIsConfiguredByItsOwnKeys() throws IOException {
    Topology topology =
        read(
            SERVERS
                + "settings: {heartbeat: {kind: leeway, schema: ops, write: true, create: true}}\n");

    assertThat(described(topology.monitoring()))
        .isEqualTo(
            described(
                MonitorSettings.builder()
                    .heartbeatTable(HeartbeatTable.leeway("ops"))
                    .writeHeartbeat(true)
                    .createHeartbeatTable(true)
                    .build()));
  }

  @Test
  void allProblemsOfAFileAreReportedTogetherInTheOrderTheyStandInIt() {
    refused(
            """
            cluster: shop
            primary:
              url: postgres://db-1/shop
              user: leeway
              pasword: secret
            replicas:
              - name: primary
                url: jdbc:mysql://db-2/shop
            settings:
              pollInterval: fast
              ejectAbove: -5s
              readmitAfter: many
              heartbeat:
                kind: leewy
                write: perhaps
            drill:
              schema: "a b"
            """)
        .hasMessage(
            lines(
                ":3:8: primary.url: Server 'primary' - URL 'postgres://db-1/shop' (expected: one"
                    + " that starts with jdbc:mysql://). Leeway chooses among servers itself, so a"
                    + " URL for replication or load balancing cannot be used.",
                ":5:3: unknown key primary.pasword (did you mean password?)",
                ":7:11: replicas[1].name: 'primary' is already the primary (expected: unique)",
                ":10:17: settings.pollInterval: duration: \"fast\" (expected: a number and a unit,"
                    + " such as 400ms, 5s or 2m)",
                ":11:15: settings.ejectAbove: duration: \"-5s\" is negative (expected: zero or more,"
                    + " such as 400ms, 5s or 2m)",
                ":12:17: settings.readmitAfter is the text 'many' (expected: a whole number, 1 or"
                    + " more)",
                ":14:11: settings.heartbeat.kind is the text 'leewy' (expected: one of none, leeway,"
                    + " pt-heartbeat; did you mean leeway?)",
                ":15:12: settings.heartbeat.write is the text 'perhaps' (expected: true or false)",
                ":17:11: drill.schema: 'a b' (expected: a schema name of letters, digits, _ and $)"));
  }

  @Test
  void twoPrimariesAreCalledThat() {
    refused(
            """
            cluster: shop
            primary:
              url: jdbc:mysql://db-1/shop
              user: leeway
            primary:
              url: jdbc:mysql://db-2/shop
              user: leeway
            """)
        .hasMessage(
            lines(
                ":5:1: 2 primaries (expected: one; a cluster has one server that takes writes, the"
                    + " others are replicas)"));
    refused(
            """
            cluster: shop
            primary:
              - url: jdbc:mysql://db-1/shop
              - url: jdbc:mysql://db-2/shop
            """)
        .hasMessageContaining("2 primaries (expected: one");
  }

  @Test
  void aFileWithoutAPrimarySaysWhatAPrimaryIs() {
    refused(
            """
            cluster: shop
            replicas:
              - url: jdbc:mysql://db-2/shop
                user: leeway
            """)
        .hasMessage(lines(":1:1: primary is missing (The server that takes writes.)"));
  }

  @Test
  void aReplicaWithTheAddressOfThePrimaryIsNoReplica() {
    refused(
            """
            cluster: shop
            primary:
              url: jdbc:mysql://db-1/shop
              user: leeway
            replicas:
              - url: jdbc:mysql://db-1/shop
            """)
        .hasMessage(
            lines(
                ":6:10: replicas[1].url: is also the address of primary (expected: a server of its"
                    + " own)"));
  }

  @Test
  void anUnknownKeyThatResemblesNothingListsTheKnownOnes() {
    refused(SERVERS + "colour: blue\n")
        .hasMessage(
            lines(
                ":12:1: unknown key colour (expected: cluster, primary, replicas, settings,"
                    + " drill)"));
  }

  @Test
  void aValueOfAnotherShapeIsNamedForWhatItIs() {
    refused("cluster: [a]\nprimary: 7\nreplicas: none\nsettings: yes\n")
        .hasMessage(
            lines(
                ":1:10: cluster is a list (expected: a text)",
                ":2:10: primary is the number 7 (expected: the keys name, url, user, password,"
                    + " passwordEnv, passwordFile)",
                ":3:11: replicas is the text 'none' (expected: a list, each item with the keys name,"
                    + " url, user, password, passwordEnv, passwordFile)",
                ":4:11: settings is the text 'yes' (expected: the keys pollInterval, pollTimeout,"
                    + " ejectAbove, readmitBelow, readmitAfter, catchUp, takeOverAfter, refuse,"
                    + " heartbeat)"));
  }

  @Test
  void aKeyWithNothingBehindItIsNotTakenForItsDefault() {
    refused(SERVERS + "settings:\n  ejectAbove:\n")
        .hasMessageContaining("settings.ejectAbove is nothing (expected: a duration");
  }

  @Test
  void aPasswordComesFromTheFileTheEnvironmentOrAnotherFile() throws IOException {
    Files.writeString(folder.resolve("password.txt"), "from file\nnot this\n");

    Topology topology =
        read(
            """
            cluster: shop
            primary:
              url: jdbc:mysql://db-1/shop
              user: leeway
              passwordEnv: SHOP_PASSWORD
            replicas:
              - url: jdbc:mysql://db-2/shop
                passwordFile: password.txt
              - url: jdbc:mysql://db-3/shop
                user: nobody
              - url: jdbc:mysql://db-4/shop
                password: 1234
            """);

    assertThat(topology.servers())
        .extracting(ServerEndpoint::password)
        .containsExactly("from environment", "from file", "", "1234");
    assertThat(topology.primary()).hasToString("primary (jdbc:mysql://db-1/shop, user leeway)");
  }

  @Test
  void aPasswordThatCannotBeHadIsAProblem() {
    refused(
            """
            cluster: shop
            primary:
              url: jdbc:mysql://db-1/shop
              user: leeway
              passwordEnv: NOT_SET
            replicas:
              - url: jdbc:mysql://db-2/shop
                passwordFile: missing.txt
              - url: jdbc:mysql://db-3/shop
                password: a
                passwordEnv: SHOP_PASSWORD
            """)
        .hasMessage(
            lines(
                ":5:16: primary.passwordEnv: the environment variable NOT_SET is not set",
                ":8:19: replicas[1].passwordFile: "
                    + folder.resolve("missing.txt")
                    + " cannot be read (expected: a readable text file)",
                ":11:18: replicas[2].passwordEnv: the password is given in 2 ways, password and"
                    + " passwordEnv (expected: one)"));
  }

  @Test
  void aValueOutOfItsRangeIsToldWithTheOthersAtItsPlaceAndAsItWasWritten() {
    refused(
            SERVERS
                + """
                settings:
                  pollInterval: 1ms
                  pollTimeout: 0.5m
                  ejectAbove: 8d
                  readmitAfter: 20000
                  catchUp: 61m
                  colour: blue
                  heartbeat:
                    interval: 0s
                """)
        .hasMessage(
            lines(
                ":13:17: settings.pollInterval: 1ms (expected: 10ms to 30s)",
                ":15:15: settings.ejectAbove: 8d (expected: 10ms to 7d)",
                ":16:17: settings.readmitAfter: 20000 (expected: 1 to 10000)",
                ":17:12: settings.catchUp: 61m (expected: 0s to 1h)",
                ":18:3: unknown key settings.colour (expected: pollInterval, pollTimeout, ejectAbove,"
                    + " readmitBelow, readmitAfter, catchUp, takeOverAfter, refuse, heartbeat)",
                ":20:15: settings.heartbeat.interval: 0s (expected: 10ms to 30s)"));
  }

  @Test
  void settingsThatContradictEachOtherAreToldAtTheKeyThatWasGiven() {
    refused(SERVERS + "settings:\n  ejectAbove: 2s\n  readmitBelow: 0.05m\n")
        .hasMessage(
            lines(":14:17: settings.readmitBelow: 0.05m (expected: no more than ejectAbove, 2s)"));
    refused(SERVERS + "settings:\n  readmitBelow: 150ms\n")
        .hasMessage(
            lines(
                ":13:17: settings.readmitBelow: 150ms (expected: at least two poll intervals, or a"
                    + " replica could never come back; pollInterval is 100ms)"));
    refused(SERVERS + "settings:\n  pollInterval: 3s\n")
        .hasMessage(
            lines(
                ":13:17: settings.pollInterval: 3s (expected: readmitBelow, which is half of"
                    + " ejectAbove, to be at least two poll intervals; ejectAbove is 10s,"
                    + " pollInterval 3s)"));
  }

  /** What the gate and the router refuse, the table of keys knows, and not more. */
  @Test
  void theRangesOfTheKeysAreThoseOfTheGateAndTheRouter() {
    Map<String, BiFunction<MonitorSettings.Builder, Duration, MonitorSettings.Builder>> setters =
        Map.of(
            "pollInterval", MonitorSettings.Builder::pollInterval,
            "pollTimeout", MonitorSettings.Builder::pollTimeout,
            "ejectAbove", MonitorSettings.Builder::ejectAbove,
            "takeOverAfter", MonitorSettings.Builder::takeOverAfter,
            "heartbeatInterval", MonitorSettings.Builder::heartbeatInterval);
    setters.forEach(
        (name, setter) ->
            assertRange(
                name.equals("heartbeatInterval")
                    ? "settings.heartbeat.interval"
                    : "settings." + name,
                value -> refusal(() -> setter.apply(MonitorSettings.builder(), value).build()),
                name + ": "));
    assertRange(
        "settings.catchUp",
        value -> refusal(() -> Leeway.builder("shop").catchUp(value).start().close()),
        "catchUp: ");
    Key.Range polls = Objects.requireNonNull(Key.at("settings.readmitAfter").range());
    for (int value : List.of(1, 10_000)) {
      assertThat(polls.holds(value)).isTrue();
      MonitorSettings.builder().readmitAfter(value).build();
    }
    for (int value : List.of(0, 10_001)) {
      assertThat(polls.holds(value)).isFalse();
      assertThat(refusal(() -> MonitorSettings.builder().readmitAfter(value).build()))
          .contains("readmitAfter: ");
    }
    assertThat(Key.ALL.stream().filter(key -> key.range() != null)).hasSize(7);
  }

  private static void assertRange(
      String path, Function<Duration, String> refusal, String beginning) {
    Key.Range range = Objects.requireNonNull(Key.at(path).range());
    Duration least = DurationText.parse(range.least());
    Duration most = DurationText.parse(range.most());
    assertThat(refusal.apply(least)).as(path).doesNotContain(beginning);
    assertThat(refusal.apply(most)).as(path).doesNotContain(beginning);
    assertThat(refusal.apply(most.plusNanos(1))).as(path).contains(beginning);
    assertThat(refusal.apply(least.minusNanos(1))).as(path).contains(beginning);
  }

  /** What is refused, or nothing. */
  private static String refusal(Runnable building) {
    try {
      building.run();
      return "";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void whatFollowsFromAMisspeltKeyIsNotToldAsAnotherMistake() {
    refused(SERVERS.replace("primary:", "primray:"))
        .hasMessage(lines(":2:1: unknown key primray (did you mean primary?)"));
    refused(
            SERVERS
                .replace("    user: reader", "    usr: reader")
                .replace("    url: jdbc:mysql://db-3", "    ulr: jdbc:mysql://db-3"))
        .hasMessage(
            lines(
                ":9:5: unknown key replicas[2].ulr (did you mean url?)",
                ":10:5: unknown key replicas[2].usr (did you mean user?)"));
  }

  @Test
  void aKeyGivenTwiceNamesBothPlaces() {
    refused(SERVERS + "settings:\n  catchUp: 1s\n  catchUp: 2s\n")
        .hasMessage(
            lines(":14:3: settings.catchUp is given twice, first in line 13 (expected: once)"));
  }

  @Test
  void brokenYamlIsReportedWithItsPlace() {
    refused("cluster: shop\nprimary: {url: [\n").hasMessageContaining("not valid YAML: ");
    refused("cluster: shop\n\tprimary: x\n")
        .hasMessage(
            lines(
                ":2:1: not valid YAML: while scanning for the next token, found character '\\t(TAB)'"
                    + " that cannot start any token. (Do not use \\t(TAB) for indentation)"));
    refused("cluster: a: b\n")
        .hasMessage(lines(":1:11: not valid YAML: mapping values are not allowed here"));
    refused("")
        .hasMessage(lines(":1:1: the file is empty (expected: at least 'cluster' and 'primary')"));
    refused("- a\n- b\n").hasMessageContaining("the file is a list (expected: the keys cluster,");
    refused("cluster: a\n---\ncluster: b\n").hasMessageContaining("a second YAML document");
  }

  @Test
  void anchorsAreRefusedSoThatASmallFileStaysSmall() {
    refused("cluster: &name shop\nprimary: *name\n")
        .hasMessageContaining("anchors and aliases are not followed");
    refused("a: ".repeat(1) + "[".repeat(200) + "]".repeat(200))
        .hasMessageContaining("nested more than 20 levels deep");
  }

  @Test
  void aFileThatCannotBeReadSaysWhy() throws IOException {
    assertThatThrownBy(() -> TopologyFile.read(file, Map.of()))
        .hasMessage(
            file
                + ": cannot be read: there is no such file (expected: a YAML file naming the"
                + " servers)");
    assertThatThrownBy(() -> TopologyFile.read(folder, Map.of()))
        .hasMessageContaining("it is a folder");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatThrownBy(() -> TopologyFile.read(file, Map.of()))
        .hasMessageContaining("it is not UTF-8 text");
    Files.write(file, new byte[(1 << 20) + 1]);
    assertThatThrownBy(() -> TopologyFile.read(file, Map.of()))
        .hasMessageContaining("it has 1048577 bytes, at most 1048576");
  }

  private AbstractThrowableAssert<?, ?> refused(String text) {
    return assertThatThrownBy(() -> read(text)).isInstanceOf(ConfigurationException.class);
  }

  /** The settings have no equality of their own; what counts is what each is set to. */
  private static List<Object> described(MonitorSettings settings) {
    return List.of(
        settings.pollInterval(),
        settings.pollTimeout(),
        settings.ejectAbove(),
        settings.readmitBelow(),
        settings.readmitAfter(),
        settings.takeOverAfter(),
        settings.refuse(),
        settings.heartbeatTable(),
        settings.heartbeatInterval(),
        settings.writeHeartbeat(),
        settings.createHeartbeatTable());
  }

  private Topology read(String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
    return TopologyFile.read(file, Map.of("SHOP_PASSWORD", "from environment"));
  }

  private String lines(String... problems) {
    StringBuilder message = new StringBuilder();
    for (String problem : problems) {
      message.append(message.isEmpty() ? "" : System.lineSeparator()).append(file).append(problem);
    }
    return message.toString();
  }
}

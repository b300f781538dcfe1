package dev.leeway.cli.config;

import dev.leeway.annotation.DurationText;
import dev.leeway.cli.config.YamlNode.Mapping;
import dev.leeway.gate.Finding;
import dev.leeway.gate.HeartbeatTable;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.ServerEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a topology of a file's text, noting every problem on the way. */
final class TopologyReader {
  private static final Pattern SCHEMA = Pattern.compile("[A-Za-z0-9_$]{1,64}");
  private static final List<String> HEARTBEAT_KINDS = List.of("none", "leeway", "pt-heartbeat");
  private static final List<String> FINDINGS =
      Stream.of(Finding.values()).map(Finding::name).toList();

  private final Path file;
  private final Map<String, String> environment;
  private final Problems problems = new Problems();

  TopologyReader(Path file, Map<String, String> environment) {
    this.file = file;
    this.environment = environment;
  }

  Topology read(String text) {
    YamlNode root = YamlText.parse(file.toString(), text);
    if (!(root instanceof Mapping mapping)) {
      problems.add(
          root.place(),
          "the file is %s (expected: the keys %s)"
              .formatted(root.kind(), String.join(", ", Key.namesIn(""))));
      problems.throwIfAny();
      throw new AssertionError("the problem just added was thrown");
    }
    refuseTwoPrimaries(mapping);
    Group top = new Group("", "", mapping, problems);
    String cluster = top.required("cluster", top.text("cluster"));
    Group primaryGroup = top.required("primary", top.group("primary"));
    Login primary = primaryGroup == null ? null : login(primaryGroup);
    List<Login> replicas = replicas(top, primary);
    Group settings = top.groupOrEmpty("settings");
    MonitorSettings.Builder monitoring = monitoring(settings);
    Duration catchUp = settings.duration("catchUp").orElse(defaultOf("settings.catchUp"));
    Optional<String> drillSchema = schema(top.groupOrEmpty("drill"), "schema");
    problems.throwIfAny();

    Topology topology =
        new Topology(
            Objects.requireNonNull(cluster),
            endpoint(Objects.requireNonNull(primary)),
            replicas.stream().map(this::endpoint).toList(),
            build(monitoring, settings),
            catchUp,
            drillSchema);
    problems.throwIfAny();
    return topology;
  }

  /**
   * Two primaries can be written in two ways, as two keys or as a list. Both deserve a better
   * answer than "given twice" or "is a list": somebody may believe that Leeway splits writes.
   */
  private void refuseTwoPrimaries(Mapping root) {
    List<YamlNode.Entry> primaries =
        root.entries().stream().filter(entry -> entry.key().equals("primary")).toList();
    int count = primaries.size();
    Place place = root.place();
    if (count > 1) {
      place = primaries.get(1).place();
    } else if (count == 1 && primaries.get(0).value() instanceof YamlNode.Sequence list) {
      count = list.items().size();
      place = list.place();
    }
    if (count > 1) {
      problems.add(
          place,
          "%d primaries (expected: one; a cluster has one server that takes writes, the others are"
                  .formatted(count)
              + " replicas)");
      problems.throwIfAny();
    }
  }

  private List<Login> replicas(Group top, @Nullable Login primary) {
    List<Login> replicas = new ArrayList<>();
    Map<String, String> owners = new HashMap<>();
    Map<String, String> urls = new HashMap<>();
    if (primary != null) {
      owners.put(primary.name(), "the primary");
      urls.put(primary.url(), primary.name());
    }
    for (Group group : top.groups("replicas")) {
      String number = "replica " + (replicas.size() + 1);
      Login replica = login(group, replicas.size() + 1, primary);
      replicas.add(replica);
      String owner = owners.putIfAbsent(replica.name(), number);
      if (owner != null) {
        group.problem(
            "name", "'" + replica.name() + "' is already " + owner + " (expected: unique)");
      }
      String other = urls.putIfAbsent(replica.url(), replica.name());
      if (other != null && group.has("url")) {
        group.problem(
            "url", "is also the address of " + other + " (expected: a server of its own)");
      }
    }
    return replicas;
  }

  private Login login(Group primary) {
    String user = Objects.requireNonNullElse(primary.required("user", primary.text("user")), "");
    return checked(
        new Login(
            primary,
            primary.text("name").orElse(Key.at("primary.name").defaultText()),
            url(primary),
            user,
            password(primary).orElse("")));
  }

  /** Without a primary, which was noted, nothing is said of what would be taken from it. */
  private Login login(Group replica, int number, @Nullable Login primary) {
    String password = primary == null || replica.has("user") ? "" : primary.password();
    return checked(
        new Login(
            replica,
            replica.text("name").orElse("replica-" + number),
            url(replica),
            replica.text("user").orElse(primary == null ? "" : primary.user()),
            password(replica).orElse(password)));
  }

  private static String url(Group server) {
    return Objects.requireNonNullElse(server.required("url", server.text("url")), "");
  }

  private Login checked(Login login) {
    if (!login.url().isEmpty()) {
      endpoint(login);
    }
    return login;
  }

  /** The gate knows best what a name and an address must be; here only the place is added. */
  private ServerEndpoint endpoint(Login login) {
    String name = login.name();
    try {
      new ServerEndpoint(name, "jdbc:mysql://any/", "", "");
    } catch (IllegalArgumentException e) {
      login.group().problem("name", String.valueOf(e.getMessage()));
      name = "server";
    }
    try {
      return new ServerEndpoint(name, login.url(), login.user(), login.password());
    } catch (IllegalArgumentException e) {
      login.group().problem("url", String.valueOf(e.getMessage()));
      return new ServerEndpoint("unusable", "jdbc:mysql://unusable/", "", "");
    }
  }

  /** What a group says of a server, before it is known to be usable. */
  private record Login(Group group, String name, String url, String user, String password) {}

  private Optional<String> password(Group group) {
    List<String> given =
        Stream.of("password", "passwordEnv", "passwordFile").filter(group::has).toList();
    if (given.size() > 1) {
      group.problem(
          given.get(1),
          "the password is given in %d ways, %s (expected: one)"
              .formatted(given.size(), String.join(" and ", given)));
      return Optional.empty();
    }
    if (group.has("passwordEnv")) {
      return group.text("passwordEnv").flatMap(variable -> fromEnvironment(group, variable));
    }
    if (group.has("passwordFile")) {
      return group.text("passwordFile").flatMap(path -> fromFile(group, path));
    }
    return group.anyText("password");
  }

  private Optional<String> fromEnvironment(Group group, String variable) {
    String password = environment.get(variable);
    if (password == null) {
      group.problem("passwordEnv", "the environment variable " + variable + " is not set");
    }
    return Optional.ofNullable(password);
  }

  private Optional<String> fromFile(Group group, String path) {
    Path passwordFile = file.toAbsolutePath().resolveSibling(path);
    try (Stream<String> lines = Files.lines(passwordFile)) {
      return Optional.of(lines.findFirst().orElse(""));
    } catch (IOException | java.io.UncheckedIOException e) {
      group.problem(
          "passwordFile", passwordFile + " cannot be read (expected: a readable text file)");
      return Optional.empty();
    }
  }

  private MonitorSettings.Builder monitoring(Group group) {
    MonitorSettings.Builder builder = MonitorSettings.builder();
    Optional<Duration> pollInterval = group.duration("pollInterval");
    pollInterval.ifPresent(builder::pollInterval);
    group.duration("pollTimeout").ifPresent(builder::pollTimeout);
    Optional<Duration> ejectAbove = group.duration("ejectAbove");
    ejectAbove.ifPresent(builder::ejectAbove);
    Optional<Duration> readmitBelow = group.duration("readmitBelow");
    readmitBelow.ifPresent(builder::readmitBelow);
    if (Stream.of("pollInterval", "ejectAbove", "readmitBelow").noneMatch(group::isRefused)) {
      checkReadmission(
          group,
          pollInterval.orElse(defaultOf("settings.pollInterval")),
          ejectAbove.orElse(defaultOf("settings.ejectAbove")),
          readmitBelow);
    }
    group.count("readmitAfter").ifPresent(builder::readmitAfter);
    group.duration("takeOverAfter").ifPresent(builder::takeOverAfter);
    group
        .choices("refuse", FINDINGS)
        .ifPresent(
            names ->
                builder.refuse(names.stream().map(Finding::valueOf).collect(Collectors.toSet())));
    heartbeat(group.groupOrEmpty("heartbeat"), builder);
    return builder;
  }

  /** What the gate would refuse of the three together, at the key that was given for it. */
  private static void checkReadmission(
      Group group, Duration pollInterval, Duration ejectAbove, Optional<Duration> readmitBelow) {
    Duration twoPolls = pollInterval.multipliedBy(2);
    if (readmitBelow.isEmpty()) {
      if (ejectAbove.dividedBy(2).compareTo(twoPolls) < 0) {
        String name = group.has("ejectAbove") ? "ejectAbove" : "pollInterval";
        group.problem(
            name,
            "%s (expected: readmitBelow, which is half of ejectAbove, to be at least two poll intervals; ejectAbove is %s, pollInterval %s)"
                .formatted(
                    group.written(name),
                    group.written("ejectAbove"),
                    group.written("pollInterval")));
      }
      return;
    }
    if (readmitBelow.get().compareTo(ejectAbove) > 0) {
      group.problem(
          "readmitBelow",
          "%s (expected: no more than ejectAbove, %s)"
              .formatted(group.written("readmitBelow"), group.written("ejectAbove")));
    }
    if (readmitBelow.get().compareTo(twoPolls) < 0) {
      group.problem(
          "readmitBelow",
          "%s (expected: at least two poll intervals, or a replica could never come back; pollInterval is %s)"
              .formatted(group.written("readmitBelow"), group.written("pollInterval")));
    }
  }

  private static void heartbeat(Group group, MonitorSettings.Builder builder) {
    String kind = group.choice("kind", HEARTBEAT_KINDS).orElse("none");
    if (!group.isRefused("kind")) {
      onlyWith(group, "leeway", kind, "schema", "write", "create");
      onlyWith(group, "pt-heartbeat", kind, "table", "zone");
    }
    group.duration("interval").ifPresent(builder::heartbeatInterval);
    builder.writeHeartbeat(group.yesNo("write").orElse(false));
    builder.createHeartbeatTable(group.yesNo("create").orElse(false));
    builder.heartbeatTable(
        switch (kind) {
          case "leeway" ->
              HeartbeatTable.leeway(
                  schema(group, "schema")
                      .orElse(Key.at("settings.heartbeat.schema").defaultText()));
          case "pt-heartbeat" -> ptHeartbeat(group);
          default -> HeartbeatTable.none();
        });
  }

  private static HeartbeatTable ptHeartbeat(Group group) {
    ZoneId zone = zone(group);
    String table = group.text("table").orElse(Key.at("settings.heartbeat.table").defaultText());
    try {
      return HeartbeatTable.ptHeartbeat(table, zone);
    } catch (IllegalArgumentException e) {
      group.problem("table", String.valueOf(e.getMessage()));
      return HeartbeatTable.none();
    }
  }

  private static void onlyWith(Group group, String needed, String kind, String... names) {
    for (String name : names) {
      if (group.has(name) && !kind.equals(needed)) {
        group.problem(
            name, "means nothing with kind %s (expected: kind %s)".formatted(kind, needed));
      }
    }
  }

  private static ZoneId zone(Group group) {
    String name = group.text("zone").orElse(Key.at("settings.heartbeat.zone").defaultText());
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      group.problem("zone", "'" + name + "' (expected: a zone such as UTC or Europe/Berlin)");
      return ZoneId.of("UTC");
    }
  }

  /** What the gate refuses is found before; should it refuse more, the place is the group's. */
  private MonitorSettings build(MonitorSettings.Builder monitoring, Group settings) {
    try {
      return monitoring.build();
    } catch (IllegalArgumentException e) {
      problems.add(settings.place(), "settings: " + e.getMessage());
      return MonitorSettings.defaults();
    }
  }

  private static Optional<String> schema(Group group, String name) {
    Optional<String> schema = group.text(name);
    if (schema.isPresent() && !SCHEMA.matcher(schema.get()).matches()) {
      group.problem(
          name, "'" + schema.get() + "' (expected: a schema name of letters, digits, _ and $)");
      return Optional.empty();
    }
    return schema;
  }

  private static Duration defaultOf(String path) {
    return DurationText.parse(Key.at(path).defaultText());
  }
}

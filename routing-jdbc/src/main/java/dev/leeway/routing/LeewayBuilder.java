package dev.leeway.routing;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.PositionTokens;
import dev.leeway.gate.ServerEndpoint;
import dev.leeway.routing.connection.MySqlUrl;
import dev.leeway.statement.StatementGuard;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a {@link Leeway} is made of. {@link #start} checks everything together and names
 * all problems at once. Not thread-safe.
 */
public final class LeewayBuilder {
  /** A server as it was given; looked at when all are known. */
  private record Given(String name, String url, String user, String password, int weight) {}

  private static final Duration LONGEST = Duration.ofHours(1);

  private final String name;
  private final List<Given> primaries = new ArrayList<>();
  private final List<Given> replicas = new ArrayList<>();
  private MonitorSettings monitoring = MonitorSettings.defaults();
  private PoolSettings pools = PoolSettings.defaults();
  private PrimaryBudget budget = PrimaryBudget.atMost(PrimaryBudget.DEFAULT_CONCURRENT);
  private Duration catchUp = Duration.ofMillis(50);
  private Duration writeHold = Duration.ofSeconds(5);
  private RoutingMode mode = RoutingMode.ROUTE;
  private ScopeMode scopeMode = ScopeMode.POSITION;
  private StatementGuard guard = StatementGuard.create();
  private boolean strictGuard;
  private boolean requireReplicas;
  private boolean detectLeaks = true;
  private boolean timeStatements;
  private @Nullable Account heartbeatAccount;
  private PositionTokens tokens = PositionTokens.unsigned();
  private @Nullable MeterRegistry meterRegistry;

  record Account(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  LeewayBuilder(String name) {
    this.name = name;
  }

  /**
   * The server that takes writes. Required, exactly once.
   *
   * @param serverName what messages and metrics call it
   * @param jdbcUrl a {@code jdbc:mysql://} URL that names one host
   */
  public LeewayBuilder primary(String serverName, String jdbcUrl, String user, String password) {
    primaries.add(given(serverName, jdbcUrl, user, password, 1));
    return this;
  }

  /** A server that follows the primary. Required, once for each. */
  public LeewayBuilder replica(String serverName, String jdbcUrl, String user, String password) {
    return replica(serverName, jdbcUrl, user, password, 1);
  }

  /**
   * A server that follows the primary, and takes more or less of the reading than others.
   *
   * @param weight 1 to 1000; a replica of weight 2 takes about twice as much as one of weight 1
   */
  public LeewayBuilder replica(
      String serverName, String jdbcUrl, String user, String password, int weight) {
    replicas.add(given(serverName, jdbcUrl, user, password, weight));
    return this;
  }

  private static Given given(
      String serverName, String jdbcUrl, String user, String password, int weight) {
    return new Given(
        Objects.requireNonNull(serverName, "serverName"),
        Objects.requireNonNull(jdbcUrl, "jdbcUrl"),
        Objects.requireNonNull(user, "user"),
        Objects.requireNonNull(password, "password"),
        weight);
  }

  /** How the servers are measured. Default: {@link MonitorSettings#defaults}. */
  public LeewayBuilder monitoring(MonitorSettings value) {
    monitoring = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * The account that writes the heartbeat. Default: the one that the server at hand was given with.
   */
  public LeewayBuilder heartbeatAccount(String user, String password) {
    heartbeatAccount =
        new Account(
            Objects.requireNonNull(user, "user"), Objects.requireNonNull(password, "password"));
    return this;
  }

  /** How many connections are kept. Default: {@link PoolSettings#defaults}. */
  public LeewayBuilder pools(PoolSettings value) {
    pools = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * What bounds the reads that the primary takes over. Default: {@value
   * PrimaryBudget#DEFAULT_CONCURRENT} at once.
   */
  public LeewayBuilder budget(PrimaryBudget value) {
    budget = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * How long a read waits for a replica to reach what its caller wrote, unless its intent says
   * otherwise. A replica that is known to be further behind is not waited for. Default: 50 ms, many
   * times what an idle replica needs. Zero never waits.
   */
  public LeewayBuilder catchUp(Duration value) {
    catchUp = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * How long a statement for the primary waits while no server is known to be it, as during a
   * failover, before it fails. Default: 5 s.
   */
  public LeewayBuilder writeHold(Duration value) {
    writeHold = Objects.requireNonNull(value, "value");
    return this;
  }

  /** Whether decisions are carried out. Default: {@link RoutingMode#ROUTE}. */
  public LeewayBuilder mode(RoutingMode value) {
    mode = Objects.requireNonNull(value, "value");
    return this;
  }

  /** How scopes make sure that they read their own writes. Default: {@link ScopeMode#POSITION}. */
  public LeewayBuilder scopeMode(ScopeMode value) {
    scopeMode = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * What tells plain reads from everything else. Give one that knows your functions that only read.
   * Default: {@link StatementGuard#create}.
   */
  public LeewayBuilder guard(StatementGuard value) {
    guard = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * Whether anything but a plain read under a replica intent fails with {@link
   * IntentViolationException} instead of going to the primary. Default: false.
   */
  public LeewayBuilder strictGuard(boolean value) {
    strictGuard = value;
    return this;
  }

  /**
   * Whether a replica that cannot be reached, or that there is none, keeps Leeway from starting.
   * Default: false; it is then reported, and used as soon as it answers. With a primary alone, as
   * on a developer's machine, every read goes to it, and those with the fallback FAIL fail.
   */
  public LeewayBuilder requireReplicas(boolean value) {
    requireReplicas = value;
    return this;
  }

  /**
   * Whether scopes remember where they were opened, so that one that is never closed can be named.
   * Default: true, which costs each opening of a scope about a microsecond.
   */
  public LeewayBuilder detectLeaks(boolean value) {
    detectLeaks = value;
    return this;
  }

  /**
   * Whether the time each statement takes is measured, for which the clock is read twice more.
   * Needs a {@link #meterRegistry}. Default: false.
   */
  public LeewayBuilder timeStatements(boolean value) {
    timeStatements = value;
    return this;
  }

  /**
   * The keys with which tokens are signed. Default: none, and tokens are not signed. Tokens must be
   * allowed to live for longer than a replica may be stale and still serve.
   */
  public LeewayBuilder tokens(PositionTokens value) {
    tokens = Objects.requireNonNull(value, "value");
    return this;
  }

  /** Where metrics go. Default: nowhere. */
  public LeewayBuilder meterRegistry(MeterRegistry value) {
    meterRegistry = Objects.requireNonNull(value, "value");
    return this;
  }

  /**
   * Connects, looks at every server, and starts.
   *
   * @throws LeewayStartException if anything is missing, contradicts itself or cannot be reached;
   *     the message names every problem, and nothing is left running
   */
  public Leeway start() {
    List<String> problems = new ArrayList<>();
    checkName(problems);
    checkNumbers(problems);
    List<ServerEndpoint> endpoints = endpoints(problems);
    if (!problems.isEmpty()) {
      throw LeewayStart.refused(name, problems, null);
    }
    return new LeewayStart(this, endpoints).start();
  }

  private void checkName(List<String> problems) {
    try {
      new ClusterId(name, 0);
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }

  private void checkNumbers(List<String> problems) {
    checkRange(problems, "catchUp", catchUp);
    checkRange(problems, "writeHold", writeHold);
    if (tokens.timeToLive().compareTo(monitoring.ejectAbove()) <= 0) {
      problems.add(
          "tokens live for "
              + tokens.timeToLive()
              + " (expected: more than ejectAbove, "
              + monitoring.ejectAbove()
              + "): a replica might still serve without what an expired token spoke of");
    }
  }

  private static void checkRange(List<String> problems, String what, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      problems.add(what + ": " + value + " (expected: zero to " + LONGEST + ")");
    }
  }

  private List<ServerEndpoint> endpoints(List<String> problems) {
    if (primaries.isEmpty()) {
      problems.add("primary is missing; give the server that takes writes");
    } else if (primaries.size() > 1) {
      problems.add(
          "more than one primary was given: "
              + String.join(", ", primaries.stream().map(Given::name).toList())
              + " (expected: one); give the others as replicas");
    }
    if (replicas.isEmpty() && requireReplicas) {
      problems.add("no replica was given (expected: at least one, because replicas are required)");
    }
    List<Given> all = new ArrayList<>(primaries);
    all.addAll(replicas);
    Set<String> names = new HashSet<>();
    List<ServerEndpoint> endpoints = new ArrayList<>();
    String schema = null;
    for (Given server : all) {
      if (!names.add(server.name())) {
        problems.add("more than one server is named " + server.name() + " (expected: one)");
      }
      if (server.weight() < 1 || server.weight() > 1_000) {
        problems.add(
            "server " + server.name() + " - weight: " + server.weight() + " (expected: 1 to 1000)");
      }
      try {
        endpoints.add(
            new ServerEndpoint(server.name(), server.url(), server.user(), server.password()));
        MySqlUrl url = MySqlUrl.parse(server.url());
        for (String contradiction : url.contradictions()) {
          problems.add("server " + server.name() + " - " + contradiction);
        }
        if (schema == null) {
          schema = url.database();
        } else if (!schema.equals(url.database())) {
          problems.add(
              "server "
                  + server.name()
                  + " - its URL names schema '"
                  + url.database()
                  + "' (expected: '"
                  + schema
                  + "', as the first server's)");
        }
      } catch (IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        problems.add(
            message.startsWith("Server ") ? message : "server " + server.name() + " - " + message);
      }
    }
    return endpoints;
  }

  String name() {
    return name;
  }

  /** The weights, in the order of the endpoints. */
  int[] weights() {
    int[] weights = new int[primaries.size() + replicas.size()];
    int index = 0;
    for (Given server : primaries) {
      weights[index++] = server.weight();
    }
    for (Given server : replicas) {
      weights[index++] = server.weight();
    }
    return weights;
  }

  MonitorSettings monitoring() {
    return monitoring;
  }

  PoolSettings pools() {
    return pools;
  }

  PrimaryBudget budget() {
    return budget;
  }

  Duration catchUp() {
    return catchUp;
  }

  Duration writeHold() {
    return writeHold;
  }

  RoutingMode mode() {
    return mode;
  }

  ScopeMode scopeMode() {
    return scopeMode;
  }

  @Nullable Account heartbeatAccount() {
    return heartbeatAccount;
  }

  StatementGuard guard() {
    return guard;
  }

  boolean strictGuard() {
    return strictGuard;
  }

  boolean requiresReplicas() {
    return requireReplicas;
  }

  boolean detectsLeaks() {
    return detectLeaks;
  }

  boolean timesStatements() {
    return timeStatements;
  }

  PositionTokens tokens() {
    return tokens;
  }

  @Nullable MeterRegistry meterRegistry() {
    return meterRegistry;
  }
}

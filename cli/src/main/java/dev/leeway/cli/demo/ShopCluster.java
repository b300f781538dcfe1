package dev.leeway.cli.demo;

import dev.leeway.cli.terminal.Console;
import dev.leeway.cli.terminal.Task;
import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.ServerEndpoint;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.samples.shop.ShopSchema;
import dev.leeway.samples.shop.naive.NaiveSplitter;
import dev.leeway.testkit.Await;
import dev.leeway.testkit.ClusterException;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.drill.DrillTopology;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The shop's own servers: a primary and two replicas that stay behind it on purpose.
 *
 * <p>Closing it ends the servers and removes their data.
 */
public final class ShopCluster implements AutoCloseable {
  private static final int REPLICAS = 2;
  private static final String SCHEMA = "shop";
  private static final Duration EJECT_ABOVE = Duration.ofSeconds(10);

  /** A process that knows the primary's clock less closely than this tells no moments by it. */
  private static final Duration LATENESS_OF_MOMENTS = Duration.ofMillis(500);

  private static final Duration SERVING_BOUND = Duration.ofSeconds(30);
  private static final Duration SEED_BOUND = Duration.ofSeconds(60);

  private final MySqlCluster servers;
  private final Duration delay;

  private ShopCluster(MySqlCluster servers, Duration delay) {
    this.servers = servers;
    this.delay = delay;
  }

  /**
   * Starts the servers and opens the shop. What is there on opening day is on all servers; they
   * fall behind from {@link #fallBehind} on.
   *
   * @param delay whole seconds
   * @param customers how many customers and products there are
   * @throws ClusterException if that is not possible here; nothing is left running then
   */
  public static ShopCluster start(Console console, Duration delay, int customers) {
    MySqlCluster servers;
    try (Task task = console.task("starting a primary and two replicas", 0)) {
      servers = MySqlCluster.builder().replicas(REPLICAS).progress(task::step).start();
    }
    if (console.forgetsTasks()) {
      console.say("MySQL: using " + servers.description());
    }
    try (Task task = console.task("opening the shop", 0)) {
      task.detail(customers + " customers and products");
      ShopCluster cluster = new ShopCluster(servers, delay);
      cluster.open(customers);
      return cluster;
    } catch (SQLException e) {
      servers.close();
      throw new ClusterException("shop - cannot be opened: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  private void open(int customers) throws SQLException {
    servers.primary().execute("CREATE SCHEMA " + SCHEMA);
    try (Connection connection = servers.primary().connect(SCHEMA)) {
      ShopSchema.create(connection, customers, customers);
    }
    startHeartbeat();
    servers.awaitCaughtUp(SEED_BOUND);
  }

  /**
   * Lets the gate make its own table, before there is a replica that could miss it and a monitor
   * that would say so.
   */
  private void startHeartbeat() {
    try (ClusterMonitor maker =
        ClusterMonitor.builder(SCHEMA)
            .primary(endpoint(servers.primary()))
            .settings(monitoring())
            .start()) {
      Await.until(
          "the heartbeat is written",
          SEED_BOUND,
          () -> maker.state().heartbeat() == HeartbeatStatus.RUNNING);
    }
  }

  /** Makes the replicas stay behind from now on. */
  public void fallBehind(Console console) {
    try (Task task = console.task("letting the replicas fall behind", 0)) {
      task.detail(delay.toSeconds() + " s");
      servers.delay(delay);
    }
  }

  public Duration delay() {
    return delay;
  }

  /** Which MySQL runs here. */
  public String description() {
    return servers.description();
  }

  /** The servers as a drill counts them. */
  public DrillTopology drillTopology() throws SQLException {
    return DrillTopology.of(servers);
  }

  public String primaryUuid() {
    return servers.primary().serverUuid();
  }

  /** Reads by the statement's first word; the caller closes it. */
  public NaiveSplitter naiveSplitter() {
    return NaiveSplitter.over(
        naive(servers.primary()), servers.replicas().stream().map(ShopCluster::naive).toList());
  }

  private static NaiveSplitter.Server naive(MySqlServer server) {
    return new NaiveSplitter.Server(server.jdbcUrl(SCHEMA), server.user(), server.password());
  }

  /**
   * Returns when every replica may serve: what is measured after that is not how a start goes.
   *
   * @throws ClusterException if that takes too long
   */
  public void awaitServing(Console console, Leeway leeway) {
    try (Task task = console.task("waiting until Leeway trusts the replicas", 0)) {
      task.detail("it has to see them catch up once, and they stay behind");
      awaitReplicas(
          "every replica serves", delay.plus(SERVING_BOUND), leeway, ServerState::mayServe);
    }
  }

  /**
   * Returns when the replicas have what the primary has now, and Leeway has seen that they have.
   *
   * <p>What a customer has seen travels in his token as a moment, which may be told a little late;
   * so it is a moment after now that they have to show.
   *
   * @throws ClusterException if that takes too long
   */
  void awaitCaughtUp(Leeway leeway) {
    long moment = System.nanoTime() + LATENESS_OF_MOMENTS.toNanos();
    servers.awaitCaughtUp(delay.plus(SEED_BOUND));
    awaitReplicas(
        "Leeway has seen that the replicas have caught up",
        delay.plus(SERVING_BOUND),
        leeway,
        server -> server.isFreshSince(moment));
  }

  private static void awaitReplicas(
      String what, Duration bound, Leeway leeway, Predicate<ServerState> each) {
    Await.until(
        what,
        bound,
        () -> {
          ClusterState state = leeway.clusterState();
          return state.servers().stream()
              .allMatch(server -> server.index() == state.primaryIndex() || each.test(server));
        });
  }

  /** Leeway over these servers; the caller closes it. */
  public Leeway leeway(Console console) {
    MySqlServer primary = servers.primary();
    LeewayBuilder builder =
        Leeway.builder(SCHEMA)
            .primary(primary.name(), primary.jdbcUrl(SCHEMA), primary.user(), primary.password())
            .monitoring(monitoring());
    for (MySqlServer replica : servers.replicas()) {
      builder.replica(replica.name(), replica.jdbcUrl(SCHEMA), replica.user(), replica.password());
    }
    try (Task task = console.task("starting Leeway", 0)) {
      task.detail("over these servers");
      return builder.start();
    }
  }

  /** Watches the servers, with a heartbeat of its own; the caller closes it. */
  public ClusterMonitor monitor() {
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(SCHEMA).primary(endpoint(servers.primary())).settings(monitoring());
    servers.replicas().forEach(replica -> builder.replica(endpoint(replica)));
    return builder.start();
  }

  /** Stale enough for the delay on purpose, so that what is shown is not that all are ejected. */
  private MonitorSettings monitoring() {
    Duration bearable = delay.multipliedBy(4).plus(EJECT_ABOVE);
    return MonitorSettings.builder().ejectAbove(bearable).createHeartbeatTable(true).build();
  }

  private static ServerEndpoint endpoint(MySqlServer server) {
    return new ServerEndpoint(
        server.name(), server.jdbcUrl(SCHEMA), server.user(), server.password());
  }

  @Override
  public void close() {
    servers.close();
  }
}

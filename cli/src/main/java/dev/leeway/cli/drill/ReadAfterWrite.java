package dev.leeway.cli.drill;

import dev.leeway.cli.config.Topology;
import dev.leeway.cli.demo.ShopCluster;
import dev.leeway.cli.demo.Witness;
import dev.leeway.cli.terminal.Console;
import dev.leeway.cli.terminal.Task;
import dev.leeway.gate.Health;
import dev.leeway.gate.ServerEndpoint;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.routing.Reason;
import dev.leeway.samples.shop.Shop;
import dev.leeway.samples.shop.naive.NaiveSplitter;
import dev.leeway.testkit.drill.DrillResult;
import dev.leeway.testkit.drill.DrillTopology;
import dev.leeway.testkit.drill.ReadAfterWriteDrill;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Places an order and reads it in the next request of the same user, many times.
 *
 * <p>Everything it opens is closed when it returns, and what it has made on the servers is removed.
 */
public final class ReadAfterWrite {
  private static final Map<String, String> SENTENCES =
      Arrays.stream(Reason.values()).collect(Collectors.toMap(Reason::name, Reason::sentence));

  private static final Duration PROOF_BOUND = Duration.ofSeconds(5);

  private final Console console;
  private final int iterations;
  private final boolean naive;
  private final Consumer<AutoCloseable> owner;

  /**
   * A drill.
   *
   * @param naive whether to read as a naive splitter would, instead of with Leeway
   * @param owner closes what it gets if the run is ended from outside
   */
  public ReadAfterWrite(
      Console console, int iterations, boolean naive, Consumer<AutoCloseable> owner) {
    this.console = console;
    this.owner = owner;
    this.iterations = iterations;
    this.naive = naive;
  }

  /**
   * Drills the shop's checkout and confirmation page.
   *
   * @throws dev.leeway.testkit.drill.DrillRefusedException if it could not show anything
   */
  public DrillReport run(ShopCluster cluster) throws SQLException {
    DrillTopology topology = cluster.drillTopology();
    LastServer lastServer = new LastServer();
    Where where =
        new Where(
            "the shop's own cluster, replicas %d s behind".formatted(cluster.delay().toSeconds()),
            cluster.delay().toSeconds());
    // Before Leeway watches: the delay stops the appliers for a moment, which it would report.
    cluster.fallBehind(console);
    if (naive) {
      try (NaiveSplitter splitter = cluster.naiveSplitter();
          Shop shop = Shop.without(Witness.of(splitter, lastServer))) {
        return drill(where, topology, new ShopSubject(shop, lastServer::uuid, () -> ""));
      }
    }
    try (Leeway leeway = cluster.leeway(console);
        Shop shop = Shop.on(leeway, Witness.of(leeway.dataSource(), lastServer))) {
      cluster.awaitServing(console, leeway);
      return drill(
          where, topology, new ShopSubject(shop, lastServer::uuid, () -> Reading.reasonOf(leeway)));
    }
  }

  /**
   * Drills a table of its own on these servers.
   *
   * @param schema where the account may make it; null if nobody has said
   * @throws dev.leeway.testkit.drill.DrillRefusedException if it could not show anything
   * @throws DrillSetupException if the servers do not allow what is needed
   */
  public DrillReport run(Topology servers, @Nullable String schema) throws SQLException {
    DrillTopology topology;
    try (Task task = console.task("asking each server who it is", 0)) {
      task.detail(servers.servers().size() + " servers");
      topology = topologyOf(servers);
    }
    if (schema == null) {
      throw new DrillSetupException(
          "drill - the configuration names no drill.schema (expected: a schema in which the drill"
              + " may make its table)");
    }
    Where where = new Where("cluster " + servers.cluster(), null);
    if (naive) {
      try (NaiveSplitter splitter = splitter(servers);
          DrillTable table = table(servers, schema)) {
        return drill(where, topology, new TableSubject(Reading.with(splitter), table.name()));
      }
    }
    try (Leeway leeway = leeway(servers);
        DrillTable table = table(servers, schema)) {
      awaitProof(leeway);
      return drill(where, topology, new TableSubject(Reading.with(leeway), table.name()));
    }
  }

  private <T> DrillReport drill(Where where, DrillTopology topology, DrillSubject<T> subject)
      throws SQLException {
    Map<String, Integer> reasons = new HashMap<>();
    AtomicInteger made = new AtomicInteger();
    try (Task task = console.task("placing orders and reading them", iterations)) {
      ReadAfterWriteDrill<T> drill =
          ReadAfterWriteDrill.of(subject::write, subject::read)
              .iterations(iterations)
              .topology(topology)
              .onProgress(
                  (done, stale) -> {
                    if (Thread.currentThread().isInterrupted()) {
                      throw new DrillSetupException(
                          "drill - it was ended after %d of %d orders".formatted(done, iterations));
                    }
                    made.set(done);
                    String reason = subject.reason();
                    if (!reason.isEmpty()) {
                      reasons.merge(reason, 1, Integer::sum);
                    }
                    task.advance();
                    task.detail(stale + " missing");
                  });
      DrillResult result = drill.run();
      return new DrillReport(where, naive ? "naive" : "leeway", result, reasons, SENTENCES);
    } catch (SQLException e) {
      throw new SQLException(
          "drill - it failed after %d of %d orders: %s. See how all servers do with: leeway lag"
              .formatted(made.get(), iterations, ServerFailure.cause(e)),
          e.getSQLState(),
          e.getErrorCode(),
          e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("drill - " + e, e);
    }
  }

  /**
   * What is drilled is how a topology serves, not how Leeway starts. A replica that is far behind
   * is not proved in this time; then the drill shows how that is.
   */
  private void awaitProof(Leeway leeway) {
    try (Task task = console.task("waiting until Leeway trusts the replicas", 0)) {
      task.detail("for " + PROOF_BOUND.toSeconds() + " s at most");
      long end = System.nanoTime() + PROOF_BOUND.toNanos();
      while (leeway.clusterState().servers().stream()
              .anyMatch(server -> server.health() == Health.UNPROVED)
          && !Thread.currentThread().isInterrupted()
          && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(leeway.monitor().settings().pollInterval().toNanos());
      }
    }
  }

  private DrillTable table(Topology servers, String schema) {
    try (Task task = console.task("making the drill's table", 0)) {
      task.detail("in schema " + schema + ", on all servers");
      return DrillTable.create(servers.primary(), servers.replicas(), schema, owner::accept);
    }
  }

  private static DrillTopology topologyOf(Topology servers) throws SQLException {
    Map<String, DrillTopology.ConnectionSource> replicas = new LinkedHashMap<>();
    servers
        .replicas()
        .forEach(replica -> replicas.put(replica.name(), () -> DrillTable.connect(replica)));
    return DrillTopology.of(() -> DrillTable.connect(servers.primary()), replicas);
  }

  private static NaiveSplitter splitter(Topology servers) {
    List<NaiveSplitter.Server> replicas =
        servers.replicas().stream().map(ReadAfterWrite::naiveServer).toList();
    return NaiveSplitter.over(naiveServer(servers.primary()), replicas);
  }

  private static NaiveSplitter.Server naiveServer(ServerEndpoint server) {
    return new NaiveSplitter.Server(server.jdbcUrl(), server.user(), server.password());
  }

  private Leeway leeway(Topology servers) {
    ServerEndpoint primary = servers.primary();
    LeewayBuilder builder =
        Leeway.builder(servers.cluster())
            .primary(primary.name(), primary.jdbcUrl(), primary.user(), primary.password())
            .monitoring(servers.monitoring())
            .catchUp(servers.catchUp());
    for (ServerEndpoint replica : servers.replicas()) {
      builder.replica(replica.name(), replica.jdbcUrl(), replica.user(), replica.password());
    }
    try (Task task = console.task("starting Leeway", 0)) {
      task.detail("on cluster " + servers.cluster());
      return builder.start();
    }
  }
}

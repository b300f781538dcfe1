package dev.leeway.testkit;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A primary and its replicas: real MySQL servers on loopback, with GTIDs, row-based binary logs,
 * positions negotiated by GTID, and replicas that are {@code super_read_only}.
 *
 * <p>The primary is called {@code primary}, the replicas {@code replica-1}, {@code replica-2} and
 * so on.
 *
 * <p>{@link #close()} ends the servers and removes their data. So does the end of the JVM, however
 * it ends.
 *
 * <p>Safe for use from any thread.
 */
public final class MySqlCluster implements AutoCloseable {
  static final String PRIMARY = "primary";

  private static final Logger log = LoggerFactory.getLogger(MySqlCluster.class);
  private static final Duration START_BOUND = Duration.ofSeconds(60);
  private static final Duration SETTLE_BOUND = Duration.ofSeconds(30);
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Set<MySqlCluster> OPEN = ConcurrentHashMap.newKeySet();
  private static final Map<Wanted, MySqlCluster> SHARED = new ConcurrentHashMap<>();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> List.copyOf(OPEN).forEach(MySqlCluster::close), "leeway-testkit-shutdown"));
  }

  private final ServerHost host;
  private final Topology topology;
  private final AtomicBoolean closed = new AtomicBoolean();

  private MySqlCluster(ServerHost host, Topology topology) {
    this.host = host;
    this.topology = topology;
  }

  /** A cluster with two replicas unless told otherwise. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The cluster that all tests of this JVM share, started by the first call for this number of
   * replicas and ended with the JVM. Tests keep apart by {@link #newSchema()}.
   */
  public static MySqlCluster shared(int replicas) {
    return shared(replicas, List.of(), false);
  }

  static MySqlCluster shared(int replicas, List<String> options, boolean settableClocks) {
    return SHARED.compute(
        new Wanted(replicas, options, settableClocks),
        (wanted, cluster) -> {
          if (cluster != null && !cluster.closed.get()) {
            return cluster;
          }
          Builder builder = builder().replicas(replicas);
          options.forEach(builder::option);
          return (settableClocks ? builder.settableClocks() : builder).start();
        });
  }

  /** What makes one shared cluster differ from another. */
  private record Wanted(int replicas, List<String> options, boolean settableClocks) {}

  /** Which MySQL runs here and where it came from. */
  public String description() {
    return host.description();
  }

  /** The server that takes writes now. */
  public MySqlServer primary() {
    return topology.primary();
  }

  /** The servers that follow the primary, or shall, in the order of their names. */
  public List<MySqlServer> replicas() {
    return topology.replicas();
  }

  /** All servers; the one that was started as primary comes first. */
  public List<MySqlServer> servers() {
    return topology.servers();
  }

  /**
   * The server of this name, whatever its role is now.
   *
   * @throws IllegalArgumentException if there is none
   */
  public MySqlServer server(String name) {
    return topology
        .named(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "testkit - no server is called '"
                        + name
                        + "' (expected: one of "
                        + topology.servers()
                        + ")"));
  }

  /**
   * The replica of this name.
   *
   * @throws IllegalArgumentException if there is no such server, or it is no replica now
   */
  public MySqlServer replica(String name) {
    MySqlServer server = server(name);
    if (!topology.isReplica(server)) {
      throw new IllegalArgumentException(
          "testkit - '" + name + "' is no replica now (expected: one of " + replicas() + ")");
    }
    return server;
  }

  /** A new, empty schema on all servers, dropped when it is closed. */
  public TestSchema newSchema() {
    TestSchema schema = new TestSchema(this, "lw_test_" + SCHEMAS.incrementAndGet());
    schema.create();
    return schema;
  }

  /**
   * Returns when every replica has executed all that the primary had executed at the call.
   *
   * @throws ClusterException if one has not within the bound; the message says what it was doing
   */
  public void awaitCaughtUp(Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    String position = primary().executedGtids();
    for (MySqlServer replica : replicas()) {
      Replication.awaitExecuted(
          replica, position, Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }
  }

  /**
   * Makes every replica apply everything late, as {@link MySqlServer#delay} does.
   *
   * @param delay in whole seconds
   */
  public Fault delay(Duration delay) {
    List<Fault> faults = new ArrayList<>();
    for (MySqlServer replica : replicas()) {
      faults.add(replica.delay(delay));
    }
    return new Fault() {
      @Override
      public String description() {
        return String.join(", ", faults.stream().map(Fault::description).toList());
      }

      @Override
      public void close() {
        faults.forEach(Fault::close);
      }
    };
  }

  /**
   * Makes a replica the primary, as a planned failover does: the primary becomes read-only, the
   * replica catches up and becomes writable, the others follow it. The former primary stays up,
   * read-only, and follows nobody. If it had been killed, what the replica has not received is
   * lost.
   *
   * <p>Undoing gives every server its first role again. A former primary with lost commits is built
   * anew then.
   */
  public Fault promote(MySqlServer replica) {
    return new Failover(topology, new ReplicationFaults(topology)).promote(replica);
  }

  /** The faults that are in force now, the oldest first. */
  public List<Fault> faults() {
    return topology.faults().all();
  }

  /**
   * Undoes all faults, the latest first, switches statement logs off, and returns when every
   * replica follows the primary and has all it has, but after 30 seconds at the latest.
   *
   * @throws ClusterException if the cluster is not healthy then; the message lists what is wrong
   */
  public void undoFaults() {
    Settling.settle(topology, SETTLE_BOUND);
    servers().forEach(MySqlServer::stopLogging);
  }

  /** Ends the servers and removes their data. Harmless a second time. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      OPEN.remove(this);
      topology.faults().forget();
      servers().forEach(MySqlServer::close);
      host.close();
    }
  }

  private void begin() {
    MySqlServer primary = primary();
    inParallel(
        servers(),
        server -> {
          server.startNow();
          if (server == primary) {
            prepare(server);
          }
        });
    inParallel(
        replicas(),
        replica -> {
          Replication.attach(replica, primary, Duration.ZERO);
          Replication.awaitHealthy(replica, primary, START_BOUND);
        });
    awaitCaughtUp(START_BOUND);
    if (!topology.delay().isZero()) {
      replicas().forEach(replica -> ReplicationFaults.setDelay(replica, topology.delay()));
    }
  }

  private static void prepare(MySqlServer primary) {
    try {
      primary.execute(
          "CREATE SCHEMA " + Replication.SCHEMA,
          "CREATE TABLE " + Replication.PROBE + " (id BIGINT PRIMARY KEY AUTO_INCREMENT)");
    } catch (SQLException e) {
      throw new ClusterException("primary - cannot be prepared: " + e.getMessage(), e);
    }
  }

  private static void inParallel(List<MySqlServer> servers, Consumer<MySqlServer> work) {
    if (servers.isEmpty()) {
      return;
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            servers.size(),
            task -> {
              Thread thread = new Thread(task, "leeway-testkit-servers");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (MySqlServer server : servers) {
        tasks.add(
            () -> {
              work.accept(server);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClusterException) {
        throw (ClusterException) e.getCause();
      }
      throw new ClusterException("testkit - " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("testkit - interrupted while servers were being started", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** What a cluster shall be like. Each setting has a default; {@link #start()} starts it. */
  public static final class Builder {
    private int replicas = 2;
    private Duration delay = Duration.ZERO;
    private final List<String> options = new ArrayList<>();
    private Consumer<String> progress = log::info;
    private boolean settableClocks;
    private Settings settings = Settings.ofThisProcess();

    private Builder() {}

    /**
     * How many replicas follow the primary, 0 to 8. Default: 2.
     *
     * @throws IllegalArgumentException if out of range
     */
    public Builder replicas(int count) {
      if (count < 0 || count > 8) {
        throw new IllegalArgumentException("testkit - replicas: " + count + " (expected: 0 to 8)");
      }
      replicas = count;
      return this;
    }

    /**
     * How far every replica stays behind on purpose ({@code SOURCE_DELAY}), in whole seconds.
     * Default: zero.
     *
     * @throws IllegalArgumentException if negative or not in whole seconds
     */
    public Builder delay(Duration duration) {
      Replication.requireWholeSeconds(duration);
      delay = duration;
      return this;
    }

    /** An option of mysqld for every server, such as {@code --max-connections=800}. */
    public Builder option(String option) {
      if (!option.startsWith("--")) {
        throw new IllegalArgumentException(
            "testkit - option: '" + option + "' (expected: one that starts with --)");
      }
      options.add(option);
      return this;
    }

    /** As {@link #option(String)}, with name and value apart. */
    public Builder option(String name, String value) {
      return option(name + "=" + value);
    }

    /**
     * Starts the servers so that {@link MySqlServer#skewClock} needs no restart. Costs a little
     * speed.
     */
    public Builder settableClocks() {
      settableClocks = true;
      return this;
    }

    /** Who hears of the steps of a start, a line each. Default: this class's logger, at INFO. */
    public Builder progress(Consumer<String> listener) {
      progress = listener;
      return this;
    }

    Builder settings(Settings other) {
      settings = other;
      return this;
    }

    /**
     * Starts the servers and returns when all replicas replicate.
     *
     * @throws NoMySqlException if this machine has no way to a MySQL server
     * @throws ClusterException if the servers do not come up; nothing is left running then
     */
    public MySqlCluster start() {
      Progress lines = new Progress(progress);
      ServerHost host = MySqlSources.of(settings).open(lines);
      long start = System.nanoTime();
      Topology topology = new Topology(delay);
      try {
        for (int i = 0; i <= replicas; i++) {
          String name = i == 0 ? PRIMARY : "replica-" + i;
          ServerProcess process = host.create(name, i + 1, options);
          topology.add(new MySqlServer(name, process, topology, settableClocks));
        }
      } catch (RuntimeException e) {
        topology.servers().forEach(MySqlServer::close);
        host.close();
        throw e;
      }
      MySqlCluster cluster = new MySqlCluster(host, topology);
      OPEN.add(cluster);
      String members = "a primary and " + replicas + (replicas == 1 ? " replica" : " replicas");
      String doing = "MySQL: starting " + members;
      try {
        lines.say(doing);
        lines.step(
            doing,
            () -> {
              cluster.begin();
              return null;
            });
      } catch (RuntimeException e) {
        cluster.close();
        throw e;
      } catch (Exception e) {
        cluster.close();
        throw new ClusterException("testkit - " + e.getMessage(), e);
      }
      lines.say("MySQL: " + members + " run after " + Progress.seconds(start));
      return cluster;
    }
  }
}

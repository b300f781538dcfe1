package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One server of a {@link MySqlCluster}, and what can go wrong with it.
 *
 * <p>An application reaches it by {@link #jdbcUrl} through a small relay, so that the network
 * faults below concern the application only; tests look at it directly, as administrator, by {@link
 * #connect}, {@link #execute} and {@link #queryString}.
 *
 * <p>Every fault returns when it is in force and gives a {@link Fault} that undoes it; {@link
 * MySqlCluster#undoFaults()} undoes what is left.
 *
 * <p>Safe for use from any thread.
 */
public final class MySqlServer {
  private static final Duration CLOCK_BOUND = Duration.ofSeconds(15);
  private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(500);

  private final String name;
  private final ServerProcess process;
  private final Topology topology;
  private final Relay relay;
  private final Observer observer = new Observer(this);
  private final Object lifecycle = new Object();
  private final StackedValue<Duration> delays;
  private final StackedValue<Boolean> pauses;
  private final StackedValue<Boolean> deafness;
  private final StackedValue<Boolean> cuts;
  private final StackedValue<Boolean> refusals;
  private final StackedValue<Duration> latencies;
  private final StackedValue<Duration> clocks;

  /** Empty while the server lives by the machine's clock. */
  private volatile Optional<Duration> clockOffset;

  private volatile boolean logging;

  MySqlServer(String name, ServerProcess process, Topology topology, boolean settableClock) {
    this.name = name;
    this.process = process;
    this.topology = topology;
    this.clockOffset = settableClock ? Optional.of(Duration.ZERO) : Optional.empty();
    this.relay = Relay.start(name, process::address);
    this.delays =
        new StackedValue<>(topology::delay, delay -> ReplicationFaults.setDelay(this, delay));
    this.pauses = new StackedValue<>(() -> false, paused -> runThread("SQL_THREAD", !paused));
    this.deafness = new StackedValue<>(() -> false, deaf -> runThread("IO_THREAD", !deaf));
    this.cuts = new StackedValue<>(() -> false, relay::cut);
    this.refusals = new StackedValue<>(() -> !process.isAlive(), relay::refuse);
    this.latencies = new StackedValue<>(() -> Duration.ZERO, relay::latency);
    this.clocks = new StackedValue<>(() -> Duration.ZERO, this::setClock);
  }

  /** {@code primary}, {@code replica-1} and so on: the role it was started in. */
  public String name() {
    return name;
  }

  /** Where an application connects. */
  public String host() {
    return relay.address().host();
  }

  /** Where an application connects; the same for the life of the cluster. */
  public int port() {
    return relay.address().port();
  }

  /**
   * The address for an application's connections, without account; network faults apply to it.
   *
   * @param schema the schema to start in; empty for none
   */
  public String jdbcUrl(String schema) {
    return Jdbc.url(relay.address(), schema);
  }

  /**
   * The address of the server itself, past the relay: for measurements in which even a few
   * microseconds count. Network faults do not apply to it.
   *
   * @param schema the schema to start in; empty for none
   */
  public String directJdbcUrl(String schema) {
    return Jdbc.url(process.address(), schema);
  }

  /** The application's account: may read, write and migrate, and is bound by read-only servers. */
  public String user() {
    return Accounts.APPLICATION.user();
  }

  public String password() {
    return Accounts.APPLICATION.password();
  }

  /** An account that may do everything. */
  public String adminUser() {
    return Accounts.ADMIN.user();
  }

  public String adminPassword() {
    return Accounts.ADMIN.password();
  }

  /**
   * A new connection as administrator, past the relay; the caller closes it.
   *
   * @param schema the schema to start in; empty for none
   */
  public Connection connect(String schema) throws SQLException {
    return Jdbc.connect(process.address(), schema, Accounts.ADMIN);
  }

  /** Runs statements as administrator, in one connection, without a schema of its own. */
  public void execute(String... sql) throws SQLException {
    try (Connection connection = connect("")) {
      Jdbc.execute(connection, sql);
    }
  }

  /**
   * Runs statements as administrator on this server alone: they get no GTID, replicate nowhere, and
   * are allowed on a read-only server, which is writable meanwhile.
   */
  public void executeHereOnly(String... sql) throws SQLException {
    try (Connection connection = connect("")) {
      boolean readOnly = "1".equals(Jdbc.queryString(connection, "SELECT @@global.read_only"));
      boolean superReadOnly =
          "1".equals(Jdbc.queryString(connection, "SELECT @@global.super_read_only"));
      Jdbc.execute(connection, "SET SESSION sql_log_bin=0", "SET GLOBAL super_read_only=OFF");
      try {
        Jdbc.execute(connection, sql);
      } finally {
        if (superReadOnly) {
          Jdbc.execute(connection, "SET GLOBAL super_read_only=ON");
        } else if (readOnly) {
          Jdbc.execute(connection, "SET GLOBAL read_only=ON");
        }
      }
    }
  }

  /**
   * Runs a query as administrator: the first column of the first row as text, or null if there is
   * no row or it holds NULL.
   */
  public @Nullable String queryString(String sql) throws SQLException {
    try (Connection connection = connect("")) {
      return Jdbc.queryString(connection, sql);
    }
  }

  /**
   * {@code @@server_uuid}.
   *
   * @throws ClusterException if the server does not answer
   */
  public String serverUuid() {
    return ask("SELECT @@server_uuid");
  }

  /**
   * {@code @@global.gtid_executed}, on one line.
   *
   * @throws ClusterException if the server does not answer
   */
  public String executedGtids() {
    return ask("SELECT @@global.gtid_executed").replace("\n", "");
  }

  /** Memory this server really uses, where the operating system tells. */
  public OptionalLong residentBytes() {
    return process.residentBytes();
  }

  /**
   * How often the server has executed each kind of statement since its start, by the names of
   * {@code SHOW GLOBAL STATUS}: {@code Com_select}, {@code Com_insert} and so on.
   *
   * <p>Neither this method nor those of the statement log change the count. The other methods of
   * this class do, as does everyone else who uses the server.
   *
   * @throws ClusterException if the server does not answer
   */
  public Map<String, Long> statementCounts() {
    return observer.counts();
  }

  /**
   * What the server has executed since an earlier count; kinds without change are left out.
   *
   * @param earlier what {@link #statementCounts()} said then
   */
  public Map<String, Long> statementsSince(Map<String, Long> earlier) {
    Map<String, Long> since = new TreeMap<>();
    statementCounts()
        .forEach(
            (kind, count) -> {
              long difference = count - earlier.getOrDefault(kind, 0L);
              if (difference != 0) {
                since.put(kind, difference);
              }
            });
    return since;
  }

  /**
   * Makes the server note every statement from now on, until {@link #stopLogging()} or {@link
   * MySqlCluster#undoFaults()}.
   *
   * <p>A killed server loses its log.
   *
   * @return the server's time at which it began, for {@link #loggedStatements}
   */
  public Instant startLogging() {
    Instant start = observer.startLogging();
    logging = true;
    return start;
  }

  public void stopLogging() {
    if (logging) {
      observer.stopLogging();
      logging = false;
    }
  }

  /**
   * The statements that reached the server, oldest first, without those of the administrator.
   *
   * @param since from when on, by the server's clock
   */
  public List<LoggedStatement> loggedStatements(Instant since) {
    return observer.logged(since);
  }

  /**
   * Makes this replica apply everything late, by the server's own {@code SOURCE_DELAY}.
   *
   * @param delay in whole seconds; counted from the commit on the primary
   */
  public Fault delay(Duration delay) {
    return new ReplicationFaults(topology).delay(this, delay);
  }

  /** Stops this replica's applier: it receives, and its data stands still. */
  public Fault pauseApplier() {
    return new ReplicationFaults(topology).pauseApplier(this);
  }

  /** Stops this replica's receiver: it applies what it has, and hears of nothing new. */
  public Fault stopReceiving() {
    return new ReplicationFaults(topology).stopReceiving(this);
  }

  /** Makes this replica forget its source: it follows nobody and does not know that it should. */
  public Fault detach() {
    return new ReplicationFaults(topology).detach(this);
  }

  /**
   * Makes this replica writable, as if its configuration had been forgotten.
   *
   * <p>If it has been written to, it is built anew from the primary when the fault is undone, which
   * takes it away for some seconds.
   */
  public Fault forgetSuperReadOnly() {
    return new ReplicationFaults(topology).forgetSuperReadOnly(this);
  }

  /**
   * Blocks this replica's applier while both its threads run, as one long statement in the stream
   * does: nothing is stopped, no error is shown, and nothing arrives.
   *
   * <p>Reads go on. The primary gets one small write, so that there is something to be blocked.
   *
   * @param duration after which the applier goes on, unless the fault is undone before
   */
  public Fault longStatement(Duration duration) {
    return new ReplicationFaults(topology).longStatement(this, duration);
  }

  /**
   * Makes writes to a table on this primary wait, as if the process that writes it had died; reads
   * go on.
   *
   * @param table the heartbeat's table, as {@code schema.table}
   */
  public Fault blockHeartbeatWriter(String table) {
    return new ReplicationFaults(topology).blockHeartbeatWriter(this, table);
  }

  /**
   * Stops the process from running (SIGSTOP): connections stay open, new ones are accepted by the
   * operating system, and nothing answers.
   */
  public Fault freeze() {
    process.freeze();
    return topology
        .faults()
        .add(
            this,
            FaultLedger.Kind.FROZEN,
            "frozen",
            () -> {
              if (process.isAlive()) {
                process.thaw();
              }
            });
  }

  /** Undoes {@link #freeze()}; nothing happens if the server is not frozen. */
  public void thaw() {
    topology.faults().undo(this, FaultLedger.Kind.FROZEN);
  }

  /**
   * Ends the process at once (kill -9) and returns when it is gone. Connections break, new ones are
   * refused; what was acknowledged as committed is there again after {@link #restart()}.
   */
  public Fault kill() {
    stopNow();
    return topology
        .faults()
        .add(
            this,
            FaultLedger.Kind.KILLED,
            "killed",
            () -> {
              if (!process.isAlive()) {
                startNow();
              }
            });
  }

  /**
   * Starts a killed server again, or kills and starts a running one. Returns when it accepts
   * logins; a replica then begins to replicate by itself.
   */
  public void restart() {
    if (!topology.faults().undo(this, FaultLedger.Kind.KILLED)) {
      stopNow();
      startNow();
    }
  }

  /**
   * Cuts the network between applications and this server: nothing arrives and nothing is refused,
   * in either direction. Once undone, what was under way arrives late, as by TCP.
   */
  public Fault cutNetwork() {
    return network("network cut", cuts.set(true));
  }

  /** Resets applications' connections to this server and refuses new ones. */
  public Fault refuseConnections() {
    return network("connections refused", refusals.set(true));
  }

  /**
   * Adds time to every round trip between applications and this server.
   *
   * @param roundTrip how much; half of it in each direction
   */
  public Fault addLatency(Duration roundTrip) {
    if (roundTrip.isNegative()) {
      throw new IllegalArgumentException(
          "testkit - addLatency: " + roundTrip + " (expected: zero or more)");
    }
    return network(roundTrip.toMillis() + " ms on every round trip", latencies.set(roundTrip));
  }

  /**
   * Lets one statement reach this server and loses the reply: as soon as the server answers, which
   * proves that it has executed the statement, the connection is reset on both sides. Happens once.
   *
   * <p>The statement must travel as plain text, as it does by {@link #jdbcUrl} without server-side
   * prepared statements or compression.
   *
   * @param text a part of the statement's text, in any case
   */
  public DroppedReply dropReplyAfter(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "testkit - dropReplyAfter: '" + text + "' (expected: a part of a statement)");
    }
    Relay.Trap trap = relay.dropReplyAfter(text);
    Fault fault = network("reply lost after '" + text + "'", () -> relay.disarm(trap));
    return new DroppedReply() {
      @Override
      public boolean hasHappened() {
        return trap.hasSprung();
      }

      @Override
      public String description() {
        return fault.description();
      }

      @Override
      public void close() {
        fault.close();
      }
    };
  }

  /**
   * Makes this server's clock run fast or slow by a fixed amount: {@code NOW()}, the time stamps in
   * its binary log, everything it takes from the wall clock. Time that merely passes is not
   * changed.
   *
   * <p>Done with libfaketime, loaded into the server. Unless the cluster was started with {@link
   * MySqlCluster.Builder#settableClocks()}, the first call restarts the server, which breaks its
   * connections. Undoing sets the clock right without another restart.
   *
   * @param offset positive for a clock that runs fast
   * @throws UnsupportedOperationException if libfaketime is not to be had
   */
  public Fault skewClock(Duration offset) {
    Optional<String> obstacle = process.clockObstacle();
    if (obstacle.isPresent()) {
      throw new UnsupportedOperationException(
          "testkit - skewClock: the clock of " + name + " cannot be set: " + obstacle.get());
    }
    FaultLedger.Undo undo = clocks.set(offset);
    return topology
        .faults()
        .add(this, FaultLedger.Kind.CLOCK, "clock off by " + offset.toMillis() + " ms", undo);
  }

  private void setClock(Duration offset) {
    synchronized (lifecycle) {
      boolean settable = clockOffset.isPresent();
      clockOffset = Optional.of(offset);
      if (settable) {
        process.setClockOffset(offset);
      } else {
        stopNow();
        startNow();
      }
    }
    Await.until(
        name + "'s clock is off by " + offset.toMillis() + " ms",
        CLOCK_BOUND,
        () -> clockDifference().minus(offset).abs().compareTo(CLOCK_TOLERANCE) < 0,
        () -> clockDifference().toMillis() + " ms");
  }

  /** The server's clock minus this JVM's, to within the time of a question. */
  private Duration clockDifference() {
    long micros = Long.parseLong(ask("SELECT FLOOR(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000)"));
    Instant servers = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return Duration.between(Instant.now(), servers);
  }

  private Fault network(String description, FaultLedger.Undo undo) {
    return topology.faults().add(this, FaultLedger.Kind.NETWORK, description, undo);
  }

  /** Starts the process in the role the server has now. */
  void startNow() {
    synchronized (lifecycle) {
      process.start(!topology.isPrimary(this), clockOffset);
      refusals.applyAgain();
    }
  }

  /** Ends the process; connections to it are refused, as by a machine without the service. */
  void stopNow() {
    synchronized (lifecycle) {
      observer.serverEnds();
      process.kill();
      refusals.applyAgain();
    }
  }

  /** A short question of the testkit itself, with a bound and an answer. */
  String ask(String sql) {
    try (Connection connection = shortConnection()) {
      String answer = Jdbc.queryString(connection, sql);
      if (answer == null) {
        throw new ClusterException(name + " - gave no answer to: " + sql);
      }
      return answer;
    } catch (SQLException e) {
      throw new ClusterException(name + " - cannot be asked '" + sql + "': " + e.getMessage(), e);
    }
  }

  /** Statements of the testkit itself, with a bound on each. */
  void order(String... sql) {
    try (Connection connection = shortConnection()) {
      Jdbc.execute(connection, sql);
    } catch (SQLException e) {
      throw new ClusterException(
          name + " - cannot execute " + String.join("; ", sql) + ": " + e.getMessage(), e);
    }
  }

  Connection shortConnection() throws SQLException {
    return Jdbc.connect(process.address(), "", Accounts.ADMIN, Jdbc.SHORT);
  }

  ServerProcess process() {
    return process;
  }

  StackedValue<Duration> delays() {
    return delays;
  }

  StackedValue<Boolean> pauses() {
    return pauses;
  }

  StackedValue<Boolean> deafness() {
    return deafness;
  }

  private void runThread(String thread, boolean run) {
    order((run ? "START" : "STOP") + " REPLICA " + thread);
  }

  void close() {
    observer.disconnect();
    relay.close();
  }

  @Override
  public String toString() {
    return name;
  }
}

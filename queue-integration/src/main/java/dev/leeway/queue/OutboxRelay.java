package dev.leeway.queue;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the jobs of an {@link Outbox} to their broker: in batches, in order for each key, at least
 * once each.
 *
 * <p>Of all processes that run a relay for the same table, the one that holds a lock of the primary
 * ({@code GET_LOCK}) works; the others take over when its session ends.
 *
 * <p>Owns one thread, and one connection of the writing pool for as long as it runs. Safe for use
 * from any thread.
 */
public final class OutboxRelay implements AutoCloseable {
  /*
   * Where the position comes from
   * -----------------------------
   * A row cannot contain the GTID of its own commit, which is known only afterwards. So the relay reads
   * the row on the primary, and after that has the primary asked for all that may be visible there: its
   * owned and then its executed set. The row was visible, so its transaction had committed, so its GTID
   * is in one of the two. Whatever replica holds that set shows all that the dispatcher had written, in
   * that transaction and before it. It holds more than that, namely what others committed until the relay
   * came by; that is the price, and as much as the relay is late.
   *
   * What at least once means
   * ------------------------
   * A row is deleted after the broker has taken it. A relay that dies in between leaves it, and it is sent
   * again, with the same id. A relay that is cut off from the primary loses its lock and may still finish
   * the batch it has in hand while the next one begins: then jobs of one key come twice, in order each time.
   */

  private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);

  private static final int BATCH = 100;
  private static final int MAX_REFUSALS = 20;
  private static final int MAX_LOCK_NAME = 64;
  private static final int MAX_PROBLEM = 500;
  private static final int LOCK_WAIT_SECONDS = 1;
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Outbox outbox;
  private final Leeway leeway;
  private final JobCarrier carrier;
  private final JobMetrics metrics;
  private final Duration interval;
  private final Duration sendBound;
  private final Clock clock = Clock.systemUTC();
  private final Runnable nudge = this::nudge;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean nudged;
  private volatile boolean closed;
  private volatile boolean elected;

  // For the thread alone.
  private @Nullable Connection connection;
  private String serverUuid = "";
  private int failures;

  private OutboxRelay(Builder builder) {
    outbox = builder.outbox;
    leeway = outbox.leeway();
    carrier = builder.carrier;
    metrics = new JobMetrics(builder.registry, leeway.name());
    interval = builder.interval;
    sendBound = builder.sendBound;
    outbox.addListener(nudge);
    thread = new Thread(this::run, "leeway-" + leeway.name() + "-outbox");
    thread.setDaemon(true);
    thread.start();
  }

  /** A relay with every setting at its default, which begins at once. */
  public static OutboxRelay start(Outbox outbox, JobCarrier carrier) {
    return builder(outbox, carrier).start();
  }

  /** A builder with every setting at its default. */
  public static Builder builder(Outbox outbox, JobCarrier carrier) {
    return new Builder(outbox, carrier);
  }

  /** Whether this process is the one that relays. */
  public boolean isElected() {
    return elected;
  }

  private void nudge() {
    lock.lock();
    try {
      nudged = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!closed) {
      boolean more = false;
      try (RequestScope scope = leeway.openScope()) {
        // A scope of its own: what the relay deletes is nothing that others must read.
        scope.stayOnPrimary();
        more = step();
        failures = 0;
      } catch (SQLException | BatchFailedException e) {
        disconnectAfter(e);
      } catch (InterruptedException e) {
        closed = true;
      } catch (RuntimeException e) {
        disconnectAfter(e);
      }
      if (!more) {
        pause();
      }
    }
    disconnect();
  }

  private void disconnectAfter(Exception failure) {
    if (failure instanceof BatchFailedException batch) {
      // One job that the broker will not have must not slow the others down.
      failures = batch.progressed ? 1 : failures + 1;
    } else {
      failures++;
      disconnect();
    }
    if (!closed && failures == 2) {
      log.warn(
          "{} outbox - the jobs in {} cannot be relayed; it is tried again",
          leeway.name(),
          outbox.table(),
          failure);
    } else {
      log.debug("{} outbox - the relay failed", leeway.name(), failure);
    }
  }

  /** Sends one batch; returns whether there may be more at once. */
  private boolean step() throws SQLException, InterruptedException, BatchFailedException {
    Connection current = connection;
    if (current != null && !isStillPrimary()) {
      disconnect();
      current = null;
    }
    if (current == null) {
      current = connect();
    }
    if (!elected) {
      elected = takeLock(current);
      if (!elected) {
        return true;
      }
      log.info("{} outbox - this process relays the jobs in {}", leeway.name(), outbox.table());
    }
    List<Row> rows = read(current);
    if (rows.isEmpty()) {
      return false;
    }
    relay(current, rows, visibleAfter(System.nanoTime()));
    return true;
  }

  private boolean isStillPrimary() {
    ServerState primary = leeway.clusterState().primary();
    return primary != null && serverUuid.equals(String.valueOf(primary.serverUuid()));
  }

  private Connection connect() throws SQLException {
    Connection opened = leeway.dataSource().getConnection();
    connection = opened;
    try (Statement statement = opened.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@global.server_uuid")) {
      row.next();
      serverUuid = row.getString(1).toLowerCase(Locale.ROOT);
    }
    return opened;
  }

  private boolean takeLock(Connection current) throws SQLException {
    try (PreparedStatement statement = current.prepareStatement("SELECT GET_LOCK(?, ?)")) {
      statement.setString(1, lockName(outbox.table()));
      statement.setInt(2, LOCK_WAIT_SECONDS);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getInt(1) == 1;
      }
    }
  }

  private String lockName(String table) {
    // Two schemas may each have a table of this name, and a lock is the whole server's.
    String name = "leeway-outbox:" + leeway.name() + ":" + table.toLowerCase(Locale.ROOT);
    return name.length() <= MAX_LOCK_NAME
        ? name
        : "leeway-outbox#" + Integer.toHexString(name.hashCode());
  }

  /** A job as it lies in the table. */
  private record Row(
      long id, String jobId, Job job, long dispatchedAtMillis, CompletableFuture<Void> taken) {}

  private List<Row> read(Connection current) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (Statement statement = current.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT id, job_id, job_type, job_key, payload, consistency, dispatched_at FROM "
                    + outbox.table()
                    + " WHERE problem IS NULL ORDER BY id LIMIT "
                    + BATCH)) {
      while (found.next()) {
        Job job =
            new Job(
                found.getString(3),
                found.getString(4),
                found.getBytes(5),
                JobEnvelope.askedIn(found.getString(6)));
        rows.add(
            new Row(
                found.getLong(1),
                found.getString(2),
                job,
                found.getLong(7),
                new CompletableFuture<>()));
      }
    }
    return rows;
  }

  private WritePosition visibleAfter(long momentNanos) throws SQLException, InterruptedException {
    ClusterState state = VisiblePosition.askedAfter(leeway, momentNanos, ANSWER_BOUND);
    ServerState primary = state == null ? null : state.primary();
    if (state == null
        || primary == null
        || !serverUuid.equals(String.valueOf(primary.serverUuid()))) {
      throw new SQLException(
          "the primary did not tell its position after the jobs were read ("
              + leeway.clusterState()
              + ")");
    }
    return WritePosition.of(state.cluster(), primary.mayHave());
  }

  private void relay(Connection current, List<Row> rows, WritePosition position)
      throws SQLException, InterruptedException, BatchFailedException {
    Map<String, CompletableFuture<Void>> lastOfKey = new HashMap<>();
    for (Row row : rows) {
      CompletableFuture<Void> before =
          row.job().key() == null
              ? CompletableFuture.completedFuture(null)
              : lastOfKey.getOrDefault(row.job().key(), CompletableFuture.completedFuture(null));
      CompletableFuture<Void> sent = before.thenCompose(nothing -> send(row, position));
      if (row.job().key() != null) {
        lastOfKey.put(row.job().key(), sent);
      }
    }
    List<Row> taken = new ArrayList<>();
    Map<Row, Throwable> refused = new LinkedHashMap<>();
    long deadline = System.nanoTime() + sendBound.toNanos();
    for (Row row : rows) {
      CompletableFuture<Void> last =
          row.job().key() == null
              ? row.taken()
              : Objects.requireNonNull(lastOfKey.get(row.job().key()));
      try {
        CompletableFuture.anyOf(row.taken(), last)
            .get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException e) {
        // Looked at below.
      }
      if (row.taken().isDone() && !row.taken().isCompletedExceptionally()) {
        taken.add(row);
      } else if (row.taken().isCompletedExceptionally()) {
        refused.put(row, failureOf(row.taken()));
      }
    }
    delete(current, taken);
    if (!taken.isEmpty()) {
      // The broker works, so it is the job that it will not have.
      for (Map.Entry<Row, Throwable> each : refused.entrySet()) {
        countRefusal(current, each.getKey(), each.getValue());
      }
    }
    if (taken.size() < rows.size()) {
      throw new BatchFailedException(
          "the broker took "
              + taken.size()
              + " of "
              + rows.size()
              + " jobs within "
              + sendBound.toMillis()
              + " ms",
          !taken.isEmpty(),
          refused.values().stream().findFirst().orElse(null));
    }
  }

  private static Throwable failureOf(CompletableFuture<Void> future) {
    Throwable failure = future.handle((nothing, thrown) -> thrown).join();
    return failure == null ? new IllegalStateException("no failure") : failure;
  }

  private CompletableFuture<Void> send(Row row, WritePosition position) {
    JobEnvelope envelope =
        JobEnvelope.of(
            position, row.job().consistency(), Instant.ofEpochMilli(row.dispatchedAtMillis()));
    CompletableFuture<Void> answer;
    try {
      answer = carrier.send(new SentJob(row.job(), row.jobId(), envelope)).toCompletableFuture();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.whenComplete(
        (nothing, failure) -> {
          if (failure == null) {
            row.taken().complete(null);
          } else {
            row.taken().completeExceptionally(failure);
          }
        });
  }

  private void delete(Connection current, List<Row> taken) throws SQLException {
    if (taken.isEmpty()) {
      return;
    }
    StringBuilder ids = new StringBuilder();
    for (Row row : taken) {
      ids.append(ids.length() == 0 ? "" : ",").append(row.id());
      metrics.count("leeway.outbox.relayed", "outcome", "sent");
      metrics.time(
          "leeway.outbox.delay",
          Duration.ofMillis(Math.max(0, clock.millis() - row.dispatchedAtMillis())));
    }
    try (Statement statement = current.createStatement()) {
      statement.executeUpdate("DELETE FROM " + outbox.table() + " WHERE id IN (" + ids + ")");
    }
  }

  private void countRefusal(Connection current, Row row, Throwable failure) throws SQLException {
    String problem = String.valueOf(failure);
    try (PreparedStatement statement =
        current.prepareStatement(
            "UPDATE "
                + outbox.table()
                + " SET problem = IF(refusals + 1 >= "
                + MAX_REFUSALS
                + ", ?, NULL), refusals = refusals + 1 WHERE id = ?")) {
      statement.setString(1, problem.substring(0, Math.min(MAX_PROBLEM, problem.length())));
      statement.setLong(2, row.id());
      statement.executeUpdate();
    }
    metrics.count("leeway.outbox.relayed", "outcome", "refused");
  }

  /** Some of a batch was not taken; what was is deleted. */
  private static final class BatchFailedException extends Exception {
    private static final long serialVersionUID = 1;

    final boolean progressed;

    BatchFailedException(String message, boolean progressed, @Nullable Throwable cause) {
      super(message, cause);
      this.progressed = progressed;
    }
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    if (elected) {
      log.info("{} outbox - this process relays no more", leeway.name());
    }
    elected = false;
    if (open != null) {
      try {
        // The session holds a lock, so it is not used again, and ending it frees the lock.
        open.close();
      } catch (SQLException e) {
        log.debug("{} outbox - a connection could not be closed", leeway.name(), e);
      }
    }
  }

  private void pause() {
    long nanos =
        failures == 0
            ? interval.toNanos()
            : Math.min(LONGEST_PAUSE.toNanos(), interval.toNanos() << Math.min(failures, 10));
    lock.lock();
    try {
      while (!closed && nanos > 0 && !(nudged && failures == 0)) {
        nanos = changed.awaitNanos(nanos);
      }
      nudged = false;
    } catch (InterruptedException e) {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread after the batch in hand, and lets another process relay. */
  @Override
  public void close() {
    outbox.removeListener(nudge);
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(sendBound.plus(ANSWER_BOUND).toMillis());
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final Outbox outbox;
    private final JobCarrier carrier;
    private @Nullable MeterRegistry registry;
    private Duration interval = Duration.ofMillis(100);
    private Duration sendBound = Duration.ofSeconds(30);

    private Builder(Outbox outbox, JobCarrier carrier) {
      this.outbox = Objects.requireNonNull(outbox, "outbox");
      this.carrier = Objects.requireNonNull(carrier, "carrier");
    }

    /** Where to count. Default: nowhere. */
    public Builder meterRegistry(MeterRegistry value) {
      registry = value;
      return this;
    }

    /**
     * How often the table is looked at. Jobs of this process are noticed at once. Default: 100 ms.
     *
     * @param value 1 ms to 1 minute
     */
    public Builder interval(Duration value) {
      if (value.toMillis() < 1 || value.compareTo(Duration.ofMinutes(1)) > 0) {
        throw new IllegalArgumentException(
            outbox.leeway().name() + " outbox - interval: " + value + " (expected: 1 ms to 1 m)");
      }
      interval = value;
      return this;
    }

    /** How long the broker may take for a batch. Default: 30 s. */
    public Builder sendBound(Duration value) {
      sendBound = value;
      return this;
    }

    /** The relay, at work. */
    public OutboxRelay start() {
      return new OutboxRelay(this);
    }
  }
}

package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.queue.Bed.Seen;
import dev.leeway.queue.executor.JobExecutor;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recorded histories of the outbox: what each dispatcher wrote, and what each of its jobs read,
 * under lag, kills of the relay and of the primary, and redelivery.
 */
class HistoriesIT {
  private static final int ROWS = 8;
  private static final int WRITERS = 3;

  /** A job's read: the version it is about, the version it saw, and where. */
  private record Read(long row, long written, long seen, String server) {}

  private final Queue<Read> history = new ConcurrentLinkedQueue<>();
  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> executed = new ConcurrentHashMap<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean writing = new AtomicBoolean(true);
  private final AtomicInteger versions = new AtomicInteger();

  private Bed bed;
  private Outbox outbox;
  private ExecutorService threads;
  private JobExecutor workers;

  @BeforeEach
  void open() throws Exception {
    bed = new Bed("histories");
    outbox = Outbox.in(bed.leeway(), "leeway_outbox");
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      outbox.createTable(connection);
    }
    for (int row = 1; row <= ROWS; row++) {
      bed.insert("0");
    }
    threads = Executors.newFixedThreadPool(WRITERS + 4);
    workers = JobExecutor.builder(JobRunner.over(bed.leeway()), threads).build();
  }

  @AfterEach
  void close() {
    writing.set(false);
    workers.shutdownNow();
    threads.shutdownNow();
    Bed.CLUSTER.undoFaults();
    bed.close();
  }

  /** Each row has one writer, whose versions only grow; so what a job may see is known. */
  private void write(int writer) {
    Random random = new Random(writer);
    while (writing.get()) {
      long row = 1 + writer + (long) WRITERS * random.nextInt((ROWS - writer - 1) / WRITERS + 1);
      int version = versions.incrementAndGet();
      String what = row + " " + version;
      try (Connection connection = bed.leeway().dataSource().getConnection()) {
        connection.setAutoCommit(false);
        try (PreparedStatement statement =
            connection.prepareStatement("UPDATE orders SET status = ? WHERE id = ?")) {
          statement.setString(1, Integer.toString(version));
          statement.setLong(2, row);
          statement.executeUpdate();
        }
        outbox.send(
            connection,
            Job.of("check", what)
                .withKey(Long.toString(row))
                .with(Consistency.caughtUp(Duration.ofSeconds(20))));
        connection.commit();
        committed.add(what);
      } catch (SQLException e) {
        // The primary is away, or it is not known whether this was committed. Then the job may come
        // or
        // not; if it comes, it must see the version.
        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(1_000_000L * (2 + random.nextInt(8)));
    }
  }

  private void execute(String payload, JobEnvelope envelope) {
    String[] parts = payload.split(" ");
    long row = Long.parseLong(parts[0]);
    long version = Long.parseLong(parts[1]);
    var unused =
        workers
            .accept(
                envelope,
                null,
                () -> {
                  Seen seen = bed.read(row);
                  history.add(
                      new Read(
                          row,
                          version,
                          Long.parseLong(String.valueOf(seen.status())),
                          seen.server()));
                  executed.merge(payload, 1, Integer::sum);
                })
            .exceptionally(
                failure -> {
                  failures.add(failure);
                  return null;
                });
  }

  /** A relay's process and the file it writes jobs to. */
  private final class Relay implements AutoCloseable {
    private final Path file;
    private final Process process;
    private int linesDone;

    Relay(Path folder, String name) throws Exception {
      file = folder.resolve(name);
      Files.createFile(file);
      MySqlServer primary = Bed.CLUSTER.server("primary");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "-cp"));
      command.add(System.getProperty("java.class.path"));
      command.add(RelayProcess.class.getName());
      command.addAll(List.of(file.toString(), primary.user(), primary.password()));
      for (MySqlServer server : Bed.CLUSTER.servers()) {
        command.add(server.jdbcUrl(bed.schema().name()));
      }
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve(name + ".log").toFile())
              .start();
    }

    /** Gives every new line to the workers; every tenth twice, as a broker may. */
    void deliver() throws Exception {
      List<String> lines = Files.readAllLines(file);
      for (; linesDone < lines.size(); linesDone++) {
        String[] parts = lines.get(linesDone).split("\t");
        if (parts.length < 6) {
          return;
        }
        Map<String, String> headers =
            Map.of(
                JobEnvelope.POSITION,
                parts[2],
                JobEnvelope.CONSISTENCY,
                parts[3],
                JobEnvelope.DISPATCHED_AT,
                parts[4],
                JobEnvelope.CLUSTER,
                parts[5]);
        execute(parts[0], JobEnvelope.read(headers::get));
        if (linesDone % 10 == 0) {
          execute(parts[0], JobEnvelope.read(headers::get));
        }
      }
    }

    /** As kill -9. */
    @Override
    public void close() throws Exception {
      process.destroyForcibly();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      deliver();
    }
  }

  private void deliverUntil(Relay relay, int atLeast) {
    Bed.await(
        () -> executed.size() + " of " + atLeast + " jobs are executed, failed: " + failures,
        () -> {
          try {
            relay.deliver();
          } catch (Exception e) {
            throw new AssertionError("the relay's file cannot be read", e);
          }
          return executed.size() >= atLeast;
        });
  }

  @Test
  void everyJobSeesItsDispatchersWriteUnderLagAndKillsAndIsExecutedAtLeastOnce(@TempDir Path folder)
      throws Exception {
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      threads.execute(() -> write(number));
    }
    int now;
    try (Relay first = new Relay(folder, "first")) {
      deliverUntil(first, 100);
      try (Fault paused = Bed.CLUSTER.replica("replica-1").pauseApplier()) {
        assertThat(paused.description()).isNotEmpty();
        deliverUntil(first, 200);
      }
    }
    // The first relay was killed with kill -9 while jobs were on their way.
    try (Relay second = new Relay(folder, "second")) {
      now = executed.size();
      deliverUntil(second, now + 100);
      Bed.CLUSTER.primary().kill().close();
      now = executed.size();
      deliverUntil(second, now + 100);
      try (Fault lag = Bed.CLUSTER.delay(Duration.ofSeconds(1))) {
        assertThat(lag.description()).isNotEmpty();
        now = executed.size();
        deliverUntil(second, now + 100);
      }
      writing.set(false);
      Bed.await(
          () -> "every committed job is executed; missing " + missing() + ", failed " + failures,
          () -> {
            try {
              second.deliver();
            } catch (Exception e) {
              throw new AssertionError("the relay's file cannot be read", e);
            }
            return missing().isEmpty();
          });
    }

    assertThat(failures).isEmpty();
    assertThat(history).as("stale reads").allMatch(read -> read.seen() >= read.written());
    long byReplica = history.stream().filter(read -> !read.server().equals("primary")).count();
    assertThat(byReplica).as("of " + history.size() + " reads, by replicas").isPositive();
    assertThat(executed.values().stream().filter(times -> times > 1)).isNotEmpty();
    System.out.println(
        "history: "
            + history.size()
            + " reads, "
            + byReplica
            + " by replicas, "
            + committed.size()
            + " commits");
  }

  private List<String> missing() {
    return committed.stream().filter(what -> !executed.containsKey(what)).limit(5).toList();
  }
}

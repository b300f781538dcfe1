package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case D23: the writer's name leads to another machine than before, or to both in turn. */
class MovedNameIT {
  private static final String WRITER = "db-writer.test";
  private static final String OLD = "127.0.0.2";
  private static final String NEW = "127.0.0.3";

  @TempDir Path folder;

  @Test
  void writesFollowThePrimaryWhateverTheJvmBelievesOfItsName() throws Exception {
    MySqlServer former = Servers.CLUSTER.primary();
    MySqlServer next = Servers.CLUSTER.replicas().get(0);
    try (TestSchema schema = Servers.newSchema();
        Doors doors = new Doors(former, next)) {
      schema.execute("CREATE TABLE numbers (n BIGINT PRIMARY KEY)");
      schema.awaitReplicated();
      try (Writer forgets = new Writer("forgets", 2, 1_000_000, schema, doors.port());
          Writer remembers = new Writer("remembers", -1, 2_000_000, schema, doors.port());
          Writer flaps = new Writer("flaps", 0, 3_000_000, schema, doors.port())) {
        List<Writer> writers = List.of(forgets, remembers, flaps);
        for (Writer writer : writers) {
          writer.await("wrote", 5);
        }

        try (Fault promoted = Servers.CLUSTER.promote(next)) {
          assertThat(promoted.description()).isNotEmpty();
          forgets.pointTo(NEW);
          remembers.pointTo(NEW);
          for (int flip = 0; flip < 6; flip++) {
            flaps.pointTo(flip % 2 == 0 ? NEW : OLD);
            int count = flaps.lines();
            Servers.await("it goes on", () -> flaps.lines() > count);
            java.util.concurrent.locks.LockSupport.parkNanos(500_000_000);
          }
          flaps.pointTo(NEW);
          for (Writer writer : writers) {
            writer.awaitOn(next.name(), Duration.ofSeconds(10));
          }
          List<String> onNext = new ArrayList<>();
          for (Writer writer : writers) {
            writer.end();
            assertThat(writer.failures())
                .as(writer.name)
                .allMatch(
                    line ->
                        line.startsWith("failed ReadOnlyServerException writer - ")
                            || line.startsWith("failed NoWritableServerException writer - ")
                            || line.startsWith("failed OutcomeUnknownException writer - "));
            assertThat(writer.readOnlyErrors())
                .as("each pooled connection at most once: " + writer.name)
                .isLessThanOrEqualTo(4);
            for (long number : writer.written()) {
              onNext.add(
                  next.queryString(
                      "SELECT COUNT(*) FROM " + schema.name() + ".numbers WHERE n = " + number));
            }
          }
          assertThat(onNext).isNotEmpty().containsOnly("1");
        }
      }
    }
  }

  /** One process, with its own file of names. */
  private final class Writer implements AutoCloseable {
    private final String name;
    private final Path hosts;
    private final Process process;
    private final Thread reader;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

    Writer(String name, int cacheSeconds, long firstNumber, TestSchema schema, int port)
        throws IOException {
      this.name = name;
      hosts = folder.resolve(name + ".hosts");
      pointTo(OLD);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-Djdk.net.hosts.file=" + hosts);
      command.add("-Dsun.net.inetaddr.ttl=" + cacheSeconds);
      command.add("-Dsun.net.inetaddr.negative.ttl=0");
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(NumberWriter.class.getName());
      command.add(Long.toString(firstNumber));
      command.addAll(
          List.of("writer", "jdbc:mysql://" + WRITER + ":" + port + "/" + schema.name()));
      for (MySqlServer replica : Servers.CLUSTER.replicas()) {
        // By address: the file of names is all that the process knows.
        command.addAll(
            List.of(
                replica.name(), "jdbc:mysql://127.0.0.1:" + replica.port() + "/" + schema.name()));
      }
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      MySqlServer primary = Servers.CLUSTER.primary();
      builder.environment().put("NUMBER_WRITER_USER", primary.user());
      builder.environment().put("NUMBER_WRITER_PASSWORD", primary.password());
      process = builder.start();
      reader = new Thread(this::read, "writer-" + name);
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        output.lines().forEach(lines::add);
      } catch (IOException | java.io.UncheckedIOException e) {
        lines.add("the process ended: " + e);
      }
    }

    void pointTo(String address) throws IOException {
      Path written =
          Files.writeString(folder.resolve(name + ".new"), address + " " + WRITER + "\n");
      Files.move(written, hosts, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    int lines() {
      return lines.size();
    }

    void await(String start, int count) {
      // Long, because three more JVMs start at once, and other builds may run on the machine.
      Servers.await(
          name + ": " + count + " lines '" + start + "'",
          Duration.ofMinutes(3),
          () -> {
            assertThat(process.isAlive()).as("%s runs; it said %s", name, lines).isTrue();
            return lines.stream().filter(line -> line.startsWith(start)).count() >= count;
          });
    }

    void awaitOn(String server, Duration bound) {
      Servers.await(
          name + " writes on " + server,
          bound,
          () ->
              lines.stream()
                      .filter(line -> line.startsWith("wrote") && line.endsWith(" on " + server))
                      .count()
                  >= 5);
    }

    List<String> failures() {
      return lines.stream().filter(line -> line.startsWith("failed")).toList();
    }

    long readOnlyErrors() {
      return failures().stream().filter(line -> line.contains("ReadOnlyServer")).count();
    }

    List<Long> written() {
      return lines.stream()
          .filter(line -> line.startsWith("wrote"))
          .map(line -> Long.valueOf(line.split(" ")[1]))
          .toList();
    }

    void end() throws Exception {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError(name + " does not end: " + lines);
      }
      reader.join(10_000);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** Two addresses with the same port, each leading to one server. */
  private static final class Doors implements AutoCloseable {
    private final ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "door");
              thread.setDaemon(true);
              return thread;
            });
    private final List<Closeable> open = new ArrayList<>();
    private final int port;

    Doors(MySqlServer atOld, MySqlServer atNew) throws IOException {
      ServerSocket first = new ServerSocket(0, 50, InetAddress.getByName(OLD));
      port = first.getLocalPort();
      ServerSocket second = new ServerSocket(port, 50, InetAddress.getByName(NEW));
      lead(first, atOld);
      lead(second, atNew);
    }

    int port() {
      return port;
    }

    private void lead(ServerSocket door, MySqlServer server) {
      remember(door);
      threads.submit(
          () -> {
            while (true) {
              Socket from = door.accept();
              Socket to = new Socket();
              to.connect(new InetSocketAddress(server.host(), server.port()));
              remember(from);
              remember(to);
              threads.submit(() -> copy(from, to));
              threads.submit(() -> copy(to, from));
            }
          });
    }

    private synchronized void remember(Closeable closeable) {
      open.add(closeable);
    }

    private static void copy(Socket from, Socket to) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        in.transferTo(out);
      } catch (IOException e) {
        // One side has closed; so does the other.
        return;
      }
    }

    @Override
    public synchronized void close() throws IOException {
      for (Closeable each : open) {
        each.close();
      }
      threads.shutdownNow();
    }
  }
}

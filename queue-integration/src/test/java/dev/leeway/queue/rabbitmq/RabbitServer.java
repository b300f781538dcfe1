package dev.leeway.queue.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.leeway.queue.Bed;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ server of this JVM, from Debian's package, with its data in a folder of its own. Where
 * the package is missing it is installed, which needs root and apt. Nothing of the package's own
 * service is used or started.
 */
final class RabbitServer {
  private static final Path SCRIPT = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
  private static final int INSTALL_MINUTES = 5;

  /** It takes four seconds, and many times that on a machine that is busy. */
  private static final Duration START_BOUND = Duration.ofMinutes(3);

  private static @Nullable RabbitServer started;

  private final int port;

  private RabbitServer(int port) {
    this.port = port;
  }

  /** The server that all tests of this JVM share; ends with it. */
  static synchronized RabbitServer shared() throws Exception {
    if (started == null) {
      started = start();
    }
    return started;
  }

  Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    return factory.newConnection();
  }

  private static RabbitServer start() throws Exception {
    if (!Files.isExecutable(SCRIPT)) {
      install();
    }
    Path folder = Files.createTempDirectory("leeway-rabbitmq");
    int port = freePort();
    int distribution = freePort();
    String epmd = Integer.toString(freePort());
    Path log = folder.resolve("out.log");
    Path settings = folder.resolve("rabbitmq.conf");
    Files.writeString(settings, "listeners.tcp.1 = 127.0.0.1:" + port + "\n");
    ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString());
    builder
        .environment()
        .putAll(
            Map.ofEntries(
                Map.entry("HOME", folder.toString()),
                Map.entry("RABBITMQ_NODENAME", "leeway" + port + "@localhost"),
                Map.entry("RABBITMQ_CONF_ENV_FILE", folder.resolve("none").toString()),
                Map.entry("RABBITMQ_CONFIG_FILE", settings.toString()),
                Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
                Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
                Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString()),
                Map.entry("RABBITMQ_DIST_PORT", Integer.toString(distribution)),
                // A name server of its own, so that nothing outlives this and nothing is shared.
                Map.entry("ERL_EPMD_PORT", epmd),
                Map.entry("ERL_EPMD_RELAXED_COMMAND_CHECK", "true"),
                Map.entry("NO_COLOR", "1")));
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(process, folder, epmd), "rabbitmq-end"));
    RabbitServer server = new RabbitServer(port);
    Bed.await(
        START_BOUND,
        () -> "RabbitMQ answers on port " + port + "; it said: " + read(log),
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("RabbitMQ ended while starting; it said: " + read(log));
          }
          try (Connection connection = server.connect()) {
            return connection.isOpen();
          } catch (Exception e) {
            return false;
          }
        });
    return server;
  }

  private static void end(Process process, Path folder, String epmd) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      // It was started as a daemon, so it is no descendant.
      new ProcessBuilder("epmd", "-port", epmd, "-kill")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(5, TimeUnit.SECONDS);
    } catch (IOException | InterruptedException e) {
      System.err.println("Erlang's name server on port " + epmd + " is left: " + e);
    }
    try (Stream<Path> files = Files.walk(folder)) {
      process.waitFor(10, TimeUnit.SECONDS);
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException | InterruptedException | RuntimeException e) {
      System.err.println("RabbitMQ's folder " + folder + " is left: " + e);
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void install() throws Exception {
    String remedy =
        "Install it (on Debian and Ubuntu: apt-get install rabbitmq-server), or run as root where apt"
            + " is to be had.";
    if (!Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      throw new AssertionError("RabbitMQ is missing (expected: " + SCRIPT + "). " + remedy);
    }
    run(List.of("apt-get", "update", "-qq"), remedy);
    run(
        List.of(
            "apt-get",
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            "-o",
            "DPkg::Lock::Timeout=120",
            "rabbitmq-server"),
        remedy);
    if (!Files.isExecutable(SCRIPT)) {
      throw new AssertionError("RabbitMQ was installed without " + SCRIPT + ". " + remedy);
    }
  }

  private static void run(List<String> command, String remedy) throws Exception {
    Path log = Files.createTempFile("leeway-apt", ".log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
    // Keeps the package from starting a service of its own.
    builder.environment().put("RUNLEVEL", "1");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new AssertionError(String.join(" ", command) + " failed: " + read(log) + "\n" + remedy);
    }
    Files.delete(log);
  }
}

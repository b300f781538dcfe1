package dev.leeway.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One mysqld as a child of this JVM. Its methods are called by one thread at a time. */
final class LocalProcess implements ServerProcess {
  private static final Duration START_BOUND = Duration.ofSeconds(60);
  private static final Duration END_BOUND = Duration.ofSeconds(30);
  private static final int PORT_TRIES = 5;
  private static final String LOOPBACK = FreePorts.LOOPBACK.getHostAddress();

  /*
   * The shell writes its own number and then becomes the server, so that the number is on disk before
   * there is a server. The preloaded library must not reach the shell, which may be older than it.
   */
  private static final String BECOME =
      "echo $$ > \"$1\" && shift && "
          + "if [ -n \"$LEEWAY_PRELOAD\" ]; then LD_PRELOAD=$LEEWAY_PRELOAD; export LD_PRELOAD; fi; "
          + "exec \"$@\"";

  private final String name;
  private final int serverId;
  private final MySqlInstallation installation;
  private final List<String> options;
  private final Path template;
  private final Path folder;
  private final Path data;
  private final Path log;

  private volatile @Nullable Process process;
  private volatile int port;

  LocalProcess(
      String name,
      int serverId,
      MySqlInstallation installation,
      List<String> options,
      Path template,
      Path folder) {
    this.name = name;
    this.serverId = serverId;
    this.installation = installation;
    this.options = List.copyOf(options);
    this.template = template;
    this.folder = folder;
    this.data = folder.resolve("data");
    this.log = folder.resolve("server.log");
  }

  /** What initialising and every later start must agree on, and what keeps both small. */
  static List<String> storageOptions() {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--innodb-data-file-path=ibdata1:5M:autoextend",
                "--loose-innodb-redo-log-capacity=16M",
                "--innodb-buffer-pool-size=24M",
                // The servers survive their own death (kill -9), not the machine's: nothing is
                // synced, everything is handed to the operating system before it is acknowledged.
                "--innodb-flush-method=nosync",
                "--performance-schema=OFF",
                "--loose-mysqlx=OFF"));
    if ("root".equals(System.getProperty("user.name"))) {
      options.add("--user=root");
    }
    return options;
  }

  private List<String> command(int onPort, boolean readOnly) {
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", BECOME, "leeway-mysqld", folder.resolve("pid").toString()));
    command.addAll(installation.command());
    command.addAll(storageOptions());
    command.addAll(
        List.of(
            "--datadir=" + data,
            "--socket=mysqld.sock",
            "--pid-file=" + data.resolve("mysqld.pid"),
            "--bind-address=" + LOOPBACK,
            "--port=" + onPort,
            // A server that was killed and is started again may find its port busy for a moment.
            "--port-open-timeout=" + (port == onPort ? 10 : 0),
            "--server-id=" + serverId,
            "--report-host=" + name,
            "--gtid-mode=ON",
            "--enforce-gtid-consistency=ON",
            "--log-bin=binlog",
            "--binlog-format=ROW",
            "--relay-log=relay",
            "--loose-relay-log-recovery=ON",
            "--loose-sync-binlog=0",
            "--innodb-flush-log-at-trx-commit=2",
            "--innodb-log-buffer-size=1M",
            "--innodb-adaptive-hash-index=OFF",
            "--secure-file-priv=",
            "--skip-name-resolve",
            "--max-connections=400",
            "--table-open-cache=400",
            "--table-definition-cache=400",
            "--loose-log-error-verbosity=2"));
    if (readOnly) {
      command.add("--super-read-only=ON");
    }
    command.addAll(options);
    return command;
  }

  @Override
  public void start(boolean readOnly, Optional<Duration> clockOffset) {
    if (isAlive()) {
      throw new ClusterException(name + " - cannot be started: it is already running");
    }
    try {
      if (!Files.isDirectory(data)) {
        Files.createDirectories(folder);
        Folders.copy(template, data);
      }
      emptyStatementLog();
      boolean portIsFixed = port != 0;
      for (int i = 1; ; i++) {
        int candidate = portIsFixed ? port : FreePorts.next();
        Files.deleteIfExists(log);
        Process started = launch(candidate, readOnly, clockOffset);
        process = started;
        if (becomesReady(started, candidate)) {
          port = candidate;
          return;
        }
        kill();
        if (portIsFixed || i == PORT_TRIES || !portWasTaken()) {
          throw new ClusterException(
              name + " - mysqld did not come up on port " + candidate + ". Its log ends: " + log());
        }
      }
    } catch (IOException e) {
      throw new ClusterException(name + " - mysqld cannot be started: " + e.getMessage(), e);
    }
  }

  /**
   * The log's table is of an engine that calls itself crashed after a kill and cannot be repaired.
   */
  private void emptyStatementLog() throws IOException {
    for (String name : List.of("general_log.CSM", "general_log.CSV")) {
      Path empty = template.resolve("mysql").resolve(name);
      if (Files.exists(empty)) {
        Files.copy(empty, data.resolve("mysql").resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Process launch(int onPort, boolean readOnly, Optional<Duration> clockOffset)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(onPort, readOnly))
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(log.toFile());
    if (clockOffset.isPresent()) {
      setClockOffset(clockOffset.get());
      builder.environment().putAll(fakeTime());
    }
    return builder.start();
  }

  private Map<String, String> fakeTime() {
    return Map.of(
        "LEEWAY_PRELOAD",
        installation.fakeTime().orElseThrow().toString(),
        "FAKETIME_TIMESTAMP_FILE",
        clockFile().toString(),
        // How many seconds it may take to notice that the file has changed.
        "FAKETIME_CACHE_DURATION",
        "1",
        // Timers count elapsed time, which a wrong wall clock does not change.
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // With it on, waits that use the monotonic clock return at once, and threads that only wait
        // keep a processor busy (libfaketime 0.9.12 and MySQL 9.7: starting took 29 s, not 0.5 s).
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0",
        // A killed process would leave its shared memory behind.
        "FAKETIME_DISABLE_SHM",
        "1",
        "NO_FAKE_STAT",
        "1");
  }

  /** Whether the server accepts logins before it ends or the bound is over. */
  private boolean becomesReady(Process started, int onPort) {
    long start = System.nanoTime();
    while (started.isAlive() && System.nanoTime() - start < START_BOUND.toNanos()) {
      if (accepts(onPort)) {
        try (Connection connection =
            Jdbc.connect(new Address(LOOPBACK, onPort), "", Accounts.ADMIN, Jdbc.SHORT)) {
          // Somebody else's server could have taken the port.
          String folderOfServer = Jdbc.queryString(connection, "SELECT @@datadir");
          return Path.of(String.valueOf(folderOfServer)).normalize().equals(data.normalize());
        } catch (SQLException e) {
          // Not yet.
        }
      }
      LockSupport.parkNanos(10_000_000);
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
    }
    return false;
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(FreePorts.LOOPBACK, port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean portWasTaken() throws IOException {
    String said = Shell.tail(log).toLowerCase(Locale.ROOT);
    return said.contains("address already in use") || said.contains("do you already have another");
  }

  @Override
  public Address address() {
    if (port == 0) {
      throw new ClusterException(name + " - has no address: it was never started");
    }
    return new Address(LOOPBACK, port);
  }

  @Override
  public Address addressForServers() {
    return address();
  }

  @Override
  public boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  @Override
  public void freeze() {
    signal("STOP");
  }

  @Override
  public void thaw() {
    signal("CONT");
  }

  private void signal(String signal) {
    Process current = process;
    if (current == null || !current.isAlive()) {
      throw new ClusterException(name + " - cannot get SIG" + signal + ": it is not running");
    }
    try {
      Shell.Outcome outcome =
          Shell.run(
              Duration.ofSeconds(10), List.of("sh", "-c", "kill -" + signal + " " + current.pid()));
      if (!outcome.succeeded()) {
        throw new ClusterException(
            name + " - did not get SIG" + signal + ": " + outcome.lastLines(1));
      }
    } catch (IOException e) {
      throw new ClusterException(name + " - did not get SIG" + signal, e);
    }
  }

  @Override
  public void kill() {
    Process current = process;
    if (current == null) {
      return;
    }
    current.destroyForcibly();
    boolean interrupted = false;
    long deadline = System.nanoTime() + END_BOUND.toNanos();
    // An interrupted test must not leave a server behind, so the wait goes on.
    while (true) {
      try {
        if (!current.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          throw new ClusterException(
              name
                  + " - process "
                  + current.pid()
                  + " survived kill -9 for "
                  + END_BOUND.toSeconds()
                  + " s");
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void wipe() {
    if (isAlive()) {
      throw new ClusterException(name + " - cannot be wiped while it is running");
    }
    try {
      Path identity = data.resolve("auto.cnf");
      Path kept = folder.resolve("auto.cnf");
      Files.move(identity, kept, StandardCopyOption.REPLACE_EXISTING);
      Folders.delete(data);
      Folders.copy(template, data);
      Files.move(kept, identity);
    } catch (IOException e) {
      throw new ClusterException(name + " - cannot be wiped: " + e.getMessage(), e);
    }
  }

  @Override
  public void setClockOffset(Duration offset) {
    try {
      // Replaced in one step, since the server may read it at any moment.
      Path next = folder.resolve("clock.next");
      Files.writeString(
          next,
          String.format(Locale.ROOT, "%+.3f\n", offset.toMillis() / 1000.0),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
      Files.move(next, clockFile(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new ClusterException(name + " - its clock cannot be set: " + e.getMessage(), e);
    }
  }

  private Path clockFile() {
    return folder.resolve("clock");
  }

  @Override
  public Optional<String> clockObstacle() {
    return installation.fakeTime().isPresent()
        ? Optional.empty()
        : Optional.of(
            "libfaketime was not found beside "
                + installation.mysqld()
                + "; install the package libfaketime");
  }

  @Override
  public OptionalLong residentBytes() {
    Process current = process;
    if (current == null) {
      return OptionalLong.empty();
    }
    Path status = Path.of("/proc/" + current.pid() + "/status");
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public String log() {
    try {
      List<String> lines = Shell.tail(log).lines().toList();
      return String.join(" / ", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
    } catch (IOException e) {
      return "(its log cannot be read: " + e.getMessage() + ")";
    }
  }
}

package dev.leeway.testkit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Ports;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** One mysqld in a container. Its methods are called by one thread at a time. */
final class ContainerProcess implements ServerProcess {
  private static final int PORT = 3306;
  private static final Duration START_BOUND = Duration.ofMinutes(3);

  private final String image;
  private final Network network;
  private final String name;
  private final int serverId;
  private final List<String> options;
  private @Nullable GenericContainer<?> container;

  ContainerProcess(String image, Network network, String name, int serverId, List<String> options) {
    this.image = image;
    this.network = network;
    this.name = name;
    this.serverId = serverId;
    this.options = List.copyOf(options);
  }

  @Override
  public void start(boolean readOnly, Optional<Duration> clockOffset) {
    if (clockOffset.isPresent()) {
      throw new UnsupportedOperationException(clockObstacle().orElseThrow());
    }
    GenericContainer<?> current = container;
    if (current == null) {
      current = create();
      container = current;
      current.start();
    } else {
      client().startContainerCmd(current.getContainerId()).exec();
    }
    Await.until(
        name + " accepts logins",
        START_BOUND,
        () -> {
          try (Connection connection = Jdbc.connect(address(), "", Accounts.ADMIN, Jdbc.SHORT)) {
            if (readOnly) {
              // Not by an option: the image could not create accounts then.
              Jdbc.execute(connection, "SET GLOBAL super_read_only=ON");
            }
            return true;
          }
        });
  }

  private GenericContainer<?> create() {
    List<String> command =
        new ArrayList<>(
            List.of(
                "--server-id=" + serverId,
                "--report-host=" + name,
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--log-bin=binlog",
                "--loose-relay-log-recovery=ON",
                "--loose-sync-binlog=0",
                "--innodb-flush-log-at-trx-commit=2",
                "--loose-innodb-redo-log-capacity=16M",
                "--innodb-buffer-pool-size=24M",
                "--performance-schema=OFF",
                "--loose-mysqlx=OFF",
                "--secure-file-priv=",
                "--max-connections=400"));
    command.addAll(options);
    // Each server makes its accounts itself; they must not count as its transactions.
    String accounts = "SET SESSION sql_log_bin=0;\n" + String.join("\n", Accounts.statements());
    return new GenericContainer<>(DockerImageName.parse(image))
        .withNetwork(network)
        .withNetworkAliases(name)
        .withExposedPorts(PORT)
        .withEnv("MYSQL_ALLOW_EMPTY_PASSWORD", "yes")
        .withCopyToContainer(
            Transferable.of(accounts), "/docker-entrypoint-initdb.d/leeway-accounts.sql")
        .withCommand(command.toArray(String[]::new))
        .waitingFor(Wait.forListeningPort().withStartupTimeout(START_BOUND));
  }

  @Override
  public Address address() {
    GenericContainer<?> current = started();
    // A container that was started again has another port than Testcontainers remembers.
    Ports.Binding[] bindings =
        current
            .getCurrentContainerInfo()
            .getNetworkSettings()
            .getPorts()
            .getBindings()
            .get(ExposedPort.tcp(PORT));
    if (bindings == null || bindings.length == 0) {
      throw new ClusterException(name + " - has no address: it is not running");
    }
    return new Address(current.getHost(), Integer.parseInt(bindings[0].getHostPortSpec()));
  }

  @Override
  public Address addressForServers() {
    return new Address(name, PORT);
  }

  @Override
  public boolean isAlive() {
    GenericContainer<?> current = container;
    return current != null
        && Boolean.TRUE.equals(current.getCurrentContainerInfo().getState().getRunning());
  }

  @Override
  public void freeze() {
    client().pauseContainerCmd(started().getContainerId()).exec();
  }

  @Override
  public void thaw() {
    client().unpauseContainerCmd(started().getContainerId()).exec();
  }

  @Override
  public void kill() {
    if (isAlive()) {
      client().killContainerCmd(started().getContainerId()).withSignal("KILL").exec();
      Await.until(name + " has ended", START_BOUND, () -> !isAlive());
    }
  }

  @Override
  public void wipe() {
    remove();
  }

  void remove() {
    GenericContainer<?> current = container;
    container = null;
    if (current != null) {
      current.stop();
    }
  }

  @Override
  public void setClockOffset(Duration offset) {
    throw new UnsupportedOperationException(clockObstacle().orElseThrow());
  }

  @Override
  public Optional<String> clockObstacle() {
    return Optional.of("containers share the clock of the machine they run on");
  }

  @Override
  public OptionalLong residentBytes() {
    return OptionalLong.empty();
  }

  @Override
  public String log() {
    try {
      List<String> lines = started().getLogs().lines().toList();
      return String.join(" / ", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
    } catch (RuntimeException e) {
      return "(its log cannot be read: " + e.getMessage() + ")";
    }
  }

  private GenericContainer<?> started() {
    GenericContainer<?> current = container;
    if (current == null) {
      throw new ClusterException(name + " - was never started");
    }
    return current;
  }

  private static DockerClient client() {
    return DockerClientFactory.instance().client();
  }
}

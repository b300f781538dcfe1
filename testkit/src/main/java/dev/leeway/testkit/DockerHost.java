package dev.leeway.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.testcontainers.containers.Network;

/**
 * Servers as containers on one network of their own. Testcontainers removes them even if this JVM
 * dies.
 */
final class DockerHost implements ServerHost {
  private final String image;
  private final Network network;
  private final List<ContainerProcess> processes = new CopyOnWriteArrayList<>();

  private DockerHost(String image, Network network) {
    this.image = image;
    this.network = network;
  }

  static DockerHost open(String image) {
    return new DockerHost(image, Network.newNetwork());
  }

  @Override
  public String description() {
    return "containers of " + image;
  }

  @Override
  public ServerProcess create(String name, int serverId, List<String> options) {
    ContainerProcess process = new ContainerProcess(image, network, name, serverId, options);
    processes.add(process);
    return process;
  }

  @Override
  public void close() {
    processes.forEach(ContainerProcess::remove);
    network.close();
  }
}

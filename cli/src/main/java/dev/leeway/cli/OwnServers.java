package dev.leeway.cli;

import dev.leeway.cli.demo.ShopCluster;
import java.time.Duration;

/** Servers that a command starts for itself and ends with itself. */
final class OwnServers {
  private OwnServers() {}

  /**
   * Starts them with the shop on them; the run's cleanup ends them.
   *
   * @param delay how far the replicas will stay behind, in whole seconds
   * @param customers how many customers and products the shop has
   */
  static ShopCluster start(Invocation invocation, Duration delay, int customers) {
    invocation.cleanup().willBe("stopping the servers");
    return invocation.cleanup().register(ShopCluster.start(invocation.console(), delay, customers));
  }
}

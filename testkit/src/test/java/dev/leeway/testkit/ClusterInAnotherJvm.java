package dev.leeway.testkit;

/** Starts a cluster, tells where it is, and does not close it. */
final class ClusterInAnotherJvm {
  private ClusterInAnotherJvm() {}

  /** With the argument "exit" it ends of itself; otherwise it waits to be killed. */
  public static void main(String[] arguments) throws Exception {
    MySqlCluster cluster = MySqlCluster.builder().replicas(1).progress(line -> {}).start();
    cluster.replica("replica-1").freeze();
    System.out.println("data " + cluster.primary().queryString("SELECT @@datadir"));
    ProcessHandle.current().descendants().forEach(each -> System.out.println("pid " + each.pid()));
    System.out.println("ready");
    if (arguments[0].equals("exit")) {
      System.exit(0);
    }
    System.in.read();
  }
}

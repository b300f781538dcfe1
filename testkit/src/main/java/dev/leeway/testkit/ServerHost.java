package dev.leeway.testkit;

import java.util.List;

/** Where the servers of one cluster run. */
interface ServerHost extends AutoCloseable {

  /** Which MySQL this is and where it came from. */
  String description();

  /** Prepares a server that has not been started yet, with an empty data directory. */
  ServerProcess create(String name, int serverId, List<String> options);

  /** Ends every server that was created here and removes its data. Harmless a second time. */
  @Override
  void close();
}

package dev.leeway.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** One MySQL server as the operating system sees it. */
interface ServerProcess {

  /**
   * Starts the server and returns when it accepts logins.
   *
   * @param readOnly whether it starts as {@code super_read_only}
   * @param clockOffset empty for the machine's own clock; otherwise the server's clock is settable
   *     and starts with this offset
   * @throws ClusterException if it does not come up; the message ends with its log
   */
  void start(boolean readOnly, Optional<Duration> clockOffset);

  /** Where this JVM reaches the server. */
  Address address();

  /** Where the other servers of the cluster reach it. */
  Address addressForServers();

  boolean isAlive();

  /** Stops the process from running, as SIGSTOP does: connections stay open, nothing answers. */
  void freeze();

  void thaw();

  /** Ends the process as {@code kill -9} does, and returns when it is gone. */
  void kill();

  /**
   * Gives a server that is not running an empty data directory again. A local process keeps its
   * {@code server_uuid}; a container gets another.
   */
  void wipe();

  /** Sets the offset of a settable clock. */
  void setClockOffset(Duration offset);

  /** Why the clock of this server cannot be set, or empty if it can. */
  Optional<String> clockObstacle();

  /** Memory that is really in use, where the operating system tells. */
  OptionalLong residentBytes();

  /** The end of what the server wrote to its log. */
  String log();

  /** A host and a port. */
  record Address(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }
}

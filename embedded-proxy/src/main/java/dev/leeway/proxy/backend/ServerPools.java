package dev.leeway.proxy.backend;

import dev.leeway.proxy.hostgroup.ServerAddress;
import dev.leeway.proxy.stats.ProxyCounters;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pools of a proxy: one for each event loop and server, so that a session and its connection
 * are always on one loop. Safe for any number of threads; the pools themselves are their loops'.
 */
public final class ServerPools {
  private final ServerConnector connector;
  private final int limitPerLoop;
  private final Duration patience;
  private final ProxyCounters counters;
  private final Map<Place, ServerPool> pools = new ConcurrentHashMap<>();

  private record Place(EventLoop loop, String server) {}

  /**
   * @param limitPerLoop connections at most to each server, 1 or more
   * @param patience how long a session waits for one
   */
  public ServerPools(
      ServerConnector connector, int limitPerLoop, Duration patience, ProxyCounters counters) {
    this.connector = connector;
    this.limitPerLoop = limitPerLoop;
    this.patience = patience;
    this.counters = counters;
  }

  /** The pool of an event loop for a server. */
  public ServerPool of(EventLoop loop, ServerAddress server) {
    return pools.computeIfAbsent(
        new Place(loop, server.name()),
        place -> new ServerPool(loop, connector, server, limitPerLoop, patience, counters));
  }
}

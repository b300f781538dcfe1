package dev.leeway.proxy.stats;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens in one proxy. Safe for any number of threads. */
public final class ProxyCounters {
  private final AtomicInteger clients = new AtomicInteger();
  private final AtomicInteger serverConnections = new AtomicInteger();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refusedLogins = new LongAdder();
  private final LongAdder commands = new LongAdder();
  private final LongAdder replicaReads = new LongAdder();
  private final LongAdder handovers = new LongAdder();
  private final LongAdder lostServers = new LongAdder();

  public void clientConnected() {
    clients.incrementAndGet();
    accepted.increment();
  }

  public void clientGone() {
    clients.decrementAndGet();
  }

  public int clients() {
    return clients.get();
  }

  public void loginRefused() {
    refusedLogins.increment();
  }

  public void command() {
    commands.increment();
  }

  public void replicaRead() {
    replicaReads.increment();
  }

  public void handover() {
    handovers.increment();
  }

  public void serverConnected() {
    serverConnections.incrementAndGet();
  }

  public void serverGone() {
    serverConnections.decrementAndGet();
  }

  public void serverLost() {
    lostServers.increment();
  }

  /** The numbers as they are now; each is exact, all together are not of one moment. */
  public ProxyStats snapshot() {
    return new ProxyStats(
        clients.get(),
        serverConnections.get(),
        accepted.sum(),
        refusedLogins.sum(),
        commands.sum(),
        replicaReads.sum(),
        handovers.sum(),
        lostServers.sum());
  }
}

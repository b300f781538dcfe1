package dev.leeway.routing.connection;

import dev.leeway.gate.Health;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the waiting of reads on replicas that have stopped to answer.
 *
 * <p>A machine that hangs, or a network that swallows packets, refuses nothing: who waits there for
 * an answer waits until the operating system gives up, which can take hours, and a time-out of the
 * statement does not help because the server would have to be told. The reads can be made
 * elsewhere, so their connections are cut.
 *
 * <p>That the monitor hears nothing does not say that the server is silent; it may be full, or have
 * locked the account. So a new connection is tried first, and any answer of the server, an error
 * too, leaves everything as it is.
 */
final class SilentReplicas {
  /** How long the monitor has heard nothing before the server is tried. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long NOT_SILENT = Long.MIN_VALUE;

  private final RoutingCore core;
  private final Executor trials;
  private final long[] silentSinceNanos;
  private final AtomicBoolean[] tried;

  /**
   * Nothing is looked at yet.
   *
   * @param trials runs what may take some seconds
   */
  SilentReplicas(RoutingCore core, Executor trials) {
    this.core = core;
    this.trials = trials;
    this.silentSinceNanos = new long[core.serverCount()];
    this.tried = new AtomicBoolean[core.serverCount()];
    for (int i = 0; i < tried.length; i++) {
      silentSinceNanos[i] = NOT_SILENT;
      tried[i] = new AtomicBoolean();
    }
  }

  /** Called now and then, by one thread. */
  void look(long nowNanos) {
    for (int i = 0; i < tried.length; i++) {
      ReadingPool pool = core.pools(i).openedReading();
      if (pool == null || core.state().server(i).health() != Health.UNREACHABLE) {
        silentSinceNanos[i] = NOT_SILENT;
      } else if (silentSinceNanos[i] == NOT_SILENT) {
        silentSinceNanos[i] = nowNanos;
      } else if (nowNanos - silentSinceNanos[i] > SILENT_NANOS
          && pool.connections().getHikariPoolMXBean().getActiveConnections() > 0
          && tried[i].compareAndSet(false, true)) {
        silentSinceNanos[i] = nowNanos;
        int server = i;
        trials.execute(() -> tryOnce(core.pools(server), pool, tried[server]));
      }
    }
  }

  private void tryOnce(ServerPools server, ReadingPool pool, AtomicBoolean underWay) {
    try {
      if (!answers(server)) {
        int cut = pool.opened().cut();
        core.log()
            .warn(
                "{} - {} does not answer at all, so its {} connections for reading were cut; their"
                    + " reads go elsewhere",
                core.name(),
                server.name(),
                cut);
      }
    } finally {
      underWay.set(false);
    }
  }

  /** Whether the server says anything, be it no. */
  private static boolean answers(ServerPools server) {
    try (Connection trial = server.openUnpooled()) {
      return trial != null;
    } catch (SQLException e) {
      // Errors of the server have a number; that nobody answered has none.
      return e.getErrorCode() != 0 || !Failures.isConnectionFailure(e);
    }
  }
}

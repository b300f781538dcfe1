package dev.leeway.proxy.backend;

import dev.leeway.proxy.hostgroup.ServerAddress;
import dev.leeway.proxy.stats.ProxyCounters;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one server, which sessions share.
 *
 * <p>A session gets a connection only in the state that it would have on one of its own: its last
 * one if nobody has had it since; else one that was left without a trace by a session of the same
 * login and settings; else one that is made so, by a change of user, which leaves nothing of
 * whoever had it before, and by the settings of the session.
 *
 * <p>For its event loop only. Never holds more connections than it may; who waits for one waits
 * within a bound.
 */
public final class ServerPool {
  private static final int MOST_WAITERS = 10_000;

  /** Who wants a connection, and in which state. */
  public interface Taker {
    /** What the session logged in with. */
    ServerSession identity();

    /** What it has set since. */
    List<Setting> settings();

    /**
     * Here it is; the taker owns it until it gives it back.
     *
     * @param untouched whether nobody else has had it since the taker had it last
     */
    void taken(ServerConnection connection, boolean untouched);

    /** There is none. */
    void failed(ServerException problem);
  }

  private final EventLoop loop;
  private final ServerConnector connector;
  private final ServerAddress server;
  private final int limit;
  private final Duration patience;
  private final ProxyCounters counters;

  /** Longest unused first. */
  private final ArrayDeque<ServerConnection> idle = new ArrayDeque<>();

  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private int total;

  private static final class Waiter {
    final Taker taker;
    @Nullable Future<?> timer;

    Waiter(Taker taker) {
      this.taker = taker;
    }
  }

  /**
   * @param limit connections at most, 1 or more
   * @param patience how long somebody waits for one
   */
  public ServerPool(
      EventLoop loop,
      ServerConnector connector,
      ServerAddress server,
      int limit,
      Duration patience,
      ProxyCounters counters) {
    this.loop = loop;
    this.connector = connector;
    this.server = server;
    this.limit = limit;
    this.patience = patience;
    this.counters = counters;
  }

  public ServerAddress server() {
    return server;
  }

  /** Gives the taker a connection, or a reason, now or later. */
  public void acquire(Taker taker) {
    ServerConnection own = find(taker, true);
    if (own != null) {
      give(own, taker, true);
      return;
    }
    ServerConnection same = find(taker, false);
    if (same != null) {
      prepare(same, taker);
    } else if (total < limit) {
      open(taker);
    } else if (!idle.isEmpty()) {
      takeOver(taker);
    } else if (waiters.size() >= MOST_WAITERS) {
      taker.failed(tooMany("too many wait already"));
    } else {
      Waiter waiter = new Waiter(taker);
      waiter.timer =
          loop.schedule(
              () -> {
                if (waiters.remove(waiter)) {
                  taker.failed(tooMany("none became free within " + patience.toMillis() + " ms"));
                }
              },
              patience.toMillis(),
              TimeUnit.MILLISECONDS);
      waiters.add(waiter);
    }
  }

  private ServerException tooMany(String problem) {
    return ServerException.unreachable(
        server.toString(), "all " + limit + " connections are in use, and " + problem);
  }

  /** Takes out the taker's last connection, or one that is in the state it wants. */
  private @Nullable ServerConnection find(Taker taker, boolean own) {
    for (Iterator<ServerConnection> all = idle.descendingIterator(); all.hasNext(); ) {
      ServerConnection connection = all.next();
      boolean fits =
          own
              ? connection.isLastUsedBy(taker)
              : connection.isLike(taker.identity(), taker.settings());
      if (fits) {
        all.remove();
        return connection;
      }
    }
    return null;
  }

  /** All connections are there and none fits: the one that was used longest ago is made to fit. */
  private void takeOver(Taker taker) {
    for (Iterator<ServerConnection> all = idle.iterator(); all.hasNext(); ) {
      ServerConnection connection = all.next();
      if (connection.hasCapabilitiesOf(taker.identity())) {
        all.remove();
        prepare(connection, taker);
        return;
      }
    }
    // A login of another form cannot be changed; its place is used for a new one.
    idle.removeFirst().quit();
    open(taker);
  }

  private void open(Taker taker) {
    total++;
    connector
        .connect(loop, server, taker.identity())
        .addListener(
            (Future<ServerConnection> opened) -> {
              if (!opened.isSuccess()) {
                total--;
                taker.failed(problem(opened.cause()));
                serveWaiters();
                return;
              }
              ServerConnection connection = opened.getNow();
              connection.channel().closeFuture().addListener(closed -> gone(connection));
              connection.becomes(taker.identity());
              check(connection, taker);
            });
  }

  /**
   * What a statement does is told from its text, which means something else under these modes; a
   * session that sets one itself keeps its connection, but a server's default concerns all.
   */
  private void check(ServerConnection connection, Taker taker) {
    Rehearsal.ask(
        connection,
        "SELECT @@sql_mode",
        new Rehearsal.End() {
          @Override
          public void done(String answer) {
            if (answer.contains("ANSI_QUOTES") || answer.contains("NO_BACKSLASH_ESCAPES")) {
              connection.quit();
              taker.failed(
                  ServerException.unreachable(
                      server.toString(),
                      "its sql_mode has ANSI_QUOTES or NO_BACKSLASH_ESCAPES, under which connections"
                          + " cannot be shared"));
            } else {
              prepare(connection, taker);
            }
          }

          @Override
          public void failed(String problem) {
            taker.failed(ServerException.unreachable(server.toString(), problem));
          }
        });
  }

  private void gone(ServerConnection connection) {
    total--;
    idle.remove(connection);
    serveWaiters();
  }

  private void serveWaiters() {
    if (total < limit) {
      Waiter waiter = waiters.poll();
      if (waiter != null) {
        stop(waiter);
        open(waiter.taker);
      }
    }
  }

  private static void stop(Waiter waiter) {
    Future<?> timer = waiter.timer;
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** Brings a connection into the state that the taker wants. */
  private void prepare(ServerConnection connection, Taker taker) {
    if (connection.isLike(taker.identity(), taker.settings())) {
      give(connection, taker, false);
      return;
    }
    if (connection.isFresh(taker.identity())) {
      applySettings(connection, taker);
      return;
    }
    counters.handover();
    connection
        .changeUser(taker.identity())
        .addListener(
            done -> {
              if (done.isSuccess()) {
                connection.becomes(taker.identity());
                applySettings(connection, taker);
              } else {
                taker.failed(problem(done.cause()));
              }
            });
  }

  private void applySettings(ServerConnection connection, Taker taker) {
    List<Setting> settings = taker.settings();
    Rehearsal.run(
        connection,
        settings,
        new Rehearsal.End() {
          @Override
          public void done(String answer) {
            connection.hasSettings(settings);
            give(connection, taker, false);
          }

          @Override
          public void failed(String problem) {
            taker.failed(ServerException.unreachable(server.toString(), problem));
          }
        });
  }

  private static void give(ServerConnection connection, Taker taker, boolean untouched) {
    connection.usedBy(taker);
    taker.taken(connection, untouched);
  }

  private ServerException problem(@Nullable Throwable cause) {
    return cause instanceof ServerException known
        ? known
        : ServerException.unreachable(server.toString(), String.valueOf(cause));
  }

  /**
   * Takes a connection back.
   *
   * @param settings what the session has set by now
   * @param traceless whether the session did nothing on it that another could notice
   */
  public void release(ServerConnection connection, List<Setting> settings, boolean traceless) {
    connection.setOwner(null);
    connection.leftBehind(settings, traceless);
    if (!connection.isUsable()) {
      connection.abort();
      return;
    }
    Waiter waiter = waiters.poll();
    if (waiter == null) {
      idle.addLast(connection);
    } else {
      stop(waiter);
      if (connection.hasCapabilitiesOf(waiter.taker.identity())) {
        prepare(connection, waiter.taker);
      } else {
        // Its place becomes free, and the first who waits gets it.
        waiters.addFirst(new Waiter(waiter.taker));
        connection.quit();
      }
    }
  }
}

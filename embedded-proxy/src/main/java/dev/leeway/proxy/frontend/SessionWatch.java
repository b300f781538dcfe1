package dev.leeway.proxy.frontend;

import dev.leeway.proxy.frontend.ProxyContext.Bounds;
import dev.leeway.proxy.frontend.ProxyContext.Sharing;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sees that no session of an event loop waits for ever.
 *
 * <p>Looks at all of them now and then and ends those where nothing has moved for longer than is
 * allowed, so that a command costs no timer. A bound is kept to within a tenth of it.
 */
final class SessionWatch {
  private static final FastThreadLocal<SessionWatch> WATCHES = new FastThreadLocal<>();
  private static final long LONGEST_INTERVAL_MILLIS = 1000;

  private final Bounds bounds;
  private final long holdNanos;
  private final Map<ClientSession, Seen> sessions = new IdentityHashMap<>();

  private static final class Seen {
    int progress;
    ClientSession.Phase phase = ClientSession.Phase.IDLE;
    long sinceNanos = System.nanoTime();
  }

  private SessionWatch(EventLoop loop, ProxyContext proxy) {
    this.bounds = proxy.bounds();
    Sharing sharing = proxy.sharing();
    this.holdNanos = sharing == null ? Long.MAX_VALUE : sharing.hold().toNanos();
    long shortest = Math.min(bounds.clientStall().toMillis(), bounds.serverSilence().toMillis());
    if (sharing != null) {
      shortest = Math.min(shortest, sharing.hold().toMillis());
    }
    long interval = Math.max(1, Math.min(LONGEST_INTERVAL_MILLIS, shortest / 10));
    loop.scheduleAtFixedRate(this::look, interval, interval, TimeUnit.MILLISECONDS);
  }

  /** The watch of an event loop, which calls this. */
  static SessionWatch of(EventLoop loop, ProxyContext proxy) {
    SessionWatch watch = WATCHES.get();
    if (watch == null) {
      watch = new SessionWatch(loop, proxy);
      WATCHES.set(watch);
    }
    return watch;
  }

  void add(ClientSession session) {
    sessions.put(session, new Seen());
  }

  void remove(ClientSession session) {
    sessions.remove(session);
  }

  private void look() {
    long now = System.nanoTime();
    List<ClientSession> late = null;
    List<ClientSession> holders = null;
    for (Map.Entry<ClientSession, Seen> entry : sessions.entrySet()) {
      ClientSession session = entry.getKey();
      Seen seen = entry.getValue();
      if (seen.progress != session.progress() || seen.phase != session.phase()) {
        seen.progress = session.progress();
        seen.phase = session.phase();
        seen.sinceNanos = now;
      } else if (session.isHolding()) {
        if (now - seen.sinceNanos > holdNanos) {
          holders = holders == null ? new ArrayList<>() : holders;
          holders.add(session);
        }
      } else if (now - seen.sinceNanos > allowedNanos(session)) {
        late = late == null ? new ArrayList<>() : late;
        late.add(session);
      }
    }
    if (holders != null) {
      holders.forEach(ClientSession::holdEnds);
    }
    if (late != null) {
      late.forEach(session -> session.tooLong(reason(session)));
    }
  }

  private long allowedNanos(ClientSession session) {
    return switch (session.phase()) {
      case IDLE, ACQUIRING, CLOSED -> Long.MAX_VALUE;
      case RECEIVING, STREAMING, SENDING_FILE, CHANGING_USER -> bounds.clientStall().toNanos();
      case RESPONDING ->
          session.client().isWritable()
              ? bounds.serverSilence().toNanos()
              : bounds.clientStall().toNanos();
    };
  }

  private String reason(ClientSession session) {
    boolean server =
        session.phase() == ClientSession.Phase.RESPONDING && session.client().isWritable();
    return server
        ? "the server sent nothing for %d ms while a statement ran. Raise serverSilence for longer ones."
            .formatted(bounds.serverSilence().toMillis())
        : "the client neither sent nor took anything for %d ms in the middle of a command."
            .formatted(bounds.clientStall().toMillis());
  }
}

package dev.leeway.proxy.frontend;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a proxy by the number that their greeting told.
 *
 * <p>The numbers begin far above those that a server hands out in years, so that a KILL with a
 * server's own number is not taken for one of these. Safe for any number of threads.
 */
public final class SessionRegistry {
  private static final int FIRST = 0x4000_0000;
  private static final int LAST = 0x7FFF_FFFF;

  private final AtomicInteger next = new AtomicInteger(FIRST);
  private final ConcurrentMap<Integer, ClientSession> sessions = new ConcurrentHashMap<>();

  /** A number that no session has. */
  int nextId() {
    return next.updateAndGet(id -> id == LAST ? FIRST : id + 1);
  }

  void add(ClientSession session) {
    sessions.put(session.id(), session);
  }

  void remove(ClientSession session) {
    sessions.remove(session.id(), session);
  }

  @Nullable ClientSession find(long id) {
    return id >= FIRST && id <= LAST ? sessions.get((int) id) : null;
  }

  /** Those there are now. */
  public Collection<ClientSession> all() {
    return sessions.values();
  }
}

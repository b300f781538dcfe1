package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.Setting;
import dev.leeway.proxy.wire.ResponseTracker;
import dev.leeway.proxy.wire.ServerStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * What a session has on its server connection, and whether another one could take its place.
 *
 * <p>Mutable, for one thread.
 */
final class SessionState {
  private static final int MOST_SETTINGS = 32;
  private static final int MOST_BYTES = 16 * 1024;

  private List<Setting> settings = List.of();
  private boolean pinned;
  private int openStatements;
  private boolean free = true;
  private boolean light = true;
  private boolean traceless = true;

  /** What was set, in its order; each time another list if it has changed. */
  List<Setting> settings() {
    return settings;
  }

  /** Whether the connection can be taken away without the session losing anything lasting. */
  boolean isFree() {
    return free && !pinned && openStatements == 0;
  }

  /** Whether not even the next statement could notice, except by asking for a row count. */
  boolean isLight() {
    return light;
  }

  /** Whether nothing has been done on this connection that another session could notice. */
  boolean isTraceless() {
    return traceless && isFree();
  }

  /** A connection has been taken that nobody of this session's has touched. */
  void attached() {
    traceless = true;
  }

  void pin() {
    pinned = true;
  }

  void statementPrepared() {
    openStatements++;
  }

  void statementClosed() {
    openStatements = Math.max(0, openStatements - 1);
    traceless = false;
  }

  /** All is as after a login. */
  void startAnew() {
    settings = List.of();
    pinned = false;
    openStatements = 0;
    traceless = true;
  }

  /** The server has cleared everything but the schema, in its own way, which is repeated. */
  void wasReset(Setting reset) {
    List<Setting> left = new ArrayList<>();
    for (Setting setting : settings) {
      if (setting.ofSchema()) {
        left.add(setting);
      }
    }
    left.add(reset);
    settings = List.copyOf(left);
    pinned = false;
    openStatements = 0;
    traceless = true;
  }

  /** The same setting again counts where it stands last, since values are written out in it. */
  void set(Setting setting) {
    List<Setting> next = new ArrayList<>(settings);
    next.removeIf(other -> other.equals(setting) || (other.ofSchema() && setting.ofSchema()));
    next.add(setting);
    int bytes = 0;
    for (Setting each : next) {
      bytes += each.size();
    }
    if (next.size() > MOST_SETTINGS || bytes > MOST_BYTES) {
      pinned = true;
    } else {
      settings = List.copyOf(next);
    }
  }

  /** A response has ended. */
  void answered(StatementEffect effect, ResponseTracker response) {
    if (effect == StatementEffect.PIN || response.hasInsertId()) {
      pinned = true;
    }
    boolean set =
        (effect == StatementEffect.SETTING || effect == StatementEffect.SCHEMA)
            && response.errorCode() == 0;
    traceless &= set || effect == StatementEffect.NOTHING || effect == StatementEffect.QUESTION;
    int status = response.status();
    free =
        (status & ServerStatus.AUTOCOMMIT) != 0
            && (status & (ServerStatus.IN_TRANSACTION | ServerStatus.IN_READ_ONLY_TRANSACTION))
                == 0;
    light =
        (set || effect == StatementEffect.NOTHING)
            && response.warnings() == 0
            && response.errorCode() == 0;
  }
}

package dev.leeway.routing.connection;

import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Route;
import org.jspecify.annotations.Nullable;

/** One transaction of a {@link RoutedConnection}, from its announcement to its end. */
final class Transaction {
  /** How far it has come, and how it was begun. */
  enum Kind {
    /** Autocommit was switched off, and no statement has run since. */
    ANNOUNCED,
    /** On the primary, with autocommit switched off there. */
    READ_WRITE,
    /** Begun by us as {@code START TRANSACTION READ ONLY}, on a replica or on the primary. */
    READ_ONLY,
    /** Begun on the primary by the text of a statement. */
    BY_TEXT,
    /** Begun on a replica by the text {@code START TRANSACTION READ ONLY}. */
    READ_ONLY_BY_TEXT
  }

  private final CallContext context;
  private final @Nullable ScopeState scope;
  private Kind kind;
  private boolean counted;
  private @Nullable Route route;
  private long stalenessNanos;
  private boolean wrote;
  private boolean sawData;
  private boolean started;

  Transaction(Kind kind, CallContext context) {
    this.kind = kind;
    this.context = context;
    this.scope = context.scope();
    count(kind != Kind.READ_ONLY_BY_TEXT);
  }

  Kind kind() {
    return kind;
  }

  void becomes(Kind newKind, Route where, long staleness) {
    kind = newKind;
    route = where;
    stalenessNanos = staleness;
    if (newKind == Kind.READ_ONLY) {
      count(false);
    }
  }

  /** Whether a physical connection is in it. */
  boolean isStarted() {
    return started || kind == Kind.BY_TEXT || kind == Kind.READ_ONLY_BY_TEXT;
  }

  void started() {
    started = true;
  }

  /** Whether what it may have written keeps the thread from asking for its position. */
  void count(boolean open) {
    if (open != counted) {
      counted = open;
      if (open) {
        context.openTransactions().incrementAndGet();
      } else {
        context.openTransactions().decrementAndGet();
      }
    }
  }

  /** The scope in force when it was begun. */
  @Nullable ScopeState scope() {
    return scope;
  }

  /** Where it lives, if a statement has run. */
  @Nullable Route route() {
    return route;
  }

  long stalenessNanos() {
    return stalenessNanos;
  }

  /** Whether it lives on a replica. */
  boolean onReplica() {
    return route != null && route.toReplica();
  }

  boolean wrote() {
    return wrote;
  }

  void ranAWrite() {
    wrote = true;
  }

  /** A statement has shown, or may have shown, data of the primary. */
  void showedData() {
    sawData = true;
  }

  boolean sawData() {
    return sawData;
  }

  /** Another transaction begins on the same connection, which holds on to the same route. */
  void beginsAnew() {
    wrote = false;
    sawData = false;
  }
}

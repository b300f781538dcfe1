package dev.leeway.routing.connection;

import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.OpenTransaction;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Route;
import org.jspecify.annotations.Nullable;

/** One transaction of a {@link RoutedConnection}, from its announcement to its end. */
final class Transaction implements OpenTransaction {
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
  private @Nullable PendingActions pending;
  private WrittenEntities concerned = new WrittenEntities();

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
        context.began(this);
      } else {
        context.openTransactions().decrementAndGet();
        context.ended(this);
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

  /** A statement has written, or may have. */
  void ranAWrite(@Nullable EntityKey entity) {
    wrote = true;
    concerned.add(entity);
  }

  /** The entities that its writes concern. */
  WrittenEntities concerned() {
    return concerned;
  }

  /** A statement has shown, or may have shown, data of the primary. */
  void showedData() {
    sawData = true;
  }

  boolean sawData() {
    return sawData;
  }

  // ---- what waits for its end

  @Override
  public void atEnd(AtEnd action) {
    pending().add(action);
  }

  private PendingActions pending() {
    PendingActions known = pending;
    if (known == null) {
      known = new PendingActions();
      pending = known;
    }
    return known;
  }

  void savepoint(String name) {
    pending().savepoint(name);
  }

  void rolledBackTo(String savepoint) {
    if (pending != null) {
      pending.rolledBackTo(savepoint);
    }
  }

  /** A text that belongs to it and leaves it open has run. */
  void ranWithin(String sql) {
    pending().ran(sql);
  }

  /** Its commit was answered with these. */
  void committedAs(GtidSet gtids) {
    if (pending != null) {
      pending.wrote(gtids);
    }
  }

  /** Its commit was answered without a GTID for what it wrote. */
  void committedUnknown() {
    if (pending != null) {
      pending.wroteUnknown();
    }
  }

  /** It was committed: what is to be done now, which the caller runs when all else is settled. */
  @Nullable Runnable due() {
    return pending == null ? null : pending.committed();
  }

  /** It was not committed, or nobody knows. */
  void drop(String why) {
    if (pending != null) {
      pending.drop(why);
    }
  }

  /** Another transaction begins on the same connection, which holds on to the same route. */
  void beginsAnew() {
    wrote = false;
    sawData = false;
    concerned = new WrittenEntities();
  }
}

package dev.leeway.routing;

import dev.leeway.annotation.Fallback;
import dev.leeway.gate.EntityKey;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a piece of code means by the statements it runs.
 *
 * <p>Make one once and keep it: intents are immutable, safe to share, and cost nothing to enter.
 *
 * <pre>{@code
 * private static final ReadIntent LISTING =
 *     ReadIntent.replica().maxStaleness(Duration.ofSeconds(5)).named("orders.listing");
 * }</pre>
 */
public final class ReadIntent {
  /** What kind of server the code asks for. */
  public enum Kind {
    /** A replica will do, within the bounds the intent names. */
    REPLICA,
    /** The primary must answer. */
    PRIMARY,
    /** The code writes. */
    WRITE,
    /** Nothing was said; the primary answers. */
    UNDECLARED
  }

  /** As configured on {@link Leeway}. */
  public static final long CONFIGURED = -1;

  private static final ReadIntent ANY_REPLICA =
      new ReadIntent(
          Kind.REPLICA, Long.MAX_VALUE, CONFIGURED, Fallback.PRIMARY, "", "replica", null);
  private static final ReadIntent WRITING = of(Kind.WRITE, "", "write");
  private static final ReadIntent NOTHING = of(Kind.UNDECLARED, "", "undeclared");

  private final Kind kind;
  private final long maxStalenessNanos;
  private final long catchUpNanos;
  private final Fallback fallback;
  private final String because;
  private final String label;
  private final @Nullable EntityKey entity;

  private ReadIntent(
      Kind kind,
      long maxStalenessNanos,
      long catchUpNanos,
      Fallback fallback,
      String because,
      String label,
      @Nullable EntityKey entity) {
    this.kind = kind;
    this.maxStalenessNanos = maxStalenessNanos;
    this.catchUpNanos = catchUpNanos;
    this.fallback = fallback;
    this.because = because;
    this.label = label;
    this.entity = entity;
  }

  private static ReadIntent of(Kind kind, String because, String label) {
    return new ReadIntent(kind, 0, 0, Fallback.PRIMARY, because, label, null);
  }

  /**
   * A replica may answer, however stale, as long as the monitor has not ejected it. Bounds are
   * added with {@link #maxStaleness}, {@link #catchUp} and {@link #fallback}.
   */
  public static ReadIntent replica() {
    return ANY_REPLICA;
  }

  /**
   * The primary must answer.
   *
   * @param because why a replica will not do, in a sentence: what a reviewer reads
   * @throws IllegalArgumentException if no reason is given
   */
  public static ReadIntent primary(String because) {
    Objects.requireNonNull(because, "because");
    if (because.isBlank()) {
      throw new IllegalArgumentException(
          "Read intent - primary because: \"\" (expected: why a replica will not do, in a sentence)");
    }
    return of(Kind.PRIMARY, because, "primary");
  }

  /** The code writes; all its statements go to the primary. */
  public static ReadIntent write() {
    return WRITING;
  }

  /** Nothing is said: what is in force where no intent was entered. Reads the primary. */
  public static ReadIntent undeclared() {
    return NOTHING;
  }

  /**
   * The staleness this read can bear: how old the newest data may be that a replica is proved to
   * hold, by the primary's clock.
   *
   * @param duration zero or more; with zero only the primary is ever fresh enough
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException if this is not a {@link #replica} intent
   */
  public ReadIntent maxStaleness(Duration duration) {
    long nanos = checked("maxStaleness", duration);
    return new ReadIntent(kind, nanos, catchUpNanos, fallback, because, label, entity);
  }

  /**
   * How long a read may wait for a replica to reach what this caller wrote, before the fallback
   * applies. Zero never waits.
   *
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException if this is not a {@link #replica} intent
   */
  public ReadIntent catchUp(Duration duration) {
    long nanos = checked("catchUp", duration);
    return new ReadIntent(kind, maxStalenessNanos, nanos, fallback, because, label, entity);
  }

  /**
   * What happens when no replica will do. Default: {@link Fallback#PRIMARY}.
   *
   * @throws IllegalStateException if this is not a {@link #replica} intent
   */
  public ReadIntent fallback(Fallback newFallback) {
    Objects.requireNonNull(newFallback, "fallback");
    onlyForReplicas("fallback");
    return new ReadIntent(
        kind, maxStalenessNanos, catchUpNanos, newFallback, because, label, entity);
  }

  /** The same intent under a name of its own, by which metrics tell it from others. */
  public ReadIntent named(String newLabel) {
    Objects.requireNonNull(newLabel, "label");
    return new ReadIntent(
        kind, maxStalenessNanos, catchUpNanos, fallback, because, newLabel, entity);
  }

  /**
   * The same intent, of code that reads or writes entities of one kind and no others.
   *
   * <p>Such a read is bound by what its scope wrote to that kind, and by what was written without
   * naming any; not by writes to other kinds. It still never shows less than the scope has seen. Of
   * code that writes it says what its writes concern; see {@link RequestScope#wrote(String,
   * Object)}.
   *
   * @param kindOfEntity any name that reads and writes agree on, such as {@code "order"}
   * @throws IllegalArgumentException if the name is blank
   */
  public ReadIntent entity(String kindOfEntity) {
    return about(EntityKey.of(kindOfEntity));
  }

  /**
   * The same intent, of code that reads or writes one entity and no other; like {@link
   * #entity(String)}.
   *
   * @param id told apart by its text
   */
  public ReadIntent entity(String kindOfEntity, Object id) {
    return about(EntityKey.of(kindOfEntity, id));
  }

  private ReadIntent about(EntityKey key) {
    return new ReadIntent(kind, maxStalenessNanos, catchUpNanos, fallback, because, label, key);
  }

  /** What is read or written; null where that was not said, which may be anything. */
  public @Nullable EntityKey entity() {
    return entity;
  }

  /** What kind of server is asked for. */
  public Kind kind() {
    return kind;
  }

  /** Nanoseconds; {@link Long#MAX_VALUE} where a replica intent names no bound. */
  public long maxStalenessNanos() {
    return maxStalenessNanos;
  }

  /** Nanoseconds, or {@link #CONFIGURED}. */
  public long catchUpNanos() {
    return catchUpNanos;
  }

  /** What happens when no replica will do. */
  public Fallback fallback() {
    return fallback;
  }

  /** Why the primary is needed; empty where nothing was said. */
  public String because() {
    return because;
  }

  /** The name metrics use. */
  public String label() {
    return label;
  }

  private long checked(String what, Duration duration) {
    Objects.requireNonNull(duration, what);
    onlyForReplicas(what);
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "Read intent '" + label + "' - " + what + ": " + duration + " (expected: zero or more)");
    }
    return Nanos.of(duration);
  }

  private void onlyForReplicas(String what) {
    if (kind != Kind.REPLICA) {
      throw new IllegalStateException(
          "Read intent '"
              + label
              + "' - "
              + what
              + " says nothing about a "
              + kind
              + " intent (expected: a replica intent). Start from ReadIntent.replica().");
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReadIntent that
        && kind == that.kind
        && maxStalenessNanos == that.maxStalenessNanos
        && catchUpNanos == that.catchUpNanos
        && fallback == that.fallback
        && because.equals(that.because)
        && label.equals(that.label)
        && Objects.equals(entity, that.entity);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, maxStalenessNanos, catchUpNanos, fallback, because, label, entity);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(64).append(label).append(" (").append(kind);
    if (kind == Kind.REPLICA) {
      if (maxStalenessNanos != Long.MAX_VALUE) {
        text.append(", at most ").append(Duration.ofNanos(maxStalenessNanos)).append(" stale");
      }
      text.append(", else ").append(fallback);
    }
    return text.append(')').toString();
  }
}

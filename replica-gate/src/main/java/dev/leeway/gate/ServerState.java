package dev.leeway.gate;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one server at one moment. Immutable; reading it never locks and never waits.
 *
 * <p>Moments are {@link System#nanoTime} values of this process.
 */
public final class ServerState {
  /** The value of a moment that is not known. */
  public static final long UNKNOWN_NANOS = Long.MIN_VALUE;

  private final String name;
  private final int index;
  private final Health health;
  private final Set<Finding> findings;
  private final @Nullable UUID serverUuid;
  private final GtidSet executed;
  private final GtidSet mayHave;
  private final boolean readOnly;
  private final boolean superReadOnly;
  private final long freshAsOfNanos;
  private final long sampledAtNanos;
  private final long generation;
  private final long undisturbedSinceNanos;
  private final boolean mayServe;
  private final @Nullable String problem;

  private ServerState(Builder builder) {
    name = builder.name;
    index = builder.index;
    health = builder.health;
    findings =
        builder.findings.isEmpty()
            ? Set.of()
            : Collections.unmodifiableSet(EnumSet.copyOf(builder.findings));
    serverUuid = builder.serverUuid;
    executed = builder.executed;
    GtidSet more = builder.mayHave;
    mayHave = more == null ? executed : more;
    readOnly = builder.readOnly;
    superReadOnly = builder.superReadOnly;
    freshAsOfNanos = builder.freshAsOfNanos;
    sampledAtNanos = builder.sampledAtNanos;
    generation = builder.generation;
    undisturbedSinceNanos = builder.undisturbedSinceNanos;
    problem = builder.problem;
    mayServe = health == Health.FRESH && Collections.disjoint(findings, builder.refused);
  }

  /**
   * A builder of states, for tests and for those who learn of servers elsewhere. It starts as a
   * server of which nothing is known.
   */
  public static Builder builder(String name, int index) {
    return new Builder(name, index);
  }

  /** The configured name. */
  public String name() {
    return name;
  }

  /** Its place in {@link ClusterState#servers}: the configured primary has 0. */
  public int index() {
    return index;
  }

  /** How far it can be trusted with reads. */
  public Health health() {
    return health;
  }

  /** What an operator should know of it. Unmodifiable. */
  public Set<Finding> findings() {
    return findings;
  }

  /** Its {@code server_uuid}; null until it has answered. */
  public @Nullable UUID serverUuid() {
    return serverUuid;
  }

  /** What it had executed when it last said so; empty until it has answered. */
  public GtidSet executed() {
    return executed;
  }

  /**
   * What it had executed or was committing when it last said so; of a replica, what it had
   * executed.
   *
   * <p>Of the primary, everything that anybody could have seen there before it was asked ({@link
   * #sampledAtNanos}): a commit becomes visible a moment before it is in {@link #executed}.
   */
  public GtidSet mayHave() {
    return mayHave;
  }

  /**
   * Whether it is {@code read_only}; true until it has answered, because nobody must write there.
   */
  public boolean readOnly() {
    return readOnly;
  }

  /** Whether it is {@code super_read_only}; false until it has answered. */
  public boolean superReadOnly() {
    return superReadOnly;
  }

  /**
   * The moment F such that this server provably holds everything that was visible on the primary
   * before F; {@link #UNKNOWN_NANOS} if nothing is proved. Compare by {@link #isFreshSince} or
   * {@link #stalenessNanos}, which know the unknown. Of the primary itself: when it last answered.
   */
  public long freshAsOfNanos() {
    return freshAsOfNanos;
  }

  /**
   * The age of the newest data a reader would see here, at most: the time since {@link
   * #freshAsOfNanos}. Grows by itself.
   *
   * @return zero or more; {@link Long#MAX_VALUE} if it is not known
   */
  public long stalenessNanos(long nowNanos) {
    if (freshAsOfNanos == UNKNOWN_NANOS) {
      return Long.MAX_VALUE;
    }
    return Math.max(0, nowNanos - freshAsOfNanos);
  }

  /**
   * Whether this server provably holds everything that was visible on the primary at that moment.
   */
  public boolean isFreshSince(long momentNanos) {
    return freshAsOfNanos != UNKNOWN_NANOS && freshAsOfNanos - momentNanos >= 0;
  }

  /** When the last answered poll was sent; {@link #UNKNOWN_NANOS} until it has answered. */
  public long sampledAtNanos() {
    return sampledAtNanos;
  }

  /**
   * Changes when what was known of this server may no longer hold: after a restart, when another
   * server answers at its address, when it is attached to a source anew, and when it has lost
   * transactions.
   */
  public long generation() {
    return generation;
  }

  /**
   * Since when this {@link #generation} has been watched: what somebody was shown here later than
   * that, even by another process, this server still shows. {@link #UNKNOWN_NANOS} until it has
   * answered.
   */
  public long undisturbedSinceNanos() {
    return undisturbedSinceNanos;
  }

  /** Whether it is {@link Health#FRESH} and has no finding that is refused. */
  public boolean mayServe() {
    return mayServe;
  }

  /** Why the last poll failed, on one line; null if it was answered or none was made. */
  public @Nullable String problem() {
    return problem;
  }

  /** One line: name, health, findings and position. */
  @Override
  public String toString() {
    return name
        + " "
        + health
        + (findings.isEmpty() ? "" : " " + findings)
        + " "
        + executed.describe();
  }

  /** Collects what is known. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final int index;
    private Health health = Health.UNPROVED;
    private Set<Finding> findings = Set.of();
    private Set<Finding> refused = MonitorSettings.defaults().refuse();
    private @Nullable UUID serverUuid;
    private GtidSet executed = GtidSet.EMPTY;
    private @Nullable GtidSet mayHave;
    private boolean readOnly = true;
    private boolean superReadOnly;
    private long freshAsOfNanos = UNKNOWN_NANOS;
    private long sampledAtNanos = UNKNOWN_NANOS;
    private long generation;
    private long undisturbedSinceNanos = UNKNOWN_NANOS;
    private @Nullable String problem;

    private Builder(String name, int index) {
      this.name = Objects.requireNonNull(name, "name");
      this.index = index;
    }

    /** See {@link ServerState#health}. */
    public Builder health(Health value) {
      health = Objects.requireNonNull(value, "value");
      return this;
    }

    /** See {@link ServerState#findings}. */
    public Builder findings(Set<Finding> value) {
      findings = Objects.requireNonNull(value, "value");
      return this;
    }

    /** Which findings keep it from serving; by default those of {@link MonitorSettings#refuse}. */
    public Builder refused(Set<Finding> value) {
      refused = Objects.requireNonNull(value, "value");
      return this;
    }

    /** See {@link ServerState#serverUuid}. */
    public Builder serverUuid(@Nullable UUID value) {
      serverUuid = value;
      return this;
    }

    /** See {@link ServerState#executed}. */
    public Builder executed(GtidSet value) {
      executed = Objects.requireNonNull(value, "value");
      return this;
    }

    Builder mayHave(GtidSet value) {
      mayHave = value;
      return this;
    }

    /** See {@link ServerState#readOnly}. */
    public Builder readOnly(boolean value) {
      readOnly = value;
      return this;
    }

    /** See {@link ServerState#superReadOnly}. */
    public Builder superReadOnly(boolean value) {
      superReadOnly = value;
      return this;
    }

    /** See {@link ServerState#freshAsOfNanos}. */
    public Builder freshAsOfNanos(long value) {
      freshAsOfNanos = value;
      return this;
    }

    /** See {@link ServerState#sampledAtNanos}. */
    public Builder sampledAtNanos(long value) {
      sampledAtNanos = value;
      return this;
    }

    /** See {@link ServerState#generation}. */
    public Builder generation(long value) {
      generation = value;
      return this;
    }

    /** See {@link ServerState#undisturbedSinceNanos}. */
    public Builder undisturbedSinceNanos(long value) {
      undisturbedSinceNanos = value;
      return this;
    }

    /** See {@link ServerState#problem}. */
    public Builder problem(@Nullable String value) {
      problem = value;
      return this;
    }

    /** The state. */
    public ServerState build() {
      return new ServerState(this);
    }
  }
}

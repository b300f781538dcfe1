package dev.leeway.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link ClusterMonitor} measures and when it takes a replica out. Immutable.
 *
 * <p>docs/monitoring.md tells what each setting costs.
 */
public final class MonitorSettings {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofDays(7);

  private final Duration pollInterval;
  private final Duration pollTimeout;
  private final Duration ejectAbove;
  private final Duration readmitBelow;
  private final int readmitAfter;
  private final HeartbeatTable heartbeatTable;
  private final Duration heartbeatInterval;
  private final boolean writeHeartbeat;
  private final boolean createHeartbeatTable;
  private final Duration takeOverAfter;
  private final Set<Finding> refuse;

  private MonitorSettings(Builder builder) {
    pollInterval = builder.pollInterval;
    pollTimeout = builder.pollTimeout;
    ejectAbove = builder.ejectAbove;
    Duration below = builder.readmitBelow;
    readmitBelow = below == null ? ejectAbove.dividedBy(2) : below;
    readmitAfter = builder.readmitAfter;
    heartbeatTable = builder.heartbeatTable;
    heartbeatInterval = builder.heartbeatInterval;
    Boolean write = builder.writeHeartbeat;
    writeHeartbeat = write == null ? heartbeatTable.kind() == HeartbeatTable.Kind.LEEWAY : write;
    createHeartbeatTable = builder.createHeartbeatTable;
    takeOverAfter = builder.takeOverAfter;
    refuse =
        builder.refuse.isEmpty()
            ? Set.of()
            : Collections.unmodifiableSet(EnumSet.copyOf(builder.refuse));
  }

  /** Every setting at its default. */
  public static MonitorSettings defaults() {
    return builder().build();
  }

  /** A builder with every setting at its default. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with these settings, for changing some of them. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.pollInterval = pollInterval;
    builder.pollTimeout = pollTimeout;
    builder.ejectAbove = ejectAbove;
    builder.readmitBelow = readmitBelow;
    builder.readmitAfter = readmitAfter;
    builder.heartbeatTable = heartbeatTable;
    builder.heartbeatInterval = heartbeatInterval;
    builder.writeHeartbeat = writeHeartbeat;
    builder.createHeartbeatTable = createHeartbeatTable;
    builder.takeOverAfter = takeOverAfter;
    builder.refuse = refuse;
    return builder;
  }

  /** See {@link Builder#pollInterval}. */
  public Duration pollInterval() {
    return pollInterval;
  }

  /** See {@link Builder#pollTimeout}. */
  public Duration pollTimeout() {
    return pollTimeout;
  }

  /** See {@link Builder#ejectAbove}. */
  public Duration ejectAbove() {
    return ejectAbove;
  }

  /** See {@link Builder#readmitBelow}. */
  public Duration readmitBelow() {
    return readmitBelow;
  }

  /** See {@link Builder#readmitAfter}. */
  public int readmitAfter() {
    return readmitAfter;
  }

  /** See {@link Builder#heartbeatTable}. */
  public HeartbeatTable heartbeatTable() {
    return heartbeatTable;
  }

  /** See {@link Builder#heartbeatInterval}. */
  public Duration heartbeatInterval() {
    return heartbeatInterval;
  }

  /** See {@link Builder#writeHeartbeat}. */
  public boolean writeHeartbeat() {
    return writeHeartbeat;
  }

  /** See {@link Builder#createHeartbeatTable}. */
  public boolean createHeartbeatTable() {
    return createHeartbeatTable;
  }

  /** See {@link Builder#takeOverAfter}. */
  public Duration takeOverAfter() {
    return takeOverAfter;
  }

  /** See {@link Builder#refuse}. Unmodifiable. */
  public Set<Finding> refuse() {
    return refuse;
  }

  /** Collects settings; {@link #build} checks them together. Not thread-safe. */
  public static final class Builder {
    private Duration pollInterval = Duration.ofMillis(100);
    private Duration pollTimeout = Duration.ofSeconds(1);
    private Duration ejectAbove = Duration.ofSeconds(10);
    private @Nullable Duration readmitBelow;
    private int readmitAfter = 3;
    private HeartbeatTable heartbeatTable = HeartbeatTable.leeway("leeway");
    private Duration heartbeatInterval = Duration.ofMillis(250);
    private @Nullable Boolean writeHeartbeat;
    private boolean createHeartbeatTable;
    private Duration takeOverAfter = Duration.ofSeconds(3);
    private Set<Finding> refuse =
        EnumSet.of(Finding.DETACHED, Finding.UUID_CHANGED, Finding.ERRANT_TRANSACTIONS);

    private Builder() {}

    /**
     * How often each server is asked, give or take 10 % so that many instances do not ask in step.
     * Default: 100 ms. 10 ms to 30 s.
     */
    public Builder pollInterval(Duration interval) {
      pollInterval = Objects.requireNonNull(interval, "interval");
      return this;
    }

    /**
     * How long one answer may take before the server counts as unreachable. Default: 1 s. 10 ms to
     * 30 s.
     */
    public Builder pollTimeout(Duration timeout) {
      pollTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /** A replica whose data is older than this is taken out. Default: 10 s. */
    public Builder ejectAbove(Duration staleness) {
      ejectAbove = Objects.requireNonNull(staleness, "staleness");
      return this;
    }

    /**
     * A replica that was taken out comes back only when its data is younger than this. Default:
     * half of {@link #ejectAbove}. At least two poll intervals, because nothing younger can be
     * measured.
     */
    public Builder readmitBelow(Duration staleness) {
      readmitBelow = Objects.requireNonNull(staleness, "staleness");
      return this;
    }

    /** How many polls in a row must show it young enough before it comes back. Default: 3. */
    public Builder readmitAfter(int samples) {
      readmitAfter = samples;
      return this;
    }

    /** Where the heartbeat is. Default: Leeway's own table in the schema {@code leeway}. */
    public Builder heartbeatTable(HeartbeatTable table) {
      heartbeatTable = Objects.requireNonNull(table, "table");
      return this;
    }

    /**
     * How often the heartbeat is written; with a table that others write, how often they do.
     * Default: 250 ms. 10 ms to 30 s.
     */
    public Builder heartbeatInterval(Duration interval) {
      heartbeatInterval = Objects.requireNonNull(interval, "interval");
      return this;
    }

    /**
     * Whether this process offers itself as the writer of the heartbeat; of all that do, one
     * writes. Default: true with Leeway's own table, which is the only one it can write.
     */
    public Builder writeHeartbeat(boolean write) {
      writeHeartbeat = write;
      return this;
    }

    /**
     * Whether the writer creates Leeway's table, and its schema, on the primary if it is missing.
     * Default: false; the log then shows the statements to run.
     */
    public Builder createHeartbeatTable(boolean create) {
      createHeartbeatTable = create;
      return this;
    }

    /**
     * How long the primary must have been unreachable before another server that was visibly
     * promoted is taken for the primary. A primary that is seen read-only is followed at once.
     * Default: 3 s.
     */
    public Builder takeOverAfter(Duration unreachable) {
      takeOverAfter = Objects.requireNonNull(unreachable, "unreachable");
      return this;
    }

    /**
     * The findings that keep a replica from serving. Default: {@link Finding#DETACHED}, {@link
     * Finding#UUID_CHANGED}, {@link Finding#ERRANT_TRANSACTIONS}.
     */
    public Builder refuse(Set<Finding> findings) {
      refuse = Set.copyOf(findings);
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if some are out of range or contradict each other; the
     *     message names them all
     */
    public MonitorSettings build() {
      List<String> problems = new ArrayList<>();
      checkRange(problems, "pollInterval", pollInterval, SHORTEST, LONGEST_INTERVAL);
      checkRange(problems, "pollTimeout", pollTimeout, SHORTEST, LONGEST_INTERVAL);
      checkRange(problems, "heartbeatInterval", heartbeatInterval, SHORTEST, LONGEST_INTERVAL);
      checkRange(problems, "ejectAbove", ejectAbove, SHORTEST, LONGEST);
      checkRange(problems, "takeOverAfter", takeOverAfter, Duration.ZERO, LONGEST);
      Duration below = readmitBelow == null ? ejectAbove.dividedBy(2) : readmitBelow;
      if (below.compareTo(ejectAbove) > 0) {
        problems.add(
            "readmitBelow: " + below + " (expected: no more than ejectAbove, " + ejectAbove + ")");
      }
      if (below.compareTo(pollInterval.multipliedBy(2)) < 0) {
        problems.add(
            "readmitBelow: "
                + below
                + (readmitBelow == null ? ", half of ejectAbove" : "")
                + " (expected: at least two poll intervals, "
                + pollInterval.multipliedBy(2)
                + ", or a replica could never come back)");
      }
      if (readmitAfter < 1 || readmitAfter > 10_000) {
        problems.add("readmitAfter: " + readmitAfter + " (expected: 1 to 10000)");
      }
      boolean own = heartbeatTable.kind() == HeartbeatTable.Kind.LEEWAY;
      if (!own && Boolean.TRUE.equals(writeHeartbeat)) {
        problems.add(
            "writeHeartbeat: true with table "
                + heartbeatTable
                + " (expected: Leeway's own table)");
      }
      if (!own && createHeartbeatTable) {
        problems.add(
            "createHeartbeatTable: true with table "
                + heartbeatTable
                + " (expected: Leeway's own table)");
      }
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(
            "Monitor settings - cannot be used: " + String.join("; ", problems));
      }
      return new MonitorSettings(this);
    }

    private static void checkRange(
        List<String> problems, String name, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        problems.add(name + ": " + value + " (expected: " + least + " to " + most + ")");
      }
    }
  }
}

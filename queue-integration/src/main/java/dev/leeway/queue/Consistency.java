package dev.leeway.queue;

import dev.leeway.annotation.DurationText;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a kind of job does about replicas that lack its dispatcher's writes.
 *
 * <p>Immutable.
 */
public final class Consistency {
  /** The longest wait. */
  public static final Duration MAX_WAIT = Duration.ofHours(1);

  /** The most times that a job is put back. */
  public static final int MAX_ATTEMPTS = 100;

  /** What is done. */
  public enum Kind {
    /** The job reads the primary. */
    PRIMARY,
    /** The job waits at the worker until a replica is there, and then reads replicas. */
    CAUGHT_UP,
    /** The job is put back into the queue until a replica should be there. */
    DELAYED
  }

  private static final Consistency ON_PRIMARY = new Consistency(Kind.PRIMARY, Duration.ZERO, 0);

  private final Kind kind;
  private final Duration maxWait;
  private final int attempts;

  private Consistency(Kind kind, Duration maxWait, int attempts) {
    this.kind = kind;
    this.maxWait = maxWait;
    this.attempts = attempts;
  }

  /** The primary serves every read. Right for one indexed lookup, which costs less than a wait. */
  public static Consistency primary() {
    return ON_PRIMARY;
  }

  /**
   * A replica serves if it has, or within {@code maxWait} will have, everything the dispatcher had
   * written; otherwise the primary does.
   *
   * @param maxWait more than zero, at most {@link #MAX_WAIT}; counted in milliseconds
   */
  public static Consistency caughtUp(Duration maxWait) {
    return new Consistency(Kind.CAUGHT_UP, checked(maxWait), 0);
  }

  /**
   * As {@link #caughtUp}, but the job goes back into the queue for as long as the replicas still
   * lag by measurement, and holds nothing meanwhile.
   *
   * @param maxWait all delays together, more than zero, at most {@link #MAX_WAIT}
   * @param attempts how often it is put back before the primary serves, 1 to {@value #MAX_ATTEMPTS}
   */
  public static Consistency delayed(Duration maxWait, int attempts) {
    if (attempts < 1 || attempts > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "Consistency - attempts: " + attempts + " (expected: 1 to " + MAX_ATTEMPTS + ")");
    }
    return new Consistency(Kind.DELAYED, checked(maxWait), attempts);
  }

  private static Duration checked(Duration maxWait) {
    if (maxWait.toMillis() < 1 || maxWait.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "Consistency - maxWait: " + maxWait + " (expected: 1 ms to " + MAX_WAIT + ")");
    }
    return maxWait;
  }

  /**
   * What {@link JobConsistency} on a class or a method says; empty if it is not there.
   *
   * @throws IllegalArgumentException if its values are out of range
   */
  public static Optional<Consistency> declaredOn(AnnotatedElement element) {
    JobConsistency declared = element.getAnnotation(JobConsistency.class);
    return declared == null ? Optional.empty() : Optional.of(of(declared));
  }

  private static Consistency of(JobConsistency declared) {
    return switch (declared.value()) {
      case PRIMARY -> primary();
      case CAUGHT_UP -> caughtUp(DurationText.parse(declared.maxWait()));
      case DELAYED -> delayed(DurationText.parse(declared.maxWait()), declared.attempts());
    };
  }

  /** What is done. */
  public Kind kind() {
    return kind;
  }

  /** How long a job waits at most; zero for {@link Kind#PRIMARY}. */
  public Duration maxWait() {
    return maxWait;
  }

  /** How often a job is put back at most; zero unless {@link Kind#DELAYED}. */
  public int attempts() {
    return attempts;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Consistency other
        && kind == other.kind
        && attempts == other.attempts
        && maxWait.equals(other.maxWait);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, maxWait, attempts);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case PRIMARY -> "PRIMARY";
      case CAUGHT_UP -> "CAUGHT_UP(" + DurationText.format(maxWait) + ")";
      case DELAYED -> "DELAYED(" + DurationText.format(maxWait) + ", " + attempts + ")";
    };
  }
}

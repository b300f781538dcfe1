package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * When the primary had executed what: what a replica's position and its heartbeat are held against.
 *
 * <p>Not thread-safe; the owner guards it.
 */
final class Timeline {
  /*
   * How a replica's age is measured
   * -------------------------------
   * A mark says: a poll sent at S found the set G of all that could be seen on the primary. A replica
   * that has executed G holds everything that was visible on the primary before S. So the newest
   * contained mark proves an age, on an idle primary and without any clock.
   *
   * The heartbeat only refines that, between the newest contained mark and the one after it. If the
   * replica shows another heartbeat than the primary showed at the contained mark, that was written
   * later than the mark. It tells when, by the primary's clock, and a mark's clock C maps that to our
   * time: S + (H - C). Of the two marks' answers the earlier one counts: if the primary's clock was set
   * between them, one of the two is right and the other is too new or too old. Nothing later than the
   * second mark is believed, because the replica lacks something that the primary had then. So no
   * change of the primary's clock makes a replica seem younger than it is.
   *
   * Beyond the newest mark there is no second one. There the heartbeat is used only while the primary
   * has not answered for a while, when replicas that still receive from it would seem to stand still.
   *
   * The replica's own clock is never used.
   *
   * What is kept
   * ------------
   * Marks of the last seconds all, older ones ever more thinly: each level keeps every second mark that
   * falls out of the level before it. With a mark every 100 ms the levels reach back more than four
   * days, and the distance of two marks stays below a twentieth of their age.
   */

  /** How far a heartbeat may be ahead of the newest mark when the primary cannot be polled. */
  static final long MAX_EXTRAPOLATION_MICROS = TimeUnit.MINUTES.toMicros(1);

  /** How long the primary must have said nothing before a heartbeat may speak for it. */
  static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A heartbeat farther from the present than this is no time at all. */
  private static final long FARTHEST_MICROS = TimeUnit.DAYS.toMicros(3_650);

  private static final int NEWEST_LEVEL = 128;
  private static final int OLDER_LEVEL = 32;
  private static final int LEVELS = 18;
  private static final int CAPACITY = NEWEST_LEVEL + (LEVELS - 1) * OLDER_LEVEL + 1;

  /** Oldest first. The marks of a level lie side by side, those of the last level first. */
  private final Mark[] marks = new Mark[CAPACITY];

  private final int[] countOfLevel = new int[LEVELS];
  private final boolean[] keepsNext = new boolean[LEVELS];
  private int size;

  /**
   * What a poll of the primary said.
   *
   * @param sentNanos before it was asked
   * @param clockMicros its clock
   * @param heartbeatMicros the heartbeat it showed itself; {@link ServerState#UNKNOWN_NANOS} if
   *     none
   * @param visible all that could be seen on it; see {@link Committing}
   */
  record Mark(long sentNanos, long clockMicros, long heartbeatMicros, GtidSet visible) {}

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /**
   * Adds a mark newer than all others.
   *
   * <p>Marks that hold what this one lacks go: a transaction that was being committed when they
   * were made has failed, and no replica will ever contain them.
   */
  void add(Mark mark) {
    while (size > 0 && !mark.visible().contains(marks[size - 1].visible())) {
      dropNewest();
    }
    if (size > 0 && mark.visible().equals(marks[size - 1].visible())) {
      // The same set at a later moment proves more, so the earlier mark is of no more use.
      marks[size - 1] = mark;
    } else {
      append(mark);
    }
  }

  private void dropNewest() {
    int level = 0;
    while (countOfLevel[level] == 0) {
      level++;
    }
    countOfLevel[level]--;
    marks[--size] = null;
  }

  void clear() {
    Arrays.fill(marks, null);
    Arrays.fill(countOfLevel, 0);
    Arrays.fill(keepsNext, false);
    size = 0;
  }

  /**
   * The moment F such that a server with this position and heartbeat provably holds everything that
   * was visible on the primary before F.
   *
   * @param executed what the server had executed, read before {@code receivedNanos}
   * @param heartbeatMicros the newest heartbeat that the server shows, by the primary's clock;
   *     {@link ServerState#UNKNOWN_NANOS} if it shows none or it proves nothing there
   * @param receivedNanos when both were known
   * @return {@link ServerState#UNKNOWN_NANOS} if nothing is proved
   */
  long freshAsOf(GtidSet executed, long heartbeatMicros, long receivedNanos) {
    if (size == 0) {
      return UNKNOWN_NANOS;
    }
    int contained = newestContained(executed);
    long byPosition = contained < 0 ? UNKNOWN_NANOS : marks[contained].sentNanos();
    long byHeartbeat =
        heartbeatMicros == UNKNOWN_NANOS
            ? UNKNOWN_NANOS
            : byHeartbeat(contained, heartbeatMicros, receivedNanos);
    return later(byPosition, byHeartbeat);
  }

  private long byHeartbeat(int contained, long heartbeatMicros, long receivedNanos) {
    if (contained >= 0 && !isLaterThan(marks[contained], heartbeatMicros)) {
      return UNKNOWN_NANOS;
    }
    if (contained == size - 1) {
      return beyondNewest(heartbeatMicros, receivedNanos);
    }
    Mark after = marks[contained + 1];
    long moment = momentOf(heartbeatMicros, after);
    if (contained >= 0 && moment != UNKNOWN_NANOS) {
      long other = momentOf(heartbeatMicros, marks[contained]);
      moment = other == UNKNOWN_NANOS || moment - other < 0 ? moment : other;
    }
    return moment == UNKNOWN_NANOS || moment - after.sentNanos() > 0 ? UNKNOWN_NANOS : moment;
  }

  /** A replica that contains the mark shows the mark's heartbeat or one that was written since. */
  private static boolean isLaterThan(Mark mark, long heartbeatMicros) {
    return mark.heartbeatMicros() != UNKNOWN_NANOS && mark.heartbeatMicros() != heartbeatMicros;
  }

  private long beyondNewest(long heartbeatMicros, long receivedNanos) {
    Mark newest = marks[size - 1];
    if (receivedNanos - newest.sentNanos() < SILENCE_NANOS
        || heartbeatMicros - newest.clockMicros() > MAX_EXTRAPOLATION_MICROS) {
      return UNKNOWN_NANOS;
    }
    long moment = momentOf(heartbeatMicros, newest);
    return moment == UNKNOWN_NANOS || moment - receivedNanos > 0 ? UNKNOWN_NANOS : moment;
  }

  /** When the primary's clock showed this, reckoned from one reading of it. */
  private static long momentOf(long heartbeatMicros, Mark mark) {
    long aheadMicros = heartbeatMicros - mark.clockMicros();
    return aheadMicros > FARTHEST_MICROS || aheadMicros < -FARTHEST_MICROS
        ? UNKNOWN_NANOS
        : mark.sentNanos() + TimeUnit.MICROSECONDS.toNanos(aheadMicros);
  }

  /** The index of the newest mark whose set is contained, or −1. */
  private int newestContained(GtidSet executed) {
    // Each mark contains the one before it, so containment ends at one place.
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (executed.contains(marks[middle].visible())) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private void append(Mark mark) {
    marks[size++] = mark;
    countOfLevel[0]++;
    int start = size - countOfLevel[0];
    for (int level = 0; level < LEVELS && countOfLevel[level] > capacityOf(level); level++) {
      boolean keep = keepsNext[level] && level + 1 < LEVELS;
      keepsNext[level] = !keepsNext[level];
      countOfLevel[level]--;
      if (!keep) {
        // Dropping the oldest of this level; all newer ones move up.
        System.arraycopy(marks, start + 1, marks, start, size - start - 1);
        marks[--size] = null;
        return;
      }
      // It becomes the newest of the next level without moving, because levels are neighbours.
      countOfLevel[level + 1]++;
      start = start + 1 - countOfLevel[level + 1];
    }
  }

  private static int capacityOf(int level) {
    return level == 0 ? NEWEST_LEVEL : OLDER_LEVEL;
  }

  /** The later of two moments, either of which may be unknown. */
  static long later(long a, long b) {
    if (a == UNKNOWN_NANOS) {
      return b;
    }
    if (b == UNKNOWN_NANOS) {
      return a;
    }
    return a - b >= 0 ? a : b;
  }
}

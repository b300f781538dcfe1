package dev.leeway.queue;

import dev.leeway.gate.WritePosition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What travels with a job: what its dispatcher had written, what the dispatcher wants done about
 * replicas that lack it, and what waiting has been done already.
 *
 * <p>As text it is four headers of printable ASCII. Reading them never fails: what is not
 * understood, in whole or in part, gives an envelope that sends its job to the primary, and says
 * why.
 *
 * <p>Immutable.
 */
public final class JobEnvelope {
  /*
   * leeway-position       a token of WritePosition, which has its own version
   * leeway-consistency    1;<kind or ->;<maxWait ms>;<attempts>;<put backs>;<delayed ms>;<looked in vain>
   * leeway-dispatched-at  milliseconds since 1970, UTC
   * leeway-cluster        the name of the cluster
   */

  /** The name of the header with the position. */
  public static final String POSITION = "leeway-position";

  /** The name of the header with the consistency and what waiting has been done. */
  public static final String CONSISTENCY = "leeway-consistency";

  /** The name of the header with the moment of dispatch. */
  public static final String DISPATCHED_AT = "leeway-dispatched-at";

  /** The name of the header with the cluster's name. */
  public static final String CLUSTER = "leeway-cluster";

  private static final String VERSION_1 = "1;";
  private static final String POSITION_PREFIX = "lwp";
  private static final String POSITION_1 = "lwp1.";
  private static final int MAX_NUMBER_LENGTH = 15;
  private static final int MAX_HEADER_LENGTH = 128;
  private static final int MAX_COUNT = 1_000_000;

  /** Whether the headers could be read. */
  public enum Form {
    /** All is there and understood. */
    COMPLETE,
    /** None of the headers is there, as in a message of a producer without Leeway. */
    ABSENT,
    /** Something is missing or makes no sense. */
    MALFORMED,
    /** A newer Leeway wrote it. */
    UNKNOWN_VERSION
  }

  private final Form form;
  private final @Nullable WritePosition position;
  private final @Nullable Consistency asked;
  private final long dispatchedAtMillis;
  private final int putBacks;
  private final long delayedMillis;
  private final int lookedInVain;

  private JobEnvelope(
      Form form,
      @Nullable WritePosition position,
      @Nullable Consistency asked,
      long dispatchedAtMillis,
      int putBacks,
      long delayedMillis,
      int lookedInVain) {
    this.form = form;
    this.position = position;
    this.asked = asked;
    this.dispatchedAtMillis = dispatchedAtMillis;
    this.putBacks = putBacks;
    this.delayedMillis = delayedMillis;
    this.lookedInVain = lookedInVain;
  }

  /**
   * The envelope of a job that is dispatched now.
   *
   * @param asked what the dispatcher wants; null to leave it to the worker
   */
  public static JobEnvelope of(
      WritePosition position, @Nullable Consistency asked, Instant dispatchedAt) {
    Objects.requireNonNull(position, "position");
    return new JobEnvelope(Form.COMPLETE, position, asked, dispatchedAt.toEpochMilli(), 0, 0, 0);
  }

  /**
   * Reads the headers of a message.
   *
   * @param header gives the text of a header by its name; null if it is not there
   * @return an envelope in any case
   */
  public static JobEnvelope read(Function<String, @Nullable String> header) {
    String positionText = header.apply(POSITION);
    String consistencyText = header.apply(CONSISTENCY);
    String dispatchedText = header.apply(DISPATCHED_AT);
    String cluster = header.apply(CLUSTER);
    if (positionText == null
        && consistencyText == null
        && dispatchedText == null
        && cluster == null) {
      return unreadable(Form.ABSENT);
    }
    if (consistencyText == null || consistencyText.length() > MAX_HEADER_LENGTH) {
      return unreadable(Form.MALFORMED);
    }
    if (!consistencyText.startsWith(VERSION_1)) {
      return unreadable(isVersioned(consistencyText) ? Form.UNKNOWN_VERSION : Form.MALFORMED);
    }
    JobEnvelope counts = counts(consistencyText);
    if (counts == null) {
      return unreadable(Form.MALFORMED);
    }
    if (positionText == null || dispatchedText == null || cluster == null) {
      boolean none = positionText == null && dispatchedText == null && cluster == null;
      // Put back by a worker that had found no headers.
      return counts.as(none ? Form.ABSENT : Form.MALFORMED);
    }
    if (!positionText.startsWith(POSITION_1)) {
      return counts.as(
          positionText.startsWith(POSITION_PREFIX) ? Form.UNKNOWN_VERSION : Form.MALFORMED);
    }
    long dispatchedAt = number(dispatchedText, 0, dispatchedText.length());
    WritePosition position = position(positionText);
    if (dispatchedAt < 0 || position == null || !position.cluster().name().equals(cluster)) {
      return counts.as(Form.MALFORMED);
    }
    return new JobEnvelope(
        Form.COMPLETE,
        position,
        counts.asked,
        dispatchedAt,
        counts.putBacks,
        counts.delayedMillis,
        counts.lookedInVain);
  }

  private static @Nullable WritePosition position(String text) {
    try {
      return WritePosition.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isVersioned(String text) {
    int end = text.indexOf(';');
    return end > 0 && number(text, 0, end) >= 0;
  }

  /** The numbers of the consistency header; null if it is malformed. */
  private static @Nullable JobEnvelope counts(String text) {
    int start = VERSION_1.length();
    int end = text.indexOf(';', start);
    if (end < 0) {
      return null;
    }
    String kind = text.substring(start, end);
    int second = text.indexOf(';', end + 1);
    int third = text.indexOf(';', second + 1);
    int fourth = text.indexOf(';', third + 1);
    int fifth = text.indexOf(';', fourth + 1);
    if (second < 0 || third < second || fourth < third || fifth < fourth) {
      return null;
    }
    long maxWait = number(text, end + 1, second);
    long attempts = number(text, second + 1, third);
    long putBacks = number(text, third + 1, fourth);
    long delayed = number(text, fourth + 1, fifth);
    long looked = number(text, fifth + 1, text.length());
    if (maxWait < 0
        || attempts < 0
        || delayed < 0
        || putBacks < 0
        || putBacks > MAX_COUNT
        || looked < 0
        || looked > MAX_COUNT) {
      return null;
    }
    try {
      Consistency asked = consistency(kind, maxWait, attempts);
      return new JobEnvelope(Form.COMPLETE, null, asked, 0, (int) putBacks, delayed, (int) looked);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The wish in a consistency header alone; null if there is none, or it cannot be read. */
  static @Nullable Consistency askedIn(String header) {
    JobEnvelope counts = header.startsWith(VERSION_1) ? counts(header) : null;
    return counts == null ? null : counts.asked;
  }

  private static @Nullable Consistency consistency(String kind, long maxWait, long attempts) {
    return switch (kind) {
      case "-" -> null;
      case "PRIMARY" -> Consistency.primary();
      case "CAUGHT_UP" -> Consistency.caughtUp(java.time.Duration.ofMillis(maxWait));
      case "DELAYED" ->
          Consistency.delayed(
              java.time.Duration.ofMillis(maxWait), (int) Math.min(attempts, Integer.MAX_VALUE));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** A number of ASCII digits alone; −1 if it is anything else. */
  private static long number(String text, int start, int end) {
    if (end <= start || end - start > MAX_NUMBER_LENGTH) {
      return -1;
    }
    long value = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static JobEnvelope unreadable(Form form) {
    return new JobEnvelope(form, null, null, 0, 0, 0, 0);
  }

  private JobEnvelope as(Form other) {
    return new JobEnvelope(other, null, asked, 0, putBacks, delayedMillis, lookedInVain);
  }

  /** The headers, by name; to be put into the message as they are. */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>(8);
    headers.put(CONSISTENCY, header(asked, putBacks, delayedMillis, lookedInVain));
    if (position != null) {
      headers.put(POSITION, position.toToken());
      headers.put(DISPATCHED_AT, Long.toString(dispatchedAtMillis));
      headers.put(CLUSTER, position.cluster().name());
    } else if (form != Form.ABSENT) {
      // It must not become more trustworthy by being sent on.
      headers.put(CLUSTER, "");
    }
    return headers;
  }

  /** The text of a consistency header. */
  static String header(
      @Nullable Consistency asked, int putBacks, long delayedMillis, int lookedInVain) {
    StringBuilder text = new StringBuilder(32).append(VERSION_1);
    if (asked == null) {
      text.append("-;0;0");
    } else {
      text.append(asked.kind().name()).append(';').append(asked.maxWait().toMillis());
      text.append(';').append(asked.attempts());
    }
    text.append(';').append(putBacks).append(';').append(delayedMillis);
    return text.append(';').append(lookedInVain).toString();
  }

  /** Whether the headers could be read. */
  public Form form() {
    return form;
  }

  /** What the dispatcher had written; null if the headers do not tell. */
  public @Nullable WritePosition position() {
    return position;
  }

  /** What the dispatcher wants; null if it left that to the worker. */
  public @Nullable Consistency asked() {
    return asked;
  }

  /** When it was dispatched, by the dispatcher's clock; null if the headers do not tell. */
  public @Nullable Instant dispatchedAt() {
    return position == null ? null : Instant.ofEpochMilli(dispatchedAtMillis);
  }

  /** How often it was put back because the replicas lagged. */
  public int putBacks() {
    return putBacks;
  }

  /** How long it was put back for, all times together, in milliseconds. */
  public long delayedMillis() {
    return delayedMillis;
  }

  /** How often the job did not find what it was about, on any server. */
  public int lookedInVain() {
    return lookedInVain;
  }

  /**
   * The same envelope for a worker that has found out by itself what the job must see.
   *
   * @throws IllegalStateException if this one could not be read
   */
  public JobEnvelope positioned(WritePosition found) {
    if (form != Form.COMPLETE) {
      throw new IllegalStateException(
          "Job envelope - positioned: " + form + " (expected: COMPLETE)");
    }
    return new JobEnvelope(
        form, found, asked, dispatchedAtMillis, putBacks, delayedMillis, lookedInVain);
  }

  /** The envelope to put the job back with because the replicas lag. */
  JobEnvelope putBack(long millis) {
    return new JobEnvelope(
        form,
        position,
        asked,
        dispatchedAtMillis,
        putBacks + 1,
        delayedMillis + millis,
        lookedInVain);
  }

  /** The envelope to put the job back with because nothing was found. */
  JobEnvelope lookedInVainOnceMore() {
    return new JobEnvelope(
        form, position, asked, dispatchedAtMillis, putBacks, delayedMillis, lookedInVain + 1);
  }

  /**
   * The envelope of one job that stands for two: it must read what either dispatcher had written.
   *
   * <p>Where one of them is not known, neither is the result. The stricter wish counts, and waiting
   * starts anew.
   */
  public JobEnvelope merge(JobEnvelope other) {
    if (position == null || other.position == null) {
      return unreadable(position == null ? form : other.form);
    }
    if (!position.cluster().name().equals(other.position.cluster().name())) {
      return unreadable(Form.MALFORMED);
    }
    boolean otherIsNewer = other.dispatchedAtMillis >= dispatchedAtMillis;
    return new JobEnvelope(
        Form.COMPLETE,
        position.merge(other.position),
        stricter(otherIsNewer ? other.asked : asked, otherIsNewer ? asked : other.asked),
        Math.max(dispatchedAtMillis, other.dispatchedAtMillis),
        0,
        0,
        0);
  }

  private static @Nullable Consistency stricter(
      @Nullable Consistency newer, @Nullable Consistency older) {
    if (older != null && older.kind() == Consistency.Kind.PRIMARY) {
      return older;
    }
    return newer == null ? older : newer;
  }

  @Override
  public String toString() {
    return "envelope ("
        + (position == null ? form.toString() : position.toString())
        + (asked == null ? "" : ", " + asked)
        + (putBacks == 0 ? "" : ", put back " + putBacks + " times for " + delayedMillis + " ms")
        + (lookedInVain == 0 ? "" : ", looked in vain " + lookedInVain + " times")
        + ")";
  }
}

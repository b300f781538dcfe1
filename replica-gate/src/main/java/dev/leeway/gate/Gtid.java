package dev.leeway.gate;

import java.util.Objects;
import java.util.UUID;

/**
 * The identifier that MySQL gave one committed transaction.
 *
 * @param source the server on which the transaction was first committed
 * @param tag the tag of MySQL 8.3 and later, in lower case; empty for an untagged transaction. Each
 *     (source, tag) pair counts its own numbers
 * @param number from 1 to {@link #MAX_NUMBER}
 */
public record Gtid(UUID source, String tag, long number) {

  /** The largest number MySQL assigns. */
  public static final long MAX_NUMBER = Long.MAX_VALUE - 1;

  /**
   * Checks all parts and puts the tag in lower case, as MySQL does.
   *
   * @throws IllegalArgumentException if the tag or the number is one that MySQL would refuse
   */
  public Gtid {
    Objects.requireNonNull(source, "source");
    tag = GtidTag.normalized(Objects.requireNonNull(tag, "tag"));
    if (number < 1 || number > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "GTID - number " + number + " (expected: 1 to " + MAX_NUMBER + ")");
    }
  }

  /** An untagged identifier. */
  public static Gtid of(UUID source, long number) {
    return new Gtid(source, "", number);
  }

  /** The text MySQL prints: {@code source:number} or {@code source:tag:number}. */
  @Override
  public String toString() {
    return tag.isEmpty() ? source + ":" + number : source + ":" + tag + ":" + number;
  }
}

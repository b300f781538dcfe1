package dev.leeway.queue;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work to be done somewhere else.
 *
 * @param type what kind of work it is; the adapters send it to the topic or queue of this name
 * @param key jobs with the same key keep their order where the broker keeps any; null if it does
 *     not matter
 * @param payload what the handler gets; not copied, so leave it alone afterwards
 * @param consistency what to do about replicas that lack the dispatcher's writes; null to leave it
 *     to the worker
 */
public record Job(
    String type, @Nullable String key, byte[] payload, @Nullable Consistency consistency) {

  /** The longest type and key, in characters. */
  public static final int MAX_NAME_LENGTH = 190;

  /** Checks that nothing required is missing. */
  public Job {
    Objects.requireNonNull(payload, "payload");
    if (type.isEmpty() || type.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "Job - type '" + type + "' (expected: 1 to " + MAX_NAME_LENGTH + " characters)");
    }
    if (key != null && key.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "Job - key of "
              + key.length()
              + " characters (expected: at most "
              + MAX_NAME_LENGTH
              + ")");
    }
  }

  /** A job whose order does not matter. */
  public static Job of(String type, byte[] payload) {
    return new Job(type, null, payload, null);
  }

  /** A job whose payload is a text. */
  public static Job of(String type, String payload) {
    return of(type, payload.getBytes(StandardCharsets.UTF_8));
  }

  /** The same job, in order with others of this key. */
  public Job withKey(String newKey) {
    return new Job(type, newKey, payload, consistency);
  }

  /** The same job with a wish of the dispatcher. */
  public Job with(Consistency wish) {
    return new Job(type, key, payload, wish);
  }

  /** The payload as a text. */
  public String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Job other
        && type.equals(other.type)
        && Objects.equals(key, other.key)
        && java.util.Arrays.equals(payload, other.payload)
        && Objects.equals(consistency, other.consistency);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, key, java.util.Arrays.hashCode(payload), consistency);
  }

  @Override
  public String toString() {
    return type + (key == null ? "" : " " + key) + " (" + payload.length + " bytes)";
  }
}

package dev.leeway.routing;

import java.util.Objects;

/**
 * A table was read from a replica and then written in the same scope: what was written may rest on
 * rows that somebody else had changed meanwhile.
 *
 * <p>The remedy is to read what will be written from the primary, or to make the write say what it
 * expects to find ({@code UPDATE … WHERE version = ?}).
 *
 * @param table the table, in lower case, as the writing statement names it
 * @param readBy the name of the intent that read it from a replica, such as {@code Orders.find}
 * @param writtenBy the name of the intent that wrote it
 */
public record LostUpdate(String table, String readBy, String writtenBy) {
  /** Refuses null. */
  public LostUpdate {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(readBy, "readBy");
    Objects.requireNonNull(writtenBy, "writtenBy");
  }
}

package dev.leeway.proxy.backend;

import java.nio.charset.StandardCharsets;

/**
 * A command that put a session into the state it is in, and puts another connection there too.
 *
 * @param payload the command's payload, a character for each byte
 * @param ofSchema whether it chose the schema, which a reset of the connection does not undo
 */
public record Setting(String payload, boolean ofSchema) {

  /** Makes one of the bytes of a command. */
  public static Setting of(byte[] payload, boolean ofSchema) {
    return new Setting(new String(payload, StandardCharsets.ISO_8859_1), ofSchema);
  }

  byte[] bytes() {
    return payload.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** How much of a session's room it takes. */
  public int size() {
    return payload.length();
  }
}

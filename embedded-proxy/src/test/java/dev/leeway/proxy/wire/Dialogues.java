package dev.leeway.proxy.wire;

import dev.leeway.proxy.wire.ResponseTracker.Expect;
import org.jspecify.annotations.Nullable;

/**
 * What the protocol's manual says a command is answered with; told apart from the proxy's table.
 */
public final class Dialogues {
  private Dialogues() {}

  /** Null where nothing is answered. */
  public static @Nullable Expect expected(int command) {
    return switch (command) {
      case 0x03, 0x17 -> Expect.RESULTS;
      case 0x16 -> Expect.PREPARED;
      case 0x1c, 0x04 -> Expect.ROWS;
      case 0x09 -> Expect.TEXT;
      case 0x01, 0x18, 0x19 -> null;
      default -> Expect.ONE_PACKET;
    };
  }
}

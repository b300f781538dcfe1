package dev.leeway.gate;

import java.util.Base64;

/** Bytes as URL-safe Base64 without padding, in exactly one spelling. */
final class TokenText {
  private TokenText() {}

  static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static byte[] decode(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    // The JDK's decoder ignores padding and the unused bits of the last character, so that several
    // texts would mean the same bytes.
    int unused =
        switch (text.length() % 4) {
          case 2 -> 0b1111;
          case 3 -> 0b11;
          default -> 0;
        };
    if (text.endsWith("=")
        || (unused != 0 && (value(text.charAt(text.length() - 1)) & unused) != 0)) {
      throw new IllegalArgumentException("Base64 text with padding or with unused bits set");
    }
    return bytes;
  }

  /** The six bits of a character that the decoder has accepted. */
  private static int value(char character) {
    if (character >= 'a') {
      return character - 'a' + 26;
    }
    if (character == '_') {
      return 63;
    }
    if (character >= 'A') {
      return character - 'A';
    }
    return character == '-' ? 62 : character - '0' + 52;
  }
}

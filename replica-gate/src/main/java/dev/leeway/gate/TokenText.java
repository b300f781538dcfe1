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
    if (!encode(bytes).equals(text)) {
      throw new IllegalArgumentException("Base64 text with padding or with unused bits set");
    }
    return bytes;
  }
}

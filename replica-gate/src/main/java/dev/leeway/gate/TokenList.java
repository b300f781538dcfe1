package dev.leeway.gate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several tokens in one text, one behind the other: an application with several clusters has one
 * cookie all the same. Only texts are joined and split here; nothing is believed.
 */
public final class TokenList {
  /** The most tokens in one text. */
  public static final int MAX_TOKENS = 8;

  private static final char SEPARATOR = '~';

  private TokenList() {}

  /**
   * The tokens in the text, of which not one has been looked at.
   *
   * @return empty if there is no text, and if it is longer than {@link
   *     WritePosition#MAX_TOKEN_LENGTH} or holds more than {@value #MAX_TOKENS}: then none is worth
   *     the work
   */
  public static List<String> split(@Nullable String text) {
    List<String> tokens = new ArrayList<>();
    if (text == null || text.isEmpty() || text.length() > WritePosition.MAX_TOKEN_LENGTH) {
      return tokens;
    }
    int from = 0;
    for (int at = 0; at <= text.length(); at++) {
      if (at == text.length() || text.charAt(at) == SEPARATOR) {
        if (tokens.size() == MAX_TOKENS) {
          return List.of();
        }
        tokens.add(text.substring(from, at));
        from = at + 1;
      }
    }
    return tokens;
  }

  /**
   * One text of all tokens, each once.
   *
   * @param tokens the most important first: what does not fit is left out
   * @return empty if there are none
   */
  public static String join(Collection<String> tokens) {
    StringBuilder text = new StringBuilder();
    List<String> joined = new ArrayList<>();
    for (String token : tokens) {
      if (token.isEmpty()
          || joined.contains(token)
          || joined.size() == MAX_TOKENS
          || text.length() + 1 + token.length() > WritePosition.MAX_TOKEN_LENGTH) {
        continue;
      }
      if (!joined.isEmpty()) {
        text.append(SEPARATOR);
      }
      text.append(token);
      joined.add(token);
    }
    return text.toString();
  }
}

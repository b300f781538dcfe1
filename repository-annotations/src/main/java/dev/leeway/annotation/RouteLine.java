package dev.leeway.annotation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One routed method as one line of text, for files that people compare line by line.
 *
 * <pre>{@code
 * com.acme.Orders#find(long) primary because="the confirmation page shows the order just placed"
 * com.acme.Orders#insert(com.acme.Order) write
 * com.acme.Orders#list(long) replica maxStaleness=5s fallback=STALE catchUp=50ms
 * }</pre>
 */
final class RouteLine {
  private static final Pattern LINE = Pattern.compile("([^\\s#]+)#(\\S+) ([a-z]+)((?: .*)?)");
  private static final Map<IntentKind, String> WORDS =
      Map.of(
          IntentKind.READ_REPLICA, "replica",
          IntentKind.READ_PRIMARY, "primary",
          IntentKind.WRITE, "write",
          IntentKind.UNDECLARED, "undeclared");

  private RouteLine() {}

  static String print(RoutedMethod route) {
    StringBuilder line = new StringBuilder();
    line.append(route.repository()).append('#').append(route.signature());
    line.append(' ').append(WORDS.get(route.kind()));
    if (route.kind() == IntentKind.READ_PRIMARY) {
      line.append(" because=\"").append(escaped(route.because())).append('"');
    }
    if (route.kind() == IntentKind.READ_REPLICA) {
      route
          .maxStaleness()
          .ifPresent(bound -> line.append(" maxStaleness=").append(DurationText.format(bound)));
      line.append(" fallback=").append(route.fallback());
      route.catchUp().ifPresent(wait -> line.append(" catchUp=").append(DurationText.format(wait)));
    }
    return line.toString();
  }

  /**
   * Reads what {@link #print} printed.
   *
   * @throws IllegalArgumentException if it is anything else; the message does not repeat the line
   */
  static RoutedMethod parse(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "not a route (expected: type#method(parameters) and then replica, primary, write or"
              + " undeclared)");
    }
    Map<String, String> attributes = attributes(parts.group(4));
    String repository = parts.group(1);
    String signature = parts.group(2);
    RoutedMethod route =
        switch (parts.group(3)) {
          case "replica" ->
              RoutedMethod.readReplica(
                  repository,
                  signature,
                  taken(attributes, "maxStaleness"),
                  fallback(taken(attributes, "fallback")),
                  taken(attributes, "catchUp"));
          case "primary" ->
              RoutedMethod.readPrimary(repository, signature, taken(attributes, "because"));
          case "write" -> RoutedMethod.write(repository, signature);
          case "undeclared" -> RoutedMethod.undeclared(repository, signature);
          default ->
              throw new IllegalArgumentException(
                  "intent \"%s\" (expected: replica, primary, write or undeclared)"
                      .formatted(parts.group(3)));
        };
    if (!attributes.isEmpty()) {
      throw new IllegalArgumentException(
          "%s takes no %s".formatted(parts.group(3), attributes.keySet().iterator().next()));
    }
    return route;
  }

  private static Map<String, String> attributes(String text) {
    Map<String, String> attributes = new LinkedHashMap<>();
    int next = 0;
    while (next < text.length()) {
      int equals = text.indexOf('=', next);
      if (text.charAt(next) != ' ' || equals < 0) {
        throw malformed(text, next);
      }
      int start = equals + 1;
      boolean quoted = text.startsWith("\"", start);
      int end = quoted ? closingQuote(text, start + 1) : endOfWord(text, start);
      if (end < 0 || end == start) {
        throw malformed(text, start);
      }
      String name = text.substring(next + 1, equals);
      String value =
          quoted ? unescaped(text.substring(start + 1, end)) : text.substring(start, end);
      if (attributes.put(name, value) != null) {
        throw new IllegalArgumentException(name + " is given twice");
      }
      next = quoted ? end + 1 : end;
    }
    return attributes;
  }

  private static int closingQuote(String text, int start) {
    int next = start;
    while (next < text.length() && text.charAt(next) != '"') {
      next += text.charAt(next) == '\\' ? 2 : 1;
    }
    return next < text.length() ? next : -1;
  }

  private static int endOfWord(String text, int start) {
    int space = text.indexOf(' ', start);
    return space < 0 ? text.length() : space;
  }

  private static IllegalArgumentException malformed(String text, int position) {
    return new IllegalArgumentException(
        "\"%s\" (expected: name=value or name=\"value\", after one space)"
            .formatted(escaped(text.substring(position))));
  }

  private static String taken(Map<String, String> attributes, String name) {
    String value = attributes.remove(name);
    return value == null ? "" : value;
  }

  private static Fallback fallback(String name) {
    for (Fallback fallback : Fallback.values()) {
      if (fallback.name().equals(name)) {
        return fallback;
      }
    }
    throw new IllegalArgumentException(
        "fallback \"%s\" (expected: PRIMARY, FAIL or STALE)".formatted(name));
  }

  private static String escaped(String text) {
    return visible(text.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /**
   * Writes as its code everything that could break a line, hide in it or turn it round: a reason is
   * read in reviews, and what is reviewed must be what is there.
   */
  static String visible(String text) {
    StringBuilder visible = new StringBuilder(text.length() + 8);
    text.codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '\n' -> visible.append("\\n");
                case '\r' -> visible.append("\\r");
                case '\t' -> visible.append("\\t");
                default -> {
                  if (isInvisible(character)) {
                    for (char unit : Character.toChars(character)) {
                      visible.append("\\u%04x".formatted((int) unit));
                    }
                  } else {
                    visible.appendCodePoint(character);
                  }
                }
              }
            });
    return visible.toString();
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    int next = 0;
    while (next < text.length()) {
      char character = text.charAt(next++);
      if (character != '\\') {
        plain.append(character);
        continue;
      }
      char code = text.charAt(next++);
      switch (code) {
        case '"' -> plain.append('"');
        case '\\' -> plain.append('\\');
        case 'n' -> plain.append('\n');
        case 'r' -> plain.append('\r');
        case 't' -> plain.append('\t');
        case 'u' -> {
          plain.append(codeUnit(text, next));
          next += 4;
        }
        default ->
            throw new IllegalArgumentException(
                "\\%s (expected: \\\", \\\\, \\n, \\r, \\t or \\uXXXX)".formatted(code));
      }
    }
    return plain.toString();
  }

  private static char codeUnit(String text, int start) {
    if (start + 4 > text.length() || !text.substring(start, start + 4).matches("[0-9a-f]{4}")) {
      throw new IllegalArgumentException("\\u (expected: four hexadecimal digits after it)");
    }
    return (char) Integer.parseInt(text.substring(start, start + 4), 16);
  }
}

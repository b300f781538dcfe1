package dev.leeway.cli.config;

import dev.leeway.cli.config.YamlNode.Entry;
import dev.leeway.cli.config.YamlNode.Mapping;
import dev.leeway.cli.config.YamlNode.Scalar;
import dev.leeway.cli.config.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Turns YAML text into nodes that know their line and column.
 *
 * <p>Read as a stream of tokens, not bound to a class: a binder stops at the first problem and says
 * where in the Java object it was, not where in the file. Anchors and aliases are refused rather
 * than followed, so that a small file stays small.
 */
final class YamlText {
  private static final int DEEPEST = 20;
  private static final Pattern PLACE = Pattern.compile("line ([0-9]{1,9}), column ([0-9]{1,9})");

  private final String file;
  private final YAMLParser parser;

  private YamlText(String file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * @throws ConfigurationException if the text is not one YAML document
   */
  static YamlNode parse(String file, String text) {
    try (YAMLParser parser =
        (YAMLParser) YAMLFactory.builder().build().createParser(ObjectReadContext.empty(), text)) {
      return new YamlText(file, parser).document();
    } catch (JacksonException e) {
      String message = e.getOriginalMessage();
      throw refused(placeIn(file, message), "not valid YAML: " + oneLine(message));
    }
  }

  private YamlNode document() {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw refused(
          new Place(file, 1, 1), "the file is empty (expected: at least 'cluster' and 'primary')");
    }
    YamlNode root = node(first, 0);
    if (parser.nextToken() != null) {
      throw refused(place(), "a second YAML document (expected: one topology in a file)");
    }
    return root;
  }

  private YamlNode node(JsonToken token, int depth) {
    Place place = place();
    if (depth > DEEPEST) {
      throw refused(place, "nested more than " + DEEPEST + " levels deep");
    }
    if (parser.isCurrentAlias() || parser.getObjectId() != null) {
      throw refused(place, "anchors and aliases are not followed (expected: the value itself)");
    }
    return switch (token) {
      case START_OBJECT -> mapping(place, depth);
      case START_ARRAY -> sequence(place, depth);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          new Scalar(place, parser.getString(), Scalar.Form.NUMBER);
      case VALUE_TRUE, VALUE_FALSE -> new Scalar(place, parser.getString(), Scalar.Form.BOOLEAN);
      case VALUE_NULL -> new Scalar(place, "", Scalar.Form.NOTHING);
      default -> new Scalar(place, parser.getString(), Scalar.Form.TEXT);
    };
  }

  private Mapping mapping(Place place, int depth) {
    List<Entry> entries = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      Place keyPlace = place();
      entries.add(new Entry(key, keyPlace, node(parser.nextToken(), depth + 1)));
    }
    return new Mapping(place, List.copyOf(entries));
  }

  private Sequence sequence(Place place, int depth) {
    List<YamlNode> items = new ArrayList<>();
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      items.add(node(token, depth + 1));
      token = parser.nextToken();
    }
    return new Sequence(place, List.copyOf(items));
  }

  private Place place() {
    TokenStreamLocation where = parser.currentTokenLocation();
    return new Place(file, where.getLineNr(), where.getColumnNr());
  }

  private static ConfigurationException refused(Place place, String what) {
    return new ConfigurationException(List.of(place + ": " + what));
  }

  /**
   * The last place the message names. The location of the exception is where the last good token
   * began, which may be lines above what is wrong.
   */
  private static Place placeIn(String file, String message) {
    Place place = new Place(file, 1, 1);
    Matcher matcher = PLACE.matcher(message);
    while (matcher.find()) {
      place =
          new Place(file, Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }
    return place;
  }

  /** Without the places and the excerpts of the file that stand between the sentences. */
  private static String oneLine(String message) {
    return message
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith(" "))
        .collect(Collectors.joining(", "));
  }
}

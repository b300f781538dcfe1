package dev.leeway.cli.config;

import java.util.List;

/** A piece of a YAML file that remembers where it stands. */
sealed interface YamlNode {
  Place place();

  /** What a person would call it, for messages. */
  String kind();

  /** One value. {@code quoted} or numeric, the text is as written. */
  record Scalar(Place place, String text, Form form) implements YamlNode {
    enum Form {
      TEXT,
      NUMBER,
      BOOLEAN,
      NOTHING
    }

    @Override
    public String kind() {
      return switch (form) {
        case TEXT -> "the text '" + text + "'";
        case NUMBER -> "the number " + text;
        case BOOLEAN -> text;
        case NOTHING -> "nothing";
      };
    }
  }

  record Sequence(Place place, List<YamlNode> items) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  record Mapping(Place place, List<Entry> entries) implements YamlNode {
    @Override
    public String kind() {
      return "a group of keys";
    }
  }

  /** A key keeps its own place: an unknown key is wrong where it stands, not where its value is. */
  record Entry(String key, Place place, YamlNode value) {}
}

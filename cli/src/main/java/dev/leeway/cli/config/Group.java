package dev.leeway.cli.config;

import dev.leeway.annotation.DurationText;
import dev.leeway.cli.config.YamlNode.Entry;
import dev.leeway.cli.config.YamlNode.Mapping;
import dev.leeway.cli.config.YamlNode.Scalar;
import dev.leeway.cli.config.YamlNode.Scalar.Form;
import dev.leeway.cli.config.YamlNode.Sequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A group of keys in the file, read by name. What is wrong with a value is noted and answered with
 * nothing, so that reading goes on to the next one.
 */
final class Group {
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,9}");

  private final String path;
  private final Place place;
  private final Problems problems;
  private final Map<String, Entry> entries = new HashMap<>();

  /**
   * @param path where the group stands, as in {@link Key#path}; empty for the whole file
   */
  Group(String path, Mapping mapping, Problems problems) {
    this.path = path;
    this.place = mapping.place();
    this.problems = problems;
    List<String> known = Key.namesIn(path);
    for (Entry entry : mapping.entries()) {
      if (!known.contains(entry.key())) {
        problems.add(entry.place(), unknown(entry.key(), known));
        continue;
      }
      Entry earlier = entries.putIfAbsent(entry.key(), entry);
      if (earlier != null) {
        problems.add(
            entry.place(),
            "%s is given twice, first in line %d (expected: once)"
                .formatted(full(entry.key()), earlier.place().line()));
      }
    }
  }

  Place place() {
    return place;
  }

  Place placeOf(String name) {
    Entry entry = entries.get(name);
    return entry == null ? place : entry.value().place();
  }

  boolean has(String name) {
    return entries.containsKey(name);
  }

  Optional<String> text(String name) {
    Scalar scalar = scalar(name, "a text");
    if (scalar == null) {
      return Optional.empty();
    }
    if (scalar.text().isBlank()) {
      wrong(name, scalar, "a text that is not empty");
      return Optional.empty();
    }
    return Optional.of(scalar.text());
  }

  /** A text that may be empty, as a password may. */
  Optional<String> anyText(String name) {
    return Optional.ofNullable(scalar(name, "a text")).map(Scalar::text);
  }

  Optional<Duration> duration(String name) {
    Scalar scalar = scalar(name, "a duration such as 400ms, 5s or 2m");
    if (scalar == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(DurationText.parse(scalar.text()));
    } catch (IllegalArgumentException e) {
      problems.add(scalar.place(), full(name) + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  Optional<Integer> count(String name) {
    Scalar scalar = scalar(name, "a whole number");
    if (scalar == null) {
      return Optional.empty();
    }
    if (!WHOLE_NUMBER.matcher(scalar.text()).matches() || scalar.text().equals("0")) {
      wrong(name, scalar, "a whole number, 1 or more");
      return Optional.empty();
    }
    return Optional.of(Integer.parseInt(scalar.text()));
  }

  Optional<Boolean> yesNo(String name) {
    Scalar scalar = scalar(name, "true or false");
    if (scalar == null) {
      return Optional.empty();
    }
    if (scalar.form() != Form.BOOLEAN) {
      wrong(name, scalar, "true or false");
      return Optional.empty();
    }
    return Optional.of(Boolean.parseBoolean(scalar.text()));
  }

  Optional<String> choice(String name, List<String> allowed) {
    Scalar scalar = scalar(name, "one of " + String.join(", ", allowed));
    return scalar == null ? Optional.empty() : chosen(name, scalar, allowed);
  }

  Optional<List<String>> choices(String name, List<String> allowed) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return Optional.empty();
    }
    if (!(entry.value() instanceof Sequence sequence)) {
      wrong(name, entry.value(), "a list of " + String.join(", ", allowed));
      return Optional.empty();
    }
    List<String> chosen = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      if (item instanceof Scalar scalar) {
        chosen(name, scalar, allowed).ifPresent(chosen::add);
      } else {
        wrong(name, item, "one of " + String.join(", ", allowed));
      }
    }
    return Optional.of(List.copyOf(chosen));
  }

  Optional<Group> group(String name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return Optional.empty();
    }
    if (!(entry.value() instanceof Mapping mapping)) {
      wrong(name, entry.value(), keysExpected(full(name)));
      return Optional.empty();
    }
    return Optional.of(new Group(full(name), mapping, problems));
  }

  List<Group> groups(String name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return List.of();
    }
    String itemPath = full(name) + "[]";
    if (!(entry.value() instanceof Sequence sequence)) {
      wrong(name, entry.value(), "a list, each item with " + keysExpected(itemPath));
      return List.of();
    }
    List<Group> groups = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      if (item instanceof Mapping mapping) {
        groups.add(new Group(itemPath, mapping, problems));
      } else {
        wrong(name, item, keysExpected(itemPath));
      }
    }
    return groups;
  }

  /** The value, or a note that it is missing. A value that is there but wrong was noted before. */
  <T> @Nullable T required(String name, Optional<T> value) {
    if (value.isEmpty() && !has(name)) {
      problems.add(
          place,
          full(name) + " is missing (" + Key.at(full(name)).meaning().replace("`", "") + ")");
    }
    return value.orElse(null);
  }

  void problem(String name, String what) {
    problems.add(placeOf(name), full(name) + ": " + what);
  }

  private Optional<String> chosen(String name, Scalar scalar, List<String> allowed) {
    if (allowed.contains(scalar.text())) {
      return Optional.of(scalar.text());
    }
    String meant =
        Nearest.to(scalar.text(), allowed).map(word -> "; did you mean " + word + "?").orElse("");
    wrong(name, scalar, "one of " + String.join(", ", allowed) + meant);
    return Optional.empty();
  }

  private @Nullable Scalar scalar(String name, String expected) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return null;
    }
    YamlNode value = entry.value();
    if (value instanceof Scalar scalar && scalar.form() != Form.NOTHING) {
      return scalar;
    }
    wrong(name, value, expected);
    return null;
  }

  private void wrong(String name, YamlNode value, String expected) {
    problems.add(
        value.place(), full(name) + " is " + value.kind() + " (expected: " + expected + ")");
  }

  private String unknown(String key, List<String> known) {
    String meant =
        Nearest.to(key, known)
            .map(name -> "did you mean " + name + "?")
            .orElseGet(() -> "expected: " + String.join(", ", known));
    return "unknown key " + full(key) + " (" + meant + ")";
  }

  private String full(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String keysExpected(String path) {
    return "the keys " + String.join(", ", Key.namesIn(path));
  }
}

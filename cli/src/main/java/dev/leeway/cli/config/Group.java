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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A group of keys in the file, read by name. What is wrong with a value is noted and answered with
 * nothing, so that reading goes on to the next one.
 */
final class Group {
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,9}");

  private final String path;
  private final String shown;
  private final Place place;
  private final Problems problems;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Set<String> misspelt = new HashSet<>();
  private final Set<String> refused = new HashSet<>();

  /**
   * @param path where the group stands, as in {@link Key#path}; empty for the whole file
   * @param shown the same for messages: it tells which item of a list the group is
   */
  Group(String path, String shown, Mapping mapping, Problems problems) {
    this.path = path;
    this.shown = shown;
    this.place = mapping.place();
    this.problems = problems;
    List<String> known = Key.namesIn(path);
    for (Entry entry : mapping.entries()) {
      if (!known.contains(entry.key())) {
        problems.add(entry.place(), unknown(entry.key(), known));
        Nearest.to(entry.key(), known).ifPresent(misspelt::add);
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

  /** Whether the key was read and its value found wrong; what follows from it is then not told. */
  boolean isRefused(String name) {
    return refused.contains(name);
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
      Duration value = DurationText.parse(scalar.text());
      Key.Range range = key(name).range();
      return range == null || range.holds(value) ? Optional.of(value) : outOf(range, name, scalar);
    } catch (IllegalArgumentException e) {
      problem(name, String.valueOf(e.getMessage()));
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
    int value = Integer.parseInt(scalar.text());
    Key.Range range = key(name).range();
    return range == null || range.holds(value) ? Optional.of(value) : outOf(range, name, scalar);
  }

  private <T> Optional<T> outOf(Key.Range range, String name, Scalar scalar) {
    problem(name, scalar.text() + " (expected: " + range + ")");
    return Optional.empty();
  }

  /** A value as the file has it, or its default as one would write it there. */
  String written(String name) {
    Entry entry = entries.get(name);
    return entry != null && entry.value() instanceof Scalar scalar
        ? scalar.text()
        : key(name).defaultText();
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
      wrong(name, entry.value(), keysExpected(key(name).path()));
      return Optional.empty();
    }
    return Optional.of(new Group(key(name).path(), full(name), mapping, problems));
  }

  /** As {@link #group}; one without keys where there is none. */
  Group groupOrEmpty(String name) {
    return group(name)
        .orElseGet(
            () -> new Group(key(name).path(), full(name), new Mapping(place, List.of()), problems));
  }

  List<Group> groups(String name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return List.of();
    }
    String itemPath = key(name).path() + "[]";
    if (!(entry.value() instanceof Sequence sequence)) {
      wrong(name, entry.value(), "a list, each item with " + keysExpected(itemPath));
      return List.of();
    }
    List<Group> groups = new ArrayList<>();
    int number = 0;
    for (YamlNode item : sequence.items()) {
      number++;
      String numbered = name + "[" + number + "]";
      if (item instanceof Mapping mapping) {
        groups.add(new Group(itemPath, full(numbered), mapping, problems));
      } else {
        wrong(numbered, item, keysExpected(itemPath));
      }
    }
    return groups;
  }

  /**
   * The value, or a note that it is missing. A value that is there but wrong was noted before, and
   * so was a key that is this one misspelt.
   */
  <T> @Nullable T required(String name, Optional<T> value) {
    if (value.isEmpty() && !has(name) && !misspelt.contains(name)) {
      problems.add(
          place, full(name) + " is missing (" + key(name).meaning().replace("`", "") + ")");
    }
    return value.orElse(null);
  }

  void problem(String name, String what) {
    refused.add(name);
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
    refused.add(name);
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
    return shown.isEmpty() ? name : shown + "." + name;
  }

  private Key key(String name) {
    return Key.at(path.isEmpty() ? name : path + "." + name);
  }

  private static String keysExpected(String path) {
    return "the keys " + String.join(", ", Key.namesIn(path));
  }
}

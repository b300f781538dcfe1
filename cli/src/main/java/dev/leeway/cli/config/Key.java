package dev.leeway.cli.config;

import dev.leeway.annotation.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One key of a topology file: the only place that knows its name, its type and its default.
 *
 * @param path where it stands, such as {@code settings.pollInterval}; {@code []} marks a list
 * @param defaultText the default as one would write it in the file, {@link #REQUIRED} where leaving
 *     it out is an error, or words in parentheses where the default depends on another key
 * @param range what a value must lie between; null if that is not a matter of this key alone
 * @param meaning a sentence for the documentation
 */
public record Key(
    String path, Type type, String defaultText, @Nullable Range range, String meaning) {
  Key(String path, Type type, String defaultText, String meaning) {
    this(path, type, defaultText, null, meaning);
  }

  /**
   * The least and the most a value may be, both as one would write them in the file. The gate and
   * the router refuse the same; here it is told with the place in the file and in its notation.
   */
  public record Range(String least, String most) {
    static final Range POLLING = new Range("10ms", "30s");

    /** Whether this duration lies within. */
    boolean holds(Duration value) {
      return value.compareTo(DurationText.parse(least)) >= 0
          && value.compareTo(DurationText.parse(most)) <= 0;
    }

    /** Whether this number lies within. */
    boolean holds(int value) {
      return value >= Integer.parseInt(least) && value <= Integer.parseInt(most);
    }

    @Override
    public String toString() {
      return least + " to " + most;
    }
  }

  /** The type as the documentation calls it, with its range. */
  public String typeWords() {
    return range == null ? type.words() : type.words() + ", " + range;
  }

  /** What a value may be. */
  public enum Type {
    TEXT("text"),
    DURATION("duration"),
    COUNT("whole number"),
    YES_NO("true or false"),
    CHOICE("one word of a few"),
    CHOICES("list of words"),
    GROUP("group of keys"),
    LIST("list of groups");

    private final String words;

    Type(String words) {
      this.words = words;
    }

    /** As the documentation calls it. */
    public String words() {
      return words;
    }
  }

  public static final String REQUIRED = "(required)";

  /** Every key there is, in the order the documentation lists them. */
  public static final List<Key> ALL =
      List.of(
          new Key(
              "cluster",
              Type.TEXT,
              REQUIRED,
              "The name positions are bound to; the same as in the application."),
          new Key("primary", Type.GROUP, REQUIRED, "The server that takes writes."),
          new Key("primary.name", Type.TEXT, "primary", "What tables and messages call it."),
          new Key(
              "primary.url", Type.TEXT, REQUIRED, "JDBC address, starting with `jdbc:mysql://`."),
          new Key("primary.user", Type.TEXT, REQUIRED, "Account to log in with."),
          new Key("primary.password", Type.TEXT, "(empty)", "Its password, in the file itself."),
          new Key(
              "primary.passwordEnv",
              Type.TEXT,
              "(none)",
              "Environment variable that holds the password."),
          new Key(
              "primary.passwordFile",
              Type.TEXT,
              "(none)",
              "File whose first line is the password; relative to the topology file."),
          new Key("replicas", Type.LIST, "(none)", "The servers that follow the primary."),
          new Key(
              "replicas[].name",
              Type.TEXT,
              "(replica-1, replica-2, …)",
              "What tables and messages call it; unique."),
          new Key("replicas[].url", Type.TEXT, REQUIRED, "As for the primary."),
          new Key("replicas[].user", Type.TEXT, "(the primary's user)", "Account to log in with."),
          new Key(
              "replicas[].password", Type.TEXT, "(the primary's password)", "As for the primary."),
          new Key("replicas[].passwordEnv", Type.TEXT, "(none)", "As for the primary."),
          new Key("replicas[].passwordFile", Type.TEXT, "(none)", "As for the primary."),
          new Key("settings", Type.GROUP, "(none)", "How servers are watched and judged."),
          new Key(
              "settings.pollInterval",
              Type.DURATION,
              "100ms",
              Range.POLLING,
              "Time between two polls of a server."),
          new Key(
              "settings.pollTimeout",
              Type.DURATION,
              "1s",
              Range.POLLING,
              "A server that has not answered a poll for this long is unreachable."),
          new Key(
              "settings.ejectAbove",
              Type.DURATION,
              "10s",
              new Range("10ms", "7d"),
              "A replica staler than this serves nothing."),
          new Key(
              "settings.readmitBelow",
              Type.DURATION,
              "(half of ejectAbove)",
              "An ejected replica comes back below this; from two poll intervals to ejectAbove."),
          new Key(
              "settings.readmitAfter",
              Type.COUNT,
              "3",
              new Range("1", "10000"),
              "Polls in a row below readmitBelow before it comes back."),
          new Key(
              "settings.catchUp",
              Type.DURATION,
              "50ms",
              new Range("0s", "1h"),
              "How long a read waits for a replica to reach what its caller wrote, before it goes to"
                  + " the primary."),
          new Key(
              "settings.takeOverAfter",
              Type.DURATION,
              "3s",
              new Range("0s", "7d"),
              "How long the primary must be unreachable before a promoted server is believed."),
          new Key(
              "settings.refuse",
              Type.CHOICES,
              "[DETACHED, UUID_CHANGED, ERRANT_TRANSACTIONS]",
              "Findings that keep a replica from serving."),
          new Key("settings.heartbeat", Type.GROUP, "(none)", "The row that carries the time."),
          new Key(
              "settings.heartbeat.kind",
              Type.CHOICE,
              "none",
              "`none` (positions alone tell the staleness), `leeway`, or `pt-heartbeat`."),
          new Key(
              "settings.heartbeat.schema",
              Type.TEXT,
              "leeway",
              "Schema of the table `heartbeat`; for kind `leeway`."),
          new Key(
              "settings.heartbeat.table",
              Type.TEXT,
              "percona.heartbeat",
              "Schema and table; for kind `pt-heartbeat`."),
          new Key(
              "settings.heartbeat.zone",
              Type.TEXT,
              "UTC",
              "Time zone its times are in; for kind `pt-heartbeat`."),
          new Key(
              "settings.heartbeat.interval",
              Type.DURATION,
              "250ms",
              Range.POLLING,
              "How often the row is written."),
          new Key(
              "settings.heartbeat.write",
              Type.YES_NO,
              "false",
              "Whether the command may become the writer of the row; for kind `leeway`."),
          new Key(
              "settings.heartbeat.create",
              Type.YES_NO,
              "false",
              "Whether a writer may create the schema and the table; for kind `leeway`."),
          new Key("drill", Type.GROUP, "(none)", "For `leeway drill`."),
          new Key(
              "drill.schema",
              Type.TEXT,
              "(none)",
              "Schema in which a drill makes its table, and drops it afterwards."));

  boolean required() {
    return defaultText.equals(REQUIRED);
  }

  /** The last part of the path. */
  String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  static Key at(String path) {
    return find(path).orElseThrow(() -> new IllegalArgumentException("no key is called " + path));
  }

  static Optional<Key> find(String path) {
    return ALL.stream().filter(key -> key.path.equals(path)).findFirst();
  }

  /** Names that may stand in the group at {@code path}; the empty path is the whole file. */
  static List<String> namesIn(String path) {
    String prefix = path.isEmpty() ? "" : path + ".";
    return ALL.stream().filter(key -> key.path.equals(prefix + key.name())).map(Key::name).toList();
  }
}

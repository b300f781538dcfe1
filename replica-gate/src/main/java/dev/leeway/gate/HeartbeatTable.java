package dev.leeway.gate;

import java.time.ZoneId;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the heartbeat is read, if anywhere. Immutable. */
public final class HeartbeatTable {
  /** Whose table it is, which decides how its rows are read. */
  enum Kind {
    LEEWAY,
    PT_HEARTBEAT,
    NONE
  }

  private static final Pattern IDENTIFIER = Pattern.compile("[0-9A-Za-z_$]{1,64}");

  private final Kind kind;
  private final String schema;
  private final String table;
  private final @Nullable ZoneId zone;

  private HeartbeatTable(Kind kind, String schema, String table, @Nullable ZoneId zone) {
    this.kind = kind;
    this.schema = schema;
    this.table = table;
    this.zone = zone;
  }

  /**
   * Leeway's own table, named {@code heartbeat}, in the schema of this name.
   *
   * @throws IllegalArgumentException if the name is not 1 to 64 letters, digits, {@code _} or
   *     {@code $}
   */
  public static HeartbeatTable leeway(String schema) {
    return new HeartbeatTable(Kind.LEEWAY, identifier(schema, schema), "heartbeat", null);
  }

  /**
   * A table that pt-heartbeat writes. Leeway only reads it: the row of the primary's {@code
   * server_id}.
   *
   * @param qualifiedName schema and table, such as {@code percona.heartbeat}
   * @param zone {@code ZoneOffset.UTC} if pt-heartbeat runs with {@code --utc}, otherwise the time
   *     zone of the machine it runs on
   * @throws IllegalArgumentException if the name is not of that form
   */
  public static HeartbeatTable ptHeartbeat(String qualifiedName, ZoneId zone) {
    Objects.requireNonNull(zone, "zone");
    int dot = qualifiedName.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException(
          "Heartbeat table '"
              + Excerpt.of(qualifiedName)
              + "' (expected: schema and table, such as percona.heartbeat)");
    }
    return new HeartbeatTable(
        Kind.PT_HEARTBEAT,
        identifier(qualifiedName.substring(0, dot), qualifiedName),
        identifier(qualifiedName.substring(dot + 1), qualifiedName),
        zone);
  }

  /** No heartbeat at all: staleness is measured by positions alone. */
  public static HeartbeatTable none() {
    return new HeartbeatTable(Kind.NONE, "", "", null);
  }

  Kind kind() {
    return kind;
  }

  /** The table's name for messages and locks. */
  String name() {
    return schema + "." + table;
  }

  /** The table's name for statements. */
  String quotedName() {
    return "`" + schema + "`.`" + table + "`";
  }

  String quotedSchema() {
    return "`" + schema + "`";
  }

  /** In which zone the table's texts are; only for pt-heartbeat's. */
  ZoneId zone() {
    return Objects.requireNonNull(zone, "only pt-heartbeat's table has a zone");
  }

  @Override
  public String toString() {
    return switch (kind) {
      case LEEWAY -> name();
      case PT_HEARTBEAT -> name() + " (pt-heartbeat, " + zone + ")";
      case NONE -> "none";
    };
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof HeartbeatTable other
        && kind == other.kind
        && schema.equals(other.schema)
        && table.equals(other.table)
        && Objects.equals(zone, other.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, schema, table, zone);
  }

  private static String identifier(String part, String whole) {
    if (!IDENTIFIER.matcher(part).matches()) {
      throw new IllegalArgumentException(
          "Heartbeat table '"
              + Excerpt.of(whole)
              + "' (expected: names of 1 to 64 letters, digits, _ or $)");
    }
    return part;
  }
}

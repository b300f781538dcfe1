package dev.leeway.queue;

import dev.leeway.gate.WritePosition;
import dev.leeway.routing.AfterCommit;
import dev.leeway.routing.Leeway;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * Writes jobs into a table, in the transaction they are about: they are committed with it or not at
 * all. An {@link OutboxRelay} takes them to the broker, at least once each.
 *
 * <p>Safe for any number of threads.
 */
public final class Outbox {
  /** The largest payload, in bytes. */
  public static final int MAX_PAYLOAD = 1 << 20;

  private static final Pattern TABLE = Pattern.compile("\\w{1,64}(\\.\\w{1,64})?");

  private final Leeway leeway;
  private final String table;
  private final Clock clock = Clock.systemUTC();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  private Outbox(Leeway leeway, String table) {
    this.leeway = Objects.requireNonNull(leeway, "leeway");
    this.table = table;
  }

  /**
   * An outbox in a table of the cluster's primary.
   *
   * @param table {@code name} or {@code schema.name}, of letters, digits and underscores
   */
  public static Outbox in(Leeway leeway, String table) {
    if (!TABLE.matcher(table).matches()) {
      throw new IllegalArgumentException(
          leeway.name()
              + " outbox - table '"
              + table
              + "' (expected: name or schema.name, of letters, digits and underscores)");
    }
    return new Outbox(leeway, table);
  }

  /** The statement that makes the table. */
  public String definition() {
    return "CREATE TABLE IF NOT EXISTS "
        + table
        + " (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
        + " job_id CHAR(36) CHARACTER SET ascii NOT NULL,"
        + " job_type VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,"
        + " job_key VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,"
        + " payload MEDIUMBLOB NOT NULL,"
        + " consistency VARCHAR(128) CHARACTER SET ascii NOT NULL,"
        + " dispatched_at BIGINT NOT NULL COMMENT 'milliseconds since 1970, UTC',"
        + " refusals INT NOT NULL DEFAULT 0 COMMENT 'how often the broker refused it',"
        + " problem VARCHAR(500) CHARACTER SET utf8mb4 NULL COMMENT 'why it is not sent any more')";
  }

  /**
   * Makes the table if it is missing. Needs CREATE on its schema, and commits what is open on the
   * connection.
   */
  public void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(definition());
    }
  }

  /**
   * Writes a job, to be sent after the commit of what is open on this connection.
   *
   * @param transaction a connection of {@link Leeway#dataSource} that is in a transaction
   * @return the job's id, which every copy of the job carries
   * @throws IllegalArgumentException if the payload is too large
   */
  public String send(Connection transaction, Job job) throws SQLException {
    if (job.payload().length > MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          leeway.name()
              + " outbox - "
              + job
              + " (expected: at most "
              + MAX_PAYLOAD
              + " bytes). Send a reference to the data instead.");
    }
    String id = UUID.randomUUID().toString();
    try (PreparedStatement statement =
        transaction.prepareStatement(
            "INSERT INTO "
                + table
                + " (job_id, job_type, job_key, payload, consistency, dispatched_at)"
                + " VALUES (?, ?, ?, ?, ?, ?)")) {
      statement.setString(1, id);
      statement.setString(2, job.type());
      statement.setString(3, job.key());
      statement.setBytes(4, job.payload());
      statement.setString(5, JobEnvelope.header(job.consistency(), 0, 0, 0));
      statement.setLong(6, clock.millis());
      statement.executeUpdate();
    }
    if (!listeners.isEmpty()) {
      leeway.afterCommit(
          new AfterCommit() {
            @Override
            public void committed(WritePosition position) {
              listeners.forEach(Runnable::run);
            }
          });
    }
    return id;
  }

  Leeway leeway() {
    return leeway;
  }

  String table() {
    return table;
  }

  /** Who is told, in this process, that a job was committed. */
  void addListener(Runnable listener) {
    listeners.add(listener);
  }

  void removeListener(Runnable listener) {
    listeners.remove(listener);
  }
}

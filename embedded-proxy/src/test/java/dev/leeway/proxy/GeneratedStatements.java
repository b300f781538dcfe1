package dev.leeway.proxy;

import dev.leeway.proxy.Differential.Step;
import java.util.List;
import java.util.Random;

/**
 * Statements of one session, drawn at random, whose outcome depends on all that came before:
 * transactions, variables, temporary tables, settings, prepared statements, and what the last
 * statement left behind.
 */
final class GeneratedStatements {
  private final Random random;

  GeneratedStatements(Random random) {
    this.random = random;
  }

  static List<String> setUp() {
    return List.of(
        "CREATE TABLE a (id INT PRIMARY KEY AUTO_INCREMENT, k INT, v VARCHAR(30))",
        "CREATE TABLE b (id INT PRIMARY KEY, k INT)",
        "INSERT INTO a (k, v) VALUES (1, 'one'), (2, 'two'), (3, 'three')",
        "INSERT INTO b VALUES (1, 10), (2, 20)");
  }

  Step next() {
    int k = random.nextInt(8);
    String word = "w" + random.nextInt(50);
    return switch (random.nextInt(40)) {
      case 0, 1, 2 -> Differential.text("SELECT id, k, v FROM a WHERE k = " + k + " ORDER BY id");
      case 3 -> Differential.text("SELECT COUNT(*), SUM(k) FROM a");
      case 4 -> Differential.prepared("SELECT v FROM a WHERE k >= ? ORDER BY id LIMIT 3", k);
      case 5, 6 -> Differential.text("INSERT INTO a (k, v) VALUES (" + k + ", '" + word + "')");
      case 7 -> Differential.prepared("INSERT INTO a (k, v) VALUES (?, ?)", k, word);
      case 8 -> Differential.text("UPDATE a SET v = '" + word + "' WHERE k = " + k);
      case 9 -> Differential.text("DELETE FROM a WHERE k = " + k + " ORDER BY id LIMIT 1");
      case 10 -> Differential.text("SELECT LAST_INSERT_ID()");
      case 11 -> Differential.text("SELECT ROW_COUNT()");
      case 12 -> Differential.text("SELECT SQL_CALC_FOUND_ROWS id FROM a ORDER BY id LIMIT 2");
      case 13 -> Differential.text("SELECT FOUND_ROWS()");
      case 14 -> Differential.text("START TRANSACTION");
      case 15 -> Differential.text("COMMIT");
      case 16 -> Differential.text("ROLLBACK");
      case 17 -> Differential.text("SAVEPOINT s" + k % 2);
      case 18 -> Differential.text("ROLLBACK TO s" + k % 2);
      case 19 -> Differential.text("SET autocommit = " + k % 2);
      case 20 -> Differential.text("SET @v" + k % 3 + " = " + k);
      case 21 -> Differential.text("SELECT @v0, @v1, @v2");
      case 22 ->
          Differential.text(
              "CREATE TEMPORARY TABLE IF NOT EXISTS tmp" + k % 2 + " (n INT, s VARCHAR(20))");
      case 23 -> Differential.text("INSERT INTO tmp" + k % 2 + " VALUES (" + k + ", 't')");
      case 24 -> Differential.text("SELECT COUNT(*) FROM tmp" + k % 2);
      case 25 -> Differential.text("DROP TEMPORARY TABLE IF EXISTS tmp" + k % 2);
      case 26 ->
          Differential.text("SET sql_mode = " + (k % 2 == 0 ? "'STRICT_TRANS_TABLES'" : "'ANSI'"));
      case 27 -> Differential.text("SELECT @@sql_mode, @@autocommit, @@sort_buffer_size");
      case 28 -> Differential.text("SET sort_buffer_size = " + (300_000 + k));
      case 29 -> Differential.text("SELECT 'a' || 'b', \"a\"");
      case 30 -> Differential.text("SHOW WARNINGS");
      case 31 -> Differential.text("SELECT CAST('" + word + "' AS SIGNED)");
      case 32 -> Differential.text("SELECT * FROM missing" + k);
      case 33 -> Differential.text("INSERT INTO b VALUES (" + k + ", 1)");
      case 34 -> Differential.text("SELECT GET_LOCK('lw_g" + k % 2 + "', 0)");
      case 35 -> Differential.text("SELECT RELEASE_LOCK('lw_g" + k % 2 + "')");
      case 36 -> Differential.text("SELECT 1; UPDATE b SET k = k + 1; SELECT k FROM b ORDER BY id");
      case 37 -> Differential.text("SELECT a.v, b.k FROM a JOIN b USING (k) ORDER BY a.id, b.id");
      case 38 -> Differential.text("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
      default -> Differential.text("SELECT @@warning_count, @@error_count, DATABASE()");
    };
  }
}

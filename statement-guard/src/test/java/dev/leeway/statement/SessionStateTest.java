package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D05: values that live in one server session. */
class SessionStateTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        // D05
        "SELECT LAST_INSERT_ID() AS id",
        "select last_insert_id()+0",
        "SELECT @@identity",
        "SELECT @@last_insert_id",
        "SELECT status FROM orders WHERE id=LAST_INSERT_ID()",
        "SELECT @x",
        "SELECT @n + 1",
        "SELECT @c",
        // More of the kind
        "SELECT LAST_INSERT_ID ( )",
        "SELECT LAST_INSERT_ID/**/()",
        "SELECT (SELECT MAX(LAST_INSERT_ID()))",
        "SELECT * FROM orders WHERE id IN (1, last_insert_id())",
        "SELECT @`x y`, @'x', @\"x\", @x.y$z",
        "SELECT * FROM orders WHERE id = @x",
        "SELECT * FROM orders LIMIT 1 OFFSET 2 UNION SELECT @x, 1, 2",
        "SELECT @@session.identity",
        "SELECT @@local.last_insert_id",
        "SELECT @@`identity`",
        "SELECT @@insert_id",
        "SELECT @@autocommit",
        "SELECT @@warning_count, @@error_count",
        "SELECT @@transaction_isolation",
        "SELECT @@SESSION.transaction_read_only",
        "SELECT @@time_zone",
        "SELECT @@sql_mode",
        "SELECT @@character_set_results",
        "SELECT @@rand_seed1",
        "SELECT @@some_new_variable",
        "SELECT FOUND_ROWS()",
        "SELECT ROW_COUNT()",
        "SELECT CONNECTION_ID()",
        "SELECT CURRENT_ROLE()",
        "SELECT PS_CURRENT_THREAD_ID()",
        "SHOW WARNINGS",
        "SHOW ERRORS LIMIT 1",
        "SHOW COUNT(*) WARNINGS",
        "SHOW VARIABLES LIKE 'autocommit'",
        "SHOW SESSION STATUS",
        "SHOW STATUS",
        "SHOW LOCAL VARIABLES",
        "SHOW GRANTS",
        "SHOW PROFILES",
        "SELECT * FROM performance_schema.session_variables",
      })
  void whatOnlyThisSessionKnowsIsReadInThisSession(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.SESSION_READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // D05
        "SET @x := 42",
        "SELECT @n := 5",
        "SELECT COUNT(*) INTO @c FROM orders",
        // More of the kind
        "SET @x = 1, @y = 2",
        "SET @`x` = 1",
        "SET @x = next_no()",
        "SET SESSION sql_mode = '', @x = 1",
        "SET time_zone = @tz",
        "SET SESSION sql_mode = (SELECT CONCAT(@@sql_mode, ',ANSI'))",
        "SET insert_id = 5",
        "SET last_insert_id = 5",
        "SET @@session.identity = 5",
        "SET gtid_next = 'AUTOMATIC'",
        "SET sql_log_bin = 0",
        "SET RESOURCE GROUP g",
        "SELECT @a:=@b+1 FROM orders",
        "SELECT * FROM orders WHERE (@i := @i + 1) < 5",
        "SELECT id INTO @x FROM orders LIMIT 1",
        "SELECT id FROM orders LIMIT 1 INTO @x",
        "SELECT 1, 2 INTO @`x`, @y",
        "TABLE orders INTO @a, @b, @c",
        "SELECT GET_LOCK('a', 1)",
        "SELECT RELEASE_LOCK('a'), 1",
        "SELECT RELEASE_ALL_LOCKS()",
        "SELECT COALESCE(GET_LOCK('a', 1), 0) FROM DUAL",
        "SELECT LAST_INSERT_ID(5)",
        "SELECT LAST_INSERT_ID(id) FROM orders",
        "SELECT SQL_CALC_FOUND_ROWS * FROM orders LIMIT 1",
        "UPDATE orders SET status = 'x' WHERE (@id := id) = 1",
        "DO RELEASE_LOCK('a')",
        "DO @x := 1",
        "DO LAST_INSERT_ID(1)",
      })
  void whatStaysBehindOnTheConnectionChangesTheSession(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.SESSION_CHANGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET time_zone = '+05:30'",
        "SET SESSION sql_mode=''",
        "SET NAMES latin1",
        "SET NAMES 'utf8mb4' COLLATE 'utf8mb4_bin'",
        "SET CHARACTER SET utf8",
        "SET CHARSET utf8",
        "SET SESSION transaction_isolation='READ-COMMITTED'",
        "SET @@session.time_zone = '+00:00', @@sql_mode = DEFAULT",
        "SET LOCAL wait_timeout := 5",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY",
        "SET TRANSACTION READ ONLY",
        "SET ROLE ALL",
        "SET names utf8, time_zone = 'SYSTEM'",
        "USE `lw`",
      })
  void whatTheSameTextGivesAnotherConnectionIsASetting(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.SESSION_SETTING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET GLOBAL max_connections = 5",
        "SET @@global.max_connections = 5",
        "SET PERSIST max_connections = 5",
        "SET @@persist_only.max_connections = 5",
        "SET GLOBAL TRANSACTION READ ONLY",
      })
  void settingsOfTheServerAreWrites(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.WRITE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM whoami",
        "SELECT @@server_uuid",
        "SELECT @@hostname, @@port, @@server_id, @@version",
        "SELECT @@SERVER_UUID AS served_by, COUNT(*) FROM orders",
        "SELECT @@global.read_only, @@GLOBAL.super_read_only",
        "SELECT @@global.gtid_executed",
        "SELECT @@gtid_executed",
        "SELECT @@global.autocommit, @@global . autocommit, @@global./**/autocommit",
        "SELECT VERSION(), DATABASE(), SCHEMA(), USER(), CURRENT_USER(), CURRENT_USER",
        "SELECT 'a@b', `@x`, \"@@identity\"",
        "SELECT last_insert_id, identity, found_rows FROM orders",
        "SELECT o.last_insert_id FROM orders o",
      })
  void factsOfTheAnsweringServerAndNamesArePlain(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.PLAIN_READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO idem VALUES ('x', LAST_INSERT_ID())",
        "UPDATE seq SET id = LAST_INSERT_ID(id + 1)",
        "INSERT INTO t VALUES (@x)",
      })
  void aWriteThatReadsTheSessionIsAWrite(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.WRITE);
  }
}

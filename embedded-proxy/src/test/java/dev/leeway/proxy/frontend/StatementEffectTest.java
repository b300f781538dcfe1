package dev.leeway.proxy.frontend;

import static dev.leeway.proxy.frontend.StatementEffect.NOTHING;
import static dev.leeway.proxy.frontend.StatementEffect.PIN;
import static dev.leeway.proxy.frontend.StatementEffect.QUESTION;
import static dev.leeway.proxy.frontend.StatementEffect.SCHEMA;
import static dev.leeway.proxy.frontend.StatementEffect.SETTING;
import static dev.leeway.proxy.frontend.StatementEffect.TRACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.statement.StatementGuard;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementEffectTest {
  private final StatementGuard guard = StatementGuard.create();

  private StatementEffect effect(String sql) {
    return StatementEffect.of(guard.analyze(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t WHERE id = 1",
        "SELECT row_count FROM statistics",
        "SELECT @@session.sql_mode, @@time_zone",
        "SELECT DATABASE()",
        "SHOW TABLES"
      })
  void aReadLeavesNothing(String sql) {
    assertThat(effect(sql)).isEqualTo(NOTHING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW WARNINGS",
        "SHOW COUNT(*) WARNINGS",
        "SHOW ERRORS LIMIT 1",
        "SELECT ROW_COUNT ()",
        "SELECT FOUND_ROWS()",
        "SELECT @@warning_count",
        "SELECT @@session.error_count"
      })
  void aQuestionAboutTheLastStatementIsOne(String sql) {
    assertThat(effect(sql)).isEqualTo(QUESTION);
    assertThat(StatementEffect.asksAboutLast(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t VALUES (1, 'a@b.example')",
        "UPDATE t SET a = 1",
        "/* who */ DELETE FROM t",
        "REPLACE INTO t VALUES (1)",
        "SELECT a FROM t FOR UPDATE",
        "CREATE TABLE t (id INT)",
        "TRUNCATE t",
        "START TRANSACTION",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT s"
      })
  void aWriteLeavesATrace(String sql) {
    assertThat(effect(sql)).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET sort_buffer_size = 300000",
        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
        "SET character_set_results = NULL",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SET @@session.time_zone = '+01:00', @@sql_safe_updates = 1",
        "SET sql_mode = 'STRICT_TRANS_TABLES'",
        "SET autocommit = 0"
      })
  void whatIsWrittenOutCanBeSetAgain(String sql) {
    assertThat(effect(sql)).isEqualTo(SETTING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SET @@transaction_isolation = 'READ-COMMITTED'",
        "SET NAMES gbk",
        "SET character_set_client = sjis",
        "SET sql_mode = 'ANSI_QUOTES'",
        "SET sql_mode = 4",
        "SET sql_mode = CONCAT(@@sql_mode, ',ANSI')",
        "SET sort_buffer_size = @@global.sort_buffer_size",
        "SET timestamp = 5",
        "SET resultset_metadata = NONE",
        "SET @a = 1",
        "SELECT @a := 5",
        "UPDATE t SET a = (@x := 5)",
        "SELECT 1 INTO @a",
        "LOAD DATA INFILE 'f' INTO TABLE t (@a, b)",
        "CREATE TEMPORARY TABLE t (id INT)",
        "DROP TEMPORARY TABLE t",
        "SELECT GET_LOCK('a', 1)",
        "LOCK TABLES t READ",
        "FLUSH TABLES WITH READ LOCK",
        "HANDLER t OPEN",
        "PREPARE s FROM 'SELECT 1'",
        "CALL p()",
        "SELECT my_function()",
        "SELECT LAST_INSERT_ID(5)",
        "UPDATE seq SET id = LAST_INSERT_ID(id + 1)",
        "SELECT CONNECTION_ID()",
        "SELECT SQL_CALC_FOUND_ROWS * FROM t LIMIT 1",
        "XA START 'x'",
        "SELECT 1; SELECT 2",
        "INSTALL PLUGIN p SONAME 'p.so'",
        "nonsense"
      })
  void whatNoOtherConnectionCanBeGivenPins(String sql) {
    assertThat(effect(sql)).isEqualTo(PIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"USE shop", "/* x */ use `shop`"})
  void theSchemaIsASettingOfItsOwn(String sql) {
    assertThat(effect(sql)).isEqualTo(SCHEMA);
  }
}

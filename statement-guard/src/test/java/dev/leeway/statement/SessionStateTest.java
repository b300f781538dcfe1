package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D05: values that live in one server session. */
class SessionStateTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#SESSION_READS")
  void whatOnlyThisSessionKnowsIsReadInThisSession(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.SESSION_READ);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#SESSION_CHANGES")
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
        "SET GLOBAL validate_password.policy = 'LOW'",
        "SET GLOBAL hot.key_buffer_size = 1",
        "SET @@persist_only.max_connections = 5",
        "SET GLOBAL TRANSACTION READ ONLY",
      })
  void settingsOfTheServerAreWrites(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.WRITE);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#FACTS_AND_NAMES")
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

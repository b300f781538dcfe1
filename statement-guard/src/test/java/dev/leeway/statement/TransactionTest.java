package dev.leeway.statement;

import static dev.leeway.statement.StatementKind.AUTOCOMMIT_OFF;
import static dev.leeway.statement.StatementKind.AUTOCOMMIT_ON;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases D01 and D06: how a transaction begins and ends in a text. */
class TransactionTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#AUTOCOMMIT_OFF")
  void autocommitIsSwitchedOff(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(AUTOCOMMIT_OFF);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET autocommit = ?",
        "SET autocommit = @x",
        "SET autocommit = 1 - 1",
        "SET autocommit = (SELECT 1)",
        "SET autocommit = DEFAULT"
      })
  void aValueThatTheTextDoesNotShowCountsAsOff(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(AUTOCOMMIT_OFF);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#AUTOCOMMIT_ON")
  void autocommitIsSwitchedOn(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(AUTOCOMMIT_ON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET GLOBAL autocommit = 0",
        "SET @@global.autocommit = 0",
        "SET @@global . autocommit = 0",
        // The scope counts until another one is named.
        "SET GLOBAL max_connections = 5, autocommit = 0",
        "SET PERSIST autocommit = 0",
      })
  void theServersDefaultIsNotTheSessions(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.WRITE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          TRANSACTION_START           | BEGIN
          TRANSACTION_START           | begin work
          TRANSACTION_START           | START TRANSACTION
          TRANSACTION_START           | START TRANSACTION WITH CONSISTENT SNAPSHOT
          TRANSACTION_START           | /* x */ BEGIN
          TRANSACTION_START           | START TRANSACTION READ WRITE
          TRANSACTION_START           | START/**/TRANSACTION WITH CONSISTENT SNAPSHOT, READ WRITE;
          TRANSACTION_START           | /*!50000 BEGIN */
          TRANSACTION_START           | XA START 'x'
          TRANSACTION_START           | XA BEGIN 'x'
          TRANSACTION_START_READ_ONLY | START TRANSACTION READ ONLY
          TRANSACTION_START_READ_ONLY | start transaction with consistent snapshot, read only
          TRANSACTION_START_READ_ONLY | START TRANSACTION READ ONLY, WITH CONSISTENT SNAPSHOT
          TRANSACTION_END             | COMMIT
          TRANSACTION_END             | commit work;
          TRANSACTION_END             | ROLLBACK
          TRANSACTION_END             | ROLLBACK WORK
          TRANSACTION_END             | COMMIT AND NO CHAIN
          TRANSACTION_END             | COMMIT AND NO CHAIN NO RELEASE
          TRANSACTION_END             | COMMIT RELEASE
          TRANSACTION_END             | XA COMMIT 'x' ONE PHASE
          TRANSACTION_END             | XA ROLLBACK 'x'
          TRANSACTION_CHAIN           | COMMIT AND CHAIN
          TRANSACTION_CHAIN           | ROLLBACK WORK AND CHAIN NO RELEASE
          WITHIN_TRANSACTION          | SAVEPOINT a
          WITHIN_TRANSACTION          | ROLLBACK TO a
          WITHIN_TRANSACTION          | ROLLBACK WORK TO SAVEPOINT a
          WITHIN_TRANSACTION          | RELEASE SAVEPOINT a
          WITHIN_TRANSACTION          | XA END 'x'
          WITHIN_TRANSACTION          | XA PREPARE 'x'
          UNKNOWN                     | BEGIN x
          UNKNOWN                     | START TRANSACTION READ
          UNKNOWN                     | START TRANSACTION ISOLATION LEVEL SERIALIZABLE
          UNKNOWN                     | COMMIT x
          UNKNOWN                     | COMMIT TO a
          UNKNOWN                     | RELEASE x
          UNKNOWN                     | BEGIN; SELECT 1; COMMIT
          UNKNOWN                     | SELECT 1; BEGIN
          UNKNOWN                     | COMMIT; SET autocommit = 0
          """)
  void transactionsBeginAndEnd(StatementKind kind, String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(kind);
  }
}

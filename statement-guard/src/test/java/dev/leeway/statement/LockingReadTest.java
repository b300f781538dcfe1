package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D02: locking reads, wherever the locking words hide, and what only looks like them. */
class LockingReadTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#LOCKING_READS")
  void wordsThatLockRowsMakeALockingRead(String sql) {
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.LOCKING_READ);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#LOOK_ALIKES_OF_LOCKING_READS")
  void wordsInNamesTextsAndCommentsLockNothing(String sql) {
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.PLAIN_READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM orders FOR",
        "SELECT * FROM orders FOR SYSTEM_TIME AS OF '2026-01-01'",
        "SELECT * FROM orders USE INDEX (PRIMARY) FOR JOIN",
        "SELECT NEXT VALUE FOR s",
        "SELECT TRIM(status FOR 2) FROM orders",
      })
  void aForThatMySqlDoesNotKnowIsUnknown(String sql) {
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.UNKNOWN);
  }
}

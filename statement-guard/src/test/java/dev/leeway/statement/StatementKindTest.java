package dev.leeway.statement;

import static dev.leeway.statement.StatementKind.AUTOCOMMIT_OFF;
import static dev.leeway.statement.StatementKind.AUTOCOMMIT_ON;
import static dev.leeway.statement.StatementKind.CALL;
import static dev.leeway.statement.StatementKind.COMMITTING_WRITE;
import static dev.leeway.statement.StatementKind.FUNCTION_CALL;
import static dev.leeway.statement.StatementKind.PLAIN_READ;
import static dev.leeway.statement.StatementKind.SESSION_CHANGE;
import static dev.leeway.statement.StatementKind.SESSION_SETTING;
import static dev.leeway.statement.StatementKind.TRANSACTION_CHAIN;
import static dev.leeway.statement.StatementKind.TRANSACTION_END;
import static dev.leeway.statement.StatementKind.TRANSACTION_START;
import static dev.leeway.statement.StatementKind.TRANSACTION_START_READ_ONLY;
import static dev.leeway.statement.StatementKind.UNKNOWN;
import static dev.leeway.statement.StatementKind.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a router may conclude from each kind. */
class StatementKindTest {
  @Test
  void onlyAPlainReadMayUseAReplica() {
    assertThat(kindsThat(StatementKind::mayUseReplica)).containsExactly(PLAIN_READ);
  }

  @Test
  void whatIsNotKnownToOnlyReadMayWrite() {
    assertThat(kindsThat(StatementKind::mayWrite))
        .containsExactlyInAnyOrder(
            FUNCTION_CALL, CALL, WRITE, COMMITTING_WRITE, SESSION_CHANGE, UNKNOWN);
  }

  @Test
  void whatOpensATransactionNowOrWithTheNextStatementStartsOne() {
    assertThat(kindsThat(StatementKind::startsTransaction))
        .containsExactlyInAnyOrder(
            TRANSACTION_START, TRANSACTION_START_READ_ONLY, TRANSACTION_CHAIN, AUTOCOMMIT_OFF);
  }

  @Test
  void onlyWhatCertainlyEndsATransactionEndsOne() {
    assertThat(kindsThat(StatementKind::endsTransaction))
        .containsExactlyInAnyOrder(
            TRANSACTION_START,
            TRANSACTION_START_READ_ONLY,
            TRANSACTION_END,
            TRANSACTION_CHAIN,
            COMMITTING_WRITE);
  }

  @Test
  void whatTheTextItselfSetsStaysOnTheConnection() {
    assertThat(kindsThat(StatementKind::leavesSessionState))
        .containsExactlyInAnyOrder(
            AUTOCOMMIT_OFF, AUTOCOMMIT_ON, SESSION_SETTING, SESSION_CHANGE, UNKNOWN);
  }

  private static EnumSet<StatementKind> kindsThat(Predicate<StatementKind> condition) {
    return Arrays.stream(StatementKind.values())
        .filter(condition)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(StatementKind.class)));
  }
}

package dev.leeway.routing.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void aLostConnectionIsToldByStateByCodeOrByType() {
    assertThat(Failures.isConnectionFailure(new SQLException("gone", "08S01"))).isTrue();
    assertThat(Failures.isConnectionFailure(new SQLException("killed", "70100", 1927))).isTrue();
    assertThat(Failures.isConnectionFailure(new SQLException("shutdown", "HY000", 1053))).isTrue();
    assertThat(Failures.isConnectionFailure(new SQLException("idle", "HY000", 4031))).isTrue();
    assertThat(Failures.isConnectionFailure(new SQLTransientConnectionException("pool"))).isTrue();
    assertThat(
            Failures.isConnectionFailure(
                new SQLException("wrapped", "HY000", 0, new SQLException("gone", "08003"))))
        .isTrue();
  }

  @Test
  void anAnswerIsNoLostConnection() {
    assertThat(Failures.isConnectionFailure(new SQLSyntaxErrorException("syntax", "42000", 1064)))
        .isFalse();
    assertThat(Failures.isConnectionFailure(new SQLException("interrupted", "70100", 1317)))
        .as("KILL QUERY is meant for the query, not for its connection")
        .isFalse();
  }

  @Test
  void aStatementThatRanOutOfItsTimeIsNoLostConnection() {
    assertThat(
            Failures.isConnectionFailure(
                new SQLTimeoutException("time", "08S01", 0, new SQLException("gone", "08S01"))))
        .isFalse();
  }

  @Test
  void aLoopOfCausesEnds() {
    SQLException one = new SQLException("one");
    SQLException two = new SQLException("two", one);
    one.initCause(two);

    assertThat(Failures.isConnectionFailure(one)).isFalse();
  }

  @Test
  void aReadOnlyServerIsToldFromOtherRefusals() {
    assertThat(
            Failures.isReadOnlyServer(
                new SQLException(
                    "The MySQL server is running with the --super-read-only option",
                    "HY000",
                    1290)))
        .isTrue();
    assertThat(Failures.isReadOnlyServer(new SQLException("mode", "HY000", 1836))).isTrue();
    assertThat(Failures.isReadOnlyServer(new SQLException("transaction", "25006", 1792))).isTrue();
    assertThat(
            Failures.isReadOnlyServer(
                new SQLException(
                    "The MySQL server is running with the --secure-file-priv option",
                    "HY000",
                    1290)))
        .isFalse();
  }
}

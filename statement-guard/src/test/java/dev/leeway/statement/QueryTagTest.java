package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D04: comments, hints and comments that are none. */
class QueryTagTest {
  private final StatementGuard guard = StatementGuard.create();

  static Stream<Arguments> tagged() {
    return Stream.of(
        // D04.1 to D04.9
        Arguments.of("/* app:web */ INSERT INTO orders(status) VALUES ('c1')", StatementKind.WRITE),
        Arguments.of("-- tag\nUPDATE orders SET status='c2' WHERE id=1", StatementKind.WRITE),
        Arguments.of("# tag\nDELETE FROM orders WHERE id=2", StatementKind.WRITE),
        Arguments.of("/* SELECT 1 */ DELETE FROM orders WHERE id=3", StatementKind.WRITE),
        Arguments.of("/*!50000 UPDATE orders SET status='c5' WHERE id=1 */", StatementKind.WRITE),
        Arguments.of("/*application:api*/ SELECT name FROM whoami", StatementKind.PLAIN_READ),
        Arguments.of(
            "SELECT /*+ MAX_EXECUTION_TIME(500) */ name FROM whoami", StatementKind.PLAIN_READ),
        Arguments.of("SELECT 5--1", StatementKind.PLAIN_READ),
        Arguments.of("SELECT '/* consistent_read_id:zzz */' AS t", StatementKind.PLAIN_READ),
        // More of the kind
        Arguments.of("-- SELECT 1\n-- SELECT 2\nDELETE FROM orders", StatementKind.WRITE),
        Arguments.of("--\nDELETE FROM orders", StatementKind.WRITE),
        Arguments.of("--\tx\nSELECT 1", StatementKind.PLAIN_READ),
        Arguments.of("#SELECT 1\n#x\n/**/SELECT 1", StatementKind.PLAIN_READ),
        Arguments.of("/***/SELECT 1/***/", StatementKind.PLAIN_READ),
        Arguments.of("/*/ DELETE */SELECT 1", StatementKind.PLAIN_READ),
        Arguments.of("/* -- */ SELECT 1 /* # */", StatementKind.PLAIN_READ),
        Arguments.of("/* ' */ DELETE FROM orders /* ' */", StatementKind.WRITE),
        Arguments.of("-- it's\nDELETE FROM orders -- it's", StatementKind.WRITE),
        Arguments.of("SELECT 1 -- ; DELETE FROM orders", StatementKind.PLAIN_READ),
        Arguments.of("SELECT '-- ' ; DELETE FROM orders", StatementKind.WRITE),
        Arguments.of("SELECT '#' FROM orders FOR UPDATE", StatementKind.LOCKING_READ),
        Arguments.of("SELECT 1 /* x */ FOR UPDATE", StatementKind.LOCKING_READ),
        Arguments.of("SELECT 5-- 1\nFOR UPDATE", StatementKind.LOCKING_READ),
        Arguments.of("SELECT 5--1 FOR UPDATE", StatementKind.LOCKING_READ),
        Arguments.of("-- x\rDELETE FROM orders\nSELECT 1", StatementKind.PLAIN_READ),
        Arguments.of("/*!DELETE FROM orders*/", StatementKind.WRITE),
        Arguments.of("/*!080400 DELETE FROM orders */", StatementKind.WRITE),
        Arguments.of("/*!99999 DELETE */ FROM orders", StatementKind.WRITE),
        Arguments.of("/*!50000 SELECT */ 1", StatementKind.PLAIN_READ),
        Arguments.of("SELECT /*!50000 1 + */ 1", StatementKind.PLAIN_READ),
        Arguments.of("SELECT /*!080400 1 + */ 1", StatementKind.PLAIN_READ),
        Arguments.of("SELECT /*!40001 SQL_NO_CACHE */ * FROM orders", StatementKind.PLAIN_READ),
        Arguments.of("/*!40101 SET NAMES utf8 */", StatementKind.SESSION_SETTING),
        Arguments.of("/*!40101 SET autocommit=0 */;", StatementKind.AUTOCOMMIT_OFF),
        Arguments.of("SELECT /*+ QB_NAME(`a b`) */ 1", StatementKind.PLAIN_READ),
        Arguments.of(
            "INSERT /*+ SET_VAR(foreign_key_checks=0) */ INTO t VALUES (1)", StatementKind.WRITE));
  }

  @ParameterizedTest
  @MethodSource("tagged")
  void commentsDoNotChangeWhatAStatementDoes(String sql, StatementKind kind) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \n",
        ";",
        "-- SELECT 1",
        "/* SELECT 1 */",
        "/* SELECT 1",
        "SELECT 1 /* x",
        "SELECT 1 /*",
        "SELECT 1 /*!",
        "SELECT 1 /*!50000 + 1",
        "SELECT 'x",
        "SELECT \"x",
        "SELECT `x",
        "SELECT 'x\\'",
        "SELECT 1 -- x\u0000 DELETE",
        "SELECT\u00a01",
        "\ufeffSELECT 1",
        "SELECT 1\u0000",
        "SELECT\u3000name FROM whoami",
        "SELECT * FROM orders FOR\u00a0UPDATE",
        "SELECT * FROM orders FOR\u200bUPDATE",
        "SELECT 1 \\G",
        "SELECT $$ x $$",
        "SELECT a[1]",
        "SELECT :id",
        "/*M!100100 SELECT 1 */",
        "SELECT 1 /*M!100100 FOR UPDATE */",
        // Servers that skip the comment and servers that read it see different statements.
        "SELECT 1 /*!50000 '*/ ' */",
        "SELECT 1 /*!50000 -- */\n */",
        "SELECT 1 /*!50000 /* x */ */",
        "SELECT 1 /*!080100 + 1 */ /*!080200 + 1 */",
        "SELECT /*+ SET_VAR(a='*/') */ 1",
        "DELIMITER //",
      })
  void whatCannotBeReadWithCertaintyIsUnknown(String sql) {
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT next_no /*!080400 , x FROM t USE INDEX */ (a)",
        "SELECT x /*!90100 AS y FROM t USE INDEX FOR JOIN */ , next_no (a)",
        "SELECT f /*!90100 AS x */ ()",
      })
  void aCommentForNewerServersMustBeHarmlessReadAndSkipped(String sql) {
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.FUNCTION_CALL);
  }
}

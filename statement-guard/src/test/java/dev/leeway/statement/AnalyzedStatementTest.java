package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnalyzedStatementTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      nullValues = "-",
      textBlock =
          """
          orders                 | -          | SELECT * FROM Orders
          lw.orders whoami       | -          | SELECT * FROM lw.orders o, whoami w WHERE o.id=w.id
          lw.orders whoami       | -          | SELECT * FROM `LW` . `orders` AS o JOIN whoami USING (id, x)
          a b c d                | -          | SELECT (SELECT 1 FROM a) FROM b LEFT JOIN c ON b.x=(SELECT MAX(x) FROM d)
          a b c                  | -          | SELECT * FROM (a, b) STRAIGHT_JOIN c
          a b                    | -          | SELECT * FROM (a JOIN b ON a.x=b.x)
          a b                    | -          | SELECT * FROM a JOIN b ON a.x=b.x AND a.y IN (1,2) ORDER BY a.x, b.y
          a b                    | -          | (SELECT x, y FROM a) UNION (TABLE b) ORDER BY x, z
          a                      | -          | WITH c (x) AS (SELECT x FROM a), d AS (TABLE c) SELECT * FROM c, d
          a                      | -          | SELECT EXTRACT(YEAR FROM b), TRIM(LEADING c FROM d), SUBSTRING(e FROM f) FROM a
          a                      | -          | SELECT * FROM a, JSON_TABLE(a.j, '$' COLUMNS (x INT PATH '$')) t
          a b                    | -          | SELECT * FROM a, LATERAL (SELECT * FROM b) d, (VALUES ROW(1)) v
          a b                    | -          | SELECT * FROM a USE INDEX (i, j), b WHERE x IN (1, 2)
          a                      | -          | SELECT * FROM a GROUP BY x, y WITH ROLLUP HAVING z LIMIT 1, 2
          -                      | -          | SELECT 1 FROM DUAL WHERE x = 1
          a                      | -          | DESC a
          a                      | -          | SHOW INDEX FROM a
          a                      | -          | EXPLAIN SELECT * FROM a
          a b                    | -          | SELECT * FROM a; SELECT * FROM b;
          -                      | a          | INSERT INTO a (x, y) VALUES (1, 2), (3, 4)
          -                      | lw.a       | INSERT IGNORE lw.a VALUES (1, 2)
          b c                    | a          | INSERT INTO a (x) SELECT x FROM b, c
          b                      | a          | INSERT INTO a (SELECT x FROM b)
          b                      | a          | INSERT INTO a WITH c (x) AS (SELECT x FROM b) SELECT x FROM c
          b                      | a          | REPLACE a SET x = (SELECT MAX(y) FROM b)
          b                      | a          | INSERT INTO a TABLE b
          -                      | a          | INSERT INTO a VALUES (1) ON DUPLICATE KEY UPDATE x = VALUES(x), y = 2
          a                      | a          | UPDATE LOW_PRIORITY a SET x = 1, y = 2 WHERE z = 3
          a b c                  | a b        | UPDATE a JOIN b ON a.x=b.x SET a.y = (SELECT 1 FROM c), b.z = 2
          a b                    | a b        | UPDATE a, b SET a.x = b.x
          a b                    | b          | WITH c AS (SELECT x FROM a) UPDATE b JOIN c USING (x) SET y = 1
          -                      | a          | DELETE FROM a WHERE x = 1 ORDER BY y LIMIT 1
          b                      | a          | DELETE QUICK FROM a WHERE x IN (SELECT x FROM b)
          a b                    | a          | DELETE a FROM a JOIN b USING (x)
          a b                    | a b        | DELETE a, b FROM a JOIN b ON a.x = b.x
          a b                    | a          | DELETE FROM a USING a JOIN b ON a.x = b.x
          a b                    | a          | WITH c AS (SELECT 1 FROM b) DELETE a FROM a JOIN c USING (x)
          -                      | a          | TRUNCATE TABLE a
          -                      | a          | TRUNCATE a
          -                      | lw.a       | CREATE TABLE IF NOT EXISTS lw.a (x INT)
          -                      | a b        | DROP TABLE IF EXISTS a, b CASCADE
          -                      | a b        | RENAME TABLE a TO b
          -                      | a          | ALTER TABLE a ADD COLUMN b INT
          -                      | a          | LOAD DATA LOCAL INFILE 'x' IGNORE INTO TABLE a (x, y) SET z = 1
          """)
  void tablesAreNamedAsReadOrWritten(String read, String written, String sql) {
    AnalyzedStatement statement = guard.analyze(sql);
    assertThat(statement.tablesRead()).as("read").isEqualTo(names(read));
    assertThat(statement.tablesWritten()).as("written").isEqualTo(names(written));
  }

  private static Set<String> names(String names) {
    return names == null ? Collections.emptySet() : new TreeSet<>(Arrays.asList(names.split(" ")));
  }

  @Test
  void statementsAreCountedWithoutEmptyOnes() {
    assertThat(guard.analyze("SELECT 1; ; SELECT 2; -- x").statementCount()).isEqualTo(2);
    assertThat(guard.analyze("SELECT ';'").statementCount()).isEqualTo(1);
    assertThat(guard.analyze("-- x").statementCount()).isZero();
  }

  @Test
  void oneStatementThatIsNoPlainReadMakesTheWholeTextNone() {
    assertThat(guard.classify("SELECT 1; DELETE FROM orders")).isEqualTo(StatementKind.WRITE);
    assertThat(guard.classify("DELETE FROM orders; SELECT 1")).isEqualTo(StatementKind.WRITE);
    assertThat(guard.classify("SELECT 1; SELECT @x")).isEqualTo(StatementKind.SESSION_READ);
    assertThat(guard.classify("SELECT 1; DROP TABLE orders")).isEqualTo(StatementKind.UNKNOWN);
    assertThat(guard.classify("SET NAMES utf8; DELETE FROM orders"))
        .isEqualTo(StatementKind.SESSION_CHANGE);
    assertThat(guard.classify("DELETE FROM orders; SET NAMES utf8"))
        .isEqualTo(StatementKind.SESSION_CHANGE);
    assertThat(guard.classify("SELECT 1; SELECT 'x")).isEqualTo(StatementKind.UNKNOWN);
    for (String unfinished : new String[] {"SHOW CREATE", "DESC format", "EXPLAIN FOR", "DESC"}) {
      assertThat(guard.classify(unfinished + "; COMMIT")).isEqualTo(StatementKind.UNKNOWN);
      assertThat(guard.classify(unfinished + "; DELETE FROM t")).isEqualTo(StatementKind.WRITE);
    }
  }

  @Test
  void onlyAPlainReadMayBeRunAgain() {
    assertThat(guard.analyze("SELECT SLEEP(2), name FROM whoami").mayBeRunAgain()).isTrue();
    assertThat(guard.analyze("SELECT next_no()").mayBeRunAgain()).isFalse();
    assertThat(guard.analyze("SELECT * FROM orders FOR SHARE").mayBeRunAgain()).isFalse();
  }

  @Test
  void theReasonShowsTheWordsThatDecided() {
    assertThat(guard.analyze("SELECT * FROM orders FOR\n UPDATE").reason())
        .isEqualTo("LOCKING_READ: 'FOR UPDATE' at character 22");
    assertThat(guard.analyze("SELECT lw.next_no()").reason())
        .isEqualTo("FUNCTION_CALL: 'lw.next_no' at character 8");
    assertThat(guard.analyze("DELETE FROM orders").reason())
        .isEqualTo("WRITE: 'DELETE' at character 1");
    assertThat(guard.analyze("SET NAMES utf8, @@autocommit = 0 ;").reason())
        .isEqualTo("AUTOCOMMIT_OFF: '@@autocommit = 0' at character 17");
    assertThat(guard.analyze("SELECT 1").reason()).isEqualTo("PLAIN_READ");
  }

  @Test
  void quotesAndBackslashesMeanWhatTheSqlModeSays() {
    StatementGuard ansi = StatementGuard.builder().ansiQuotes(true).build();
    assertThat(ansi.classify("SELECT \"next_no\"()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(ansi.classify("SELECT * FROM \"orders\"")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(ansi.analyze("SELECT * FROM \"Orders\"").tablesRead()).containsExactly("orders");
    assertThat(ansi.classify("SELECT \"\\\" FOR UPDATE -- \""))
        .isEqualTo(StatementKind.LOCKING_READ);
    assertThat(guard.classify("SELECT \"\\\" FOR UPDATE -- \""))
        .isEqualTo(StatementKind.PLAIN_READ);

    StatementGuard plain = StatementGuard.builder().noBackslashEscapes(true).build();
    assertThat(plain.classify("SELECT '\\' FOR UPDATE -- '")).isEqualTo(StatementKind.LOCKING_READ);
    assertThat(guard.classify("SELECT '\\' FOR UPDATE -- '")).isEqualTo(StatementKind.PLAIN_READ);
  }
}

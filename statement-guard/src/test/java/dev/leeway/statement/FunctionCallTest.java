package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D07: a read that calls a function which may write. */
class FunctionCallTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        // D07
        "SELECT next_no()",
        "SELECT lw.next_no() AS n FROM DUAL",
        "SELECT `next_no`()",
        "SELECT name, next_no() FROM whoami",
        "SELECT ro_total()",
        // More of the kind
        "SELECT next_no ()",
        "SELECT next_no/**/()",
        "SELECT next_no\n()",
        "SELECT next_no -- x\n ()",
        "SELECT `lw`.`next_no`()",
        "SELECT lw . next_no ()",
        "SELECT lw./* x */next_no()",
        "SELECT lw.`next_no`(1, 'x')",
        "SELECT NEXT_NO()",
        "SELECT /*!50000 next_no() */",
        "SELECT next_no/*!50000 () */",
        "SELECT COALESCE(MAX(next_no()), 0) FROM orders",
        "SELECT * FROM orders WHERE id = next_no()",
        "SELECT * FROM orders WHERE id IN (1, 2, next_no())",
        "SELECT * FROM orders ORDER BY next_no()",
        "SELECT * FROM orders GROUP BY status, next_no()",
        "SELECT * FROM orders HAVING next_no() > 1",
        "SELECT * FROM orders o JOIN idem i ON i.order_id = next_no()",
        "SELECT (SELECT next_no())",
        "SELECT * FROM (SELECT next_no() AS n) d",
        "SELECT * FROM (SELECT 1) d (a) WHERE next_no()",
        "WITH c AS (SELECT next_no()) SELECT * FROM c",
        "WITH c (n) AS (SELECT 1) SELECT n, next_no(n) FROM c",
        "WITH c AS (SELECT 1 AS a) (SELECT a FROM c) ORDER BY a, next_no(1)",
        "SELECT 1 UNION SELECT next_no()",
        "VALUES ROW(next_no())",
        "SELECT CASE WHEN next_no() THEN 1 END",
        "SELECT CAST(next_no() AS CHAR(10))",
        "SELECT CONVERT(datetime(1), CHAR)",
        "SELECT DATE_ADD(NOW(), INTERVAL next_no() DAY)",
        "SELECT SUM(id) OVER (ORDER BY next_no()) FROM orders",
        "SELECT SUBSTRING('abc' FROM next_no() FOR 2)",
        "SELECT SUBSTRING('abc' FROM 1 FOR next_no())",
        "SELECT {fn next_no()}",
        "SELECT DISTINCT next_no()",
        "SELECT ALL next_no()",
        "SELECT SQL_NO_CACHE next_no()",
        "SELECT -next_no(), !next_no(), 1+next_no()",
        "SELECT BENCHMARK(5, next_no())",
        "SELECT any(1)",
        "SELECT against(1), columns(1), datetime(1), text(1)",
        "SELECT begin(), start(), xa(), flush()",
        "SELECT 1abc()",
        "SELECT größer(1)",
        "SELECT \"next_no\"()",
        "SELECT abs.abs(1), lw.count(*)",
        "SELECT `count`(1)",
        "SELECT nextval('s')",
        "SELECT password('x')",
        "SELECT distance(a, b) FROM t",
        "SELECT lag_of(1), counts(1)",
        "SELECT * FROM orders WHERE EXISTS (SELECT 1 FROM orders WHERE next_no())",
        "SELECT * FROM orders LIMIT 5 OFFSET 2; SELECT next_no()",
        "EXPLAIN SELECT next_no()",
        "SHOW TABLES WHERE next_no()",
        "DESC orders next_no()",
        "SELECT x AS y, next_no(1) z FROM t",
        "SELECT next_no(x) AS y FROM t",
        "SELECT JSON_VALUE(next_no(), '$' RETURNING CHAR(3))",
        "SELECT * FROM JSON_TABLE(next_no(), '$' COLUMNS (a INT PATH '$')) t",
        "SELECT MATCH (a) AGAINST (next_no()) FROM t",
        "SELECT * FROM orders USE INDEX (PRIMARY) WHERE next_no(1)",
        "SELECT sys.format_bytes(1)",
      })
  void aFunctionThatIsNotBuiltInMayWrite(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.FUNCTION_CALL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*), NOW(), UPPER(name) FROM whoami GROUP BY name",
        "SELECT SLEEP(0.05), name FROM whoami",
        "SELECT UUID(), RAND(), UUID_SHORT(), SYSDATE(6), CURRENT_TIMESTAMP(6), UTC_DATE()",
        "SELECT count (*), now (), Substring ('a', 1)",
        "SELECT next_no FROM orders",
        "SELECT o.next_no, (o.x) FROM orders o",
        "SELECT 'next_no()' FROM whoami -- next_no()",
        "SELECT ST_DISTANCE(POINT(1, 2), ST_GEOMFROMTEXT('POINT(1 1)'))",
        "SELECT JSON_ARRAYAGG(JSON_OBJECT('a', id)) FROM orders",
        "SELECT GTID_SUBSET('a:1', @@global.gtid_executed)",
        "SELECT VECTOR_TO_STRING(TO_VECTOR('[1,2]'))",
        "SELECT REGEXP_REPLACE(note, 'a', 'b'), AES_ENCRYPT('a', 'b'), BIN_TO_UUID(x) FROM t",
      })
  void builtInFunctionsOnlyRead(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.PLAIN_READ);
  }

  @Test
  void aFunctionDeclaredWithoutASchemaIsTrustedInEverySchema() {
    StatementGuard trusting = trusting("ro_total");
    assertThat(trusting.classify("SELECT ro_total()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT RO_TOTAL ( )")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT `ro_total`()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT lw.ro_total()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT ro_total(next_no())"))
        .isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT ro_total2()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT a.b.ro_total()")).isEqualTo(StatementKind.FUNCTION_CALL);
  }

  @Test
  void aFunctionDeclaredWithASchemaIsTrustedOnlyWhereTheCallNamesIt() {
    StatementGuard trusting = trusting("LW.ro_total");
    assertThat(trusting.classify("SELECT lw.ro_total()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT `lw` . `ro_total` ()"))
        .isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT ro_total()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT other.ro_total()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT lw.next_no()")).isEqualTo(StatementKind.FUNCTION_CALL);
  }

  @Test
  void aNameThatIsNoFunctionNameIsRefused() {
    assertThatThrownBy(() -> trusting("lw.ro_total()"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Statement guard - read-only function 'lw.ro_total()' (expected: name or schema.name,"
                + " without quotes and parentheses)");
  }

  private static StatementGuard trusting(String name) {
    return StatementGuard.builder().declaredReadOnlyFunctions(Set.of(name)).build();
  }
}

package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** However deep a forbidden part is buried in a plain read, the whole is none. */
class ForbiddenPartTest {
  private static final String[] FORBIDDEN_VALUES = {
    "next_no()",
    "lw . `next_no` ( 1 )",
    "@x",
    "@@identity",
    "(@n := 5)",
    "LAST_INSERT_ID()",
    "GET_LOCK('a', 1)",
    "FOUND_ROWS()",
    "LOAD_FILE('x')",
    "(SELECT id FROM orders FOR UPDATE)",
    "(SELECT id FROM orders LOCK IN SHARE MODE)",
    "(SELECT SQL_CALC_FOUND_ROWS id FROM orders)",
    "(SELECT id FROM orders FOR SHARE OF orders SKIP LOCKED)",
    "(WITH c(a) AS (SELECT 1 FOR UPDATE) SELECT a FROM c)",
    "(SELECT 1 INTO @x)",
    "(SELECT id FROM mysql.user)",
    "/*! next_no() */",
    "/*!99999 next_no() + */ 1",
  };

  private static final String[] HARMLESS_VALUES = {
    "1",
    "id",
    "o.status",
    "'FOR UPDATE'",
    "`next_no`",
    "?",
    "NULL",
    "COUNT(*)",
    "1.5e3",
    "x'41'",
    "NOW()",
    "DATE '2026-01-01'",
    "@@server_uuid",
    "-- @x\n 1",
    "/* next_no() */ 2",
    "o.for"
  };

  private final StatementGuard guard = StatementGuard.create();

  @Test
  void aPlainReadStaysPlainWithHarmlessValuesAndNotWithAForbiddenOne() {
    for (int seed = 0; seed < 5_000; seed++) {
      Query query = new Query(new Random(seed));
      String harmless = query.text();
      assertThat(guard.classify(harmless)).as(harmless).isEqualTo(StatementKind.PLAIN_READ);

      Random places = new Random(seed);
      String forbidden = FORBIDDEN_VALUES[seed % FORBIDDEN_VALUES.length];
      String other = new Query(new Random(seed), forbidden, places.nextInt(query.values)).text();
      assertThat(guard.classify(other)).as(other).isNotEqualTo(StatementKind.PLAIN_READ);
      assertThat(other).contains(forbidden);
    }
  }

  /** Writes a random query, the same for the same seed, with one value in it replaced. */
  private static final class Query {
    private final Random random;
    private final String replacement;
    private final int replaced;
    private int values;

    Query(Random random) {
      this(random, "", -1);
    }

    Query(Random random, String replacement, int replaced) {
      this.random = random;
      this.replacement = replacement;
      this.replaced = replaced;
    }

    String text() {
      return statement(4);
    }

    private String statement(int depth) {
      return switch (random.nextInt(depth > 0 ? 6 : 2)) {
        case 0, 1 -> select(depth);
        case 2 -> "(" + select(depth - 1) + ") UNION ALL " + select(depth - 1);
        case 3 -> "WITH c (a, b) AS (" + select(depth - 1) + ") " + select(depth - 1);
        case 4 -> "(" + statement(depth - 1) + ")";
        default -> "VALUES ROW(" + value(depth - 1) + ", " + value(depth - 1) + ")";
      };
    }

    private String select(int depth) {
      StringBuilder sql = new StringBuilder("SELECT ").append(value(depth));
      if (random.nextBoolean()) {
        sql.append(" AS a, ").append(value(depth)).append(" b");
      }
      sql.append(from(depth));
      if (random.nextBoolean()) {
        sql.append(" WHERE ").append(value(depth)).append(" = ").append(value(depth));
      }
      if (random.nextInt(4) == 0) {
        sql.append(" GROUP BY ").append(value(depth)).append(" WITH ROLLUP");
      }
      if (random.nextInt(4) == 0) {
        sql.append(" HAVING ").append(value(depth)).append(" > 1");
      }
      if (random.nextInt(4) == 0) {
        sql.append(" ORDER BY ").append(value(depth)).append(" DESC, ").append(value(depth));
      }
      if (random.nextInt(4) == 0) {
        sql.append(" LIMIT 5 OFFSET 2");
      }
      return sql.toString();
    }

    private String from(int depth) {
      if (depth <= 0) {
        return " FROM orders o";
      }
      return switch (random.nextInt(6)) {
        case 0 -> "";
        case 1 -> " FROM (" + select(depth - 1) + ") AS d (x, y)";
        case 2 -> " FROM orders o JOIN idem i ON " + value(depth - 1) + " = i.order_id";
        case 3 -> " FROM orders o, LATERAL (" + select(depth - 1) + ") d (x)";
        case 4 -> " FROM orders o USE INDEX FOR JOIN (PRIMARY, i)";
        default ->
            " FROM JSON_TABLE("
                + value(depth - 1)
                + ", '$[*]' COLUMNS (n FOR ORDINALITY, v DATETIME(3) PATH '$.v')) AS jt";
      };
    }

    private String value(int depth) {
      if (depth <= 0 || random.nextInt(3) == 0) {
        String harmless = HARMLESS_VALUES[random.nextInt(HARMLESS_VALUES.length)];
        return values++ == replaced ? replacement : harmless;
      }
      return switch (random.nextInt(14)) {
        case 0 -> "(" + value(depth - 1) + " + " + value(depth - 1) + ")";
        case 1 -> "COALESCE(" + value(depth - 1) + ", " + value(depth - 1) + ")";
        case 2 -> "CASE WHEN " + value(depth - 1) + " THEN " + value(depth - 1) + " END";
        case 3 -> "(" + select(depth - 1) + ")";
        case 4 -> value(depth - 1) + " IN (1, " + value(depth - 1) + ")";
        case 5 -> "EXISTS (" + select(depth - 1) + ")";
        case 6 -> "SUBSTRING(" + value(depth - 1) + " FROM 1 FOR " + value(depth - 1) + ")";
        case 7 -> "CAST(" + value(depth - 1) + " AS DECIMAL(10, 2))";
        case 8 -> "CONVERT(" + value(depth - 1) + ", DATETIME(3))";
        case 9 -> "1 = ANY (" + select(depth - 1) + ")";
        case 10 -> "SUM(" + value(depth - 1) + ") OVER (ORDER BY " + value(depth - 1) + ")";
        case 11 -> "NOW() + INTERVAL " + value(depth - 1) + " DAY";
        case 12 -> "JSON_VALUE(" + value(depth - 1) + ", '$.a' RETURNING DATETIME(3))";
        default -> "IF(" + value(depth - 1) + ", INSERT('a', 1, 1, " + value(depth - 1) + "), 2)";
      };
    }
  }
}

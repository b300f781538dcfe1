package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D02: locking reads, wherever the locking words hide, and what only looks like them. */
class LockingReadTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        // D02.1 to D02.14
        "SELECT * FROM orders WHERE id=1 FOR UPDATE",
        "SELECT * FROM orders WHERE id=1\nFOR\nUPDATE",
        "SELECT * FROM orders WHERE id=1 FOR UPDATE;",
        "SELECT * FROM orders WHERE id=1 FOR UPDATE -- audit",
        "select * from orders where id=1 for update /* x */",
        "SELECT * FROM orders WHERE id=1 FOR UPDATE NOWAIT",
        "SELECT * FROM orders WHERE id=1 FOR UPDATE SKIP LOCKED",
        "SELECT * FROM orders o WHERE id=1 FOR UPDATE OF o",
        "SELECT * FROM orders WHERE id=1 FOR/**/UPDATE",
        "SELECT * FROM orders WHERE id=1 /*!40001 FOR UPDATE */",
        "(SELECT * FROM orders WHERE id=1 FOR UPDATE)",
        "WITH c AS (SELECT id FROM orders WHERE id=1 FOR UPDATE) SELECT * FROM c",
        "SELECT * FROM orders WHERE id=1 FOR SHARE",
        "SELECT * FROM orders WHERE id=1 LOCK IN SHARE MODE",
        // More of the kind
        "SELECT * FROM orders WHERE id=1 FOR -- why\nUPDATE",
        "SELECT * FROM orders WHERE id=1 FOR # why\n UPDATE",
        "SELECT * FROM orders WHERE id=1 FOR /* a */ /* b */ UPDATE",
        "SELECT * FROM orders WHERE id=1 FOR\tUPDATE",
        "SELECT * FROM orders WHERE id=1\r\nFOR\r\nUPDATE\r\n;\r\n",
        "SELECT * FROM orders WHERE id=1 FOR\u000bUPDATE",
        "SELECT * FROM orders WHERE id=1 FOR SHARE NOWAIT",
        "SELECT * FROM orders WHERE id=1 FOR SHARE SKIP LOCKED",
        "SELECT * FROM orders o JOIN idem i ON i.order_id=o.id FOR SHARE OF i SKIP LOCKED",
        "SELECT * FROM orders o JOIN idem i ON i.order_id=o.id FOR SHARE OF i FOR UPDATE OF o",
        "SELECT * FROM orders WHERE id=1 /*! FOR UPDATE */",
        "SELECT * FROM orders WHERE id=1 /*!080000 FOR UPDATE */",
        "SELECT * FROM orders WHERE id=1 /*!999999 FOR UPDATE */",
        "SELECT * FROM orders WHERE id=1 /*!40001 FOR */ UPDATE",
        "SELECT * FROM orders WHERE id=1 FOR /*!40001 UPDATE */",
        "SELECT * FROM orders WHERE id=1 LOCK/**/IN SHARE\nMODE",
        "SELECT * FROM orders WHERE id=1 /*!50000 LOCK IN SHARE MODE */",
        "SELECT (SELECT status FROM orders WHERE id=1 FOR UPDATE) AS s",
        "SELECT * FROM (SELECT * FROM orders FOR UPDATE) d",
        "SELECT * FROM whoami WHERE EXISTS (SELECT 1 FROM orders FOR SHARE)",
        "SELECT * FROM whoami WHERE 1 IN (SELECT id FROM orders LOCK IN SHARE MODE)",
        "((SELECT * FROM orders WHERE id=1) FOR UPDATE)",
        "(SELECT 1) UNION (SELECT id FROM orders FOR UPDATE)",
        "SELECT 1 UNION ALL SELECT id FROM orders FOR UPDATE",
        "(SELECT id FROM orders) FOR UPDATE",
        "SELECT id FROM orders ORDER BY id LIMIT 1 FOR UPDATE",
        "SELECT id FROM orders LIMIT 1 OFFSET 2 FOR UPDATE",
        "SELECT id FROM orders USE INDEX FOR ORDER BY (PRIMARY) FOR UPDATE",
        "SELECT SUBSTRING(status FROM 1 FOR 2) FROM orders FOR UPDATE",
        "SELECT SUBSTRING((SELECT status FROM orders WHERE id=1 FOR UPDATE) FROM 1 FOR 2)",
        "TABLE orders FOR UPDATE",
        "TABLE orders LOCK IN SHARE MODE",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3)"
            + " SELECT * FROM orders JOIN n ON n.i=orders.id FOR UPDATE",
        "SELECT * FROM orders WHERE id=1.FOR UPDATE",
        "SELECT * FROM orders WHERE id=1e0FOR UPDATE",
        "SELECT * FROM orders WHERE id=.5FOR UPDATE",
        "SELECT * FROM orders WHERE status='x'FOR UPDATE",
        "SELECT * FROM `orders`FOR UPDATE",
        "SELECT * FROM orders WHERE (id=1)FOR UPDATE",
        "SELECT * FROM orders WHERE id=?FOR UPDATE",
        "SELECT * FROM orders WHERE note='it''s' FOR UPDATE",
        "SELECT * FROM orders WHERE note='it\\'s' FOR UPDATE",
        "SELECT * FROM orders WHERE note='\\\\' FOR UPDATE -- '",
        "SELECT * FROM orders WHERE note=\"'\" FOR UPDATE -- '",
        "SELECT * FROM orders WHERE id=1--1 FOR UPDATE",
        "EXPLAIN SELECT * FROM orders FOR UPDATE",
        "SELECT 1; SELECT * FROM orders FOR UPDATE",
      })
  void wordsThatLockRowsMakeALockingRead(String sql) {
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.LOCKING_READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // D02.15 to D02.18
        "SELECT 'for update' AS x",
        "SELECT note AS `for update` FROM orders",
        "SELECT * FROM orders WHERE note='LOCK IN SHARE MODE'",
        "SELECT name FROM whoami /* FOR UPDATE */",
        // More of the kind
        "SELECT name FROM whoami -- FOR UPDATE",
        "SELECT name FROM whoami # FOR UPDATE",
        "SELECT name -- FOR UPDATE\nFROM whoami",
        "SELECT \"for update\"",
        "SELECT 'it''s for update' FROM whoami",
        "SELECT 'it\\'s for update' FROM whoami",
        "SELECT `a``for update` FROM whoami",
        "SELECT o.for, o.update, o.lock FROM orders o",
        "SELECT `for`, `update` FROM orders",
        "SELECT share, nowait, locked, skip, mode FROM orders",
        "SELECT SUBSTRING(status FROM 1 FOR 2) FROM orders",
        "SELECT SUBSTR(status FROM 1 FOR share) FROM orders",
        "SELECT MID(status FROM 1 FOR 2) FROM orders",
        "SELECT * FROM orders USE INDEX FOR JOIN (PRIMARY) WHERE id=1",
        "SELECT * FROM orders USE INDEX FOR ORDER BY (i, j) ORDER BY id",
        "SELECT * FROM orders IGNORE KEY FOR GROUP BY (i), USE INDEX () GROUP BY id",
        "SELECT * FROM orders FORCE INDEX (PRIMARY)",
        "SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (i FOR ORDINALITY, v INT PATH '$')) t",
        "SELECT /*+ NO_INDEX_MERGE(orders) */ 'x' FROM orders",
        "SELECT 1 AS update_for, 2 AS for_update",
        "SELECT forupdate FROM orders",
      })
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

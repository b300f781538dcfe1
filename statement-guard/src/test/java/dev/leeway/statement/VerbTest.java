package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case D03: what the first word does not tell, and verbs that are on nobody's list of writes. */
class VerbTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          WRITE            | WITH c AS (SELECT 1 AS id) UPDATE orders JOIN c USING(id) SET status='x'
          WRITE            | WITH c AS (SELECT 3 AS id) DELETE orders FROM orders JOIN c USING(id)
          WRITE            | INSERT INTO orders(status) WITH c AS (SELECT 'y' AS s) SELECT s FROM c
          WRITE            | REPLACE INTO orders(id,status) VALUES (9,'r')
          COMMITTING_WRITE | ANALYZE TABLE orders
          SESSION_CHANGE   | LOCK TABLES orders READ
          SESSION_CHANGE   | UNLOCK TABLES
          SESSION_CHANGE   | DO GET_LOCK('q',0)
          SESSION_CHANGE   | HANDLER orders OPEN
          SESSION_CHANGE   | SELECT COUNT(*) INTO @c FROM orders
          WRITE            | SELECT 1 INTO OUTFILE 'lw_d03.csv'
          WRITE            | WITH c(id) AS (SELECT 1), d AS (TABLE c) UPDATE orders, d SET status='x'
          WRITE            | WITH RECURSIVE c(id) AS (SELECT 1) DELETE FROM orders WHERE id IN (TABLE c)
          WRITE            | INSERT orders(status) VALUES ('x')
          WRITE            | INSERT INTO orders SET status='x'
          WRITE            | INSERT IGNORE INTO orders SELECT * FROM orders FOR UPDATE
          WRITE            | INSERT INTO orders VALUES (1,'a',NULL) ON DUPLICATE KEY UPDATE id=id+1
          WRITE            | INSERT INTO t TABLE orders
          WRITE            | REPLACE orders SET id=1, status='x'
          WRITE            | UPDATE orders SET status='x'
          WRITE            | UPDATE LOW_PRIORITY IGNORE orders SET status := 'x'
          WRITE            | DELETE FROM orders
          WRITE            | DELETE QUICK o FROM orders o
          WRITE            | LOAD DATA INFILE 'x' INTO TABLE orders
          WRITE            | LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE orders
          WRITE            | LOAD XML INFILE 'x' INTO TABLE orders
          WRITE            | SELECT 1 INTO DUMPFILE 'x'
          WRITE            | SELECT * FROM orders INTO OUTFILE 'x' FIELDS TERMINATED BY ','
          WRITE            | TABLE orders INTO OUTFILE 'x'
          WRITE            | (SELECT 1) INTO OUTFILE 'x'
          WRITE            | KILL 5
          WRITE            | EXPLAIN UPDATE orders SET status='x'
          WRITE            | EXPLAIN ANALYZE DELETE FROM orders
          WRITE            | DESC INSERT INTO orders(status) VALUES ('x')
          WRITE            | EXPLAIN FORMAT=JSON WITH c AS (SELECT 1) DELETE FROM orders
          COMMITTING_WRITE | TRUNCATE orders
          COMMITTING_WRITE | TRUNCATE TABLE orders
          COMMITTING_WRITE | CREATE TABLE t (a INT)
          COMMITTING_WRITE | CREATE TABLE t AS SELECT * FROM orders
          COMMITTING_WRITE | CREATE OR REPLACE VIEW v AS SELECT 1
          COMMITTING_WRITE | CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1); COMMIT; END
          COMMITTING_WRITE | CREATE DEFINER=`a`@`b` FUNCTION f() RETURNS INT BEGIN RETURN 1; END;
          COMMITTING_WRITE | CREATE TRIGGER t BEFORE INSERT ON o FOR EACH ROW BEGIN SET @x=1; END
          COMMITTING_WRITE | ALTER TABLE orders ADD COLUMN x INT
          COMMITTING_WRITE | DROP TABLE orders
          COMMITTING_WRITE | DROP TABLE IF EXISTS orders, idem
          COMMITTING_WRITE | RENAME TABLE orders TO o2
          COMMITTING_WRITE | OPTIMIZE TABLE orders
          COMMITTING_WRITE | REPAIR TABLE orders
          COMMITTING_WRITE | CHECK TABLE orders
          INSTANCE_READ    | CHECKSUM TABLE orders
          COMMITTING_WRITE | GRANT SELECT ON lw.* TO u
          COMMITTING_WRITE | REVOKE ALL ON lw.* FROM u
          COMMITTING_WRITE | FLUSH PRIVILEGES
          COMMITTING_WRITE | FLUSH TABLES
          COMMITTING_WRITE | RESET BINARY LOGS AND GTIDS
          WRITE            | RESET PERSIST
          WRITE            | BINLOG 'x'
          WRITE            | PURGE BINARY LOGS TO 'x'
          COMMITTING_WRITE | CHANGE REPLICATION SOURCE TO SOURCE_HOST='x'
          COMMITTING_WRITE | START REPLICA
          COMMITTING_WRITE | STOP REPLICA SQL_THREAD
          COMMITTING_WRITE | INSTALL PLUGIN p SONAME 'x'
          WRITE            | SHUTDOWN
          COMMITTING_WRITE | SET PASSWORD = 'x'
          COMMITTING_WRITE | SET DEFAULT ROLE ALL TO u
          SESSION_CHANGE   | FLUSH TABLES WITH READ LOCK
          SESSION_CHANGE   | FLUSH TABLES orders FOR EXPORT
          SESSION_CHANGE   | LOCK INSTANCE FOR BACKUP
          SESSION_CHANGE   | UNLOCK INSTANCE
          SESSION_CHANGE   | HANDLER orders READ FIRST
          SESSION_CHANGE   | CREATE TEMPORARY TABLE t (a INT)
          SESSION_CHANGE   | CREATE /*!50000 TEMPORARY */ TABLE t SELECT 1
          SESSION_CHANGE   | DROP TEMPORARY TABLE t
          SESSION_CHANGE   | PREPARE s FROM 'SELECT 1'
          SESSION_CHANGE   | DEALLOCATE PREPARE s
          SESSION_CHANGE   | DROP PREPARE s
          SESSION_CHANGE   | EXPLAIN FORMAT=JSON INTO @x SELECT 1
          CALL             | CALL wr()
          CALL             | call `lw`.`wr` (1, ?)
          CALL             | {call wr(?)}
          CALL             | {? = call next_no()}
          CALL             | EXECUTE s USING @x
          SESSION_SETTING  | USE lw
          UNKNOWN          | MERGE INTO orders USING x
          UNKNOWN          | WITH c AS (SELECT 1)
          UNKNOWN          | WITH c AS (SELECT 1) CALL wr()
          UNKNOWN          | DO 1
          UNKNOWN          | DO SLEEP(1)
          UNKNOWN          | SELECT * FROM orders PROCEDURE ANALYSE()
          UNKNOWN          | SELECT 1 INTO x
          UNKNOWN          | (1)
          UNKNOWN          | ()
          UNKNOWN          | (
          UNKNOWN          | (SELECT 1
          UNKNOWN          | SELECT 1)
          UNKNOWN          | SELECT (1;2)
          UNKNOWN          | HELP 'x'
          UNKNOWN          | 42
          UNKNOWN          | 'SELECT 1'
          UNKNOWN          | `SELECT` 1
          UNKNOWN          | ?
          UNKNOWN          | SELECTED
          UNKNOWN          | BEGIN SELECT 1
          UNKNOWN          | SIGNAL SQLSTATE '45000'
          FUNCTION_CALL    | DO next_no()
          WRITE            | (DELETE FROM orders)
          """)
  void everyVerbHasItsKind(StatementKind kind, String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // D03.11 to D03.13
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3)"
            + " SELECT i, (SELECT name FROM whoami) FROM n",
        "TABLE whoami",
        "(SELECT name FROM whoami)",
        // More of the kind
        "SELECT 1",
        "select 1 from dual;",
        "SELECT 1;;  ; ",
        "SELECT 1; SELECT 2",
        "((SELECT name FROM whoami))",
        "(SELECT 1) UNION (SELECT 2) ORDER BY 1 LIMIT 1",
        "( ( SELECT 1 ) UNION ALL SELECT 2 ) LIMIT 3",
        "SELECT 1 UNION DISTINCT SELECT 2 EXCEPT SELECT 3 INTERSECT (SELECT 1)",
        "VALUES ROW(1,2), ROW(3,4)",
        "VALUES ROW(1) UNION TABLE whoami",
        "SELECT * FROM (VALUES ROW(1,2)) AS v(a, b)",
        "SELECT * FROM (SELECT 1, 2) v (a, b)",
        "SELECT * FROM (SELECT 1, 2) AS `v` (`a`, `b`)",
        "WITH c AS (SELECT 1 AS a), d (x, y) AS (SELECT 1, 2) SELECT * FROM c, d",
        "WITH c (a) AS (SELECT 1) (SELECT a FROM c) ORDER BY a",
        "SELECT * FROM (WITH c(a) AS (SELECT 1) SELECT a FROM c) d",
        "SELECT * FROM orders WHERE id IN (WITH c(a) AS (SELECT 1) TABLE c)",
        "SELECT * FROM orders WHERE id = ANY (SELECT 1) OR id > ALL (TABLE x) OR 1 = SOME (SELECT 2)",
        "SELECT status, COUNT(*) FROM orders GROUP BY status WITH ROLLUP HAVING COUNT(*) > 1",
        "SELECT SQL_NO_CACHE HIGH_PRIORITY STRAIGHT_JOIN DISTINCT id FROM orders",
        "SELECT * FROM a NATURAL LEFT JOIN b CROSS JOIN c USING (id), LATERAL (SELECT a.x) d (y)",
        "SELECT * FROM orders PARTITION (p0, p1) AS o WHERE o.id BETWEEN 1 AND 2",
        "SELECT SUM(id) OVER w, RANK() OVER (PARTITION BY status ORDER BY id"
            + " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders"
            + " WINDOW w AS (ORDER BY id)",
        "SELECT CASE WHEN id=1 THEN 'a' ELSE 'b' END FROM orders",
        "SELECT * FROM orders WHERE MATCH (note) AGAINST ('x' IN BOOLEAN MODE)",
        "SELECT MATCH note AGAINST ('x' WITH QUERY EXPANSION) FROM orders",
        "SELECT CAST(id AS CHAR(10)), CONVERT(id, DECIMAL(10,2)), CONVERT(note USING utf8mb4) FROM t",
        "SELECT CAST(x AS DATETIME(6)), CONVERT(x, DATETIME(3)), CAST(x AS NCHAR(5)) FROM t",
        "SELECT CONVERT(x, CHAR(3) CHARACTER SET utf8mb4), CAST(x AS CHAR CHARACTER SET latin1) FROM t",
        "SELECT JSON_VALUE(j, '$.a' RETURNING DATETIME(3) NULL ON EMPTY ERROR ON ERROR) FROM t",
        "SELECT * FROM t, JSON_TABLE(t.j, '$[*]' COLUMNS (id FOR ORDINALITY, a VARCHAR(10) PATH '$.a'"
            + " DEFAULT '0' ON EMPTY NULL ON ERROR, NESTED PATH '$.b[*]' COLUMNS (c DATETIME(3) PATH"
            + " '$', d BIT(1) EXISTS PATH '$.d'))) AS jt",
        "SELECT 17 MEMBER OF ('[17]'), j->'$.a', j->>'$.a' FROM t",
        "SELECT DATE_ADD(NOW(), INTERVAL 1 DAY), NOW() + INTERVAL (1) DAY_HOUR, DATE '2026-01-01'",
        "SELECT EXTRACT(YEAR FROM NOW()), TRIM(BOTH 'x' FROM note), POSITION('a' IN note) FROM t",
        "SELECT INSERT('abc', 1, 2, 'x'), REPLACE(note, 'a', 'b'), TRUNCATE(1.5, 0), LEFT('a', 1)",
        "SELECT IF(a, 1, 2), MOD(a, 2), REPEAT('a', 3), CHAR(65), RIGHT('a', 1), INTERVAL(1, 2) FROM t",
        "SELECT DEFAULT(status), GROUPING(status) FROM orders GROUP BY status WITH ROLLUP",
        "SELECT GROUP_CONCAT(DISTINCT status ORDER BY id DESC SEPARATOR ', ') FROM orders",
        "SELECT N'x', _utf8mb4'x' COLLATE utf8mb4_bin, x'41', b'01', 0x41, 0b01, 1e5, .5, 1., 1.e3",
        "SELECT {d '2026-01-01'}, {ts '2026-01-01 00:00:00'}, {fn NOW()}",
        "SELECT * FROM {OJ a LEFT OUTER JOIN b ON a.id=b.id}",
        "SELECT a.*, `b`.c FROM `lw`.`a` JOIN lw.b",
        "SELECT !a, ~a, -a, a<=>b, a<>b, a!=b, a<<1, a>>1, a&b, a|b, a^b, a%b, a&&b, a||b FROM t",
        "SELECT NOT a, a XOR b, a DIV b, a IS NOT NULL, a RLIKE b, a REGEXP b, BINARY a FROM t",
        "SELECT begin, start, commit, rollback, savepoint, xa, handler, prepare, execute, flush FROM t",
        "SELECT /*+ SET_VAR(sort_buffer_size=16M) MAX_EXECUTION_TIME(5) */ 1",
        "SELECT LAST_INSERT_ID FROM t",
        "SELECT 1abc, t.1abc, t.5for FROM t",
        "SELECT größe, 名前 FROM täbel",
        "SELECT '\u0000', '\u00a0', `\u3000` FROM t",
        "SHOW TABLES",
        "SHOW FULL TABLES FROM lw LIKE 'o%'",
        "SHOW TABLES WHERE Tables_in_lw LIKE 'o%'",
        "SHOW CREATE TABLE lw.orders",
        "SHOW CREATE VIEW v",
        "SHOW FULL COLUMNS FROM orders",
        "SHOW INDEX FROM orders",
        "SHOW KEYS FROM orders FROM lw",
        "SHOW DATABASES",
        "SHOW TABLE STATUS LIKE 'o%'",
        "SHOW PROCEDURE STATUS",
        "SHOW CHARACTER SET",
        "SHOW COLLATION LIKE 'utf8%'",
        "SELECT status FROM orders GROUP BY ROLLUP (status)",
        "SELECT 'a|b' LIKE 'a||b' ESCAPE ('|')",
        "DESC orders",
        "DESCRIBE lw.orders status",
        "DESCRIBE orders 's%'",
        "EXPLAIN SELECT * FROM orders",
        "EXPLAIN FORMAT=TREE SELECT * FROM orders",
        "EXPLAIN ANALYZE SELECT * FROM orders",
        "EXPLAIN ANALYZE FORMAT = JSON (SELECT 1)",
        "EXPLAIN WITH c(a) AS (SELECT 1) SELECT * FROM c",
      })
  void plainReadsAreRecognised(String sql) {
    assertThat(guard.classify(sql))
        .as(guard.analyze(sql).reason())
        .isEqualTo(StatementKind.PLAIN_READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW PROCESSLIST",
        "SHOW FULL PROCESSLIST",
        "SHOW REPLICA STATUS",
        "SHOW REPLICA STATUS FOR CHANNEL 'x'",
        "SHOW SLAVE STATUS",
        "SHOW MASTER STATUS",
        "SHOW BINARY LOG STATUS",
        "SHOW BINARY LOGS",
        "SHOW BINLOG EVENTS IN 'x'",
        "SHOW RELAYLOG EVENTS",
        "SHOW REPLICAS",
        "SHOW ENGINE INNODB STATUS",
        "SHOW OPEN TABLES",
        "SHOW PLUGINS",
        "SHOW GLOBAL STATUS LIKE 'Threads_running'",
        "SHOW GLOBAL VARIABLES",
        "EXPLAIN FOR CONNECTION 5",
        "XA RECOVER",
        "SELECT IS_FREE_LOCK('x')",
        "SELECT IS_USED_LOCK('x')",
        "SELECT LOAD_FILE('/etc/hosts')",
        "SELECT WAIT_FOR_EXECUTED_GTID_SET('x:1', 1)",
        "SELECT SOURCE_POS_WAIT('x', 4)",
        "SELECT * FROM performance_schema.threads",
        "SELECT * FROM `performance_schema` . `threads`",
        "SELECT * FROM information_schema.processlist",
        "SELECT * FROM information_schema.INNODB_TRX",
        "SELECT * FROM sys.processlist",
        "SELECT * FROM mysql.general_log",
        "SELECT * FROM orders WHERE id IN (SELECT id FROM orders JOIN mysql.user)",
      })
  void whatIsTrueOfOneServerIsAskedOfThatServer(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.INSTANCE_READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM information_schema.tables",
        "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = DATABASE()",
        "SELECT sys.name, mysql.x FROM systems sys, t mysql",
      })
  void descriptionsOfReplicatedTablesAreTheSameEverywhere(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.PLAIN_READ);
  }
}

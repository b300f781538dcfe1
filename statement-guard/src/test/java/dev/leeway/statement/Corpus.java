package dev.leeway.statement;

import java.util.List;
import java.util.stream.Stream;

/** Texts of known kinds, which several tests use. */
final class Corpus {
  /** Reads that lock rows, D02.1 to D02.14 and more of the kind. */
  static final List<String> LOCKING_READS =
      List.of(
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
          "SELECT 1; SELECT * FROM orders FOR UPDATE");

  /** Plain reads that only look like locking ones, D02.15 to D02.18 and more. */
  static final List<String> LOOK_ALIKES_OF_LOCKING_READS =
      List.of(
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
          "SELECT forupdate FROM orders");

  /** Plain reads of every form, D03.11 to D03.13 and more. */
  static final List<String> PLAIN_READS =
      List.of(
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
          "EXPLAIN WITH c(a) AS (SELECT 1) SELECT * FROM c");

  /** Calls of functions that are not built in, D07 and more. */
  static final List<String> FUNCTION_CALLS =
      List.of(
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
          "SELECT sys.format_bytes(1)");

  /** Plain reads that call built-in functions. */
  static final List<String> READS_WITH_FUNCTIONS =
      List.of(
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
          "SELECT REGEXP_REPLACE(note, 'a', 'b'), AES_ENCRYPT('a', 'b'), BIN_TO_UUID(x) FROM t");

  /** What only the session knows, D05 and more. */
  static final List<String> SESSION_READS =
      List.of(
          // D05
          "SELECT LAST_INSERT_ID() AS id",
          "select last_insert_id()+0",
          "SELECT @@identity",
          "SELECT @@last_insert_id",
          "SELECT status FROM orders WHERE id=LAST_INSERT_ID()",
          "SELECT @x",
          "SELECT @n + 1",
          "SELECT @c",
          // More of the kind
          "SELECT LAST_INSERT_ID ( )",
          "SELECT LAST_INSERT_ID/**/()",
          "SELECT (SELECT MAX(LAST_INSERT_ID()))",
          "SELECT * FROM orders WHERE id IN (1, last_insert_id())",
          "SELECT @`x y`, @'x', @\"x\", @x.y$z",
          "SELECT * FROM orders WHERE id = @x",
          "SELECT * FROM orders LIMIT 1 OFFSET 2 UNION SELECT @x, 1, 2",
          "SELECT @@session.identity",
          "SELECT @@local.last_insert_id",
          "SELECT @@`identity`",
          "SELECT @@insert_id",
          "SELECT @@autocommit",
          "SELECT @@warning_count, @@error_count",
          "SELECT @@transaction_isolation",
          "SELECT @@SESSION.transaction_read_only",
          "SELECT @@time_zone",
          "SELECT @@sql_mode",
          "SELECT @@character_set_results",
          "SELECT @@rand_seed1",
          "SELECT @@some_new_variable",
          "SELECT FOUND_ROWS()",
          "SELECT ROW_COUNT()",
          "SELECT CONNECTION_ID()",
          "SELECT CURRENT_ROLE()",
          "SELECT PS_CURRENT_THREAD_ID()",
          "SHOW WARNINGS",
          "SHOW ERRORS LIMIT 1",
          "SHOW COUNT(*) WARNINGS",
          "SHOW VARIABLES LIKE 'autocommit'",
          "SHOW SESSION STATUS",
          "SHOW STATUS",
          "SHOW LOCAL VARIABLES",
          "SHOW GRANTS",
          "SHOW PROFILES",
          "SELECT * FROM performance_schema.session_variables");

  /** What stays behind on the connection, D05 and more. */
  static final List<String> SESSION_CHANGES =
      List.of(
          // D05
          "SELECT `GET_LOCK`('brk', 0)",
          "SELECT COUNT(*) + `release_lock` ( 'brk' ) FROM orders",
          "DO `Get_Lock`('brk', 0)",
          "SELECT `last_insert_id`(5)",
          "SET @x := 42",
          "SELECT @n := 5",
          "SELECT COUNT(*) INTO @c FROM orders",
          // More of the kind
          "SET @x = 1, @y = 2",
          "SET @`x` = 1",
          "SET @x = next_no()",
          "SET SESSION sql_mode = '', @x = 1",
          "SET time_zone = @tz",
          "SET SESSION sql_mode = (SELECT CONCAT(@@sql_mode, ',ANSI'))",
          "SET insert_id = 5",
          "SET last_insert_id = 5",
          "SET @@session.identity = 5",
          "SET gtid_next = 'AUTOMATIC'",
          "SET sql_log_bin = 0",
          "SET RESOURCE GROUP g",
          "SELECT @a:=@b+1 FROM orders",
          "SELECT * FROM orders WHERE (@i := @i + 1) < 5",
          "SELECT id INTO @x FROM orders LIMIT 1",
          "SELECT id FROM orders LIMIT 1 INTO @x",
          "SELECT 1, 2 INTO @`x`, @y",
          "TABLE orders INTO @a, @b, @c",
          "SELECT GET_LOCK('a', 1)",
          "SELECT RELEASE_LOCK('a'), 1",
          "SELECT RELEASE_ALL_LOCKS()",
          "SELECT COALESCE(GET_LOCK('a', 1), 0) FROM DUAL",
          "SELECT LAST_INSERT_ID(5)",
          "SELECT LAST_INSERT_ID(id) FROM orders",
          "SELECT SQL_CALC_FOUND_ROWS * FROM orders LIMIT 1",
          "UPDATE orders SET status = 'x' WHERE (@id := id) = 1",
          "DO RELEASE_LOCK('a')",
          "DO @x := 1",
          "DO LAST_INSERT_ID(1)");

  /** Plain reads that ask for facts of the server or have names like session state. */
  static final List<String> FACTS_AND_NAMES =
      List.of(
          "SELECT name FROM whoami",
          "SELECT @@server_uuid",
          "SELECT @@hostname, @@port, @@server_id, @@version",
          "SELECT @@SERVER_UUID AS served_by, COUNT(*) FROM orders",
          "SELECT @@global.read_only, @@GLOBAL.super_read_only",
          "SELECT @@global.gtid_executed",
          "SELECT @@gtid_executed",
          "SELECT @@global.autocommit, @@global . autocommit, @@global./**/autocommit",
          "SELECT VERSION(), DATABASE(), SCHEMA(), USER(), CURRENT_USER(), CURRENT_USER",
          "SELECT 'a@b', `@x`, \"@@identity\"",
          "SELECT last_insert_id, identity, found_rows FROM orders",
          "SELECT o.last_insert_id FROM orders o");

  /** What is true of one server. */
  static final List<String> INSTANCE_READS =
      List.of(
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
          "SELECT * FROM orders WHERE id IN (SELECT id FROM orders JOIN mysql.user)");

  /** Texts that switch autocommit off, D06 and more of the kind. */
  static final List<String> AUTOCOMMIT_OFF =
      List.of(
          // D06
          "SET autocommit=0",
          "SET @@session.autocommit = OFF",
          "SET SESSION time_zone='+00:00', autocommit=0",
          // More of the kind
          "set AutoCommit = 0;",
          "SET autocommit := 0",
          "SET @@autocommit=0",
          "SET @@local.autocommit=off",
          "SET SESSION autocommit = FALSE",
          "SET LOCAL autocommit = 'OFF'",
          "SET autocommit = \"off\"",
          "SET `autocommit` = 00",
          "SET @@`autocommit` = 0",
          "SET @@session.`autocommit` = 0",
          "SET @@session . autocommit = 0",
          "SET @@session./* x */autocommit = 0",
          "SET NAMES utf8; SET autocommit = 0",
          "SET autocommit = 1; SET autocommit = 0; SET NAMES utf8",
          "SET/**/autocommit/**/=/**/0",
          "/* tag */ SET autocommit = 0 -- x",
          "SET autocommit=0, time_zone='+00:00'",
          "SET @x = 1, autocommit = 0",
          "SET NAMES utf8, autocommit = 0",
          "SET time_zone = CONCAT('+', '00:00'), autocommit = 0",
          "SET autocommit = 1, autocommit = 0",
          "SET GLOBAL max_connections = 5, SESSION autocommit = 0",
          "SET @@global.max_connections = 5, autocommit = 0");

  /** Texts that switch autocommit on. */
  static final List<String> AUTOCOMMIT_ON =
      List.of(
          "SET autocommit=1",
          "SET autocommit = ON;",
          "SET @@session.autocommit = TRUE",
          "SET SESSION autocommit = 'on'",
          "SET LOCAL autocommit := 01",
          "SET time_zone='+00:00', autocommit=1",
          "SET autocommit = 0, autocommit = 1");

  private Corpus() {}

  /** All texts here that are plain reads. */
  static List<String> allPlainReads() {
    return Stream.of(
            PLAIN_READS, LOOK_ALIKES_OF_LOCKING_READS, READS_WITH_FUNCTIONS, FACTS_AND_NAMES)
        .flatMap(List::stream)
        .toList();
  }

  /** All texts here that look much like plain reads and are none. */
  static List<String> allOtherReads() {
    return Stream.of(LOCKING_READS, FUNCTION_CALLS, SESSION_READS, SESSION_CHANGES, INSTANCE_READS)
        .flatMap(List::stream)
        .toList();
  }
}

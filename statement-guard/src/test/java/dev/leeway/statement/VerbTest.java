package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
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
          UNKNOWN          | SET STATEMENT max_statement_time=1 FOR DELETE FROM orders
          UNKNOWN          | SET autocommit
          UNKNOWN          | SET
          UNKNOWN          | SET x = 1 2; FOO
          UNKNOWN          | SIGNAL SQLSTATE '45000'
          FUNCTION_CALL    | DO next_no()
          WRITE            | (DELETE FROM orders)
          """)
  void everyVerbHasItsKind(StatementKind kind, String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(kind);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#PLAIN_READS")
  void plainReadsAreRecognised(String sql) {
    assertThat(guard.classify(sql))
        .as(guard.analyze(sql).reason())
        .isEqualTo(StatementKind.PLAIN_READ);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#INSTANCE_READS")
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

package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Command;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every byte that a client gets through the proxy is the byte that it gets from the server, under
 * each set of capabilities that changes the form of answers.
 */
@ExtendWith(NoLeaks.class)
@Timeout(120)
@MySqlTopology(replicas = 0, options = "--local-infile=ON")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RawDifferentialIT {
  private static final String SCHEMA = "lw_raw";
  private static final int BASE =
      Capabilities.LONG_FLAG
          | Capabilities.TRANSACTIONS
          | Capabilities.MULTI_STATEMENTS
          | Capabilities.MULTI_RESULTS
          | Capabilities.PS_MULTI_RESULTS
          | Capabilities.LOCAL_FILES;

  enum Form {
    OLD(BASE),
    NEW(BASE | Capabilities.DEPRECATE_EOF | Capabilities.SESSION_TRACK),
    ATTRIBUTES(BASE | Capabilities.DEPRECATE_EOF | Capabilities.QUERY_ATTRIBUTES),
    OPTIONAL(BASE | Capabilities.DEPRECATE_EOF | Capabilities.OPTIONAL_RESULTSET_METADATA),
    OPTIONAL_OLD(BASE | Capabilities.OPTIONAL_RESULTSET_METADATA);

    final int capabilities;

    Form(int capabilities) {
      this.capabilities = capabilities;
    }
  }

  private final MySqlServer primary;
  private EmbeddedProxy proxy;

  RawDifferentialIT(@Server("primary") MySqlServer primary) {
    this.primary = primary;
  }

  @BeforeAll
  void start() {
    proxy =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .start();
  }

  @AfterAll
  void stop() throws SQLException {
    proxy.close();
    primary.execute("DROP DATABASE IF EXISTS " + SCHEMA);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] command(int command, String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(command);
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  /** Everything whose answer is the same each time. */
  private static List<byte[]> script(RawClient client) {
    List<byte[]> script = new ArrayList<>();
    for (String sql :
        List.of(
            "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a VARCHAR(40), b BLOB, d DATETIME(3))",
            "INSERT INTO t (a, b, d) VALUES ('x', 0x00FF, '2026-01-02 03:04:05.678'), (NULL, NULL, NULL)",
            "SELECT * FROM t",
            "SELECT * FROM t WHERE id > 100",
            "SELECT nothing FROM nowhere",
            "SELEC 1",
            "UPDATE t SET a = 'y'",
            "UPDATE t SET a = 'y'",
            "SELECT 1; SELECT 2, 3; UPDATE t SET a = 'z' WHERE id = 1; SELECT a FROM t",
            "SELECT 1; SELECT nothing; SELECT 3",
            "DELETE FROM t WHERE id = 99; INSERT INTO t (a) VALUES ('m'), ('n')",
            "SELECT CAST('abc' AS SIGNED), 1/0",
            "SHOW WARNINGS",
            "INSERT INTO t (id) VALUES (1)",
            "SHOW WARNINGS",
            "SHOW ERRORS",
            "SELECT @@warning_count, @@error_count",
            "GET DIAGNOSTICS @n = NUMBER",
            "SELECT @n",
            "START TRANSACTION",
            "INSERT INTO t (a) VALUES ('tx')",
            "SELECT LAST_INSERT_ID() > 0, ROW_COUNT()",
            "ROLLBACK",
            "SET autocommit = 0",
            "SELECT COUNT(*) FROM t",
            "SET autocommit = 1",
            "SET SESSION TRANSACTION READ ONLY",
            "INSERT INTO t (a) VALUES ('ro')",
            "SET SESSION TRANSACTION READ WRITE",
            "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT a FROM t; UPDATE t SET a = 'p'; END",
            "CALL p()",
            "CREATE PROCEDURE broken() BEGIN SELECT 1; SELECT * FROM missing; SELECT 2; END",
            "CALL broken()",
            "CREATE PROCEDURE outs(OUT x INT, INOUT y INT) BEGIN SET x = 5; SET y = y + 1; SELECT y; END",
            "SET @y = 1",
            "CALL outs(@x, @y)",
            "SELECT @x, @y",
            "HANDLER t OPEN",
            "HANDLER t READ FIRST",
            "HANDLER t READ NEXT LIMIT 2",
            "HANDLER t CLOSE",
            "PREPARE s FROM 'SELECT ? + 1'",
            "SET @v = 41",
            "EXECUTE s USING @v",
            "DEALLOCATE PREPARE s",
            "XA START 'x1'",
            "INSERT INTO t (a) VALUES ('xa')",
            "XA END 'x1'",
            "XA PREPARE 'x1'",
            "XA ROLLBACK 'x1'",
            "CREATE TEMPORARY TABLE tmp (n INT)",
            "INSERT INTO tmp VALUES (1), (2), (3)",
            "SELECT SQL_CALC_FOUND_ROWS n FROM tmp LIMIT 1",
            "SELECT FOUND_ROWS()",
            "SELECT GET_LOCK('lw_raw', 0)",
            "SELECT RELEASE_LOCK('lw_raw')",
            "USE information_schema",
            "SELECT DATABASE()",
            "USE lw_raw",
            "SET NAMES latin1",
            "SELECT 'é', @@character_set_results",
            "SET NAMES utf8mb4",
            "SET sql_mode = 'ANSI_QUOTES'",
            "SELECT 1 AS \"one\"",
            "SET sql_mode = DEFAULT",
            "SET session_track_gtids = OFF",
            "SET session_track_state_change = ON",
            "SET @u = 7",
            "SET session_track_schema = ON",
            "USE lw_raw",
            "SET session_track_system_variables = 'sort_buffer_size'",
            "SET sort_buffer_size = 300000",
            "SET session_track_transaction_info = 'CHARACTERISTICS'",
            "BEGIN",
            "SELECT COUNT(*) FROM t",
            "COMMIT",
            "SELECT REPEAT('x', 300000)",
            "EXPLAIN SELECT 1",
            "ANALYZE TABLE t",
            "/* nothing */",
            ";",
            "SELECT 1;",
            "DO 1",
            "KILL QUERY 3999999999",
            "LOAD DATA INFILE '/nowhere' INTO TABLE t",
            "SELECT * FROM t INTO OUTFILE '/nowhere/x'")) {
      script.add(client.query(sql));
    }
    if (Capabilities.has(client.capabilities, Capabilities.OPTIONAL_RESULTSET_METADATA)) {
      script.add(client.query("SET resultset_metadata = NONE"));
      script.add(client.query("SELECT 1, 2"));
      script.add(client.query("SELECT a FROM t; SELECT 5"));
      script.add(command(Command.STMT_PREPARE, "SELECT ?, a FROM t"));
      script.add(client.query("CALL p()"));
      script.add(client.query("SET resultset_metadata = FULL"));
    }
    script.add(command(Command.PING, ""));
    script.add(command(Command.INIT_DB, "mysql"));
    script.add(command(Command.INIT_DB, "no_such_schema"));
    script.add(command(Command.INIT_DB, SCHEMA));
    script.add(command(Command.FIELD_LIST, "t\0%"));
    script.add(command(Command.FIELD_LIST, "missing\0"));
    script.add(bytes(Command.SET_OPTION, 1, 0));
    script.add(client.query("SELECT 1; SELECT 2"));
    script.add(bytes(Command.SET_OPTION, 0, 0));
    script.add(bytes(Command.SET_OPTION, 9, 9));
    script.add(command(Command.RESET_CONNECTION, ""));
    // Numbers of prepared statements begin anew here.
    script.add(command(Command.STMT_PREPARE, "SELECT a, b FROM t WHERE id < ?"));
    script.add(command(Command.STMT_PREPARE, "SELECT nothing"));
    script.add(command(Command.STMT_PREPARE, "INSERT INTO t (a) VALUES (?)"));
    script.add(command(Command.STMT_PREPARE, "CALL p()"));
    script.add(execute(1, 0));
    // With a cursor: no rows until they are fetched.
    script.add(execute(1, 1));
    script.add(bytes(Command.STMT_FETCH, 1, 0, 0, 0, 1, 0, 0, 0));
    script.add(bytes(Command.STMT_FETCH, 1, 0, 0, 0, 100, 0, 0, 0));
    script.add(bytes(Command.STMT_FETCH, 1, 0, 0, 0, 1, 0, 0, 0));
    script.add(bytes(Command.STMT_RESET, 1, 0, 0, 0));
    script.add(bytes(Command.STMT_SEND_LONG_DATA, 3, 0, 0, 0, 0, 0, 'l', 'o', 'n', 'g'));
    script.add(bytes(Command.STMT_CLOSE, 1, 0, 0, 0));
    script.add(execute(1, 0));
    script.add(bytes(Command.STMT_FETCH, 77, 0, 0, 0, 1, 0, 0, 0));
    script.add(bytes(Command.STMT_RESET, 77, 0, 0, 0));
    script.add(bytes(0x7F, 0, 0, 0, 0));
    script.add(client.query("DROP TABLE t"));
    return script;
  }

  /** COM_STMT_EXECUTE with one parameter, the number 1000. */
  private static byte[] execute(int id, int flags) {
    return bytes(
        Command.STMT_EXECUTE, id, 0, 0, 0, flags, 1, 0, 0, 0, 0, 1, 0x03, 0, 0xE8, 0x03, 0, 0);
  }

  private List<String> talk(String host, int port, Form form, boolean ahead)
      throws IOException, SQLException {
    primary.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA + " CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci");
    List<String> answers = new ArrayList<>();
    try (RawClient client =
        RawClient.connect(
            host, port, primary.user(), primary.password(), SCHEMA, form.capabilities)) {
      answers.add("login: " + HexFormat.of().formatHex(client.loginOk));
      List<byte[]> script = script(client);
      if (ahead) {
        for (byte[] command : script) {
          client.send(command);
        }
      }
      for (byte[] command : script) {
        byte[] answer;
        try {
          answer = ahead ? client.answer(command) : client.ask(command);
        } catch (RuntimeException e) {
          throw new AssertionError(
              "answer to " + shown(command) + " after " + answers.get(answers.size() - 1), e);
        }
        answers.add(shown(command) + ": " + HexFormat.of().formatHex(answer));
      }
      answers.add("ping: " + HexFormat.of().formatHex(client.ask(bytes(Command.PING))));
    }
    return answers;
  }

  private static String shown(byte[] command) {
    String text = new String(command, 1, command.length - 1, StandardCharsets.UTF_8);
    return command[0] + " " + text.replaceAll("[^ -~]", ".");
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void everyAnswerIsTheServersByteForByte(Form form) throws Exception {
    List<String> direct = talk(primary.host(), primary.port(), form, false);
    List<String> proxied =
        talk(proxy.address().getHostString(), proxy.address().getPort(), form, false);

    for (int i = 0; i < direct.size(); i++) {
      assertThat(proxied.get(i)).isEqualTo(direct.get(i));
    }
    assertThat(proxied).hasSameSizeAs(direct);
  }

  @Test
  void commandsSentAheadAreAnsweredInTheirOrder() throws Exception {
    List<String> direct = talk(primary.host(), primary.port(), Form.NEW, false);
    List<String> proxied =
        talk(proxy.address().getHostString(), proxy.address().getPort(), Form.NEW, true);

    assertThat(proxied).isEqualTo(direct);
  }

  @Test
  void theGreetingIsTheServersButForItsNumberAndNonce() throws Exception {
    try (RawClient direct = raw(primary.host(), primary.port());
        RawClient proxied = raw(proxy.address().getHostString(), proxy.address().getPort())) {
      assertThat(proxied.greeting.serverVersion()).isEqualTo(direct.greeting.serverVersion());
      assertThat(proxied.greeting.collation()).isEqualTo(direct.greeting.collation());
      assertThat(proxied.greeting.status()).isEqualTo(direct.greeting.status());
      assertThat(proxied.greeting.authPlugin()).isEqualTo(direct.greeting.authPlugin());
      int lacking = direct.greeting.capabilities() & ~proxied.greeting.capabilities();
      // What is relayed must be understood; what is not, is not promised.
      assertThat(
              lacking
                  & ~(Capabilities.COMPRESS
                      | Capabilities.ZSTD_COMPRESSION
                      | Capabilities.MULTI_FACTOR_AUTHENTICATION
                      | 1 << 29
                      | 1 << 30
                      | 1 << 31))
          .as("capabilities that the proxy keeps back: 0x%X", lacking)
          .isZero();
    }
  }

  private RawClient raw(String host, int port) throws IOException {
    return RawClient.connect(
        host, port, primary.user(), primary.password(), "", Form.NEW.capabilities);
  }
}

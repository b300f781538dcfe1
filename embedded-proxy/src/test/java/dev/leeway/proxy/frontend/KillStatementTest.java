package dev.leeway.proxy.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KillStatementTest {
  private static @Nullable KillStatement parse(String sql) {
    ByteBuf bytes = Unpooled.wrappedBuffer(sql.getBytes(StandardCharsets.UTF_8));
    return KillStatement.parse(bytes, 0, bytes.writerIndex());
  }

  @Test
  void itsFormsAreRead() {
    assertThat(parse("KILL 5")).isEqualTo(new KillStatement(false, 5));
    assertThat(parse(" /* stop */ kill\tquery 1073741825 ; "))
        .isEqualTo(new KillStatement(true, 1073741825L));
    assertThat(parse("KILL CONNECTION/**/7")).isEqualTo(new KillStatement(false, 7));
  }

  @Test
  void whatHasMoreToItIsTheServers() {
    for (String sql :
        new String[] {
          "KILL",
          "KILL x",
          "KILLER 5",
          "KILL 5 + 1",
          "KILL QUERY",
          "KILL 5; SELECT 1",
          "KILL -1",
          "/*! KILL 5 */",
          "SELECT 1",
          "KILL 99999999999",
          ""
        }) {
      assertThat(parse(sql)).as(sql).isNull();
    }
  }

  @Test
  void theServersNumberIsPutInItsPlace() {
    assertThat(new KillStatement(true, 1).withId(-1)).isEqualTo("KILL QUERY 4294967295");
    assertThat(new KillStatement(false, 1).withId(9)).isEqualTo("KILL CONNECTION 9");
  }
}

package dev.leeway.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCellAndNumbersStandRight() {
    TextTable table =
        TextTable.of("query", "reads>", "p99>")
            .row("confirmation page", 200, "1.2 ms")
            .gap()
            .row("job", 8, "10.25 ms");

    assertThat(table.lines())
        .containsExactly(
            "query              reads       p99",
            "confirmation page    200    1.2 ms",
            "",
            "job                    8  10.25 ms");
  }

  @Test
  void aRowWithACellTooFewIsRefused() {
    TextTable table = TextTable.of("a", "b");

    assertThatThrownBy(() -> table.row("only"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("table - 1 cells (expected: 2)");
  }
}

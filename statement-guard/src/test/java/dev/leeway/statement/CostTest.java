package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reading costs: bounded by the length of the text, and no allocation. */
class CostTest {
  private static final int CHARACTERS = 500_000;

  private final StatementGuard guard = StatementGuard.create();

  /** A cost that grew with the square of the length would take many minutes for these. */
  @ParameterizedTest
  @Timeout(60)
  @ValueSource(
      strings = {
        "1,",
        "(",
        ")",
        "((1),",
        "f(",
        "next_no(1),",
        "count(",
        "a.",
        "a,b.c,",
        "'",
        "''",
        "\"\\\"",
        "`",
        "/*",
        "/**/",
        "/*!",
        "/*!99999 1 */",
        "/*!99999 '",
        "/*+ ' */",
        "/*+ '",
        "*/",
        "-- ",
        "--",
        "-- \n",
        "#\n",
        "@",
        "@x,",
        "@@",
        "@@x,",
        "?",
        "$",
        ";",
        "SELECT 1;",
        "FOR ",
        "FOR UPDATE ",
        "INTO ",
        "WITH ",
        "WITH c AS (",
        "c AS (SELECT 1),",
        "SELECT (",
        "FROM a JOIN ",
        "FROM ",
        "AS x (",
        "INSERT ",
        "CASE WHEN ",
        "1e5",
        "1.",
        ".5",
        "x'",
        "\\",
        "\u00e9",
        "\u00a0",
        " "
      })
  void theTimeGrowsWithTheLengthOnly(String part) {
    String repeated = part.repeat(CHARACTERS / part.length());
    for (String begin : new String[] {"SELECT ", "SET x = "}) {
      String sql = begin + repeated;
      assertThat(guard.analyze(sql).kind()).isEqualTo(guard.classify(sql));
    }
  }

  @Test
  @Timeout(60)
  void manyValuesAreStillAPlainRead() {
    String ids =
        IntStream.range(0, 20_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
    String sql = "SELECT * FROM orders WHERE id IN (" + ids + ")";
    assertThat(guard.classify(sql)).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(guard.lookup(sql).tablesRead()).containsExactly("orders");
    assertThat(guard.classify(sql + " FOR UPDATE")).isEqualTo(StatementKind.LOCKING_READ);
    String conditions = "SELECT a FROM b JOIN c WHERE d AND ".repeat(60);
    assertThat(guard.classify(conditions)).isEqualTo(StatementKind.PLAIN_READ);
    String columns = "SELECT " + "1,".repeat(60) + "1";
    assertThat(guard.classify(columns)).isEqualTo(StatementKind.PLAIN_READ);
  }

  @Test
  @Timeout(60)
  void megabytesAreReadInOnePass() {
    String values = "(1, 'x', NULL), ".repeat(250_000);
    assertThat(values).hasSize(4_000_000);
    assertThat(guard.classify("INSERT INTO t VALUES " + values + "(1, 'x', NULL)"))
        .isEqualTo(StatementKind.WRITE);
    assertThat(guard.classify("SELECT * FROM t WHERE (a, b, c) IN (" + values + "(1, 2, 3))"))
        .isEqualTo(StatementKind.PLAIN_READ);
  }

  @Test
  void nestingIsReadAsDeepAsServersAllowAndUnknownBeyond() {
    assertThat(guard.classify(nested(1_000))).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(guard.classify(nested(100_000))).isEqualTo(StatementKind.UNKNOWN);
  }

  private static String nested(int depth) {
    return "SELECT " + "(".repeat(depth) + "1" + ")".repeat(depth);
  }

  @Test
  void namesAreCollectedUpToABound() {
    String tables =
        IntStream.range(0, 10_000).mapToObj(i -> "t" + i).collect(Collectors.joining(","));
    assertThat(guard.analyze("SELECT * FROM " + tables).tablesRead())
        .hasSize(TableNames.MOST)
        .contains("t0", "t1");
  }

  @Test
  void readingAllocatesNothing() {
    List<String> texts = Corpus.allPlainReads();
    List<String> others = Corpus.allOtherReads();
    classifyAll(texts, others);
    assertThat(bytesAllocatedBy(() -> classifyAll(texts, others))).isLessThan(texts.size());
  }

  @Test
  void aTextSeenBeforeCostsNoAllocation() {
    List<String> texts = List.of("SELECT 1", "SELECT * FROM orders WHERE id = ?");
    for (String text : texts) {
      assertThat(guard.lookup(text)).isSameAs(guard.lookup(new String(text)));
    }
    assertThat(
            bytesAllocatedBy(
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    guard.lookup(texts.get(i & 1));
                  }
                }))
        .isLessThan(1_000);
  }

  @Test
  void longTextsAreNotKept() {
    String longText = "SELECT '" + "x".repeat(StatementGuard.LONGEST_CACHED) + "'";
    assertThat(guard.lookup(longText)).isNotSameAs(guard.lookup(longText));
    assertThat(guard.lookup(longText).kind()).isEqualTo(StatementKind.PLAIN_READ);
  }

  private void classifyAll(List<String> texts, List<String> others) {
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < texts.size(); i++) {
        guard.classify(texts.get(i));
      }
      for (int i = 0; i < others.size(); i++) {
        guard.classify(others.get(i));
      }
    }
  }

  /** The least of several measurements, since the JVM itself allocates now and then. */
  private static long bytesAllocatedBy(Runnable task) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 10; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      task.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}

package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code that does not compile is the compiler's to report: we neither fail over it nor add to it.
 */
class BrokenCodeTest {
  private static final String IMPORTS = "import dev.leeway.annotation.*; import java.util.*;\n";

  @TempDir Path classes;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@RoutedRepository class Orders extends Missing { @ReadReplica public void find() {} }",
        "@RoutedRepository class Orders implements Missing<Gone> { @Write public void find() {} }",
        "@RoutedRepository class Orders { @ReadReplica public Missing<Gone>[] find() { return null; } }",
        "@RoutedRepository class Orders { @Write public void put(Map<? super Gone, List<? extends Gone[]>> m) {} }",
        "@RoutedRepository class Orders { @Write public <T extends Gone & Missing> void put(T t) {} }",
        "@RoutedRepository class Orders<T extends Gone> { @Write public void put(T t) {} }",
        "@RoutedRepository class Orders { Orders(Gone g) {} @Write public void put() {} }",
        "@RoutedRepository class Orders { @Write public void put() throws Gone {} }",
        "@RoutedRepository class Orders extends Orders { @Write public void put() {} }",
        "@RoutedRepository interface A extends B { @Write void put(); } interface B extends A {}",
        "@RoutedRepository class Orders { @Write public void put() {} @Write public void put() {} }",
        "@RoutedRepository class Orders { @Write public void put() {} } class Orders { @Write void put() {} }",
        "interface Orders { @ReadPrimary void find(); }",
        "interface Orders { @ReadPrimary(because = 5) void find(); }",
        "interface Orders { @ReadPrimary(because = {\"a\", \"b\"}) void find(); }",
        "interface Orders { @ReadPrimary(because = GONE) void find(); }",
        "interface Orders { @ReadReplica(maxStaleness = GONE + \"s\") void find(); }",
        "interface Orders { @ReadReplica(maxStaleness = 5) void find(); }",
        "interface Orders { @ReadReplica(fallback = Fallback.GONE) void find(); }",
        "interface Orders { @ReadReplica(fallback = \"STALE\") void find(); }",
        "interface Orders { @ReadReplica(missing = \"5s\") void find(); }",
        "interface Orders { @Gone @Write void find(Gone g); }",
        "@RoutedRepository interface Orders { @Write void find(@Gone List<@Gone String> g); }",
        "@RoutedRepository class Orders { @Gone @Write public void find(@Gone String g) {} }",
        "@RoutedRepository class Orders { @Write public void find() { this.gone(); super.gone(); gone(); Gone.this.find(); } }",
        "class Orders { @Write Orders() {} @Write int field; }",
        "class Orders { @Write public void find() { new Gone() { void x() { find(); this.find(); } }; } }",
      })
  void theCompilersOwnErrorsAreTheOnlyOnes(String source) {
    Compilation.Result result =
        Compilation.into(classes)
            .option("-Aleeway.strict")
            .source("Orders.java", IMPORTS + source)
            .run();

    assertThat(result.success()).isFalse();
    assertThat(result.output())
        .contains("error: ")
        .doesNotContain("error: [LW-", "dev.leeway.annotation.processor", "Orders_Routed.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "interface Orders { @Write @Write void find(); }",
        "@RoutedRepository sealed class Orders permits Gone { @Write public void find() {} }",
        "@RoutedRepository class Orders { @Write public abstract void find(); }",
        "class Orders implements Runnable { @Write @Override void run() {} }",
        "@RoutedRepository class Orders { @Write public int find() { return \"\"; } @ReadReplica public void x() { find(); } }",
      })
  void mistakesOfBothKindsAreReportedTogether(String source) {
    Compilation.Result result =
        Compilation.into(classes).source("Orders.java", IMPORTS + source).run();

    assertThat(result.success()).isFalse();
    assertThat(result.output()).contains("error: ").doesNotContain("leeway.annotation.processor");
  }
}

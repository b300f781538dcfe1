package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Case D07: a read that calls a function which may write. */
class FunctionCallTest {
  private final StatementGuard guard = StatementGuard.create();

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#FUNCTION_CALLS")
  void aFunctionThatIsNotBuiltInMayWrite(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.FUNCTION_CALL);
  }

  @ParameterizedTest
  @FieldSource("dev.leeway.statement.Corpus#READS_WITH_FUNCTIONS")
  void builtInFunctionsOnlyRead(String sql) {
    assertThat(guard.classify(sql)).as(sql).isEqualTo(StatementKind.PLAIN_READ);
  }

  @Test
  void aFunctionDeclaredWithoutASchemaIsTrustedInEverySchema() {
    StatementGuard trusting = trusting("ro_total");
    assertThat(trusting.classify("SELECT ro_total()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT RO_TOTAL ( )")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT `ro_total`()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT lw.ro_total()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT ro_total(next_no())"))
        .isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT ro_total2()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT a.b.ro_total()")).isEqualTo(StatementKind.FUNCTION_CALL);
  }

  @Test
  void aFunctionDeclaredWithASchemaIsTrustedOnlyWhereTheCallNamesIt() {
    StatementGuard trusting = trusting("LW.ro_total");
    assertThat(trusting.classify("SELECT lw.ro_total()")).isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT `lw` . `ro_total` ()"))
        .isEqualTo(StatementKind.PLAIN_READ);
    assertThat(trusting.classify("SELECT ro_total()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT other.ro_total()")).isEqualTo(StatementKind.FUNCTION_CALL);
    assertThat(trusting.classify("SELECT lw.next_no()")).isEqualTo(StatementKind.FUNCTION_CALL);
  }

  @Test
  void aNameThatIsNoFunctionNameIsRefused() {
    assertThatThrownBy(() -> trusting("lw.ro_total()"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Statement guard - read-only function 'lw.ro_total()' (expected: name or schema.name,"
                + " without quotes and parentheses)");
  }

  private static StatementGuard trusting(String name) {
    return StatementGuard.builder().declaredReadOnlyFunctions(Set.of(name)).build();
  }
}

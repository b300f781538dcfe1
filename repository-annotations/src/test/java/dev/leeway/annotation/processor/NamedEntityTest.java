package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.IntentAnnotations;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.annotation.Write;
import org.junit.jupiter.api.Test;

/**
 * The entity that a method names reaches whoever routes it, by reflection and in generated code.
 */
class NamedEntityTest {
  interface Orders {
    @ReadReplica(entity = "order")
    void list();

    @Write(entity = "audit")
    void record();

    @Write
    void place();
  }

  private static String resolved(String method) throws NoSuchMethodException {
    return IntentAnnotations.resolve(Orders.class, Orders.class.getMethod(method)).entity();
  }

  @Test
  void anAnnotationsEntityIsTheMethods() throws NoSuchMethodException {
    assertThat(resolved("list")).isEqualTo("order");
    assertThat(resolved("record")).isEqualTo("audit");
    assertThat(resolved("place")).isEmpty();
  }

  @Test
  void generatedCodeNamesTheEntityToo() {
    RoutedMethod list = RoutedMethod.readReplica("Orders", "list()", "", Fallback.PRIMARY, "");

    assertThat(SubclassWriter.construction(list.about("or\"der")))
        .endsWith(".about(\"or\\\"der\")");
    assertThat(SubclassWriter.construction(RoutedMethod.write("Orders", "record()").about("audit")))
        .endsWith(".about(\"audit\")");
    assertThat(SubclassWriter.construction(list)).doesNotContain("about");
  }
}

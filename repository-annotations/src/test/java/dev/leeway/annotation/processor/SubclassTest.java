package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubclassTest {
  private static final Path SOURCES = Path.of("src/test/resources/subclass");

  @TempDir Path classes;

  private Compilation.Result compile(String folder) throws IOException {
    Compilation compilation =
        Compilation.into(classes)
            .option("-Xlint:all,-path,-processing")
            .option("-Werror")
            .option("-Aleeway.strict=false");
    Path root = SOURCES.resolve(folder);
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        compilation.source(
            root.relativize(file).toString().replace('\\', '/'), Files.readString(file));
      }
    }
    Compilation.Result result = compilation.run();
    assertThat(result.output()).isEmpty();
    assertThat(result.success()).isTrue();
    return result;
  }

  @Test
  void aSmallClassGivesThisSubclass() throws IOException {
    Compilation.Result result = compile("small");

    Path expected = SOURCES.resolve("small/Orders_Routed.txt");
    if ("write".equals(System.getProperty("leeway.golden"))) {
      Files.writeString(expected, result.file("shop/Orders_Routed.java"));
    }
    assertThat(result.file("shop/Orders_Routed.java")).isEqualTo(Files.readString(expected));
  }

  @Test
  @SuppressWarnings("unchecked")
  void everyRoutedMethodRunsInsideItsIntentAndNothingElseChanges() throws Exception {
    Compilation.Result result = compile("everything");

    List<String> log =
        ((Callable<List<String>>)
                result.loader().loadClass("shop.Caller").getConstructor().newInstance())
            .call();

    assertThat(log)
        .containsExactly(
            "made shop first",
            // The constructor of the class calls it: not a call into the repository.
            "inherited first",
            "> shop.Orders#inherited(java.lang.Comparable) replica maxStaleness=1s fallback=PRIMARY",
            "inherited a",
            "< Orders.inherited",
            "> shop.Orders#generic(java.util.List,java.lang.Class,java.lang.String[][]) replica"
                + " maxStaleness=5s fallback=STALE catchUp=50ms",
            "generic [g]",
            "< Orders.generic",
            "> shop.Orders#many(java.lang.Comparable,java.lang.String[]) write",
            "many 2 true",
            "< Orders.many",
            "> shop.Orders#protectedOne() primary because=\"says \\\"now\\\", ü and \\n too\"",
            "protectedOne",
            "< Orders.protectedOne",
            "> shop.Orders#packagePrivate() write",
            "packagePrivate",
            "< Orders.packagePrivate",
            "> shop.Orders#old() replica fallback=PRIMARY",
            "old",
            "< Orders.old",
            "> shop.Orders#fails() write",
            "< Orders.fails",
            "caught as it is 0",
            "> shop.Orders#transactional() write",
            "transactional",
            "undeclared",
            "> shop.Orders#old() replica fallback=PRIMARY",
            "old",
            "< Orders.old",
            "< Orders.transactional",
            "> shop.Orders#find(java.lang.Comparable) replica maxStaleness=2s fallback=PRIMARY",
            "find f",
            "< Orders.find",
            "> shop.Orders#findOr(java.lang.Comparable,java.util.List) replica maxStaleness=3s"
                + " fallback=PRIMARY",
            "> shop.Orders#find(java.lang.Comparable) replica maxStaleness=2s fallback=PRIMARY",
            "find d",
            "< Orders.find",
            "< Orders.findOr",
            "> shop.Orders#find(java.lang.Comparable) replica maxStaleness=2s fallback=PRIMARY",
            "find bridge",
            "< Orders.find",
            "> shop.Orders#save(java.lang.Comparable) write",
            "save s",
            "< Orders.save",
            "> shop.Texts#rebound(java.util.List,java.lang.String,java.lang.String[]) replica"
                + " fallback=PRIMARY",
            "< Texts.rebound",
            "> shop.Texts$Raw#save(java.lang.Object) write",
            "< Texts$Raw.save",
            "[rebound [t]]");
  }

  @Test
  void whatContainersReadIsOnTheSubclassToo() throws Exception {
    ClassLoader loader = compile("everything").loader();
    Class<?> original = loader.loadClass("shop.Orders");
    Class<?> routed = loader.loadClass("shop.Orders_Routed");

    // Scope and qualifier; the rest would make two beans of one class, or mean Leeway again.
    assertThat(routed.getDeclaredAnnotations())
        .extracting(annotation -> annotation.annotationType().getSimpleName())
        .containsExactly("Singleton", "Tenant");
    assertThat(annotation(routed, "Tenant")).isEqualTo(annotation(original, "Tenant"));
    Constructor<?> injected =
        Arrays.stream(routed.getDeclaredConstructors())
            .filter(constructor -> constructor.getAnnotations().length > 0)
            .findFirst()
            .orElseThrow();
    assertThat(injected.getAnnotations())
        .extracting(a -> a.annotationType().getName())
        .containsExactly("jakarta.inject.Inject");
    assertThat(injected.getParameterTypes()[0].getSimpleName()).isEqualTo("IntentBoundary");
    assertThat(injected.getParameterAnnotations()[1][0].toString()).contains("Named", "main");
    assertThat(injected.getExceptionTypes()).containsExactly(IOException.class);
    assertThat(routed.getDeclaredMethod("transactional").getAnnotations())
        .containsExactly(original.getDeclaredMethod("transactional").getAnnotations()[0]);
  }

  @Test
  void theSubclassIsAsOpenAsItsClass() throws Exception {
    ClassLoader loader = compile("everything").loader();
    Class<?> routed = loader.loadClass("shop.Orders_Routed");
    Class<?> nested = loader.loadClass("shop.Orders_Lines_Routed");

    assertThat(Modifier.isPublic(routed.getModifiers())).isTrue();
    assertThat(Modifier.isPublic(nested.getModifiers())).isFalse();
    assertThat(routed.getDeclaredMethod("protectedOne").getModifiers())
        .isEqualTo(Modifier.PROTECTED);
    assertThat(routed.getDeclaredMethod("packagePrivate").getModifiers()).isZero();
    assertThat(Arrays.stream(routed.getDeclaredConstructors()).map(Constructor::getParameterCount))
        .containsExactlyInAnyOrder(3, 2, 2);
  }

  @Test
  void nullnessOfWhatIsOverriddenIsKept() throws Exception {
    String source = compile("everything").file("shop/Orders_Routed.java");

    assertThat(source)
        .contains("@org.jspecify.annotations.Nullable K key")
        .contains("java.util.@org.jspecify.annotations.Nullable Map<K, ? extends V> generic(")
        .contains(
            "java.lang.@org.jspecify.annotations.Nullable String"
                + " @org.jspecify.annotations.Nullable []"
                + " @org.jspecify.annotations.Nullable [] texts")
        .contains("@org.jspecify.annotations.Nullable K protectedOne()");
    assertThat(Files.readString(classes.resolve("shop/Texts_Routed.java")))
        .contains(
            "<T extends java.lang.String> java.util.Map<? extends T,"
                + " java.lang.@org.jspecify.annotations.Nullable String[]> rebound("
                + "java.util.List<java.lang.@org.jspecify.annotations.Nullable String> values,"
                + " @org.jspecify.annotations.Nullable T one,"
                + " java.lang.@org.jspecify.annotations.Nullable String... more)");
  }

  private static Annotation annotation(Class<?> type, String simpleName) {
    return Arrays.stream(type.getDeclaredAnnotations())
        .filter(a -> a.annotationType().getSimpleName().equals(simpleName))
        .findFirst()
        .orElseThrow();
  }
}

package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.IntentAnnotations;
import dev.leeway.annotation.IntentKind;
import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.annotation.RoutedRepository;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One rule, two implementations: what is listed at compile time is what is routed at run time. */
class AgreementTest {
  @TempDir Path classes;

  @Test
  void theInventoryListsExactlyWhatIsResolvedAtRunTime() throws Exception {
    Path source = Path.of("src/test/resources/agreement/shop/Hierarchies.java");
    Compilation.Result result =
        Compilation.into(classes).source("shop/Hierarchies.java", Files.readString(source)).run();
    assertThat(result.success()).as(result.output()).isTrue();
    Inventory inventory = Inventory.read(classes);
    Set<String> repositories =
        inventory.routes().stream()
            .map(RoutedMethod::repository)
            .collect(Collectors.toCollection(LinkedHashSet::new));

    TreeMap<String, RoutedMethod> resolved = new TreeMap<>();
    for (String repository : repositories) {
      Class<?> type = result.loader().loadClass(repository);
      for (Method method : methodsOf(type)) {
        RoutedMethod route = IntentAnnotations.resolve(type, method);
        if (route.kind() != IntentKind.UNDECLARED || isListedUndeclared(type, route)) {
          RoutedMethod other = resolved.put(route.repository() + '#' + route.signature(), route);
          // Whichever declaration or bridge one asks for, the answer is the same.
          assertThat(other).isIn(null, route);
        }
      }
    }

    assertThat(repositories)
        .extracting(name -> name.substring(name.indexOf('$') + 1))
        .containsExactlyInAnyOrder(
            "Crud",
            "Renamed",
            "Concrete",
            "Base",
            "Orders",
            "Ledger",
            "Raw",
            "Wide",
            "Narrow",
            "Same",
            "Diamond",
            "Agreed");
    assertThat(Inventory.of(resolved.values()).toText()).isEqualTo(inventory.toText());
  }

  /** A routed repository lists the public methods that declare nothing too. */
  private static boolean isListedUndeclared(Class<?> type, RoutedMethod route) {
    if (!type.isAnnotationPresent(RoutedRepository.class)) {
      return false;
    }
    for (Class<?> declaring : hierarchy(type)) {
      for (Method method : declaring.getDeclaredMethods()) {
        boolean same =
            !method.isBridge()
                && !Modifier.isStatic(method.getModifiers())
                && !Modifier.isPrivate(method.getModifiers())
                && IntentAnnotations.resolve(type, method).equals(route);
        if (same) {
          return Modifier.isPublic(method.getModifiers())
              && !isOfObject(method)
              && !(type.isRecord() && method.getName().equals("number"));
        }
      }
    }
    return false;
  }

  private static boolean isOfObject(Method method) {
    try {
      return Object.class.getDeclaredMethod(method.getName(), method.getParameterTypes()) != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static List<Method> methodsOf(Class<?> type) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> declaring : hierarchy(type)) {
      methods.addAll(List.of(declaring.getDeclaredMethods()));
    }
    return methods;
  }

  /** Nearest first. */
  private static Set<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> types = new LinkedHashSet<>();
    for (Class<?> t = type; t != null; t = t.getSuperclass()) {
      types.add(t);
    }
    for (Class<?> t : List.copyOf(types)) {
      addInterfaces(t, types);
    }
    return types;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> types) {
    for (Class<?> parent : type.getInterfaces()) {
      types.add(parent);
      addInterfaces(parent, types);
    }
  }
}

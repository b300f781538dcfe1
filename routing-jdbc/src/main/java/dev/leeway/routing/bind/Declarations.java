package dev.leeway.routing.bind;

import dev.leeway.annotation.DurationText;
import dev.leeway.annotation.IntentAnnotations;
import dev.leeway.annotation.IntentKind;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.annotation.Write;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What types declare, seen by reflection. Used when something is bound, never when it is called.
 */
public final class Declarations {
  private Declarations() {}

  /** Whether any method of the type, or the type itself, says anything about routing. */
  public static boolean declareAnything(Class<?> type) {
    for (Class<?> each : hierarchyOf(type)) {
      if (isAnnotated(each)) {
        return true;
      }
      for (Method method : each.getDeclaredMethods()) {
        if (isAnnotated(method)) {
          return true;
        }
      }
    }
    return false;
  }

  static boolean isAnnotated(AnnotatedElement element) {
    return element.isAnnotationPresent(ReadReplica.class)
        || element.isAnnotationPresent(ReadPrimary.class)
        || element.isAnnotationPresent(Write.class);
  }

  /** The type, its superclasses and all its interfaces, each once; not {@link Object}. */
  static Set<Class<?>> hierarchyOf(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      found.add(each);
    }
    for (Class<?> each : List.copyOf(found)) {
      addInterfaces(each, found);
    }
    return found;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> found) {
    for (Class<?> each : type.getInterfaces()) {
      found.add(each);
      addInterfaces(each, found);
    }
  }

  /**
   * Annotated methods that a call through an interface never enters. A proxy stands in front of the
   * object: it sees what the object's interfaces have, and nothing that the object calls on itself.
   */
  static List<String> unreachableThroughInterfaces(Class<?> implementation) {
    Set<Class<?>> hierarchy = hierarchyOf(implementation);
    List<String> unreachable = new ArrayList<>();
    for (Class<?> type : hierarchy) {
      for (Method method : type.getDeclaredMethods()) {
        if (!isAnnotated(method) || method.isBridge()) {
          continue;
        }
        if (Modifier.isPrivate(method.getModifiers())) {
          unreachable.add(nameOf(method) + " is private");
        } else if (Modifier.isStatic(method.getModifiers())) {
          unreachable.add(nameOf(method) + " is static");
        } else if (!type.isInterface()
            && hierarchy.stream().noneMatch(each -> each.isInterface() && has(each, method))) {
          unreachable.add(nameOf(method) + " is in no interface of the class");
        }
      }
    }
    return unreachable;
  }

  /** Annotated methods that a subclass cannot override, so that no interceptor gets in front. */
  static List<String> unreachableForSubclasses(Class<?> type) {
    List<String> unreachable = new ArrayList<>();
    if (Modifier.isFinal(type.getModifiers())) {
      unreachable.add(type.getName() + " is final");
    }
    for (Class<?> each : hierarchyOf(type)) {
      for (Method method : each.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        if (!isAnnotated(method) || method.isBridge()) {
          continue;
        }
        if (Modifier.isPrivate(modifiers)) {
          unreachable.add(nameOf(method) + " is private");
        } else if (Modifier.isStatic(modifiers)) {
          unreachable.add(nameOf(method) + " is static");
        } else if (Modifier.isFinal(modifiers)) {
          unreachable.add(nameOf(method) + " is final");
        }
      }
    }
    return unreachable;
  }

  /** Whether the interface has this class's method, be it with type parameters in its place. */
  private static boolean has(Class<?> type, Method method) {
    for (Method candidate : type.getDeclaredMethods()) {
      if (candidate.getName().equals(method.getName())
          && !Modifier.isStatic(candidate.getModifiers())
          && accepts(candidate.getParameterTypes(), method.getParameterTypes())) {
        return true;
      }
    }
    return false;
  }

  private static boolean accepts(Class<?>[] declared, Class<?>[] implemented) {
    if (declared.length != implemented.length) {
      return false;
    }
    for (int i = 0; i < declared.length; i++) {
      if (!declared[i].isAssignableFrom(implemented[i])) {
        return false;
      }
    }
    return true;
  }

  /** {@code Orders.find}: enough for a message that also names the type that was bound. */
  static String nameOf(Method method) {
    return method.getDeclaringClass().getSimpleName() + '.' + method.getName();
  }

  /**
   * What the method declares when called on {@code target}, under the name of {@code shownAs}: the
   * annotations may be on an implementation, while people know the repository by its interface.
   */
  static RoutedMethod resolve(Class<?> target, Method method, Class<?> shownAs) {
    RoutedMethod found = IntentAnnotations.resolve(target, method);
    if (shownAs == target) {
      return found;
    }
    String name = shownAs.getName();
    return switch (found.kind()) {
      case READ_REPLICA ->
          RoutedMethod.readReplica(
                  name,
                  found.signature(),
                  found.maxStaleness().map(DurationText::format).orElse(""),
                  found.fallback(),
                  found.catchUp().map(DurationText::format).orElse(""))
              .about(found.entity());
      case READ_PRIMARY -> RoutedMethod.readPrimary(name, found.signature(), found.because());
      case WRITE -> RoutedMethod.write(name, found.signature()).about(found.entity());
      case UNDECLARED -> RoutedMethod.undeclared(name, found.signature());
    };
  }

  static boolean saysSomething(RoutedMethod method) {
    return method.kind() != IntentKind.UNDECLARED;
  }
}

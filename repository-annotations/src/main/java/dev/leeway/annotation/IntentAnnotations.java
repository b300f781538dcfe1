package dev.leeway.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which intent counts for a method, when its declarations and its types carry several.
 *
 * <p>The first of these that finds an annotation decides:
 *
 * <ol>
 *   <li>the method in the class it is called on, then in each superclass upwards: an override keeps
 *       what it overrides unless it says otherwise;
 *   <li>the method in the interfaces, a narrower interface before those it extends;
 *   <li>the class it is called on, then each superclass upwards that has the method;
 *   <li>the interfaces that have the method, a narrower one before those it extends.
 * </ol>
 *
 * <p>A type's annotation is thus the default for every public method the type has, inherited ones
 * included, but not for methods that only a subtype adds, nor for what {@link Object} declares, nor
 * for methods that are not public: those are helpers of other methods, and a default must not send
 * part of a write to a replica. A helper may still carry an annotation of its own.
 *
 * <p>Two interfaces of which neither extends the other must not disagree about a method they share.
 * Static and private methods have no intent: no call of theirs enters a repository.
 *
 * <p>The same rule at compile time gives the same answer: what the inventory lists is what is
 * routed. Resolving walks the type's whole hierarchy; do it once per method and keep the result.
 */
public final class IntentAnnotations {
  private IntentAnnotations() {}

  /**
   * Finds what {@code method} declares when it is called on {@code target}.
   *
   * @param target the type calls are made on: the interface for a proxy, the class for an
   *     intercepted object
   * @param method a method that {@code target} has, in any of its declarations: its own, an
   *     inherited one, an interface's, or a bridge the compiler made for it
   * @return the method's description, named after {@code target}; of kind {@link
   *     IntentKind#UNDECLARED} if nothing is declared
   * @throws IllegalArgumentException if {@code target} does not have the method, or if what is
   *     declared is contradictory, unreadable or without its reason; the message names the method
   */
  public static RoutedMethod resolve(Class<?> target, Method method) {
    Objects.requireNonNull(target, "target");
    if (!method.getDeclaringClass().isAssignableFrom(target)
        && method.getDeclaringClass() != Object.class) {
      throw new IllegalArgumentException(
          "%s - %s is not one of its methods (expected: a method of the type or of its supertypes)"
              .formatted(target.getName(), method));
    }
    TypeHierarchy hierarchy = TypeHierarchy.of(target);
    Signature signature = hierarchy.signatureOf(method);
    String repository = target.getName();
    if (!isRoutable(method)) {
      return RoutedMethod.undeclared(repository, signature.text());
    }
    Function<AnnotatedElement, Optional<RoutedMethod>> declared =
        element -> declaredOn(element, repository, signature.text());
    Predicate<Class<?>> hasMethod = type -> hierarchy.hasMethod(type, signature);

    List<Method> declarations = hierarchy.declarationsOf(signature);
    Optional<RoutedMethod> own =
        first(
                declarations.stream().filter(m -> !m.getDeclaringClass().isInterface()).toList(),
                declared)
            .or(
                () ->
                    mostSpecific(
                        declarations.stream()
                            .filter(m -> m.getDeclaringClass().isInterface())
                            .toList(),
                        Method::getDeclaringClass,
                        declared,
                        repository + '#' + signature.text()));
    if (own.isPresent() || signature.isOfObject() || !isPublic(declarations)) {
      return own.orElseGet(() -> RoutedMethod.undeclared(repository, signature.text()));
    }
    return first(hierarchy.classes().stream().filter(hasMethod).toList(), declared)
        .or(
            () ->
                mostSpecific(
                    hierarchy.interfaces().stream().filter(hasMethod).toList(),
                    type -> type,
                    declared,
                    repository + '#' + signature.text()))
        .orElseGet(() -> RoutedMethod.undeclared(repository, signature.text()));
  }

  private static boolean isRoutable(Method method) {
    int modifiers = method.getModifiers();
    return !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers);
  }

  /** The nearest declaration tells: an override may open what it overrides, never close it. */
  private static boolean isPublic(List<Method> declarations) {
    return !declarations.isEmpty() && Modifier.isPublic(declarations.get(0).getModifiers());
  }

  private static <E extends AnnotatedElement> Optional<RoutedMethod> first(
      List<E> nearestFirst, Function<AnnotatedElement, Optional<RoutedMethod>> declared) {
    return nearestFirst.stream().map(declared).flatMap(Optional::stream).findFirst();
  }

  private static <E extends AnnotatedElement> Optional<RoutedMethod> mostSpecific(
      List<E> elements,
      Function<E, Class<?>> typeOf,
      Function<AnnotatedElement, Optional<RoutedMethod>> declared,
      String method) {
    List<E> annotated = elements.stream().filter(e -> declared.apply(e).isPresent()).toList();
    List<E> narrowest =
        annotated.stream()
            .filter(
                e ->
                    annotated.stream()
                        .noneMatch(
                            other ->
                                other != e
                                    && typeOf.apply(e).isAssignableFrom(typeOf.apply(other))))
            .toList();
    List<RoutedMethod> intents =
        narrowest.stream().map(declared).flatMap(Optional::stream).distinct().toList();
    if (intents.size() > 1) {
      throw new IllegalArgumentException(
          "%s - %s and %s declare different intents for it (expected: one; declare it on the method"
                  .formatted(
                      method,
                      typeOf.apply(narrowest.get(0)).getName(),
                      typeOf.apply(narrowest.get(1)).getName())
              + " itself)");
    }
    return intents.stream().findFirst();
  }

  private static Optional<RoutedMethod> declaredOn(
      AnnotatedElement element, String repository, String signature) {
    List<RoutedMethod> intents = new ArrayList<>(1);
    ReadReplica replica = element.getDeclaredAnnotation(ReadReplica.class);
    if (replica != null) {
      intents.add(
          RoutedMethod.readReplica(
                  repository,
                  signature,
                  replica.maxStaleness(),
                  replica.fallback(),
                  replica.catchUp())
              .about(replica.entity()));
    }
    ReadPrimary primary = element.getDeclaredAnnotation(ReadPrimary.class);
    if (primary != null) {
      intents.add(RoutedMethod.readPrimary(repository, signature, primary.because()));
    }
    Write write = element.getDeclaredAnnotation(Write.class);
    if (write != null) {
      intents.add(RoutedMethod.write(repository, signature).about(write.entity()));
    }
    if (intents.size() > 1) {
      throw new IllegalArgumentException(
          "%s#%s - %s carries %s and %s (expected: one intent)"
              .formatted(
                  repository, signature, element, intents.get(0).kind(), intents.get(1).kind()));
    }
    return intents.stream().findFirst();
  }
}

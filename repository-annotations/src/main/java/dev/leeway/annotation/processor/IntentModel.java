package dev.leeway.annotation.processor;

import dev.leeway.annotation.RoutedMethod;
import dev.leeway.annotation.RoutedRepository;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * The rule of {@link dev.leeway.annotation.IntentAnnotations}, for code that is being compiled.
 *
 * <p>A test compiles repositories and holds the two together.
 */
final class IntentModel {
  private final Elements elements;
  private final Types types;

  IntentModel(Elements elements, Types types) {
    this.elements = elements;
    this.types = types;
  }

  Hierarchy hierarchy(TypeElement type) {
    return new Hierarchy(type, elements, types);
  }

  boolean isSubtype(TypeElement type, TypeElement ancestor) {
    return types.isSubtype(types.erasure(type.asType()), types.erasure(ancestor.asType()));
  }

  List<DeclaredIntent> intentsOn(Element element) {
    return DeclaredIntent.on(element, elements);
  }

  static boolean isRoutedRepository(TypeElement type) {
    return type.getAnnotation(RoutedRepository.class) != null;
  }

  /** Whether a type itself says anything, so that its methods belong into the inventory. */
  boolean isRouted(TypeElement type) {
    return isRoutedRepository(type)
        || !intentsOn(type).isEmpty()
        || ElementFilter.methodsIn(type.getEnclosedElements()).stream()
            .anyMatch(method -> !intentsOn(method).isEmpty());
  }

  Resolution resolve(Hierarchy hierarchy, String signature) {
    Function<Element, Optional<Resolution>> declared =
        element -> declaredOn(element, hierarchy, signature);
    List<ExecutableElement> declarations = hierarchy.declarations(signature);
    List<ExecutableElement> inClasses = new ArrayList<>();
    List<ExecutableElement> inInterfaces = new ArrayList<>();
    for (ExecutableElement method : declarations) {
      (Hierarchy.isInterface(Hierarchy.typeOf(method)) ? inInterfaces : inClasses).add(method);
    }
    Optional<Resolution> own =
        first(inClasses, declared)
            .or(() -> narrowest(hierarchy, inInterfaces, Hierarchy::typeOf, declared));
    if (own.isPresent()
        || hierarchy.isOfObject(signature)
        || !hierarchy.nearest(signature).getModifiers().contains(Modifier.PUBLIC)) {
      return own.orElseGet(Resolution.Undeclared::new);
    }
    return first(having(hierarchy, hierarchy.classes(), signature), declared)
        .or(
            () ->
                narrowest(
                    hierarchy,
                    having(hierarchy, hierarchy.interfaces(), signature),
                    type -> type,
                    declared))
        .orElseGet(Resolution.Undeclared::new);
  }

  private static List<TypeElement> having(
      Hierarchy hierarchy, Collection<TypeElement> candidates, String signature) {
    return candidates.stream().filter(type -> hierarchy.hasMethod(type, signature)).toList();
  }

  private Optional<Resolution> declaredOn(Element element, Hierarchy hierarchy, String signature) {
    List<DeclaredIntent> intents = intentsOn(element);
    if (intents.isEmpty()) {
      return Optional.empty();
    }
    if (intents.size() > 1) {
      return Optional.of(new Resolution.Broken());
    }
    Optional<RoutedMethod> route = intents.get(0).route(hierarchy.repository(), signature);
    return Optional.of(
        route.isPresent()
            ? new Resolution.Routed(route.get(), intents.get(0))
            : new Resolution.Broken());
  }

  private static <E extends Element> Optional<Resolution> first(
      List<E> nearestFirst, Function<Element, Optional<Resolution>> declared) {
    return nearestFirst.stream().map(declared).flatMap(Optional::stream).findFirst();
  }

  private static <E extends Element> Optional<Resolution> narrowest(
      Hierarchy hierarchy,
      List<E> candidates,
      Function<E, TypeElement> typeOf,
      Function<Element, Optional<Resolution>> declared) {
    List<E> annotated = candidates.stream().filter(e -> declared.apply(e).isPresent()).toList();
    List<Resolution> resolutions =
        annotated.stream()
            .filter(
                e ->
                    annotated.stream()
                        .noneMatch(
                            other ->
                                other != e
                                    && hierarchy.isSubtype(typeOf.apply(other), typeOf.apply(e))))
            .map(declared)
            .flatMap(Optional::stream)
            .toList();
    for (Resolution resolution : resolutions) {
      if (resolutions.get(0) instanceof Resolution.Routed first
          && resolution instanceof Resolution.Routed other
          && !first.route().equals(other.route())) {
        return Optional.of(new Resolution.Torn(first.by(), other.by()));
      }
      if (resolution instanceof Resolution.Broken) {
        return Optional.of(resolution);
      }
    }
    return resolutions.stream().findFirst();
  }
}

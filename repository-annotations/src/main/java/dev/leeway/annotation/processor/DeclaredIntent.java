package dev.leeway.annotation.processor;

import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.annotation.Write;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/** An intent annotation as it stands in the code, right or wrong. */
record DeclaredIntent(
    Element element,
    AnnotationMirror annotation,
    String name,
    Map<String, AnnotationValue> values) {
  private static final String READ_REPLICA = ReadReplica.class.getName();
  private static final String READ_PRIMARY = ReadPrimary.class.getName();
  private static final String WRITE = Write.class.getName();

  /**
   * The intents an element carries itself, in the order of the code; more than one is a mistake.
   */
  static List<DeclaredIntent> on(Element element, Elements elements) {
    return element.getAnnotationMirrors().stream()
        .filter(annotation -> isIntent(nameOf(annotation)))
        .map(annotation -> of(element, annotation, elements))
        .toList();
  }

  static boolean isIntent(String annotationName) {
    return annotationName.equals(READ_REPLICA)
        || annotationName.equals(READ_PRIMARY)
        || annotationName.equals(WRITE);
  }

  static String nameOf(AnnotationMirror annotation) {
    return ((TypeElement) annotation.getAnnotationType().asElement()).getQualifiedName().toString();
  }

  private static DeclaredIntent of(
      Element element, AnnotationMirror annotation, Elements elements) {
    Map<String, AnnotationValue> values = new HashMap<>();
    for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> value :
        elements.getElementValuesWithDefaults(annotation).entrySet()) {
      values.put(value.getKey().getSimpleName().toString(), value.getValue());
    }
    return new DeclaredIntent(element, annotation, nameOf(annotation), Map.copyOf(values));
  }

  /** As written in the code: {@code @ReadReplica}. */
  String displayName() {
    return "@" + name.substring(name.lastIndexOf('.') + 1);
  }

  boolean isReadReplica() {
    return name.equals(READ_REPLICA);
  }

  boolean isReadPrimary() {
    return name.equals(READ_PRIMARY);
  }

  /** An attribute that the annotation has, as written or by default. */
  AnnotationValue value(String attribute) {
    return Objects.requireNonNull(values.get(attribute), attribute);
  }

  /**
   * An attribute's text; empty if it is missing or does not compile, which the compiler reports.
   */
  Optional<String> text(String attribute) {
    AnnotationValue value = values.get(attribute);
    return value != null && value.getValue() instanceof String text && !isErroneous(value)
        ? Optional.of(text)
        : Optional.empty();
  }

  /** The compiler stands this text in for an expression it could not evaluate. */
  private static boolean isErroneous(AnnotationValue value) {
    return value.toString().equals("<error>") || value.toString().equals("\"<error>\"");
  }

  /** What it says about a method; empty if it is wrong in itself. */
  Optional<RoutedMethod> route(String repository, String signature) {
    try {
      if (isReadReplica()) {
        Fallback fallback = fallback();
        Optional<String> maxStaleness = text("maxStaleness");
        Optional<String> catchUp = text("catchUp");
        if (fallback == null || maxStaleness.isEmpty() || catchUp.isEmpty()) {
          return Optional.empty();
        }
        return Optional.of(
            RoutedMethod.readReplica(
                    repository, signature, maxStaleness.get(), fallback, catchUp.get())
                .about(text("entity").orElse("")));
      }
      if (isReadPrimary()) {
        return text("because")
            .map(because -> RoutedMethod.readPrimary(repository, signature, because));
      }
      return Optional.of(
          RoutedMethod.write(repository, signature).about(text("entity").orElse("")));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private @Nullable Fallback fallback() {
    AnnotationValue value = values.get("fallback");
    if (value != null && value.getValue() instanceof VariableElement constant) {
      for (Fallback fallback : Fallback.values()) {
        if (constant.getSimpleName().contentEquals(fallback.name())) {
          return fallback;
        }
      }
    }
    return null;
  }
}

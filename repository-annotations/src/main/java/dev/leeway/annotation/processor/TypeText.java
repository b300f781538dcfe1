package dev.leeway.annotation.processor;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/**
 * Types as source text, with full names and with their type annotations.
 *
 * <p>An override that drops {@code @Nullable} from a parameter breaks the contract of what it
 * overrides, and null checkers would say so in code nobody wrote.
 */
final class TypeText {
  private TypeText() {}

  static String of(TypeMirror type) {
    return switch (type.getKind()) {
      case ARRAY -> array((ArrayType) type);
      case DECLARED -> declared((DeclaredType) type);
      case TYPEVAR -> annotations(type) + ((TypeVariable) type).asElement().getSimpleName();
      case WILDCARD -> wildcard((WildcardType) type);
      case VOID -> "void";
      default -> annotations(type) + type.getKind().name().toLowerCase(Locale.ROOT);
    };
  }

  /** The type of a parameter that takes any number of values. */
  static String ofVarargs(TypeMirror type) {
    String array = of(type);
    return array.substring(0, array.length() - "[]".length()) + "...";
  }

  /**
   * The declaration of type parameters, {@code <K extends java.lang.Comparable<K>>}, or nothing.
   */
  static String parameters(List<? extends TypeParameterElement> parameters) {
    return parameters.isEmpty()
        ? ""
        : parameters.stream()
            .map(parameter -> parameter.getSimpleName() + bounds(parameter.getBounds()))
            .collect(Collectors.joining(", ", "<", ">"));
  }

  /** The use of type parameters in the same place, {@code <K>}, or nothing. */
  static String arguments(List<? extends TypeParameterElement> parameters) {
    return parameters.isEmpty()
        ? ""
        : parameters.stream()
            .map(parameter -> parameter.getSimpleName().toString())
            .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String bounds(List<? extends TypeMirror> bounds) {
    String text = bounds.stream().map(TypeText::of).collect(Collectors.joining(" & "));
    return text.equals("java.lang.Object") || text.isEmpty() ? "" : " extends " + text;
  }

  /** Brackets are written outermost first, each with the annotations of the array it makes. */
  private static String array(ArrayType type) {
    StringBuilder brackets = new StringBuilder();
    TypeMirror component = type;
    while (component instanceof ArrayType array) {
      String annotations = annotations(array);
      brackets.append(annotations.isEmpty() ? "" : " " + annotations).append("[]");
      component = array.getComponentType();
    }
    return of(component) + brackets;
  }

  private static String declared(DeclaredType type) {
    TypeElement element = (TypeElement) type.asElement();
    Element around = element.getEnclosingElement();
    String prefix = "";
    if (type.getEnclosingType().getKind() == TypeKind.DECLARED
        && !element.getModifiers().contains(Modifier.STATIC)) {
      prefix = of(type.getEnclosingType()) + ".";
    } else if (around instanceof PackageElement room && !room.isUnnamed()) {
      prefix = room.getQualifiedName() + ".";
    } else if (around instanceof TypeElement outer) {
      prefix = outer.getQualifiedName() + ".";
    }
    String arguments =
        type.getTypeArguments().isEmpty()
            ? ""
            : type.getTypeArguments().stream()
                .map(TypeText::of)
                .collect(Collectors.joining(", ", "<", ">"));
    return prefix + annotations(type) + element.getSimpleName() + arguments;
  }

  private static String wildcard(WildcardType type) {
    String text = annotations(type) + "?";
    if (type.getExtendsBound() != null) {
      return text + " extends " + of(type.getExtendsBound());
    }
    return type.getSuperBound() == null ? text : text + " super " + of(type.getSuperBound());
  }

  private static String annotations(AnnotatedConstruct construct) {
    return construct.getAnnotationMirrors().stream()
        .filter(AnnotationText::isUsable)
        .map(annotation -> AnnotationText.of(annotation) + " ")
        .collect(Collectors.joining());
  }
}

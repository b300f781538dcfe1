package dev.leeway.annotation.processor;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * overrides, and null checkers would say so in code nobody wrote. The compiler's own substitution
 * of type parameters does drop it, so that is done here.
 */
final class TypeText {
  /** For types that are printed as they stand. */
  static final TypeText PLAIN = new TypeText(Map.of());

  private final Map<Element, TypeMirror> bindings;

  private TypeText(Map<Element, TypeMirror> bindings) {
    this.bindings = bindings;
  }

  /** Puts the arguments of a type in the place of its parameters. */
  static TypeText within(DeclaredType type) {
    List<? extends TypeParameterElement> parameters =
        ((TypeElement) type.asElement()).getTypeParameters();
    Map<Element, TypeMirror> bindings = new HashMap<>();
    for (int i = 0; i < type.getTypeArguments().size(); i++) {
      bindings.put(parameters.get(i), type.getTypeArguments().get(i));
    }
    return new TypeText(bindings);
  }

  String of(TypeMirror type) {
    return of(type, "");
  }

  private String of(TypeMirror type, String outerAnnotations) {
    String annotations = outerAnnotations + annotations(type);
    return switch (type.getKind()) {
      case ARRAY -> array((ArrayType) type, outerAnnotations);
      case DECLARED -> declared((DeclaredType) type, annotations);
      case TYPEVAR -> variable((TypeVariable) type, annotations);
      case WILDCARD -> wildcard((WildcardType) type, annotations);
      case VOID -> "void";
      default -> annotations + type.getKind().name().toLowerCase(Locale.ROOT);
    };
  }

  private String variable(TypeVariable type, String annotations) {
    TypeMirror argument = bindings.get(type.asElement());
    boolean itself =
        argument instanceof TypeVariable other && other.asElement().equals(type.asElement());
    return argument == null || itself
        ? annotations + type.asElement().getSimpleName()
        : PLAIN.of(argument, annotations);
  }

  /** The type of a parameter that takes any number of values. */
  String ofVarargs(TypeMirror type) {
    String array = of(type);
    return array.substring(0, array.length() - "[]".length()) + "...";
  }

  /**
   * The declaration of type parameters, {@code <K extends java.lang.Comparable<K>>}, or nothing.
   */
  String parameters(List<? extends TypeParameterElement> parameters) {
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

  private String bounds(List<? extends TypeMirror> bounds) {
    String text = bounds.stream().map(this::of).collect(Collectors.joining(" & "));
    return text.equals("java.lang.Object") || text.isEmpty() ? "" : " extends " + text;
  }

  /** Brackets are written outermost first, each with the annotations of the array it makes. */
  private String array(ArrayType type, String outerAnnotations) {
    StringBuilder brackets = new StringBuilder();
    String annotations = outerAnnotations + annotations(type);
    TypeMirror component = type;
    while (component instanceof ArrayType array) {
      brackets.append(annotations.isEmpty() ? "" : " " + annotations).append("[]");
      component = array.getComponentType();
      annotations = annotations(component);
    }
    return of(component) + brackets;
  }

  private String declared(DeclaredType type, String annotations) {
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
                .map(this::of)
                .collect(Collectors.joining(", ", "<", ">"));
    return prefix + annotations + element.getSimpleName() + arguments;
  }

  private String wildcard(WildcardType type, String annotations) {
    String text = annotations + "?";
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

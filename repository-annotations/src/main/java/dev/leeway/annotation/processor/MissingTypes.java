package dev.leeway.annotation.processor;

import java.util.List;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/** Finds types that generated code could not mention. */
final class MissingTypes {
  private MissingTypes() {}

  /** Whether constructors or methods mention a type that does not exist, perhaps not yet. */
  static boolean in(
      TypeElement type, Hierarchy hierarchy, List<SubclassWriter.RoutedOverride> overrides) {
    return anyMissing(type.getTypeParameters())
        || SubclassWriter.constructors(type).stream()
            .anyMatch(
                constructor ->
                    missing((ExecutableType) constructor.asType())
                        || anyMissing(constructor.getTypeParameters()))
        || overrides.stream().anyMatch(override -> missing(hierarchy, override.method()));
  }

  private static boolean missing(Hierarchy hierarchy, ExecutableElement method) {
    return missing(hierarchy.asMember(method)) || anyMissing(method.getTypeParameters());
  }

  private static boolean anyMissing(List<? extends TypeParameterElement> parameters) {
    return parameters.stream()
        .flatMap(parameter -> parameter.getBounds().stream())
        .anyMatch(bound -> mentions(bound, Fault.MISSING));
  }

  private static boolean missing(ExecutableType type) {
    return mentions(type, Fault.MISSING);
  }

  /** Whether a method mentions a private type. */
  static boolean unnameable(ExecutableType type) {
    return mentions(type, Fault.PRIVATE);
  }

  private enum Fault {
    MISSING,
    PRIVATE
  }

  private static boolean mentions(ExecutableType type, Fault fault) {
    return mentions(type.getReturnType(), fault)
        || type.getParameterTypes().stream().anyMatch(t -> mentions(t, fault))
        || type.getThrownTypes().stream().anyMatch(t -> mentions(t, fault));
  }

  private static boolean mentions(TypeMirror type, Fault fault) {
    if (type.getKind() == TypeKind.ERROR) {
      return fault == Fault.MISSING;
    }
    if (type instanceof ArrayType array) {
      return mentions(array.getComponentType(), fault);
    }
    if (type instanceof WildcardType wildcard) {
      return (wildcard.getExtendsBound() != null && mentions(wildcard.getExtendsBound(), fault))
          || (wildcard.getSuperBound() != null && mentions(wildcard.getSuperBound(), fault));
    }
    if (type instanceof DeclaredType declared && !(type instanceof TypeVariable)) {
      return (fault == Fault.PRIVATE && !AnnotationText.isNameable(declared.asElement()))
          || declared.getTypeArguments().stream().anyMatch(t -> mentions(t, fault));
    }
    return false;
  }
}

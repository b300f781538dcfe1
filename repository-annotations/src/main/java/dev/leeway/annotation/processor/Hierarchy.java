package dev.leeway.annotation.processor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * A type with all its supertypes, and every method it has with all its declarations.
 *
 * <p>A method is known by its signature: name and erased parameter types as seen from the type, the
 * text that {@link dev.leeway.annotation.RoutedMethod#signature()} promises.
 */
final class Hierarchy {
  private final TypeElement target;
  private final Elements elements;
  private final Types types;

  /** The type and its superclasses, nearest first; empty for an interface. */
  private final Set<TypeElement> classes = new LinkedHashSet<>();

  private final Set<TypeElement> interfaces = new LinkedHashSet<>();

  /**
   * For each signature its declarations, those in classes first, nearest first; null until asked.
   */
  private @Nullable Map<String, List<ExecutableElement>> methods;

  private boolean complete = true;

  Hierarchy(TypeElement target, Elements elements, Types types) {
    this.target = target;
    this.elements = elements;
    this.types = types;
    add(target);
  }

  private void add(TypeElement type) {
    if (!(isInterface(type) ? interfaces : classes).add(type)) {
      return;
    }
    addSupertype(type.getSuperclass());
    for (TypeMirror parent : type.getInterfaces()) {
      addSupertype(parent);
    }
  }

  private void addSupertype(TypeMirror type) {
    if (type.getKind() == TypeKind.DECLARED) {
      add((TypeElement) ((DeclaredType) type).asElement());
    } else if (type.getKind() == TypeKind.ERROR) {
      complete = false;
    }
  }

  static boolean isInterface(TypeElement type) {
    return type.getKind() == ElementKind.INTERFACE || type.getKind() == ElementKind.ANNOTATION_TYPE;
  }

  static boolean isOverridable(ExecutableElement method) {
    return !method.getModifiers().contains(Modifier.STATIC)
        && !method.getModifiers().contains(Modifier.PRIVATE);
  }

  TypeElement target() {
    return target;
  }

  /** The name the target has in a {@link dev.leeway.annotation.RoutedMethod}. */
  String repository() {
    return elements.getBinaryName(target).toString();
  }

  /** Whether all supertypes are known; a later round may generate the missing ones. */
  boolean isComplete() {
    return complete;
  }

  Set<TypeElement> classes() {
    return classes;
  }

  Set<TypeElement> interfaces() {
    return interfaces;
  }

  Set<String> signatures() {
    return methods().keySet();
  }

  List<ExecutableElement> declarations(String signature) {
    return methods().getOrDefault(signature, List.of());
  }

  private Map<String, List<ExecutableElement>> methods() {
    Map<String, List<ExecutableElement>> found = methods;
    if (found == null) {
      found = new LinkedHashMap<>();
      for (Set<TypeElement> declaring : List.of(classes, interfaces)) {
        for (TypeElement type : declaring) {
          for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
            if (isOverridable(method)) {
              found.computeIfAbsent(signature(method), s -> new ArrayList<>()).add(method);
            }
          }
        }
      }
      methods = found;
    }
    return found;
  }

  /** The declaration that a call on the target runs, or would run if it had a body. */
  ExecutableElement nearest(String signature) {
    return declarations(signature).get(0);
  }

  /** Whether {@code type}, one of this hierarchy, declares or inherits the method. */
  boolean hasMethod(TypeElement type, String signature) {
    return declarations(signature).stream().anyMatch(method -> isSubtype(type, typeOf(method)));
  }

  boolean isDeclaredInInterface(String signature) {
    return declarations(signature).stream().anyMatch(method -> isInterface(typeOf(method)));
  }

  /** Whether every object has this method. */
  boolean isOfObject(String signature) {
    return declarations(signature).stream()
            .anyMatch(method -> typeOf(method).getQualifiedName().contentEquals("java.lang.Object"))
        || (classes.isEmpty() && declaresObjectMethod(signature));
  }

  /** An interface does not extend Object, but a method it declares may be one of Object's. */
  private boolean declaresObjectMethod(String signature) {
    TypeElement object = elements.getTypeElement("java.lang.Object");
    return ElementFilter.methodsIn(object.getEnclosedElements()).stream()
        .anyMatch(method -> signature(method).equals(signature));
  }

  boolean isSubtype(TypeElement type, TypeElement ancestor) {
    return types.isSubtype(types.erasure(type.asType()), types.erasure(ancestor.asType()));
  }

  static TypeElement typeOf(ExecutableElement method) {
    return (TypeElement)
        Objects.requireNonNull(method.getEnclosingElement(), "a method is in a type");
  }

  /** Whether it only hands out what a record was made of. */
  static boolean isRecordAccessor(ExecutableElement method) {
    return ElementFilter.recordComponentsIn(typeOf(method).getEnclosedElements()).stream()
        .anyMatch(component -> method.equals(component.getAccessor()));
  }

  /** A method's type with the target's type arguments put in. */
  ExecutableType asMember(ExecutableElement method) {
    return (ExecutableType) types.asMemberOf((DeclaredType) target.asType(), method);
  }

  /** The target seen as the type that declares a method: itself, or a supertype with arguments. */
  DeclaredType asDeclaring(ExecutableElement method) {
    return asDeclaring((DeclaredType) target.asType(), typeOf(method));
  }

  private DeclaredType asDeclaring(DeclaredType type, TypeElement declaring) {
    if (type.asElement().equals(declaring)) {
      return type;
    }
    for (TypeMirror parent : types.directSupertypes(type)) {
      if (isSubtype((TypeElement) ((DeclaredType) parent).asElement(), declaring)) {
        return asDeclaring((DeclaredType) parent, declaring);
      }
    }
    throw new IllegalArgumentException(declaring + " is no supertype of " + target);
  }

  String signature(ExecutableElement method) {
    boolean inherited = isSubtype(target, typeOf(method));
    ExecutableType type = inherited ? asMember(method) : (ExecutableType) method.asType();
    return type.getParameterTypes().stream()
        .map(this::erasedName)
        .collect(Collectors.joining(",", method.getSimpleName() + "(", ")"));
  }

  private String erasedName(TypeMirror type) {
    TypeMirror erased = types.erasure(type);
    return switch (erased.getKind()) {
      case ARRAY -> erasedName(((ArrayType) erased).getComponentType()) + "[]";
      case DECLARED ->
          elements.getBinaryName((TypeElement) ((DeclaredType) erased).asElement()).toString();
      case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE ->
          erased.getKind().name().toLowerCase(Locale.ROOT);
      default -> erased.toString().replaceAll("[\\s#(),]", "_");
    };
  }
}

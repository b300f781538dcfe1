package dev.leeway.annotation.processor;

import dev.leeway.annotation.RoutedMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/**
 * The text of one routing subclass.
 *
 * <p>It has the constructors of its class, each with the boundary as an additional first parameter,
 * and overrides each routed method to run inside its intent.
 */
final class SubclassSource {
  /** What a container reads from a class to scope it or to tell it from others. */
  private static final Set<String> CONTAINER_MARKS =
      Set.of(
          "jakarta.inject.Scope",
          "jakarta.inject.Qualifier",
          "javax.inject.Scope",
          "javax.inject.Qualifier");

  private final TypeElement type;
  private final Hierarchy hierarchy;
  private final List<SubclassWriter.RoutedOverride> overrides;
  private final String simpleName;
  private final boolean generated;
  private final StringBuilder text = new StringBuilder();

  SubclassSource(
      TypeElement type,
      Hierarchy hierarchy,
      List<SubclassWriter.RoutedOverride> overrides,
      String simpleName,
      boolean generated) {
    this.type = type;
    this.hierarchy = hierarchy;
    this.overrides =
        overrides.stream()
            .sorted(Comparator.comparing(override -> override.route().signature()))
            .toList();
    this.simpleName = simpleName;
    this.generated = generated;
  }

  String text(String packageName) {
    if (!packageName.isEmpty()) {
      line("package %s;", packageName);
      line("");
    }
    line("/**");
    line(" * Runs each routed method of {@link %s} inside its intent.", type.getQualifiedName());
    line(" *");
    line(" * <p>Written by the Leeway annotation processor; change the class it extends.");
    line(" */");
    if (generated) {
      line("@javax.annotation.processing.Generated(\"%s\")", LeewayProcessor.class.getName());
    }
    line("@SuppressWarnings({%s})", suppressed());
    for (AnnotationMirror annotation : type.getAnnotationMirrors()) {
      if (isContainerMark(annotation)) {
        line("%s", AnnotationText.of(annotation));
      }
    }
    line(
        "%sclass %s%s extends %s%s {",
        isPublic() ? "public " : "",
        simpleName,
        TypeText.PLAIN.parameters(type.getTypeParameters()),
        type.getQualifiedName(),
        TypeText.arguments(type.getTypeParameters()));
    for (int i = 0; i < overrides.size(); i++) {
      line(
          "  private static final %s %s =\n      %s;",
          RoutedMethod.class.getName(),
          constant(i),
          SubclassWriter.construction(overrides.get(i).route()));
    }
    line("");
    line("  private final %s leewayBoundary;", SubclassWriter.boundary());
    SubclassWriter.constructors(type).forEach(this::constructor);
    for (int i = 0; i < overrides.size(); i++) {
      method(overrides.get(i).method(), constant(i));
    }
    line("}");
    return text.toString();
  }

  /**
   * Whatever the class was allowed to do, its subclass does without being scolded a second time.
   */
  private static String suppressed() {
    return List.of(
            "deprecation",
            "removal",
            "rawtypes",
            "unchecked",
            "serial",
            "try",
            "varargs",
            "overloads",
            "this-escape")
        .stream()
        .map(AnnotationText::quoted)
        .collect(Collectors.joining(", "));
  }

  private boolean isPublic() {
    for (Element e = type; e instanceof TypeElement; e = e.getEnclosingElement()) {
      if (!e.getModifiers().contains(Modifier.PUBLIC)) {
        return false;
      }
    }
    return true;
  }

  /** What a member takes and gives, and how to print it. */
  private record Shape(
      ExecutableType type, TypeText text, List<? extends TypeParameterElement> parameters) {
    String typeParameters() {
      return parameters.isEmpty() ? "" : text.parameters(parameters) + " ";
    }

    String returnType() {
      return text.of(type.getReturnType());
    }

    String thrown() {
      return type.getThrownTypes().isEmpty()
          ? ""
          : type.getThrownTypes().stream()
              .map(text::of)
              .collect(Collectors.joining(", ", " throws ", ""));
    }
  }

  private Shape shapeOf(ExecutableElement method) {
    DeclaredType declaring = hierarchy.asDeclaring(method);
    boolean raw =
        declaring.getTypeArguments().size() != Hierarchy.typeOf(method).getTypeParameters().size();
    // A raw supertype has only erased methods.
    return raw
        ? new Shape(hierarchy.asMember(method), TypeText.PLAIN, List.of())
        : new Shape(
            (ExecutableType) method.asType(),
            TypeText.within(declaring),
            method.getTypeParameters());
  }

  private static String constant(int index) {
    return "LEEWAY_ROUTE_" + index;
  }

  private static boolean isContainerMark(AnnotationMirror annotation) {
    return AnnotationText.isUsable(annotation)
        && annotation.getAnnotationType().asElement().getAnnotationMirrors().stream()
            .anyMatch(mark -> CONTAINER_MARKS.contains(DeclaredIntent.nameOf(mark)));
  }

  private void constructor(ExecutableElement constructor) {
    String boundary = freshName("leewayBoundary", constructor);
    Shape shape =
        new Shape(
            (ExecutableType) constructor.asType(), TypeText.PLAIN, constructor.getTypeParameters());
    List<String> parameters = new ArrayList<>();
    parameters.add(SubclassWriter.boundary() + " " + boundary);
    parameters.addAll(parameters(constructor, shape));
    line("");
    annotations(constructor);
    line(
        "  %s%s%s(%s)%s {",
        visibility(constructor),
        shape.typeParameters(),
        simpleName,
        String.join(", ", parameters),
        shape.thrown());
    line("    super(%s);", arguments(constructor));
    line("    this.leewayBoundary = java.util.Objects.requireNonNull(%s, \"boundary\");", boundary);
    line("  }");
  }

  private void method(ExecutableElement method, String constant) {
    Shape shape = shapeOf(method);
    boolean isVoid = method.getReturnType().getKind() == TypeKind.VOID;
    String call = "super.%s(%s);".formatted(method.getSimpleName(), arguments(method));
    line("");
    line("  @Override");
    annotations(method);
    line(
        "  %s%s%s %s(%s)%s {",
        visibility(method),
        shape.typeParameters(),
        shape.returnType(),
        method.getSimpleName(),
        String.join(", ", parameters(method, shape)),
        shape.thrown());
    // Called by a constructor of the class: there is no boundary yet, and no caller outside either.
    line("    if (this.leewayBoundary == null) {");
    if (isVoid) {
      line("      %s", call);
      line("      return;");
    } else {
      line("      return %s", call);
    }
    line("    }");
    line(
        "    try (%s.Scope %s = this.leewayBoundary.enter(%s)) {",
        SubclassWriter.boundary(), freshName("leewayScope", method), constant);
    line("      %s%s", isVoid ? "" : "return ", call);
    line("    }");
    line("  }");
  }

  /** What a container or another tool reads from the member; not what Leeway has already read. */
  private void annotations(ExecutableElement member) {
    Set<String> ofType =
        member.getReturnType().getAnnotationMirrors().stream()
            .map(AnnotationText::of)
            .collect(Collectors.toSet());
    for (AnnotationMirror annotation : member.getAnnotationMirrors()) {
      String name = DeclaredIntent.nameOf(annotation);
      if (AnnotationText.isUsable(annotation)
          && !DeclaredIntent.isIntent(name)
          && !name.startsWith("java.lang.")
          && !ofType.contains(AnnotationText.of(annotation))) {
        line("  %s", AnnotationText.of(annotation));
      }
    }
  }

  private static String visibility(ExecutableElement member) {
    if (member.getModifiers().contains(Modifier.PUBLIC)) {
      return "public ";
    }
    return member.getModifiers().contains(Modifier.PROTECTED) ? "protected " : "";
  }

  private static List<String> parameters(ExecutableElement member, Shape shape) {
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < member.getParameters().size(); i++) {
      VariableElement parameter = member.getParameters().get(i);
      TypeMirror parameterType = shape.type().getParameterTypes().get(i);
      boolean takesMany = member.isVarArgs() && i == member.getParameters().size() - 1;
      parameters.add(
          annotations(parameter)
              + (takesMany ? shape.text().ofVarargs(parameterType) : shape.text().of(parameterType))
              + " "
              + parameter.getSimpleName());
    }
    return parameters;
  }

  private static String annotations(VariableElement parameter) {
    Set<String> ofType =
        parameter.asType().getAnnotationMirrors().stream()
            .map(AnnotationText::of)
            .collect(Collectors.toSet());
    return parameter.getAnnotationMirrors().stream()
        .filter(AnnotationText::isUsable)
        .map(AnnotationText::of)
        .filter(annotation -> !ofType.contains(annotation))
        .map(annotation -> annotation + " ")
        .collect(Collectors.joining());
  }

  private static String arguments(ExecutableElement member) {
    return member.getParameters().stream()
        .map(parameter -> parameter.getSimpleName().toString())
        .collect(Collectors.joining(", "));
  }

  private static String freshName(String wanted, ExecutableElement member) {
    Set<String> taken = new HashSet<>();
    member.getParameters().forEach(parameter -> taken.add(parameter.getSimpleName().toString()));
    String name = wanted;
    while (taken.contains(name)) {
      name += "_";
    }
    return name;
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private void line(String format, Object... arguments) {
    text.append(format.formatted(arguments)).append('\n');
  }
}

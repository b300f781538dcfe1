package dev.leeway.annotation.processor;

import dev.leeway.annotation.DurationText;
import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.RoutedMethod;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

/** Decides which classes get a routing subclass, and writes it. */
final class SubclassWriter {
  private final ProcessingEnvironment environment;
  private final Elements elements;
  private final IntentModel model;
  private final Reporter reporter;

  SubclassWriter(ProcessingEnvironment environment, IntentModel model, Reporter reporter) {
    this.environment = environment;
    this.elements = environment.getElementUtils();
    this.model = model;
    this.reporter = reporter;
  }

  /** A method that runs inside its intent, as the class has it. */
  record RoutedOverride(ExecutableElement method, RoutedMethod route) {}

  /**
   * Writes the subclass of a class that is to have one.
   *
   * @return false if something it needs does not exist yet
   */
  boolean write(TypeElement type) {
    if (!isCandidate(type)) {
      return true;
    }
    Hierarchy hierarchy = model.hierarchy(type);
    if (!hierarchy.isComplete()) {
      return false;
    }
    List<RoutedOverride> overrides = new ArrayList<>();
    boolean needed = false;
    Optional<String> obstacle = obstacle(type);
    for (String signature : hierarchy.signatures()) {
      if (!(model.resolve(hierarchy, signature) instanceof Resolution.Routed routed)) {
        continue;
      }
      ExecutableElement method = hierarchy.nearest(signature);
      // What callers reach by an interface can be routed there, so it needs no subclass.
      boolean elsewhere = hierarchy.isDeclaredInInterface(signature);
      if (method.getModifiers().contains(Modifier.FINAL)) {
        continue;
      }
      Optional<String> hidden = hidden(type, hierarchy, method);
      if (hidden.isEmpty()) {
        overrides.add(new RoutedOverride(method, routed.route()));
        needed |= !elsewhere;
      } else if (!elsewhere && obstacle.isEmpty()) {
        obstacle = hidden;
        needed = true;
      }
    }
    if (MissingTypes.in(type, hierarchy, overrides)) {
      return false;
    }
    if (obstacle.isPresent()) {
      if (needed) {
        report(type, obstacle.get());
      }
      return true;
    }
    if (!overrides.isEmpty()) {
      write(type, hierarchy, overrides);
    }
    return true;
  }

  /** Whether calls a class makes on itself pass its routing subclass. */
  static boolean hasSubclass(TypeElement type) {
    return isCandidate(type) && obstacle(type).isEmpty();
  }

  private static boolean isCandidate(TypeElement type) {
    return type.getKind() == ElementKind.CLASS
        && IntentModel.isRoutedRepository(type)
        && !type.getModifiers().contains(Modifier.ABSTRACT)
        && !type.getModifiers().contains(Modifier.FINAL);
  }

  private static Optional<String> obstacle(TypeElement type) {
    if (!AnnotationText.isNameable(type)) {
      return Optional.of("it, or a class around it, is private");
    }
    if (type.getNestingKind() == NestingKind.MEMBER
        && !type.getModifiers().contains(Modifier.STATIC)) {
      return Optional.of("it is an inner class; make it static or move it out");
    }
    if (type.getModifiers().contains(Modifier.SEALED)) {
      return Optional.of("it is sealed");
    }
    return constructors(type).isEmpty()
        ? Optional.of("all its constructors are private")
        : Optional.empty();
  }

  /** Why a class beside this one cannot override a method, if so. */
  private Optional<String> hidden(TypeElement type, Hierarchy hierarchy, ExecutableElement method) {
    boolean packagePrivate =
        !method.getModifiers().contains(Modifier.PUBLIC)
            && !method.getModifiers().contains(Modifier.PROTECTED);
    if (packagePrivate && !elements.getPackageOf(method).equals(elements.getPackageOf(type))) {
      return Optional.of(
          "%s of %s is visible in its own package only"
              .formatted(method, Hierarchy.typeOf(method)));
    }
    return MissingTypes.unnameable(hierarchy.asMember(method))
        ? Optional.of("%s mentions a private type".formatted(method))
        : Optional.empty();
  }

  static List<ExecutableElement> constructors(TypeElement type) {
    return ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
        .filter(constructor -> !constructor.getModifiers().contains(Modifier.PRIVATE))
        .toList();
  }

  /**
   * {@code Orders_Routed} for {@code Orders}, {@code Shop_Orders_Routed} for {@code Shop.Orders}.
   */
  static String simpleName(TypeElement type) {
    StringBuilder name = new StringBuilder(type.getSimpleName()).append("_Routed");
    for (Element around = type.getEnclosingElement();
        around instanceof TypeElement;
        around = around.getEnclosingElement()) {
      name.insert(0, around.getSimpleName() + "_");
    }
    return name.toString();
  }

  private void write(TypeElement type, Hierarchy hierarchy, List<RoutedOverride> overrides) {
    PackageElement room = elements.getPackageOf(type);
    String simpleName = simpleName(type);
    String name = room.isUnnamed() ? simpleName : room.getQualifiedName() + "." + simpleName;
    // Not every module that has repositories reads the one with this annotation.
    ModuleElement module = elements.getModuleOf(type);
    String mark = "javax.annotation.processing.Generated";
    boolean generated =
        (module == null ? elements.getTypeElement(mark) : elements.getTypeElement(module, mark))
            != null;
    String source =
        new SubclassSource(type, hierarchy, overrides, simpleName, generated)
            .text(room.isUnnamed() ? "" : room.getQualifiedName().toString());
    try (Writer out = environment.getFiler().createSourceFile(name, type).openWriter()) {
      out.write(source);
    } catch (IOException e) {
      report(type, "%s cannot be created: %s".formatted(name, e.getMessage()));
    }
  }

  private void report(TypeElement type, String why) {
    reporter.error(
        Diagnostic.SUBCLASS,
        "cannot write the subclass that routes %s: %s (expected: a class that another class of its"
                .formatted(type, why)
            + " package can extend). Or declare the methods in an interface that callers use.",
        type);
  }

  /** How generated code makes the description of a method. */
  static String construction(RoutedMethod route) {
    String names =
        AnnotationText.quoted(route.repository()) + ", " + AnnotationText.quoted(route.signature());
    String type = RoutedMethod.class.getName();
    String about =
        route.entity().isEmpty() ? "" : ".about(" + AnnotationText.quoted(route.entity()) + ")";
    return switch (route.kind()) {
      case READ_REPLICA ->
          "%s.readReplica(%s, %s, %s.%s, %s)"
                  .formatted(
                      type,
                      names,
                      duration(route.maxStaleness()),
                      Fallback.class.getName(),
                      route.fallback().name(),
                      duration(route.catchUp()))
              + about;
      case READ_PRIMARY ->
          "%s.readPrimary(%s, %s)".formatted(type, names, AnnotationText.quoted(route.because()));
      case WRITE -> "%s.write(%s)".formatted(type, names) + about;
      case UNDECLARED -> "%s.undeclared(%s)".formatted(type, names);
    };
  }

  private static String duration(Optional<Duration> duration) {
    return AnnotationText.quoted(duration.map(DurationText::format).orElse(""));
  }

  static String boundary() {
    return IntentBoundary.class.getName();
  }
}

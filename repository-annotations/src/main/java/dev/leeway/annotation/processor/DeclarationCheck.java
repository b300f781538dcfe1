package dev.leeway.annotation.processor;

import dev.leeway.annotation.DurationText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/** Reports intents that are wrong where they stand. */
final class DeclarationCheck {
  private final IntentModel model;
  private final Reporter reporter;

  DeclarationCheck(IntentModel model, Reporter reporter) {
    this.model = model;
    this.reporter = reporter;
  }

  /** Checks a type and its methods, not the types inside it. */
  void check(TypeElement type) {
    checkEach(type);
    for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
      checkEach(method);
    }
    if (model.isRouted(type)) {
      checkReach(type);
      checkAgreement(model.hierarchy(type));
    }
  }

  private void checkEach(Element element) {
    List<DeclaredIntent> intents = model.intentsOn(element);
    for (int i = 0; i < intents.size(); i++) {
      DeclaredIntent intent = intents.get(i);
      if (i > 0) {
        reporter.error(
            Diagnostic.CONTRADICTION,
            "%s contradicts %s on %s: one of them can be true. Keep that one; what reads and then"
                    .formatted(intent.displayName(), intents.get(0).displayName(), element)
                + " changes data is @Write.",
            element,
            intent.annotation());
      }
      if (intent.isReadReplica()) {
        checkDuration(intent, "maxStaleness");
        checkDuration(intent, "catchUp");
      }
      if (intent.isReadPrimary()) {
        checkReason(intent);
      }
    }
  }

  private void checkDuration(DeclaredIntent intent, String attribute) {
    Optional<String> text = intent.text(attribute);
    if (text.isEmpty() || text.get().isEmpty()) {
      return;
    }
    try {
      if (DurationText.parse(text.get()).isZero() && attribute.equals("maxStaleness")) {
        reporter.warning(
            Diagnostic.ZERO_STALENESS,
            "no replica can prove a staleness of %s, so every call takes the fallback (expected: more"
                    .formatted(text.get())
                + " than zero). If only the newest data will do, say @ReadPrimary(because = \"...\").",
            intent.element(),
            intent.annotation(),
            intent.value(attribute));
      }
    } catch (IllegalArgumentException e) {
      reporter.error(
          Diagnostic.DURATION,
          "@ReadReplica %s - %s".formatted(attribute, e.getMessage()),
          intent.element(),
          intent.annotation(),
          intent.value(attribute));
    }
  }

  private void checkReason(DeclaredIntent intent) {
    if (intent.text("because").filter(String::isBlank).isPresent()) {
      reporter.error(
          Diagnostic.REASON,
          "@ReadPrimary because: \"\" (expected: why a replica will not do, in a sentence). It is what"
              + " a reviewer of primary reads goes by.",
          intent.element(),
          intent.annotation(),
          intent.value("because"));
    }
  }

  private void checkReach(TypeElement type) {
    if (type.getKind() == ElementKind.ANNOTATION_TYPE) {
      model.intentsOn(type).forEach(intent -> unreachable(intent, "an annotation type", ""));
      return;
    }
    Hierarchy hierarchy = model.hierarchy(type);
    for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
      for (DeclaredIntent intent : model.intentsOn(method)) {
        checkReach(hierarchy, method, intent);
      }
    }
    for (String signature : hierarchy.signatures()) {
      ExecutableElement method = hierarchy.nearest(signature);
      if (model.intentsOn(method).isEmpty()
          && !Hierarchy.isRecordAccessor(method)
          && model.resolve(hierarchy, signature) instanceof Resolution.Routed routed) {
        checkReachOfInherited(hierarchy, method, routed.by());
      }
    }
  }

  private void checkReach(Hierarchy hierarchy, ExecutableElement method, DeclaredIntent intent) {
    if (method.getModifiers().contains(Modifier.PRIVATE)) {
      unreachable(intent, "private method " + method, "Move it to the method that callers use.");
    } else if (method.getModifiers().contains(Modifier.STATIC)) {
      unreachable(intent, "static method " + method, "Make it an instance method of a repository.");
    } else {
      Optional<String> closed = closed(hierarchy, method);
      closed.ifPresent(what -> unreachable(intent, what, howToOpen(method)));
    }
  }

  /**
   * A default or an inherited intent that stops at a final method is as silent as one of its own.
   */
  private void checkReachOfInherited(
      Hierarchy hierarchy, ExecutableElement method, DeclaredIntent intent) {
    TypeElement type = hierarchy.target();
    boolean ownMethod = Hierarchy.typeOf(method).equals(type);
    if (!ownMethod && !intent.element().equals(type)) {
      // Reported where the method or the default stands.
      return;
    }
    closed(hierarchy, method)
        .ifPresent(
            what ->
                reporter.error(
                    Diagnostic.UNREACHABLE,
                    "%s of %s has no effect on %s%s: routing happens where a call enters the repository, and"
                            .formatted(
                                intent.displayName(),
                                intent.element(),
                                ownMethod ? "" : "inherited ",
                                what)
                        + " nothing can stand between it and its callers. "
                        + howToOpen(method),
                    ownMethod ? method : type));
  }

  private static Optional<String> closed(Hierarchy hierarchy, ExecutableElement method) {
    TypeElement type = hierarchy.target();
    if (Hierarchy.isInterface(type)
        || hierarchy.isDeclaredInInterface(hierarchy.signature(method))) {
      return Optional.empty();
    }
    if (type.getKind() != ElementKind.CLASS) {
      return Optional.of(
          "method %s of %s %s"
              .formatted(
                  method, type.getKind().name().toLowerCase(Locale.ROOT), type.getSimpleName()));
    }
    if (type.getModifiers().contains(Modifier.FINAL)) {
      return Optional.of("method %s of final class %s".formatted(method, type.getSimpleName()));
    }
    return method.getModifiers().contains(Modifier.FINAL)
        ? Optional.of("final method " + method)
        : Optional.empty();
  }

  private static String howToOpen(ExecutableElement method) {
    return method.getModifiers().contains(Modifier.FINAL)
        ? "Remove final, or declare the method in an interface that callers use."
        : "Declare the method in an interface that callers use.";
  }

  private void unreachable(DeclaredIntent intent, String what, String remedy) {
    reporter.error(
        Diagnostic.UNREACHABLE,
        "%s has no effect on %s: routing happens where a call enters the repository, and nothing can"
                .formatted(intent.displayName(), what)
            + " stand between it and its callers."
            + (remedy.isEmpty() ? "" : " " + remedy),
        intent.element(),
        intent.annotation());
  }

  private void checkAgreement(Hierarchy hierarchy) {
    for (String signature : hierarchy.signatures()) {
      if (model.resolve(hierarchy, signature) instanceof Resolution.Torn torn) {
        ExecutableElement method = hierarchy.nearest(signature);
        boolean own = Hierarchy.typeOf(method).equals(hierarchy.target());
        reporter.error(
            Diagnostic.CONTRADICTION,
            "%s of %s has %s from %s and %s from %s, and neither is narrower. Declare the intent on the"
                    .formatted(
                        signature,
                        hierarchy.target(),
                        torn.first().displayName(),
                        place(torn.first()),
                        torn.second().displayName(),
                        place(torn.second()))
                + " method itself.",
            own ? method : hierarchy.target());
      }
    }
  }

  private static String place(DeclaredIntent intent) {
    return intent.element() instanceof ExecutableElement method
        ? Hierarchy.typeOf(method) + "." + method
        : intent.element().toString();
  }
}

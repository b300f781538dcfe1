package dev.leeway.annotation.processor;

import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/** Reports what a routed repository leaves undeclared. */
final class StrictCheck {
  private static final String REMEDY =
      "@ReadReplica(maxStaleness = \"5s\") if data of that age is good enough, @ReadPrimary(because ="
          + " \"...\") if only the newest will do, or @Write if it changes data.";

  private final IntentModel model;
  private final Reporter reporter;
  private final StrictMode mode;

  StrictCheck(IntentModel model, Reporter reporter, StrictMode mode) {
    this.model = model;
    this.reporter = reporter;
    this.mode = mode;
  }

  /**
   * Checks a type.
   *
   * @param compiled the names of all types of this compilation; what a repository among them lacks
   *     is reported there, not again at each type that inherits it
   */
  void check(TypeElement type, Set<String> compiled) {
    if (mode == StrictMode.OFF || !IntentModel.isRoutedRepository(type)) {
      return;
    }
    Hierarchy hierarchy = model.hierarchy(type);
    for (String signature : hierarchy.signatures()) {
      if (!isUndeclared(model, hierarchy, signature)) {
        continue;
      }
      ExecutableElement method = hierarchy.nearest(signature);
      TypeElement owner = Hierarchy.typeOf(method);
      if (owner.equals(type)) {
        report(
            "%s of repository %s declares no intent: nobody has said how old its data may be, so it would"
                    .formatted(signature, type)
                + " read the primary. Write "
                + REMEDY,
            method);
      } else if (!IntentModel.isRoutedRepository(owner)
          || !compiled.contains(owner.getQualifiedName().toString())) {
        report(
            "repository %s inherits %s from %s, which declares no intent: nobody has said how old its data"
                    .formatted(type, signature, owner)
                + " may be, so it would read the primary. Declare the method here, or give the repository"
                + " a default, with "
                + REMEDY,
            type);
      }
    }
  }

  /** Whether a routed repository has a method that callers can reach and that says nothing. */
  static boolean isUndeclared(IntentModel model, Hierarchy hierarchy, String signature) {
    ExecutableElement method = hierarchy.nearest(signature);
    return method.getModifiers().contains(Modifier.PUBLIC)
        && !hierarchy.isOfObject(signature)
        && !Hierarchy.isRecordAccessor(method)
        && model.resolve(hierarchy, signature) instanceof Resolution.Undeclared;
  }

  private void report(String text, Element element) {
    if (mode == StrictMode.ERROR) {
      reporter.error(Diagnostic.UNDECLARED, text, element);
    } else {
      reporter.warning(Diagnostic.UNDECLARED, text, element);
    }
  }
}

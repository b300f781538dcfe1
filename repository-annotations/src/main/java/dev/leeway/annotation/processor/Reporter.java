package dev.leeway.annotation.processor;

import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic.Kind;
import org.jspecify.annotations.Nullable;

/** Says what is wrong, where it is wrong. */
final class Reporter {
  private final Messager messager;
  private boolean errors;

  Reporter(Messager messager) {
    this.messager = messager;
  }

  boolean hasErrors() {
    return errors;
  }

  void error(Diagnostic diagnostic, String text) {
    errors = true;
    messager.printMessage(Kind.ERROR, diagnostic.message(text));
  }

  void error(Diagnostic diagnostic, String text, Element element) {
    errors = true;
    messager.printMessage(Kind.ERROR, diagnostic.message(text), element);
  }

  void error(Diagnostic diagnostic, String text, Element element, AnnotationMirror annotation) {
    errors = true;
    messager.printMessage(Kind.ERROR, diagnostic.message(text), element, annotation);
  }

  void error(
      Diagnostic diagnostic,
      String text,
      Element element,
      AnnotationMirror annotation,
      AnnotationValue value) {
    errors = true;
    messager.printMessage(Kind.ERROR, diagnostic.message(text), element, annotation, value);
  }

  /** Unless the element, or one around it, has {@code @SuppressWarnings} with the id. */
  void warning(Diagnostic diagnostic, String text, Element element) {
    if (!isSuppressed(diagnostic, element)) {
      messager.printMessage(Kind.WARNING, diagnostic.message(text), element);
    }
  }

  /** As {@link #warning(Diagnostic, String, Element)}, pointing at an annotation's value. */
  void warning(
      Diagnostic diagnostic,
      String text,
      Element element,
      AnnotationMirror annotation,
      AnnotationValue value) {
    if (!isSuppressed(diagnostic, element)) {
      messager.printMessage(Kind.WARNING, diagnostic.message(text), element, annotation, value);
    }
  }

  static boolean isSuppressed(Diagnostic diagnostic, Element element) {
    for (@Nullable Element e = element; e != null; e = e.getEnclosingElement()) {
      SuppressWarnings suppressed = e.getAnnotation(SuppressWarnings.class);
      if (suppressed != null) {
        for (String id : suppressed.value()) {
          if (id.equals(diagnostic.id())) {
            return true;
          }
        }
      }
    }
    return false;
  }
}

package dev.leeway.annotation.processor;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.SimpleAnnotationValueVisitor14;
import org.jspecify.annotations.Nullable;

/** Annotations as source text, in plain ASCII and with full names. */
final class AnnotationText {
  private AnnotationText() {}

  /**
   * Whether it exists, outlives compilation and can be named from another class of the same
   * package.
   */
  static boolean isUsable(AnnotationMirror annotation) {
    Element type = annotation.getAnnotationType().asElement();
    Retention retention = type.getAnnotation(Retention.class);
    return annotation.getAnnotationType().getKind() == TypeKind.DECLARED
        && (retention == null || retention.value() != RetentionPolicy.SOURCE)
        && isNameable(type);
  }

  /** Whether neither a type nor one around it is private. */
  static boolean isNameable(Element type) {
    for (@Nullable Element e = type; e instanceof TypeElement; e = e.getEnclosingElement()) {
      if (e.getModifiers().contains(Modifier.PRIVATE)) {
        return false;
      }
    }
    return true;
  }

  static String of(AnnotationMirror annotation) {
    Map<? extends ExecutableElement, ? extends AnnotationValue> values =
        annotation.getElementValues();
    String name = "@" + DeclaredIntent.nameOf(annotation);
    return values.isEmpty()
        ? name
        : values.entrySet().stream()
            .map(value -> value.getKey().getSimpleName() + " = " + Printer.print(value.getValue()))
            .collect(Collectors.joining(", ", name + "(", ")"));
  }

  /** A string literal. */
  static String quoted(String text) {
    StringBuilder literal = new StringBuilder(text.length() + 2).append('"');
    text.chars().forEach(character -> appendEscaped(literal, (char) character));
    return literal.append('"').toString();
  }

  private static void appendEscaped(StringBuilder literal, char character) {
    switch (character) {
      case '"' -> literal.append("\\\"");
      case '\'' -> literal.append("\\'");
      case '\\' -> literal.append("\\\\");
      case '\n' -> literal.append("\\n");
      case '\r' -> literal.append("\\r");
      default -> {
        if (character < ' ' || character > '~') {
          literal.append("\\u%04x".formatted((int) character));
        } else {
          literal.append(character);
        }
      }
    }
  }

  /** One value of an annotation as an expression that gives it again. */
  private static final class Printer extends SimpleAnnotationValueVisitor14<String, Void> {
    static String print(AnnotationValue value) {
      return new Printer().visit(value);
    }

    @Override
    protected String defaultAction(Object value, Void nothing) {
      return value.toString();
    }

    @Override
    public String visitByte(byte value, Void nothing) {
      return "(byte) " + value;
    }

    @Override
    public String visitShort(short value, Void nothing) {
      return "(short) " + value;
    }

    @Override
    public String visitLong(long value, Void nothing) {
      return value + "L";
    }

    @Override
    public String visitChar(char value, Void nothing) {
      StringBuilder literal = new StringBuilder("'");
      appendEscaped(literal, value);
      return literal.append('\'').toString();
    }

    @Override
    public String visitFloat(float value, Void nothing) {
      return Float.isFinite(value) ? value + "f" : "(float) (" + notFinite(value) + ")";
    }

    @Override
    public String visitDouble(double value, Void nothing) {
      return Double.isFinite(value) ? Double.toString(value) : notFinite(value);
    }

    /** The quotients the language defines for them. */
    private static String notFinite(double value) {
      return Double.isNaN(value) ? "0.0 / 0.0" : value > 0 ? "1.0 / 0.0" : "-1.0 / 0.0";
    }

    @Override
    public String visitString(String value, Void nothing) {
      return quoted(value);
    }

    @Override
    public String visitType(TypeMirror value, Void nothing) {
      return value instanceof DeclaredType declared
          ? ((TypeElement) declared.asElement()).getQualifiedName() + ".class"
          : TypeText.PLAIN.of(value) + ".class";
    }

    @Override
    public String visitEnumConstant(VariableElement value, Void nothing) {
      return TypeText.PLAIN.of(value.asType()) + "." + value.getSimpleName();
    }

    @Override
    public String visitAnnotation(AnnotationMirror value, Void nothing) {
      return of(value);
    }

    @Override
    public String visitArray(List<? extends AnnotationValue> values, Void nothing) {
      return values.stream().map(Printer::print).collect(Collectors.joining(", ", "{", "}"));
    }
  }
}

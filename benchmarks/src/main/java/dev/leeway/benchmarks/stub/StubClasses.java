package dev.leeway.benchmarks.stub;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles classes that implement an interface with methods that return zero, false or null.
 *
 * <p>A reflection proxy would cost more than what is measured, and the JDBC interfaces have some
 * four hundred methods, of which a benchmark calls ten; so the classes are written by a loop when
 * the benchmark starts, and the compiler sees ordinary code.
 */
final class StubClasses extends ClassLoader {
  private final Map<String, String> sources = new LinkedHashMap<>();

  StubClasses() {
    super(StubClasses.class.getClassLoader());
  }

  /**
   * Adds a class.
   *
   * @param name simple name of the class
   * @param type the interface it implements
   * @param fields its fields, as Java text; may be empty
   * @param bodies method bodies by method name; they may use the parameters as {@code p0}, {@code
   *     p1}…
   */
  void add(String name, Class<?> type, String fields, Map<String, String> bodies) {
    StringBuilder text = new StringBuilder();
    text.append("public final class ").append(name).append(" implements ");
    text.append(type.getCanonicalName()).append(" {\n").append(fields).append('\n');
    Map<String, Method> methods = new LinkedHashMap<>();
    for (Method method : type.getMethods()) {
      boolean ours = bodies.containsKey(method.getName());
      if (Modifier.isAbstract(method.getModifiers()) || (ours && !method.isSynthetic())) {
        methods.putIfAbsent(signature(method), method);
      }
    }
    methods.forEach((signature, method) -> appendMethod(text, signature, method, bodies));
    sources.put(name, text.append("}\n").toString());
  }

  private static void appendMethod(
      StringBuilder text, String signature, Method method, Map<String, String> bodies) {
    text.append("  public ").append(method.getReturnType().getCanonicalName()).append(' ');
    text.append(signature).append(" { ");
    String body = bodies.get(method.getName());
    text.append(body != null ? body : defaultBody(method.getReturnType())).append(" }\n");
  }

  private static String signature(Method method) {
    StringBuilder text = new StringBuilder(method.getName()).append('(');
    Class<?>[] parameters = method.getParameterTypes();
    for (int i = 0; i < parameters.length; i++) {
      text.append(i == 0 ? "" : ", ")
          .append(parameters[i].getCanonicalName())
          .append(" p")
          .append(i);
    }
    return text.append(')').toString();
  }

  private static String defaultBody(Class<?> type) {
    if (type == void.class) {
      return "";
    }
    if (type == boolean.class) {
      return "return false;";
    }
    return type.isPrimitive() ? "return 0;" : "return null;";
  }

  /** Compiles what was added; the classes are then found by {@link #loadClass}. */
  void compile() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException(
          "no Java compiler in this runtime (expected: a JDK, not a JRE)");
    }
    Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
        JavaFileManager files = inMemory(standard, classes)) {
      List<Source> units = sources.entrySet().stream().map(Source::new).toList();
      // The generic signatures are left out on purpose, hence no warnings.
      List<String> options = List.of("-nowarn", "-Xlint:none", "-XDsuppressNotes", "-proc:none");
      boolean compiled = compiler.getTask(null, files, null, options, null, units).call();
      if (!compiled) {
        throw new IllegalStateException("the stub driver does not compile; see the messages above");
      }
    } catch (IOException e) {
      throw new IllegalStateException("closing the compiler's files failed", e);
    }
    classes.forEach(
        (name, out) -> {
          byte[] code = out.toByteArray();
          defineClass(name, code, 0, code.length);
        });
  }

  private static JavaFileManager inMemory(
      JavaFileManager standard, Map<String, ByteArrayOutputStream> classes) {
    return new ForwardingJavaFileManager<>(standard) {
      @Override
      public JavaFileObject getJavaFileForOutput(
          Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
        return new SimpleJavaFileObject(URI.create("memory:///" + className + ".class"), kind) {
          @Override
          public OutputStream openOutputStream() {
            return classes.computeIfAbsent(className, key -> new ByteArrayOutputStream());
          }
        };
      }
    };
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(Map.Entry<String, String> source) {
      super(URI.create("memory:///" + source.getKey() + ".java"), Kind.SOURCE);
      this.text = source.getValue();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

package dev.leeway.annotation.processor;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.processing.Processor;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Runs javac with the processors on small sources, as a build would. */
final class Compilation {
  private final Path classes;
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final List<String> options = new ArrayList<>();
  private final List<Processor> more = new ArrayList<>();
  private final List<Path> classPath = new ArrayList<>();

  private Compilation(Path classes) {
    this.classes = classes;
  }

  /** Into a folder, which may hold what was compiled before. */
  static Compilation into(Path classes) {
    return new Compilation(classes);
  }

  /**
   * @param path as {@code shop/Orders.java}
   */
  Compilation source(String path, String text) {
    sources.put(path, text);
    return this;
  }

  Compilation option(String option) {
    options.add(option);
    return this;
  }

  Compilation processor(Processor processor) {
    more.add(processor);
    return this;
  }

  Compilation classPath(Path folder) {
    classPath.add(folder);
    return this;
  }

  Result run() {
    return run(
        () -> {
          List<Processor> processors = new ArrayList<>(List.of(new LeewayProcessor()));
          processors.addAll(more);
          return processors;
        });
  }

  /** With the processors that javac finds by itself on a path. */
  Result runWithProcessorPath(String path) {
    option("-processorpath");
    option(path);
    return run(List::of);
  }

  private Result run(Supplier<List<Processor>> processors) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      Files.createDirectories(classes);
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
      List<Path> path = new ArrayList<>(List.of(classes));
      path.addAll(classPath);
      for (File entry : files.getLocation(StandardLocation.CLASS_PATH)) {
        path.add(entry.toPath());
      }
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, path);
      JavaCompiler.CompilationTask task =
          compiler.getTask(
              output,
              files,
              null,
              options,
              null,
              sources.entrySet().stream().map(Source::new).toList());
      task.setLocale(Locale.ROOT);
      if (!processors.get().isEmpty()) {
        task.setProcessors(processors.get());
      }
      boolean success = task.call();
      return new Result(success, output.toString().replace("\r\n", "\n"), classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What came of it. */
  record Result(boolean success, String output, Path classes) {
    String file(String name) {
      try {
        return Files.readString(classes.resolve(name));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean has(String name) {
      return Files.exists(classes.resolve(name));
    }

    ClassLoader loader() {
      try {
        return new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, Compilation.class.getClassLoader());
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String path;
    private final String text;

    Source(Map.Entry<String, String> source) {
      super(URI.create("source:///" + source.getKey()), JavaFileObject.Kind.SOURCE);
      this.path = source.getKey();
      this.text = source.getValue();
    }

    @Override
    public String getName() {
      return path;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

package dev.leeway.annotation.processor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * Checks intents, writes routing subclasses and the inventory.
 *
 * <p>Subclasses are written as soon as everything they mention exists, so that other processors and
 * the code itself can use them. Checks and inventory wait for the last round, when every type is
 * known and each mistake can be said once.
 *
 * <p>Options: {@code leeway.strict}, alone or {@code =true} for errors on undeclared methods,
 * {@code =warn} for warnings, {@code =false} for nothing.
 */
public final class LeewayProcessor extends AbstractProcessor {
  private final Set<String> compiled = new LinkedHashSet<>();
  private final Set<String> waitingForSubclass = new LinkedHashSet<>();
  private @Nullable Rooms rooms;

  /** What works on one compilation. */
  private record Rooms(
      Elements elements,
      IntentModel model,
      Reporter reporter,
      StrictMode strict,
      SubclassWriter subclasses,
      InventoryFiles inventory) {}

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    // A type without annotations can still call an annotated method of its own, and a repository
    // that lost its last annotation must leave the inventory.
    return Set.of("*");
  }

  @Override
  public Set<String> getSupportedOptions() {
    return Set.of(StrictMode.OPTION);
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    Elements elements = environment.getElementUtils();
    IntentModel model = new IntentModel(elements, environment.getTypeUtils());
    Reporter reporter = new Reporter(environment.getMessager());
    Optional<StrictMode> strict = StrictMode.of(environment.getOptions());
    if (strict.isEmpty()) {
      reporter.error(
          Diagnostic.OPTION,
          "-A%s=%s (expected: -A%1$s alone or with true, warn or false)"
              .formatted(StrictMode.OPTION, environment.getOptions().get(StrictMode.OPTION)));
    }
    rooms =
        new Rooms(
            elements,
            model,
            reporter,
            strict.orElse(StrictMode.OFF),
            new SubclassWriter(environment, model, reporter),
            new InventoryFiles(environment.getFiler(), elements, model));
    installSelfCallCheck(environment, model);
  }

  private static void installSelfCallCheck(ProcessingEnvironment environment, IntentModel model) {
    try {
      SelfCallCheck.install(environment, model);
    } catch (IllegalArgumentException | LinkageError e) {
      // Not javac, or a build tool stands between us and it: method bodies cannot be seen, and the
      // guide says so. Everything else works on declarations.
      return;
    }
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    Rooms rooms = Objects.requireNonNull(this.rooms, "init comes before process");
    for (TypeElement type : ElementFilter.typesIn(round.getRootElements())) {
      collect(type);
    }
    if (round.processingOver()) {
      finish(rooms, round.errorRaised());
    } else {
      writeSubclasses(rooms);
    }
    // Claiming the annotations would hide them, and sometimes the whole round, from the processors
    // after this one.
    return false;
  }

  private void collect(TypeElement type) {
    compiled.add(type.getQualifiedName().toString());
    waitingForSubclass.add(type.getQualifiedName().toString());
    for (TypeElement inner : ElementFilter.typesIn(type.getEnclosedElements())) {
      collect(inner);
    }
  }

  private void writeSubclasses(Rooms rooms) {
    for (TypeElement type : typesNamed(waitingForSubclass, rooms.elements())) {
      if (rooms.subclasses().write(type)) {
        waitingForSubclass.remove(type.getQualifiedName().toString());
      }
    }
  }

  private void finish(Rooms rooms, boolean errorRaised) {
    List<TypeElement> types = typesNamed(compiled, rooms.elements());
    DeclarationCheck declarations = new DeclarationCheck(rooms.model(), rooms.reporter());
    StrictCheck strict = new StrictCheck(rooms.model(), rooms.reporter(), rooms.strict());
    for (TypeElement type : types) {
      declarations.check(type);
      strict.check(type, compiled);
    }
    if (errorRaised || rooms.reporter().hasErrors()) {
      return;
    }
    try {
      rooms.inventory().write(types);
    } catch (IOException e) {
      rooms
          .reporter()
          .error(
              Diagnostic.INVENTORY,
              "the inventory could not be written to the class output: %s".formatted(e));
    }
  }

  /** Elements do not outlive their round; names do. */
  private static List<TypeElement> typesNamed(Collection<String> names, Elements elements) {
    List<TypeElement> types = new ArrayList<>();
    for (String name : List.copyOf(names)) {
      @Nullable TypeElement type = elements.getTypeElement(name);
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }
}

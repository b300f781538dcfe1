package dev.leeway.annotation.processor;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.RoutedMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.processing.Filer;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the inventory beside the classes.
 *
 * <p>A compiler that is given only the changed files must not drop the others: the repositories
 * that the last inventory names are read again from their class files, and leave it when those are
 * gone.
 */
final class InventoryFiles {
  private final Filer filer;
  private final Elements elements;
  private final IntentModel model;

  InventoryFiles(Filer filer, Elements elements, IntentModel model) {
    this.filer = filer;
    this.elements = elements;
    this.model = model;
  }

  void write(Collection<TypeElement> compiled) throws IOException {
    List<RoutedMethod> routes = new ArrayList<>();
    List<TypeElement> origins = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (TypeElement type : compiled) {
      seen.add(elements.getBinaryName(type).toString());
      if (model.isRouted(type)) {
        routes.addAll(routesOf(type));
        origins.add(type);
      }
    }
    Set<String> before = repositoriesOfLastInventory();
    for (String name : before) {
      TypeElement type = typeNamed(name);
      if (type != null && !seen.contains(name) && isCompiled(name) && model.isRouted(type)) {
        routes.addAll(routesOf(type));
      }
    }
    if (origins.isEmpty() && before.isEmpty()) {
      return;
    }
    Inventory inventory = Inventory.of(routes);
    Element[] originating = origins.toArray(new Element[0]);
    write(Inventory.ROUTES_FILE, inventory.toText(), originating);
    write(Inventory.JSON_FILE, inventory.toJson(), originating);
    write(Inventory.MARKDOWN_FILE, inventory.toMarkdown(), originating);
  }

  private @Nullable TypeElement typeNamed(String binaryName) {
    for (String name : List.of(binaryName, binaryName.replace('$', '.'))) {
      @Nullable TypeElement type = elements.getTypeElement(name);
      if (type != null && elements.getBinaryName(type).contentEquals(binaryName)) {
        return type;
      }
    }
    return null;
  }

  /** Whether the class file is here; a class of that name in some library is not ours. */
  private boolean isCompiled(String binaryName) {
    int dot = binaryName.lastIndexOf('.');
    try (InputStream file =
        filer
            .getResource(
                StandardLocation.CLASS_OUTPUT,
                binaryName.substring(0, Math.max(dot, 0)),
                binaryName.substring(dot + 1) + ".class")
            .openInputStream()) {
      return file.read() >= 0;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private List<RoutedMethod> routesOf(TypeElement type) {
    Hierarchy hierarchy = model.hierarchy(type);
    List<RoutedMethod> routes = new ArrayList<>();
    for (String signature : hierarchy.signatures()) {
      if (model.resolve(hierarchy, signature) instanceof Resolution.Routed routed) {
        routes.add(routed.route());
      } else if (IntentModel.isRoutedRepository(type)
          && StrictCheck.isUndeclared(model, hierarchy, signature)) {
        routes.add(RoutedMethod.undeclared(hierarchy.repository(), signature));
      }
    }
    return routes;
  }

  private Set<String> repositoriesOfLastInventory() {
    Set<String> names = new TreeSet<>();
    try {
      String text =
          filer
              .getResource(StandardLocation.CLASS_OUTPUT, "", Inventory.ROUTES_FILE)
              .getCharContent(true)
              .toString();
      for (RoutedMethod route : Inventory.parse(text).routes()) {
        names.add(route.repository());
      }
    } catch (IOException | RuntimeException e) {
      // There is none, or it is not one of ours, or this compiler cannot read back what it wrote:
      // what is compiled now is all there is.
      names.clear();
    }
    return names;
  }

  private void write(String file, String text, Element[] originating) throws IOException {
    try (OutputStream out = create(file, originating)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private OutputStream create(String file, Element[] originating) throws IOException {
    try {
      return filer
          .createResource(StandardLocation.CLASS_OUTPUT, "", file, originating)
          .openOutputStream();
    } catch (IllegalArgumentException e) {
      // How javac says that a folder is in the file's place.
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}

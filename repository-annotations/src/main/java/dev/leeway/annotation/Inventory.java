package dev.leeway.annotation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Every routed method of some code, with what it declares.
 *
 * <p>The compiler writes it next to the classes, three times: {@value #ROUTES_FILE} is what {@link
 * #read} reads, {@value #JSON_FILE} is for other tools, {@value #MARKDOWN_FILE} for people. The
 * texts are sorted, carry no date and end each line with a line feed, so the same code gives the
 * same bytes.
 *
 * <p>Immutable and safe to share.
 */
public final class Inventory {
  /** One route per line, below the folder of the classes or in the jar. */
  public static final String ROUTES_FILE = "META-INF/leeway/routes";

  /** The same as JSON. */
  public static final String JSON_FILE = "META-INF/leeway/inventory.json";

  /** The same as a Markdown table. */
  public static final String MARKDOWN_FILE = "META-INF/leeway/inventory.md";

  static final Comparator<RoutedMethod> BY_METHOD =
      Comparator.comparing(RoutedMethod::repository).thenComparing(RoutedMethod::signature);

  private final List<RoutedMethod> routes;

  private Inventory(Collection<RoutedMethod> routes) {
    this.routes = routes.stream().sorted(BY_METHOD).toList();
  }

  /**
   * The inventory of these routes.
   *
   * @throws IllegalArgumentException if a method is given twice and says different things
   */
  public static Inventory of(Collection<RoutedMethod> routes) {
    Map<String, RoutedMethod> byMethod = new TreeMap<>();
    for (RoutedMethod route : routes) {
      add(byMethod, route);
    }
    return new Inventory(byMethod.values());
  }

  /**
   * Reads what the compiler wrote for the given folders of classes and jars.
   *
   * <p>A folder or jar without an inventory adds nothing, as long as one has it: an inventory that
   * was never written must not look like code without primary reads.
   *
   * @throws NoSuchFileException if none of them has an inventory
   * @throws IOException if one cannot be read, or is not an inventory
   * @throws IllegalArgumentException if two of them say different things about one method
   */
  public static Inventory read(Path... foldersAndJars) throws IOException {
    Map<String, RoutedMethod> byMethod = new TreeMap<>();
    boolean found = false;
    for (Path place : foldersAndJars) {
      Optional<String> text = textIn(place);
      if (text.isPresent()) {
        found = true;
        for (RoutedMethod route : routesOf(text.get(), place)) {
          add(byMethod, route);
        }
      }
    }
    if (!found) {
      throw new NoSuchFileException(
          ROUTES_FILE,
          null,
          "not in %s (expected: classes compiled with the leeway-repository-annotations processor)"
              .formatted(Arrays.toString(foldersAndJars)));
    }
    return new Inventory(byMethod.values());
  }

  /**
   * Reads what {@link #toText} printed.
   *
   * @throws IllegalArgumentException if it is anything else; the message names the line
   */
  public static Inventory parse(String text) {
    return of(parse(text, "inventory"));
  }

  private static Optional<String> textIn(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      Path file = place.resolve(ROUTES_FILE);
      return Files.exists(file)
          ? Optional.of(Files.readString(file, StandardCharsets.UTF_8))
          : Optional.empty();
    }
    try (JarFile jar = new JarFile(place.toFile())) {
      ZipEntry entry = jar.getEntry(ROUTES_FILE);
      if (entry == null) {
        return Optional.empty();
      }
      return Optional.of(
          new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static List<RoutedMethod> routesOf(String text, Path place) throws IOException {
    try {
      return parse(text, place + "!" + ROUTES_FILE);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static List<RoutedMethod> parse(String text, String source) {
    return LineFile.parse(text, source, Inventory::acceptAll);
  }

  private static @Nullable String acceptAll(RoutedMethod route) {
    return null;
  }

  private static void add(Map<String, RoutedMethod> byMethod, RoutedMethod route) {
    RoutedMethod known = byMethod.putIfAbsent(route.repository() + '#' + route.signature(), route);
    if (known != null && !known.equals(route)) {
      throw new IllegalArgumentException(
          "inventory - one method with two intents: %s and %s (expected: one; is an old build among"
                  .formatted(known, route)
              + " the folders and jars?)");
    }
  }

  /** Sorted by repository, then by signature. */
  public List<RoutedMethod> routes() {
    return routes;
  }

  /**
   * The routes that read the primary: {@link IntentKind#READ_PRIMARY}, and what an annotated
   * repository leaves {@link IntentKind#UNDECLARED}.
   */
  public List<RoutedMethod> primaryReads() {
    return routes.stream().filter(Inventory::readsPrimary).toList();
  }

  static boolean readsPrimary(RoutedMethod route) {
    return switch (route.kind()) {
      case READ_PRIMARY, UNDECLARED -> true;
      case READ_REPLICA, WRITE -> false;
    };
  }

  /** One route per line, as {@link RoutedMethod#toString} prints it. */
  public String toText() {
    return LineFile.print(routes);
  }

  /**
   * An object with {@code format} (1) and {@code routes}, a list of objects with {@code
   * repository}, {@code method}, {@code intent} (a name of {@link IntentKind}), {@code
   * maxStaleness}, {@code fallback}, {@code catchUp} and {@code because}. What does not apply is
   * {@code null}. Characters outside ASCII are escaped.
   */
  public String toJson() {
    StringBuilder json = new StringBuilder("{\n  \"format\": 1,\n  \"routes\": [");
    String separator = "\n";
    for (RoutedMethod route : routes) {
      json.append(separator).append("    {");
      String comma = "\n";
      for (Map.Entry<String, Optional<String>> field : fields(route).entrySet()) {
        json.append(comma).append("      ").append(quoted(field.getKey())).append(": ");
        json.append(field.getValue().map(Inventory::quoted).orElse("null"));
        comma = ",\n";
      }
      json.append("\n    }");
      separator = ",\n";
    }
    return json.append(routes.isEmpty() ? "]\n}\n" : "\n  ]\n}\n").toString();
  }

  /** A table for people, with a line above it that counts. */
  public String toMarkdown() {
    StringBuilder page = new StringBuilder("# Routed methods\n\n");
    page.append(
        "%d read a replica, %d read the primary, %d write, %d declare nothing and read the primary.\n"
            .formatted(
                count(IntentKind.READ_REPLICA),
                count(IntentKind.READ_PRIMARY),
                count(IntentKind.WRITE),
                count(IntentKind.UNDECLARED)));
    if (routes.isEmpty()) {
      return page.toString();
    }
    page.append(
        "\n| Repository | Method | Intent | Max staleness | Fallback | Catch-up | Reason |\n");
    page.append("| --- | --- | --- | --- | --- | --- | --- |\n");
    for (RoutedMethod route : routes) {
      Map<String, Optional<String>> fields = fields(route);
      page.append("| `").append(route.repository()).append("` ");
      page.append("| `").append(route.signature()).append("` ");
      page.append("| ").append(route.kind().name().replace('_', ' ')).append(' ');
      for (String name : List.of("maxStaleness", "fallback", "catchUp", "because")) {
        page.append("| ");
        fields
            .getOrDefault(name, Optional.empty())
            .ifPresent(value -> page.append(markdown(value)).append(' '));
      }
      page.append("|\n");
    }
    return page.toString();
  }

  private long count(IntentKind kind) {
    return routes.stream().filter(route -> route.kind() == kind).count();
  }

  private static Map<String, Optional<String>> fields(RoutedMethod route) {
    boolean replica = route.kind() == IntentKind.READ_REPLICA;
    boolean primary = route.kind() == IntentKind.READ_PRIMARY;
    Map<String, Optional<String>> fields = new LinkedHashMap<>();
    fields.put("repository", Optional.of(route.repository()));
    fields.put("method", Optional.of(route.signature()));
    fields.put("intent", Optional.of(route.kind().name()));
    fields.put("maxStaleness", route.maxStaleness().map(DurationText::format));
    fields.put("fallback", replica ? Optional.of(route.fallback().name()) : Optional.empty());
    fields.put("catchUp", route.catchUp().map(DurationText::format));
    fields.put("because", primary ? Optional.of(route.because()) : Optional.empty());
    return fields;
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      switch (character) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (character < ' ' || character > '~') {
            json.append("\\u%04x".formatted((int) character));
          } else {
            json.append(character);
          }
        }
      }
    }
    return json.append('"').toString();
  }

  /** A reason is a sentence, not markup: whatever it holds stays in its cell. */
  private static String markdown(String text) {
    StringBuilder cell = new StringBuilder(text.length() + 8);
    RouteLine.visible(text)
        .chars()
        .forEach(
            character -> {
              if ("\\`*_{}[]<>&#|~".indexOf(character) >= 0) {
                cell.append('\\');
              }
              cell.append((char) character);
            });
    return cell.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Inventory that && routes.equals(that.routes);
  }

  @Override
  public int hashCode() {
    return routes.hashCode();
  }

  /** As {@link #toText}. */
  @Override
  public String toString() {
    return toText();
  }
}

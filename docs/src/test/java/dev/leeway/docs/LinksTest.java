package dev.leeway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A link in a page leads to a file that is there, and to a heading that is there. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  @Test
  void everyLinkToOurOwnFilesLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int seen = 0;
    for (Path page : Project.pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://")) {
          seen++;
          if (!leadsSomewhere(page, target)) {
            broken.add(Project.ROOT.relativize(page) + " -> " + target);
          }
        }
      }
    }

    assertThat(seen).isPositive();
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? page : page.resolveSibling(path);
    if (!Files.exists(file)) {
      return false;
    }
    return hash < 0
        || Files.readAllLines(file).stream()
            .filter(line -> line.startsWith("#"))
            .anyMatch(line -> anchor(line).equals(target.substring(hash + 1)));
  }

  /** As the usual Markdown renderers make it from a heading. */
  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ *", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }
}

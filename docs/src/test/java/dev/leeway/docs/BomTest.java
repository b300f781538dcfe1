package dev.leeway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM names every module that is meant for users, and no other. */
class BomTest {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(leeway-[a-z-]+)</artifactId>");
  private static final List<String> NOT_FOR_USERS =
      List.of("leeway-bom", "leeway-benchmarks", "leeway-docs");

  @Test
  void theBomNamesEveryModuleForUsers() throws IOException {
    Set<String> built = new TreeSet<>();
    Matcher module = MODULE.matcher(Files.readString(Project.ROOT.resolve("pom.xml")));
    while (module.find()) {
      built.add(artifactOf(Project.ROOT.resolve(module.group(1)).resolve("pom.xml")));
    }
    built.removeAll(NOT_FOR_USERS);

    Set<String> named = new TreeSet<>();
    Matcher artifact = ARTIFACT.matcher(Files.readString(Project.ROOT.resolve("bom/pom.xml")));
    while (artifact.find()) {
      named.add(artifact.group(1));
    }
    named.remove("leeway-bom");

    assertThat(named).isNotEmpty().isEqualTo(built);
  }

  @Test
  void theGuideNamesTheVersionThatIsBuilt() throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>leeway[a-z-]*</artifactId>\\s*<version>([^<$]+)</version>")
            .matcher(Files.readString(Project.ROOT.resolve("pom.xml")));
    assertThat(version.find()).isTrue();

    assertThat(Files.readString(Project.ROOT.resolve("docs/getting-started.md")))
        .contains("<version>" + version.group(1) + "</version>");
  }

  private static String artifactOf(Path pom) throws IOException {
    String text = Files.readString(pom).replaceFirst("(?s)<parent>.*?</parent>", "");
    Matcher artifact = ARTIFACT.matcher(text);
    assertThat(artifact.find()).as(pom.toString()).isTrue();
    return artifact.group(1);
  }
}

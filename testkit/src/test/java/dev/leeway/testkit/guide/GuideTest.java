package dev.leeway.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide shows code that runs. */
class GuideTest {
  private static final Path GUIDE = Path.of("../docs/testkit.md");
  private static final Path SAMPLES = Path.of("src/test/java/dev/leeway/testkit/guide");
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- (\\S+) -->\\n)?```java\\n(.*?)```\\n", Pattern.DOTALL);
  private static final Pattern TAG = Pattern.compile("// tag::([\\w-]+)\\[\\]");

  @Test
  void everyJavaBlockIsARegionOfARunningTest() throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(GUIDE));
    int blocks = 0;
    while (block.find()) {
      assertThat(block.group(1)).as(block.group(2)).isNotNull();
      assertThat(block.group(2)).as(block.group(1)).isEqualTo(region(block.group(1)));
      blocks++;
    }
    assertThat(blocks).isGreaterThanOrEqualTo(6);
  }

  @Test
  void everyRegionIsInTheGuide() throws IOException {
    String guide = Files.readString(GUIDE);
    for (String file : List.of("OrderPageIT.java", "GuideIT.java")) {
      Matcher tag = TAG.matcher(Files.readString(SAMPLES.resolve(file)));
      List<String> regions = new ArrayList<>();
      while (tag.find()) {
        regions.add(file + "#" + tag.group(1));
      }
      assertThat(regions).isNotEmpty().allSatisfy(region -> assertThat(guide).contains(region));
    }
  }

  /** The text between the two marks, moved to the left edge. */
  private static String region(String origin) throws IOException {
    String[] parts = origin.split("#", 2);
    List<String> lines = Files.readAllLines(SAMPLES.resolve(parts[0]));
    int from = find(lines, "// tag::" + parts[1] + "[]") + 1;
    int to = find(lines, "// end::" + parts[1] + "[]");
    assertThat(from).as(origin).isBetween(1, to);
    return String.join("\n", lines.subList(from, to)).stripIndent() + "\n";
  }

  private static int find(List<String> lines, String mark) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().equals(mark)) {
        return i;
      }
    }
    return -1;
  }
}

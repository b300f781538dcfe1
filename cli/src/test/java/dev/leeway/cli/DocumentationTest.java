package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.cli.config.Key;
import dev.leeway.cli.config.TopologyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The pages about the command line say what the code does. */
class DocumentationTest {
  private static final List<String> PAGES =
      List.of("configuration.md", "demo.md", "drills.md", "lag-and-gate.md");
  @TempDir Path folder;

  @Test
  void theTableOfKeysIsTheOneTheReaderGoesBy() {
    List<List<String>> keys =
        Key.ALL.stream()
            .map(
                key ->
                    List.of(
                        "`" + key.path() + "`",
                        key.typeWords(),
                        key.defaultText().startsWith("(")
                            ? key.defaultText()
                            : "`" + key.defaultText() + "`",
                        key.meaning()))
            .toList();

    assertThat(Documentation.page("configuration.md").rows("Key")).isEqualTo(keys);
  }

  @Test
  void everyTopologyThatIsShownCanBeUsed() throws IOException {
    List<String> shown = new ArrayList<>();
    PAGES.forEach(page -> shown.addAll(Documentation.page(page).blocks("yaml")));

    assertThat(shown).hasSizeGreaterThanOrEqualTo(4);
    for (String topology : shown) {
      Path file = Files.writeString(folder.resolve("topology.yaml"), topology);

      assertThat(TopologyFile.read(file, Map.of("SHOP_PASSWORD", "secret")).cluster())
          .isEqualTo("shop");
    }
  }

  @Test
  void theMistakesThatAreShownAreReportedSo() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("topology.yaml"),
            """
            cluster: shop
            primary:
              url: jdbc:mysql://db-1/shop
              usr: leeway
            settings:
              pollInterval: 1ms
            """);

    CommandRun run = CommandRun.of("lag", "--config", file.toString());

    assertThat(Documentation.page("configuration.md").blocks("text"))
        .containsExactly(String.join("\n", run.err()).replace(folder + "/", "") + "\n");
  }

  @Test
  void everyCommandThatIsShownIsOneThatExists() {
    List<String> shown = new ArrayList<>();
    for (String page : PAGES) {
      Documentation.page(page).blocks("sh").forEach(block -> shown.addAll(block.lines().toList()));
    }

    assertThat(shown).hasSizeGreaterThanOrEqualTo(5);
    CommandLine commands = Commands.under(new LeewayCommand(), TestInvocation.silent());
    for (String line : shown) {
      assertThat(line).startsWith("./leeway ");
      String[] arguments = line.substring("./leeway ".length()).split(" ", -1);

      assertThat(commands.parseArgs(arguments).hasSubcommand()).as(line).isTrue();
    }
  }

  @Test
  void everyOptionOfACommandIsInItsTable() {
    assertThat(optionsIn("demo.md")).containsExactlyInAnyOrderElementsOf(optionsOf("demo"));
    assertThat(optionsIn("drills.md"))
        .containsExactlyInAnyOrderElementsOf(optionsOf("drill", "read-after-write"));
    List<String> lagAndGate = new ArrayList<>(optionsOf("lag"));
    lagAndGate.addAll(optionsOf("gate"));
    assertThat(optionsIn("lag-and-gate.md")).containsExactlyInAnyOrderElementsOf(lagAndGate);
  }

  private static List<String> optionsIn(String page) {
    return Documentation.page(page).names("Option").stream()
        .map(option -> option.split(" ", -1)[0])
        .toList();
  }

  private static List<String> optionsOf(String... names) {
    CommandLine command = Commands.under(new LeewayCommand(), TestInvocation.silent());
    for (String name : names) {
      command = Objects.requireNonNull(command.getSubcommands().get(name), name);
    }
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.inherited())
        .map(option -> option.longestName())
        .filter(name -> !List.of("--help", "--version").contains(name))
        .toList();
  }
}

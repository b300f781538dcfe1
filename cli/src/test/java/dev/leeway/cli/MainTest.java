package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
  @TempDir Path folder;

  @Test
  void everyCommandHasAHelpThatTellsItsExitCodes() {
    List<String> names =
        List.copyOf(
            Commands.under(new LeewayCommand(), TestInvocation.silent()).getSubcommands().keySet());

    assertThat(names).contains("demo", "drill", "lag", "gate", "inventory");
    for (String name : names) {
      CommandRun run = CommandRun.of(name, "--help");

      assertThat(run.exitCode()).as(name).isZero();
      assertThat(run.err()).as(name).isEmpty();
      assertThat(String.join("\n", run.out()))
          .as(name)
          .startsWith("Usage: leeway " + name)
          .contains("Exit codes:", "   2   not done: the command line");
    }
  }

  @Test
  void theHelpOfLeewayListsItsCommands() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isZero();
    assertThat(String.join("\n", run.out())).contains("Usage: leeway", "Commands:", "  lag ");
  }

  @Test
  void noCommandIsAMistakeOfTheCaller() {
    CommandRun run = CommandRun.of();

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).containsExactly("leeway: no command was given", "See leeway --help");
  }

  @Test
  void aMistypedCommandIsAnsweredWithTheOneThatWasMeant() {
    CommandRun run = CommandRun.of("lagg");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .containsExactly(
            "leeway: leeway has no command 'lagg' (did you mean lag?)", "See leeway --help");
    assertThat(CommandRun.of("drill", "write").err())
        .containsExactly(
            "leeway: leeway drill has no command 'write' (expected: read-after-write)",
            "See leeway drill --help");
    assertThat(CommandRun.of("lag", "db-1").err())
        .first()
        .isEqualTo("leeway: leeway lag does not know what to do with 'db-1'");
  }

  @Test
  void aMistypedOptionIsAnsweredWithTheOneThatWasMeantAndItsValueIsNoMistakeOfItsOwn() {
    assertThat(CommandRun.of("drill", "read-after-write", "--iteration", "5").err())
        .containsExactly(
            "leeway: leeway drill read-after-write has no option --iteration (did you mean"
                + " --iterations?)",
            "See leeway drill read-after-write --help");
    assertThat(CommandRun.of("lag", "--jsn=yes").err())
        .first()
        .isEqualTo("leeway: leeway lag has no option --jsn (did you mean --json?)");
    assertThat(CommandRun.of("--colour").err())
        .first()
        .isEqualTo(
            "leeway: leeway has no option --colour (expected: --help, --log-file, --verbose,"
                + " --version)");
  }

  @Test
  void whatIsNoNumberIsAnsweredWithoutTheWordsOfProgrammers() {
    CommandRun run = CommandRun.of("demo", "--iterations", "many");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .first()
        .isEqualTo(
            "leeway: Invalid value for option '--iterations': 'many' (expected: a whole number, 1 to"
                + " 100000)");
  }

  @Test
  void helpAndVersionCanBeAskedForInAWord() {
    assertThat(CommandRun.of("help")).isEqualTo(CommandRun.of("--help"));
    assertThat(CommandRun.of("help", "lag")).isEqualTo(CommandRun.of("lag", "--help"));
    assertThat(CommandRun.of("help", "drill", "read-after-write"))
        .isEqualTo(CommandRun.of("drill", "read-after-write", "--help"));
    assertThat(CommandRun.of("version")).isEqualTo(CommandRun.of("--version"));
    assertThat(CommandRun.of("help", "lagg").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("help", "lagg").err())
        .first()
        .isEqualTo("leeway: leeway has no command 'lagg' (did you mean lag?)");
  }

  @Test
  void theHelpTellsEveryDefault() {
    assertThat(String.join(" ", CommandRun.of("demo", "--help").out()).replaceAll(" +", " "))
        .contains("(default: 200)", "in whole seconds (default: 2s)");
    assertThat(
            String.join(" ", CommandRun.of("drill", "read-after-write", "--help").out())
                .replaceAll(" +", " "))
        .contains("(default: 200)", "in whole seconds (default: 10s). Not with --config.");
  }

  @Test
  void anIntervalThatWouldOnlyBurnTheProcessorIsRefused() {
    assertThat(CommandRun.of("lag", "--demo", "--interval", "1us").err())
        .containsExactly("leeway: lag: --interval 1us (expected: 100ms or more)");
  }

  @Test
  void aLogFileThatCannotBeWrittenIsRefused() {
    CommandRun run = CommandRun.of("inventory", "--log-file", folder.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .first()
        .isEqualTo(
            "leeway: --log-file "
                + folder
                + ": cannot be written (expected: a file that may be made or changed)");
  }

  @Test
  void aDurationThatIsNoneIsAnsweredInTheWordsOfTheFiles() {
    CommandRun run = CommandRun.of("gate", "--position", "x", "--timeout", "soon");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .containsExactly(
            "leeway: Invalid value for option '--timeout': duration: \"soon\" (expected: a number and"
                + " a unit, such as 400ms, 5s or 2m)",
            "See leeway gate --help");
  }

  @Test
  void aNegativeDurationIsRefused() {
    CommandRun run = CommandRun.of("gate", "--position", "x", "--timeout=-5s");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().get(0)).contains("duration: \"-5s\" is negative (expected: zero or more");
  }

  @Test
  void commandsThatNeedServersSayHowToNameThem() {
    assertThat(CommandRun.of("lag").err())
        .containsExactly(
            "leeway: lag: which servers? Give --config FILE (docs/configuration.md tells what is in"
                + " it), or --demo to watch a cluster made for this.");
    assertThat(CommandRun.of("lag").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("gate", "--position", "x").err())
        .containsExactly(
            "leeway: gate: which servers? Give --config FILE (docs/configuration.md tells what is in"
                + " it).");
  }

  @Test
  void aConfigurationWithMistakesIsAnsweredWithAllOfThemAndNoStackTrace() throws IOException {
    Path file = folder.resolve("topology.yaml");
    Files.writeString(
        file,
        """
        cluster: shop
        primary:
          url: jdbc:mysql://127.0.0.1:1/shop
          usr: app
        replicas:
          - url: jdbc:mysql://127.0.0.1:2/shop
            name: the first
        """);

    CommandRun run = CommandRun.of("lag", "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .containsExactly(
            "leeway: " + file + ":4:3: unknown key primary.usr (did you mean user?)",
            file
                + ":7:11: replicas[1].name: Server 'the first' - its name (expected: 1 to 64 letters,"
                + " digits, dots, dashes or underscores)");
  }

  @Test
  void verboseAddsTheStackTraceToTheMessage() {
    CommandRun run = CommandRun.of("lag", "--verbose", "--config", "missing.yaml");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .anyMatch(line -> line.startsWith("\tat dev.leeway.cli."))
        .last()
        .asString()
        .isEqualTo(
            "leeway: missing.yaml: cannot be read: there is no such file (expected: a YAML file"
                + " naming the servers)");
  }

  @Test
  void aPositionThatIsNeitherATokenNorASetIsAnsweredWithBothReasons() throws IOException {
    Path file = folder.resolve("topology.yaml");
    Files.writeString(
        file,
        """
        cluster: shop
        primary:
          url: jdbc:mysql://127.0.0.1:1/shop
          user: app
        replicas:
          - url: jdbc:mysql://127.0.0.1:2/shop
        """);

    CommandRun run = CommandRun.of("gate", "--config", file.toString(), "--position", "yesterday");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0))
        .startsWith("leeway: gate: --position is neither a token nor a GTID set. As a token: ");
  }

  @Test
  void theVersionIsPrinted() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isEqualTo(CommandLine.ExitCode.OK);
    assertThat(run.out().get(0)).startsWith("leeway ");
  }
}

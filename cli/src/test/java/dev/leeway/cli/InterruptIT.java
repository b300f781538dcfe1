package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Ctrl-C while servers run, in a JVM of its own. */
class InterruptIT {
  private static final long BOUND_SECONDS = 60;

  @Test
  void nothingIsLeftRunningAfterCtrlC() throws Exception {
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.leeway.cli.Main",
                "lag",
                "--demo",
                "--json")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<ProcessHandle> servers;
    try (BufferedReader out = command.inputReader()) {
      assertThat(out.readLine()).as("the first look").contains("\"cluster\":\"shop\"");
      servers = serversOf(command);

      interrupt(command);

      assertThat(command.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      command.destroyForcibly();
    }
    assertThat(command.exitValue()).isEqualTo(130);
    assertThat(servers).isNotEmpty();
    for (ProcessHandle server : servers) {
      server.onExit().get(BOUND_SECONDS, TimeUnit.SECONDS);
      assertThat(server.isAlive()).isFalse();
    }
  }

  private static List<ProcessHandle> serversOf(Process command) {
    return command.descendants().collect(Collectors.toList());
  }

  private static void interrupt(Process command) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(command.pid())).start();
    assertThat(kill.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }
}

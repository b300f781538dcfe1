package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.Await;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.TestSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C and SIGTERM, to commands in a JVM of their own. */
@MySqlTopology(replicas = 1)
class InterruptIT {
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void nothingIsLeftRunningAfterCtrlC() throws Exception {
    Process command = start(Map.of(), "lag", "--demo", "--json");
    List<ProcessHandle> servers;
    try (BufferedReader out = command.inputReader()) {
      assertThat(out.readLine()).as("the first look").contains("\"cluster\":\"shop\"");
      servers = command.descendants().collect(Collectors.toList());

      end(command, "INT");
    } finally {
      command.destroyForcibly();
    }
    assertThat(command.exitValue()).isEqualTo(130);
    assertThat(lastWords()).isEqualTo("leeway: stopping the servers");
    assertThat(servers).isNotEmpty();
    for (ProcessHandle server : servers) {
      server.onExit().get(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(server.isAlive()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aDrillThatIsEndedTakesItsTableWithIt(
      String signal, int exitCode, MySqlCluster cluster, TestSchema schema) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("live.yaml"),
            """
            cluster: shop
            primary: %s
            replicas: [%s]
            drill: {schema: %s}
            """
                .formatted(
                    server(cluster.primary()),
                    server(cluster.replica("replica-1")),
                    schema.name()));
    Process command =
        start(
            Map.of(),
            "drill",
            "read-after-write",
            "--iterations=100000",
            "--config",
            config.toString());
    try {
      Await.until("the drill has made its table", BOUND, () -> tables(cluster, schema).equals("1"));

      end(command, signal);
    } finally {
      command.destroyForcibly();
    }
    assertThat(command.exitValue()).isEqualTo(exitCode);
    assertThat(lastWords()).isEqualTo("leeway: dropping the drill's table");
    assertThat(tables(cluster, schema)).isEqualTo("0");
  }

  /** An apt-get that never ends stands for a slow archive. */
  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aDownloadThatIsEndedLeavesNoFileBehind(String signal, int exitCode) throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path asked = folder.resolve("asked");
    Path apt =
        Files.writeString(
            bin.resolve("apt-get"), "#!/bin/sh\n: >\"" + asked + "\"\nexec sleep 600\n");
    Files.setPosixFilePermissions(apt, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.copy(apt, bin.resolve("dpkg"), StandardCopyOption.COPY_ATTRIBUTES);
    Path temporary = Files.createDirectories(folder.resolve("temporary"));
    Process command =
        start(
            Map.of(
                "PATH",
                bin + ":/usr/bin:/bin",
                "HOME",
                folder.toString(),
                "DOCKER_HOST",
                "",
                "LEEWAY_MYSQL_HOME",
                "",
                "LEEWAY_CACHE",
                folder.resolve("cache").toString(),
                "JAVA_TOOL_OPTIONS",
                "-Djava.io.tmpdir=" + temporary),
            "demo");
    try {
      Await.until("the archive was asked", BOUND, () -> Files.exists(asked));
      assertThat(left(temporary)).isNotEmpty();

      end(command, signal);
    } finally {
      command.destroyForcibly();
    }
    assertThat(command.exitValue()).isEqualTo(exitCode);
    assertThat(left(temporary)).isEmpty();
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                // A build that was started in the background hands an ignored interrupt on.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.leeway.cli.Main"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
    builder.environment().putAll(environment);
    environment.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            builder.environment().remove(name);
          }
        });
    return builder.start();
  }

  private static void end(Process command, String signal) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(command.pid())).start();
    assertThat(kill.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
    assertThat(command.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
  }

  private String lastWords() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("err"));
    return lines.get(lines.size() - 1);
  }

  private static List<Path> left(Path temporary) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("leeway-"))
          .toList();
    }
  }

  private static String server(MySqlServer server) {
    return "{url: \"%s\", user: %s, password: %s}"
        .formatted(server.jdbcUrl(""), server.user(), server.password());
  }

  private static String tables(MySqlCluster cluster, TestSchema schema) throws Exception {
    return String.valueOf(
        cluster
            .primary()
            .queryString(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '"
                    + schema.name()
                    + "' AND table_name LIKE 'leeway\\_drill\\_%'"));
  }
}

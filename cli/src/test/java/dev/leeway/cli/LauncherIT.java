package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that starts the command line, in a project of its own: its build and its Java are
 * small scripts that tell what they were asked.
 */
class LauncherIT {
  private static final long BOUND_SECONDS = 60;

  @TempDir Path folder;
  private Path project;
  private Path jdk;

  @BeforeEach
  void makeAProject() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    Path launcher = Path.of(System.getProperty("leeway.root"), "leeway");
    Files.copy(launcher, project.resolve("leeway"));
    executable(project.resolve("leeway"));
    source("cli/src/main/java/Main.java");
    script(
        project.resolve("mvnw"),
        "echo \"[INFO] Building Leeway: command line 0.1 [1/1]\"",
        "echo \"$@\" >>builds",
        "[ ! -f broken ] || { echo '[ERROR] it does not compile'; exit 1; }",
        "mkdir -p cli/target/lib");
    jdk = jdk("jdk", "17.0.9");
  }

  @Test
  void theFirstRunBuildsAndTheNextOneDoesNot() throws Exception {
    Run first = run(project, "lag", "--once");
    Run second = run(project, "lag", "--once");

    assertThat(first.exitCode()).isZero();
    assertThat(first.err())
        .contains("leeway: first run: building the command line")
        .contains("leeway:   [1/1] Leeway: command line");
    assertThat(second.err()).isEmpty();
    assertThat(second.out())
        .contains(project.toRealPath() + "/cli/target/lib/* dev.leeway.cli.Main lag --once");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aChangedSourceIsBuiltBeforeItIsRun() throws Exception {
    run(project, "lag");
    Path source = source("routing-jdbc/src/main/java/Changed.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));

    Run next = run(project, "lag");

    assertThat(next.err()).contains("leeway: sources have changed; building the command line");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void aChangedTestOrBenchmarkIsNotWorthABuild() throws Exception {
    run(project, "lag");
    for (String path :
        List.of("cli/src/test/java/A.java", "benchmarks/src/main/java/B.java", "cli/target/C")) {
      Files.setLastModifiedTime(source(path), FileTime.from(Instant.now().plusSeconds(5)));
    }

    run(project, "lag");

    assertThat(builds()).hasSize(1);
  }

  @Test
  void twoFirstRunsAtOnceShareOneBuild() throws Exception {
    Process one = start(project, Map.of(), project.resolve("leeway"), "one");
    Process two = start(project, Map.of(), project.resolve("leeway"), "two");

    assertThat(finish(one).exitCode()).isZero();
    assertThat(finish(two).exitCode()).isZero();
    assertThat(builds()).hasSize(1);
    assertThat(project.resolve("target/launcher/lock")).doesNotExist();
  }

  @Test
  void aLockLeftByABuildThatWasKilledIsTakenOver() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    assertThat(gone.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    Path lock = Files.createDirectories(project.resolve("target/launcher/lock"));
    Files.writeString(lock.resolve("pid"), gone.pid() + "\n");

    Run run = run(project, "lag");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("was interrupted; starting over");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aBuildThatFailsShowsItsErrorsAndWhereTheLogIs() throws Exception {
    Files.createFile(project.resolve("broken"));

    Run failed = run(project, "lag");
    Files.delete(project.resolve("broken"));
    Run repaired = run(project, "lag");

    assertThat(failed.exitCode()).isEqualTo(3);
    assertThat(failed.err())
        .contains("[ERROR] it does not compile")
        .contains(
            "the build failed (exit code 1); the whole log is "
                + project.toRealPath()
                + "/target/launcher/build.log");
    assertThat(repaired.exitCode()).isZero();
  }

  @Test
  void itRunsFromAnywhereAndThroughLinks() throws Exception {
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere/bin"));
    Files.createSymbolicLink(folder.resolve("first"), project.resolve("leeway"));
    Files.createSymbolicLink(elsewhere.resolve("leeway"), Path.of("../../first"));

    Run run = finish(start(elsewhere, Map.of(), elsewhere.resolve("leeway"), "--version"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("in " + elsewhere.toRealPath()).contains("--version");
  }

  @Test
  void aJdkThatIsTooOldIsNamedWithWhatIsNeeded() throws Exception {
    Path old = jdk("old", "1.8.0_402");

    Run run =
        finish(
            start(
                project,
                Map.of("JAVA_HOME", old.toString(), "PATH", "/usr/bin-without-java:" + tools()),
                project.resolve("leeway"),
                "lag"));

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .contains("leeway: needs a JDK 17 or later: JAVA_HOME is " + old + " (Java 8)")
        .contains("there is no java on the PATH");
  }

  @Test
  void theJavaOnThePathDoesWhereJavaHomeDoesNot() throws Exception {
    Path old = jdk("old", "11.0.2");

    Run run =
        finish(
            start(
                project,
                Map.of("JAVA_HOME", old.toString(), "PATH", jdk.resolve("bin") + ":" + tools()),
                project.resolve("leeway"),
                "lag"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("dev.leeway.cli.Main lag");
  }

  @Test
  void aJavaOnThePathThatIsAScriptIsAskedWhichOneItStarts() throws Exception {
    Path shims = Files.createDirectories(folder.resolve("manager/shims"));
    script(shims.resolve("java"), "exec '" + jdk + "/bin/java' \"$@\"");

    Run run = onPath(shims);

    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(run.out()).contains("dev.leeway.cli.Main lag");
  }

  @Test
  void aScriptThatStartsAJavaTooOldOrNoneIsNamedForWhatItDoes() throws Exception {
    Path shims = Files.createDirectories(folder.resolve("manager/shims"));
    Path old = jdk("old", "11.0.2");
    script(shims.resolve("java"), "exec '" + old + "/bin/java' \"$@\"");
    Run tooOld = onPath(shims);
    script(shims.resolve("java"), "echo 'no version is chosen' >&2", "exit 126");
    Run none = onPath(shims);

    assertThat(tooOld.exitCode()).isEqualTo(3);
    assertThat(tooOld.err()).contains("the java on the PATH is in " + old + " (Java 11)");
    assertThat(none.exitCode()).isEqualTo(3);
    assertThat(none.err())
        .contains(
            "the java on the PATH (" + shims + "/java) does not say which Java it starts. Install");
  }

  @Test
  void aLongBuildShowsThatItGoesOn() throws Exception {
    script(
        project.resolve("mvnw"),
        "until [ -f enough ]; do sleep 1; done",
        "mkdir -p cli/target/lib");
    Process process = start(project, Map.of(), project.resolve("leeway"), "lag");
    try (BufferedReader err = process.errorReader()) {
      assertThat(err.readLine()).startsWith("leeway: first run: building the command line");
      assertThat(err.readLine()).matches("leeway:   still building \\([0-9]+ s\\)");
      assertThat(err.readLine()).matches("leeway:   still building \\([0-9]+ s\\)");
      Files.createFile(project.resolve("enough"));

      assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroy();
    }
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void aBuildThatIsEndedIsGoneAndItsLockToo() throws Exception {
    script(
        project.resolve("mvnw"),
        "echo $$ >building.part",
        "mv building.part building",
        "exec sleep 600");
    Process process = start(project, Map.of(), project.resolve("leeway"), "lag");
    try (BufferedReader err = process.errorReader()) {
      assertThat(err.readLine()).startsWith("leeway: first run: building the command line");
      assertThat(err.readLine()).startsWith("leeway:   still building");
      long build = Long.parseLong(Files.readString(project.resolve("building")).strip());

      // Not by the process, which would close the stream that is read next.
      assertThat(process.toHandle().destroy()).isTrue();

      assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(err.lines()).last().isEqualTo("leeway: stopping the build");
      assertThat(ProcessHandle.of(build).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(project.resolve("target/launcher/lock")).doesNotExist();
  }

  private Run onPath(Path javas) throws Exception {
    Process process =
        start(
            project,
            Map.of("JAVA_HOME", "", "PATH", javas + ":" + tools()),
            project.resolve("leeway"),
            "lag");
    return finish(process);
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(project.resolve("builds"));
  }

  private Path source(String path) throws IOException {
    Path file = project.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "");
  }

  /** A Java home that prints how it was started. */
  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(
        home.resolve("bin/java"),
        "echo \"in $(pwd -P)\"",
        "echo \"$@\"",
        "case $1 in -XshowSettings*) echo '    java.home = " + home + "' >&2 ;; esac");
    script(home.resolve("bin/javac"), "exit 0");
    return home;
  }

  /** The tools a script needs, without whatever Java this machine has beside them. */
  private Path tools() throws IOException {
    Path bin = folder.resolve("tools");
    if (Files.isDirectory(bin)) {
      return bin;
    }
    Files.createDirectories(bin);
    for (String tool :
        List.of(
            "sh",
            "cat",
            "cd",
            "cp",
            "date",
            "dirname",
            "find",
            "grep",
            "head",
            "kill",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "stty",
            "tail",
            "touch")) {
      for (Path place : List.of(Path.of("/usr/bin"), Path.of("/bin"))) {
        if (Files.isExecutable(place.resolve(tool)) && !Files.exists(bin.resolve(tool))) {
          script(bin.resolve(tool), "exec " + place.resolve(tool) + " \"$@\"");
        }
      }
    }
    return bin;
  }

  private Run run(Path directory, String... arguments) throws Exception {
    return finish(start(directory, Map.of(), project.resolve("leeway"), arguments));
  }

  private Process start(
      Path directory, Map<String, String> environment, Path launcher, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(launcher.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** What the scripts print fits into a pipe, so that reading it afterwards is enough. */
  private static Run finish(Process process) throws Exception {
    assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
    return new Run(
        process.exitValue(),
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
  }

  private static void script(Path file, String... lines) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    executable(file);
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Run(int exitCode, String out, String err) {}
}

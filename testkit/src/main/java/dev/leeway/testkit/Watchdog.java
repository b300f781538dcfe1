package dev.leeway.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends this JVM's servers when the JVM can no longer do it.
 *
 * <p>A JVM that is killed with -9 runs no shutdown hook. One small shell process per JVM reads
 * names of folders from a pipe; when the pipe ends, for whatever reason, it kills every process
 * whose number lies in {@code <folder>/<server>/pid} and removes the folders. The number is written
 * by the very process that becomes the server, before it does, so there is no moment in which a
 * server runs unknown to the watchdog.
 */
final class Watchdog {
  /*
   * A number may meanwhile belong to another process, so the process must also mention the folder in
   * its command line. A dying server may still write while its folder is being removed, hence the
   * rounds.
   */
  private static final String SCRIPT =
      """
      trap '' INT HUP TERM
      while IFS= read -r folder; do
        set -- "$@" "$folder"
      done
      command_of() {
        if [ -r "/proc/$1/cmdline" ]; then
          tr '\\0' ' ' < "/proc/$1/cmdline"
        else
          ps -o command= -p "$1" 2> /dev/null
        fi
      }
      for round in 1 2 3 4 5; do
        left=
        for folder; do
          [ -d "$folder" ] || continue
          for file in "$folder"/*/pid; do
            [ -r "$file" ] || continue
            read -r pid < "$file"
            case $(command_of "$pid") in
              *"$folder"*) kill -9 "$pid" ;;
            esac
          done
          rm -rf "$folder" 2> /dev/null
          [ -d "$folder" ] && left=yes
        done
        [ -z "$left" ] && exit 0
        sleep 1
      done
      """;

  private static @Nullable Watchdog ofThisJvm;

  private final OutputStream pipe;

  private Watchdog(OutputStream pipe) {
    this.pipe = pipe;
  }

  /** From now on, the folder and the servers in it do not outlive this JVM. */
  static synchronized void watch(Path folder) throws IOException {
    if (ofThisJvm == null) {
      ofThisJvm = start();
    }
    ofThisJvm.pipe.write((folder + "\n").getBytes(StandardCharsets.UTF_8));
    ofThisJvm.pipe.flush();
  }

  private static Watchdog start() throws IOException {
    List<String> command = new ArrayList<>();
    // In a session of its own it also survives the signal that ends a whole process group.
    if (Settings.ofThisProcess().onPath("setsid").isPresent()) {
      command.add("setsid");
    }
    command.addAll(List.of("sh", "-c", SCRIPT, "leeway-testkit-watchdog"));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new Watchdog(process.getOutputStream());
  }
}

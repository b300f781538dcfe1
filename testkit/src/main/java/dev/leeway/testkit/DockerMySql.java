package dev.leeway.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/** MySQL's own image in containers, by Testcontainers, where a Docker engine answers. */
final class DockerMySql implements MySqlSource {
  private static final String DEFAULT_IMAGE = "mysql:8.4";

  private final Settings settings;

  DockerMySql(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "Testcontainers' MySQL";
  }

  @Override
  public ServerHost open(Progress progress) throws Unavailable {
    List<Path> sockets =
        Stream.of(
                Optional.of(settings.systemRoot().resolve("var/run/docker.sock")),
                settings.get("XDG_RUNTIME_DIR").map(folder -> Path.of(folder, "docker.sock")),
                Optional.of(settings.home().resolve(".docker/run/docker.sock")),
                Optional.of(settings.home().resolve(".docker/desktop/docker.sock")))
            .flatMap(Optional::stream)
            .toList();
    // Testcontainers asks long and loudly, so it is left alone where nothing hints at an engine.
    if (settings.get("DOCKER_HOST").isEmpty()
        && !Files.exists(settings.home().resolve(".testcontainers.properties"))
        && sockets.stream().noneMatch(Files::exists)) {
      throw new Unavailable(
          "no Docker engine answers (DOCKER_HOST is not set, and there is no socket at "
              + sockets
              + ")");
    }
    String image = settings.get("LEEWAY_MYSQL_IMAGE").orElse(DEFAULT_IMAGE);
    String doing = "MySQL: asking the Docker engine";
    try {
      if (!progress.step(doing, () -> DockerClientFactory.instance().isDockerAvailable())) {
        throw new Unavailable("no Docker engine answers, although one is configured");
      }
      return DockerHost.open(image);
    } catch (Unavailable e) {
      throw e;
    } catch (LinkageError e) {
      throw new Unavailable("Testcontainers is not on the class path (" + e + ")", e);
    } catch (Exception e) {
      throw new Unavailable("the Docker engine failed: " + e.getMessage(), e);
    }
  }
}

package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Servers as processes of this machine, on loopback, with their data in a temporary folder. */
final class LocalHost implements ServerHost {
  private final MySqlInstallation installation;
  private final Settings settings;
  private final Progress progress;
  private final Path folder;
  private final List<LocalProcess> processes = new CopyOnWriteArrayList<>();

  private LocalHost(
      MySqlInstallation installation, Settings settings, Progress progress, Path folder) {
    this.installation = installation;
    this.settings = settings;
    this.progress = progress;
    this.folder = folder;
  }

  static LocalHost open(MySqlInstallation installation, Settings settings, Progress progress)
      throws MySqlSource.Unavailable {
    try {
      // Also the proof that this server can work here at all (a security profile may forbid it).
      DataDirectoryTemplate.prepare(installation, List.of(), settings.cache(), progress);
      Path folder = Files.createTempDirectory("leeway-mysql-").toRealPath();
      Watchdog.watch(folder);
      return new LocalHost(installation, settings, progress, folder);
    } catch (IOException e) {
      throw new MySqlSource.Unavailable(
          installation.description() + " cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public String description() {
    return installation.description();
  }

  @Override
  public ServerProcess create(String name, int serverId, List<String> options) {
    try {
      Path template =
          DataDirectoryTemplate.prepare(installation, options, settings.cache(), progress);
      LocalProcess process =
          new LocalProcess(name, serverId, installation, options, template, folder.resolve(name));
      processes.add(process);
      return process;
    } catch (IOException e) {
      throw new ClusterException(name + " - cannot be prepared: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    processes.forEach(LocalProcess::kill);
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new ClusterException(
          "testkit - the data in " + folder + " could not be removed: " + e.getMessage(), e);
    }
  }
}

package dev.leeway.cli;

import dev.leeway.cli.config.Topology;
import dev.leeway.cli.config.TopologyFile;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a topology file. */
final class ConfigOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file that names the servers (see docs/configuration.md).")
  @Nullable Path file;

  /** The topology, if a file was named. */
  Optional<Topology> topology(Invocation invocation) {
    return Optional.ofNullable(file)
        .map(named -> TopologyFile.read(named, invocation.environment()));
  }
}

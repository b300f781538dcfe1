package dev.leeway.cli;

import picocli.CommandLine.IVersionProvider;

/** The version from the manifest; a run from class files has none. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "leeway " + (version == null ? "(not packaged)" : version),
      "Java " + System.getProperty("java.version")
    };
  }
}

package dev.leeway.cli.config;

/** A position in a file, counted from one. Prints as editors and compilers do. */
record Place(String file, int line, int column) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}

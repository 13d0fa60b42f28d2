package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says where results go. */
final class ResultsFolder {
  @Option(
      names = "--results",
      defaultValue = "results/${COMMAND-NAME}",
      paramLabel = "DIR",
      order = 1_000, // the last one
      description = "Where table, JSON and plots go. Default: ${DEFAULT-VALUE}")
  private Path results = Path.of("results");

  /** The folder, which is there. */
  Path make() throws IOException {
    return Files.createDirectories(path());
  }

  Path path() {
    return results.toAbsolutePath();
  }
}

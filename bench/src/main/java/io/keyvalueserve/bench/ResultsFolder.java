package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says where results go. */
final class ResultsFolder {
  @Option(
      names = "--results",
      defaultValue = "results/${COMMAND-NAME}",
      paramLabel = "DIR",
      description = "Where table, JSON and plots go. Default: ${DEFAULT-VALUE}")
  private Path results = Path.of("results");

  /** The folder, which is there. */
  Path make() throws IOException {
    return Files.createDirectories(path());
  }

  /** Shows what a person wants to see, and where all of it is. */
  void tell(PrintWriter out, String table) {
    out.println(table);
    out.println("results: " + path());
    out.flush();
  }

  private Path path() {
    return results.toAbsolutePath();
  }
}

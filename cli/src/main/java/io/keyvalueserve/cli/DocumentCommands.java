package io.keyvalueserve.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Commands that write what a server has as a text: {@code kvs metrics}, {@code kvs openapi}. */
final class DocumentCommands {
  private static final String FILE = "A file to be made. Default: standard output.";

  private DocumentCommands() {}

  /** {@code kvs metrics} */
  @Command(
      name = "metrics",
      description = "Writes the metrics of the member that --url names, as OpenMetrics text.",
      mixinStandardHelpOptions = true)
  static final class Metrics implements Runnable {
    @Parameters(arity = "0..1", defaultValue = "-", paramLabel = "FILE", description = FILE)
    private String file = "-";

    @Mixin private AdminClient client = new AdminClient();

    @Override
    public void run() {
      client.download("/metrics", file);
    }
  }

  /** {@code kvs openapi} */
  @Command(
      name = "openapi",
      description = "Writes the server's description of its HTTP API (OpenAPI 3.1). Needs no key.",
      mixinStandardHelpOptions = true)
  static final class OpenApi implements Runnable {
    @Parameters(arity = "0..1", defaultValue = "-", paramLabel = "FILE", description = FILE)
    private String file = "-";

    @Mixin private AdminClient client = new AdminClient();

    @Override
    public void run() {
      client.download("/openapi", file);
    }
  }
}

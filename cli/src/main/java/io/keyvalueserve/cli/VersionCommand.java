package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.server.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says which version this is. */
@Command(
    name = "version",
    description = "Says which version this is, or the server.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Runnable {
  @Option(names = "--server", description = "Of the server that --url names.")
  private boolean server;

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private Output out = new Output();

  @Override
  public void run() {
    JsonNode version = server ? client.get("/api/v1/version") : ours();
    out.print(version, String.join(System.lineSeparator(), lines(version)));
  }

  private static ObjectNode ours() {
    Version version = Version.current();
    return AdminClient.object()
        .put("version", version.version())
        .put("hazelcast", version.hazelcast())
        .put("java", Runtime.version().toString());
  }

  private static String[] lines(JsonNode version) {
    return new String[] {
      "KeyValueServe " + version.path("version").asText(),
      "Hazelcast " + version.path("hazelcast").asText(),
      "Java " + version.path("java").asText()
    };
  }

  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return lines(ours());
    }
  }
}

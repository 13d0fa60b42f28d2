package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs client ...} */
@Command(
    name = "client",
    description = "Shows the clients that tenants have connected.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class ClientCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "list",
      description = "Lists the Redis and Hazelcast clients of a tenant, on all members.",
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(
        () -> client.get("/api/v1/tenants/" + AdminClient.part(tenant) + "/clients"),
        ClientCommand::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table =
        new TextTable(
            "DOOR", "ADDRESS", "NAME", "LIBRARY", "MAP", "CONNECTED", "LAST COMMAND", "MEMBER");
    for (JsonNode each : answer.path("clients")) {
      table.add(
          each.path("door").asText(),
          each.path("address").asText(),
          each.path("name").asText(),
          each.path("library").asText(),
          each.path("map").asText(),
          each.path("since").asText(),
          each.path("lastCommand").asText(),
          each.path("member").asText());
    }
    return table;
  }
}

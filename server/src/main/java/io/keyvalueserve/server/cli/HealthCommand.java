package io.keyvalueserve.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code kvs health} */
@Command(
    name = "health",
    description = {
      "Says whether a member's process is alive, and whether it serves its tenants. Needs no key.",
      "Ends with 1 if it does not."
    },
    mixinStandardHelpOptions = true)
final class HealthCommand implements Callable<Integer> {
  @Mixin private AdminClient client = new AdminClient();
  @Mixin private View out = new View();

  private boolean isReady;

  @Override
  public Integer call() {
    out.show(this::ask, HealthCommand::table);
    return isReady ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private JsonNode ask() {
    ObjectNode health = AdminClient.object();
    for (String check : new String[] {"live", "ready"}) {
      health.put(check, client.state("/health/" + check).path("status").asText());
    }
    isReady = health.path("ready").asText().equals("UP");
    return health;
  }

  private static Table table(JsonNode health) {
    Table table = new Table("CHECK", "STATE");
    health.properties().forEach(check -> table.add(check.getKey(), check.getValue().asText()));
    return table;
  }
}

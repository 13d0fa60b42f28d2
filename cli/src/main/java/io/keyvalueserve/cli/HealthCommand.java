package io.keyvalueserve.cli;

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
      "Says whether a member's process is alive, whether it serves its tenants, and the reason if"
          + " it serves none or a part. Needs no key.",
      "Ends with 1 if it does not."
    },
    mixinStandardHelpOptions = true)
final class HealthCommand implements Callable<Integer> {
  private static final String REASON = "reason";

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
      JsonNode said = client.state("/health/" + check);
      health.put(check, said.path("status").asText());
      if (said.has(REASON)) {
        health.put(REASON, said.path(REASON).asText());
      }
    }
    isReady = health.path("ready").asText().equals("UP");
    return health;
  }

  private static TextTable table(JsonNode health) {
    TextTable table = new TextTable("CHECK", "STATE");
    health.properties().forEach(check -> table.add(check.getKey(), check.getValue().asText()));
    return table;
  }
}

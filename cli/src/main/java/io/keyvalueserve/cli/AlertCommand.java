package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs alert ...} */
@Command(
    name = "alert",
    description = "Shows what an operator should look at.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class AlertCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "list",
      description = "Lists the alerts of all members: those that hold, then those that ended last.",
      mixinStandardHelpOptions = true)
  void list(
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "How many at most: up to 1000. Default: ${DEFAULT-VALUE}.")
          int limit,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get("/api/v1/alerts?limit=" + limit), AlertCommand::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table = new TextTable("SINCE", "UNTIL", "SEVERITY", "WHAT", "NOTED BY");
    for (JsonNode each : answer.path("alerts")) {
      table.add(
          each.path("since").asText(),
          each.path("until").asText("now"),
          each.path("severity").asText(),
          each.path("title").asText(),
          each.path("member").asText());
    }
    return table;
  }
}

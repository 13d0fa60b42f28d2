package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs store status} */
@Command(
    name = "status",
    description = {
      "Shows what is between a map and its external store, on all members: what waits to be"
          + " written, what the database has refused, and whether it works.",
      "An access key of the tenant will do."
    },
    mixinStandardHelpOptions = true)
final class StoreStatusCommand implements Runnable {
  @Parameters(paramLabel = "TENANT/MAP")
  private String map = "";

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private View out = new View();
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    String path = MapPath.of(map, spec.commandLine()) + "/store";
    out.show(() -> client.get(path), answer -> facts(answer, out));
  }

  private static TextTable facts(JsonNode status, Output out) {
    out.warnOfSilent(status);
    TextTable table =
        TextTable.ofFacts(
            "map", status.path("tenant").asText() + "/" + status.path("map").asText());
    table.add(
        "store",
        status.path("store").asText()
            + ", table "
            + status.path("table").asText()
            + ", "
            + status.path("mode").asText());
    table.add(
        "database",
        status.has("problem")
            ? "does not work: " + status.path("problem").asText()
            : "works, as far as it was needed");
    table.add("waiting", waiting(status));
    table.add("dead letters", status.path("dead").asText());
    table.add("rows written", status.path("written").asText());
    table.add(
        "rows loaded",
        status.path("loaded").asText()
            + ", by "
            + status.path("loads").asText()
            + " statements; "
            + status.path("absent").asText()
            + " keys had none");
    table.add("failures", status.path("failures").asText());
    return table;
  }

  private static String waiting(JsonNode status) {
    String count = status.path("waiting").asText();
    return status.has("oldestSince")
        ? count
            + ", the oldest for "
            + status.path("oldestSeconds").asText()
            + " s, since "
            + status.path("oldestSince").asText()
        : count;
  }
}

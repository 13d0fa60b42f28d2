package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kvs cost} */
@Command(
    name = "cost",
    description = {
      "Says what a Redis command would be charged now, without running it.",
      "With KVS_KEY an access key of the tenant will do."
    },
    mixinStandardHelpOptions = true)
final class CostCommand implements Runnable {
  @Parameters(index = "0", paramLabel = "TENANT")
  private String tenant = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "WORD",
      description = "The command and its arguments: SET user:1 ada")
  private List<String> words = List.of();

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private View out = new View();

  @Override
  public void run() {
    ObjectNode body = AdminClient.object();
    ArrayNode command = body.putArray("command");
    words.forEach(command::add);
    String path = "/api/v1/tenants/" + AdminClient.part(tenant) + "/cost";
    out.show(() -> client.post(path, body), CostCommand::facts);
  }

  private static TextTable facts(JsonNode cost) {
    String currency = " " + cost.path("currency").asText();
    TextTable table = TextTable.ofFacts("amount", cost.path("amount").asText() + currency);
    table.add("for a minute's first", cost.path("minute").asText() + currency);
    table.add("rate card", cost.path("card").asText() + "  (" + cost.path("band").asText() + ")");
    table.add(
        "counted as", cost.path("operations").asText() + " " + cost.path("operation").asText());
    table.add("bytes in", cost.path("bytesIn").asText());
    for (JsonNode part : cost.path("parts")) {
      table.add(
          "of that",
          part.path("amount").asText()
              + currency
              + " for "
              + part.path("units").asText()
              + " "
              + part.path("measure").asText());
    }
    for (JsonNode price : cost.path("storage")) {
      String kept = price.path("persistence").asText();
      table.add(
          "to hold" + (kept.equals("default") ? "" : ", " + kept),
          price.path("unitPrice").asText()
              + currency
              + " for "
              + price.path("per").asText()
              + " "
              + price.path("unit").asText()
              + " of "
              + price.path("measure").asText());
    }
    return table;
  }
}

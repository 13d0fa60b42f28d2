package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.billing.metering.Measure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs usage} */
@Command(
    name = "usage",
    description = {
      "Shows what a tenant used, by map or by time, from its ledger.",
      "What is held for a time is in unit-seconds: 1 GB for a minute is 60 GB-seconds.",
      "With KVS_KEY an access key of the tenant shows its own."
    },
    mixinStandardHelpOptions = true)
final class UsageCommand implements Runnable {
  @Parameters(paramLabel = "TENANT")
  private String tenant = "";

  @Option(
      names = "--by",
      defaultValue = "map",
      paramLabel = "map|minute|hour|day|month",
      description = "Default: ${DEFAULT-VALUE}")
  private String by = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Since then: 90s, 30m, 12h, 7d ago, or 2030-01-31T12:00:00Z. Default: this month.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Until then; as --from. Default: no end.")
  private @Nullable String to;

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private View out = new View();
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    String path = "/api/v1/tenants/" + AdminClient.part(tenant) + "/usage";
    out.show(() -> client.get(path + parameters()), this::table);
  }

  /** Times that are so long ago move on while it is watched. */
  private StringJoiner parameters() {
    StringJoiner parameters = new StringJoiner("&", "?", "");
    AdminClient.add(parameters, "by", by);
    AdminClient.add(parameters, "from", TimeText.agoIfGiven(from, "--from", spec.commandLine()));
    AdminClient.add(parameters, "to", TimeText.agoIfGiven(to, "--to", spec.commandLine()));
    return parameters;
  }

  /** A column for each measure of which anything was used. */
  private TextTable table(JsonNode usage) {
    List<String> measures =
        Arrays.stream(Measure.values())
            .map(Measure::quantityLabel)
            .filter(label -> usage.path("usage").findValue(label) != null)
            .toList();
    List<String> head = new ArrayList<>(List.of(by.toUpperCase(Locale.ROOT)));
    head.addAll(measures);
    TextTable table = new TextTable(head.toArray(String[]::new));
    for (JsonNode group : usage.path("usage")) {
      List<String> row = new ArrayList<>(List.of(name(group.path("group").asText())));
      measures.forEach(measure -> row.add(group.path("quantities").path(measure).asText("0")));
      table.add(row.toArray(String[]::new));
    }
    return table;
  }

  private static String name(String group) {
    return group.isEmpty() ? "(no map)" : group;
  }
}

package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs rates ...} */
@Command(
    name = "rates",
    description = "Shows and sets what tenants are charged.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class RatesCommand implements Runnable {
  private static final String RATES = "/api/v1/rates";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "show",
      description = {
        "Shows the rate cards: all prices, and from when on they hold.",
        "With --json it prints what 'kvs rates set' reads."
      },
      mixinStandardHelpOptions = true)
  void show(@Mixin AdminClient client, @Mixin View out) {
    out.show(() -> client.get(RATES), RatesCommand::table);
  }

  @Command(
      name = "set",
      description = {
        "Sets all rate cards to those of a file, as 'kvs rates show --json' prints them.",
        "They hold on every member when the command returns, also for what was used before."
      },
      mixinStandardHelpOptions = true)
  void set(
      @Parameters(paramLabel = "FILE") Path file, @Mixin AdminClient client, @Mixin Output out) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new Failure(file + " cannot be read: " + FileTrouble.of(e));
    }
    JsonNode rates = client.putText(RATES, text);
    out.print(rates, table(rates));
  }

  private static TextTable table(JsonNode rates) {
    TextTable table =
        new TextTable(
            "CARD", "FROM", "TO", "MEASURE", "BASIS", "PER", "PEAK", "OFF PEAK", "CURRENCY");
    for (JsonNode card : rates.path("cards")) {
      for (JsonNode rate : card.path("rates")) {
        table.add(
            card.path("id").asText(),
            card.path("from").asText(),
            card.path("to").asText(),
            rate.path("measure").asText(),
            rate.path("basis").asText(),
            rate.path("per").asText(),
            rate.path("peak").asText(),
            rate.path("offPeak").asText(),
            card.path("currency").asText());
      }
      card.path("persistence")
          .properties()
          .forEach(
              factor ->
                  table.add(
                      card.path("id").asText(),
                      card.path("from").asText(),
                      card.path("to").asText(),
                      "storage, " + factor.getKey(),
                      "factor",
                      "1",
                      factor.getValue().asText(),
                      factor.getValue().asText(),
                      ""));
    }
    return table;
  }
}

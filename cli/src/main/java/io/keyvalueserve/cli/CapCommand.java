package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs cap ...} */
@Command(
    name = "cap",
    description = {
      "Caps what tenants may spend in a month, on all members together, and shows what they spent.",
      "With KVS_KEY an access key of the tenant shows its own."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class CapCommand implements Runnable {
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})%?");

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  /** The cap that is wanted. */
  static final class Wanted {
    @Option(
        names = "--amount",
        required = true,
        paramLabel = "MONEY",
        description = "What may be spent in a month, in the currency of the rate cards: 100.50")
    private String amount = "";

    @Option(
        names = "--action",
        paramLabel = "ACTION",
        description = {
          "refuse: all of it may be spent at once, then requests are refused. Usual.",
          "throttle: what may be spent comes in evenly over the month."
        })
    private @Nullable String action;

    @Option(
        names = "--burst",
        paramLabel = "PERCENT",
        description = "With throttle: what may be spent when the month begins. Usual: 10%%.")
    private @Nullable String burst;

    @Option(
        names = "--warn",
        paramLabel = "PERCENTS",
        description = "At which parts to warn; none for never. Usual: 50,80,100.")
    private @Nullable String warn;

    @Option(
        names = "--webhook",
        paramLabel = "URL",
        description = "Where warnings are sent; needs --webhook-secret-file.")
    private @Nullable String webhook;

    @Option(
        names = "--webhook-secret-file",
        paramLabel = "FILE",
        description = "The file with the secret that signs what is sent, 16 characters or more.")
    private @Nullable Path secretFile;

    ObjectNode body(CommandSpec spec) {
      ObjectNode body = AdminClient.object().put("cap", amount);
      if (action != null) {
        body.put("action", action);
      }
      if (burst != null) {
        body.put("burstPercent", percent(burst, "--burst", spec));
      }
      if (warn != null) {
        ArrayNode percents = body.putArray("warnPercents");
        if (!warn.equals("none")) {
          for (String each : warn.split(",", -1)) {
            percents.add(percent(each.strip(), "--warn", spec));
          }
        }
      }
      if ((webhook == null) != (secretFile == null)) {
        throw new ParameterException(
            spec.commandLine(), "--webhook and --webhook-secret-file go together");
      }
      if (webhook != null && secretFile != null) {
        body.putObject("webhook").put("url", webhook).put("secret", secret(secretFile));
      }
      return body;
    }

    private static int percent(String text, String option, CommandSpec spec) {
      Matcher percent = PERCENT.matcher(text);
      if (!percent.matches()) {
        throw new ParameterException(
            spec.commandLine(), option + " '" + text + "': use a percent such as 10 or 10%");
      }
      return Integer.parseInt(percent.group(1));
    }

    private static String secret(Path file) {
      try {
        return Files.readString(file).strip();
      } catch (IOException e) {
        throw new Failure("the secret cannot be read from " + file + ": " + FileTrouble.of(e));
      }
    }
  }

  @Command(
      name = "set",
      description = {
        "Sets a tenant's cap, all of it: what is not named is as usual again.",
        "It holds on every member and for open connections when the command returns."
      },
      mixinStandardHelpOptions = true)
  void set(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin Wanted wanted,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode cap = client.put(path(tenant), wanted.body(spec));
    out.print(cap, table(cap));
  }

  @Command(
      name = "show",
      description = "Shows a tenant's cap and what it spent in this month, on all members.",
      mixinStandardHelpOptions = true)
  void show(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(tenant)), CapCommand::table);
  }

  @Command(
      name = "list",
      description = "Shows the same of all tenants that have a cap, in short.",
      mixinStandardHelpOptions = true)
  void list(@Mixin AdminClient client, @Mixin View out) {
    out.show(() -> client.get("/api/v1/spend-caps"), CapCommand::tables);
  }

  private static TextTable tables(JsonNode answer) {
    TextTable table =
        new TextTable("TENANT", "MONTH", "SPENT", "LEFT", "CAP", "CURRENCY", "ACTION", "ROOM AT");
    for (JsonNode cap : answer.path("spendCaps")) {
      table.add(
          cap.path("tenant").asText(),
          cap.path("month").asText(),
          cap.path("spent").asText(),
          cap.path("left").asText(),
          cap.path("cap").asText(),
          cap.path("currency").asText(),
          cap.path("action").asText(),
          cap.path("roomAt").asText("now"));
    }
    return table;
  }

  @Command(
      name = "clear",
      description = "Takes a tenant's cap off.",
      mixinStandardHelpOptions = true)
  void clear(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin Output out) {
    out.print(client.delete(path(tenant)), "tenant " + tenant + " has no spend cap any more");
  }

  private static TextTable table(JsonNode cap) {
    TextTable table = new TextTable("WHAT", "VALUE");
    String currency = " " + cap.path("currency").asText();
    table.add("cap", cap.path("cap").asText() + currency + " a month");
    table.add("spent in " + cap.path("month").asText(), cap.path("spent").asText() + currency);
    table.add("left", cap.path("left").asText() + currency);
    table.add("room at", cap.path("roomAt").asText("now"));
    table.add("action", cap.path("action").asText());
    table.add("burst", cap.path("burstPercent").asText() + "%");
    table.add("warns at", cap.path("warnPercents").toString());
    if (cap.has("webhook")) {
      table.add("webhook", cap.path("webhook").path("url").asText());
      if (cap.path("webhook").has("notCalled")) {
        table.add("not called", cap.path("webhook").path("notCalled").asText());
      }
    }
    for (JsonNode warning : cap.path("warnings")) {
      table.add(
          "warned at " + warning.path("percent").asText() + "%",
          warning.path("at").asText() + (warning.path("told").asBoolean() ? "" : ", not told yet"));
    }
    return table;
  }

  private static String path(String tenant) {
    return "/api/v1/tenants/" + AdminClient.part(tenant) + "/spend-cap";
  }
}

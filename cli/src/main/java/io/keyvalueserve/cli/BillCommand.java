package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs bill ...} */
@Command(
    name = "bill",
    description = {
      "Shows, checks, exports and corrects what tenants owe.",
      "With KVS_KEY an access key of the tenant shows, checks and exports its own."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = BillCheck.class)
final class BillCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  /** The month of a bill. */
  static final class Month {
    @Option(
        names = "--month",
        paramLabel = "MONTH",
        description = "As 2030-01. Default: this one; of the ledger's entries, all there are.")
    private @Nullable String month;

    StringJoiner parameters() {
      StringJoiner parameters = new StringJoiner("&", "?", "");
      parameters.setEmptyValue("");
      AdminClient.add(parameters, "month", month);
      return parameters;
    }
  }

  /** The tenant that pays the bill. */
  static final class Payer {
    @Parameters(index = "0", paramLabel = "TENANT")
    private String tenant = "";

    @Option(
        names = "--number",
        paramLabel = "N",
        description =
            "Of the tenant of that name with this number, which may be deleted: 'kvs bill list'"
                + " shows them.")
    private @Nullable Integer number;

    /** The path of its bill, or what belongs to it. */
    String path(String ofTenant, String ofNumber) {
      return number == null
          ? BillCommand.path(tenant) + ofTenant
          : "/api/v1/bills/" + AdminClient.part(tenant) + "/" + number + ofNumber;
    }
  }

  @Command(
      name = "list",
      description = {
        "Lists the bills of all tenants for a month so far, those that were deleted too.",
        "It reads all ledgers."
      },
      mixinStandardHelpOptions = true)
  void list(
      @Mixin Month month,
      @Option(names = "--deleted", description = "Only those of tenants that were deleted.")
          boolean deleted,
      @Mixin AdminClient client,
      @Mixin View out) {
    StringJoiner parameters = month.parameters();
    AdminClient.add(parameters, "deleted", deleted ? "true" : null);
    out.show(() -> client.get("/api/v1/bills" + parameters), BillCommand::bills);
  }

  private static TextTable bills(JsonNode answer) {
    TextTable table =
        new TextTable("TENANT", "NUMBER", "STATE", "TOTAL", "CURRENCY", "ENTRIES", "HEAD");
    for (JsonNode bill : answer.path("bills")) {
      table.add(
          bill.path("tenant").asText(),
          bill.path("number").asText(),
          bill.path("state").asText(),
          bill.path("total").asText(),
          bill.path("currency").asText(),
          bill.path("head").path("entries").asText(),
          bill.path("head").path("hash").asText() + bill.path("error").asText());
    }
    return table.shortening("HEAD");
  }

  @Command(
      name = "show",
      description = {
        "Shows what a tenant owes for a month so far, and what the month will have come to.",
        "Keep the head: with it 'kvs bill verify' tells later whether anything was changed."
      },
      mixinStandardHelpOptions = true)
  void show(@Mixin Payer payer, @Mixin Month month, @Mixin AdminClient client, @Mixin View out) {
    out.show(
        () -> client.get(payer.path("/bill", "") + month.parameters()),
        bill -> Page.of(lines(bill), sums(bill)));
  }

  private static TextTable lines(JsonNode bill) {
    TextTable table =
        new TextTable(
            "MEASURE",
            "BASIS",
            "SHARING",
            "PERSISTENCE",
            "BAND",
            "QUANTITY",
            "FREE",
            "UNIT",
            "PRICE",
            "PER",
            "AMOUNT");
    for (JsonNode line : bill.path("lines")) {
      table.add(
          line.path("measure").asText(),
          line.path("basis").asText(),
          line.path("sharing").asText(),
          line.path("persistence").asText(),
          line.path("band").asText(),
          line.path("quantity").asText(),
          line.path("free").asText(),
          line.path("unit").asText(),
          line.path("unitPrice").asText(),
          line.path("per").asText(),
          line.path("amount").asText());
    }
    return table;
  }

  private static TextTable sums(JsonNode bill) {
    String currency = " " + bill.path("currency").asText();
    JsonNode forecast = bill.path("forecast");
    JsonNode head = bill.path("head");
    TextTable table = TextTable.ofFacts("bill", bill.path("id").asText());
    table.add("month", bill.path("month").asText() + " (" + bill.path("zone").asText() + ")");
    table.add("credit", bill.path("credit").asText() + currency);
    table.add("total", bill.path("total").asText() + currency);
    table.add(
        "forecast",
        forecast.path("total").asText() + currency + "  (" + forecast.path("basis").asText() + ")");
    table.add("head", head.path("entries").asText() + " " + head.path("hash").asText());
    return table;
  }

  @Command(
      name = "verify",
      description = {
        "Has the server read a tenant's whole ledger, check it, and compute a bill anew.",
        "With the head of a bill that was kept: whether anything before it was changed, moved or"
            + " taken away since.",
        "Ends with 1 if anything differs, and names the first difference."
      },
      mixinStandardHelpOptions = true)
  int verify(
      @Mixin Payer payer,
      @Mixin Month month,
      @Option(names = "--entries", paramLabel = "N", description = "The head's number of entries.")
          @Nullable String entries,
      @Option(names = "--hash", paramLabel = "HASH", description = "The head's hash.")
          @Nullable String hash,
      @Option(names = "--total", paramLabel = "AMOUNT", description = "The total of the bill.")
          @Nullable String total,
      @Mixin AdminClient client,
      @Mixin Output out) {
    StringJoiner parameters = month.parameters();
    AdminClient.add(parameters, "entries", entries);
    AdminClient.add(parameters, "hash", hash);
    AdminClient.add(parameters, "total", total);
    return tell(client.get(payer.path("/bill/verify", "/verify") + parameters), out);
  }

  /** Says whether a bill holds, and returns the exit code. */
  static int tell(JsonNode answer, Output out) {
    boolean isValid = answer.path("valid").asBoolean();
    out.print(
        answer,
        isValid
            ? "the ledger is whole, and the bill follows from it"
            : "the bill does not hold: " + answer.path("difference").asText());
    return isValid ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  @Command(
      name = "export",
      description = {
        "Writes a tenant's ledger or bill to a file.",
        "json: all entries, with the bytes that were hashed; csv, cloudevents: what was used;",
        "focus: the bill as FOCUS 1.2 has it; invoice: the bill's lines as CSV;",
        "openmetrics: what was used and is owed in the month, as OpenMetrics text."
      },
      mixinStandardHelpOptions = true)
  void export(
      @Mixin Payer payer,
      @Parameters(
              index = "1",
              paramLabel = "FILE",
              description = "A file to be made; - for standard output.")
          String file,
      @Mixin Month month,
      @Option(
              names = "--format",
              defaultValue = "json",
              paramLabel = "json|csv|cloudevents|focus|invoice|openmetrics",
              description = "Default: ${DEFAULT-VALUE}")
          String format,
      @Option(
              names = "--issuer",
              paramLabel = "NAME",
              description = "Of focus: who issues the bill. Default: KeyValueServe")
          @Nullable String issuer,
      @Mixin AdminClient client) {
    StringJoiner parameters = month.parameters();
    AdminClient.add(parameters, "format", format);
    AdminClient.add(parameters, "issuer", issuer);
    client.download(payer.path("/ledger", "/ledger") + parameters, file);
  }

  @Command(
      name = "correct",
      description = {
        "Corrects what an entry of a tenant's ledger says was used. The entry stays, and both are"
            + " counted.",
        "Entries have their numbers in 'kvs bill export --format json'."
      },
      mixinStandardHelpOptions = true)
  void correct(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Option(
              names = "--entry",
              required = true,
              paramLabel = "N",
              description = "The number of the entry.")
          long entry,
      @Option(
              names = "--change",
              required = true,
              paramLabel = "MEASURE=N",
              description = "What to add, or with a minus to take off: reads=-3. May come again.")
          Map<String, Long> changes,
      @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why.")
          String reason,
      @Option(
              names = "--id",
              paramLabel = "UUID",
              description =
                  "One that was made under this id is not made again. Default: a new one.")
          @Nullable String id,
      @Mixin AdminClient client,
      @Mixin Output out) {
    ObjectNode body = AdminClient.object().put("entry", entry).put("reason", reason);
    ObjectNode wanted = body.putObject("changes");
    changes.forEach(wanted::put);
    if (id != null) {
      body.put("id", id);
    }
    JsonNode answer = client.post(path(tenant) + "/ledger/corrections", body);
    out.print(
        answer,
        "entry "
            + entry
            + " is corrected by entry "
            + answer.path("entry").asText()
            + ", id "
            + answer.path("id").asText());
  }

  private static String path(String tenant) {
    return "/api/v1/tenants/" + AdminClient.part(tenant);
  }
}

package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.tenancy.Limit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs quota ...} */
@Command(
    name = "quota",
    description = {
      "Limits what tenants may use, over all members together, and shows what they use.",
      "With KVS_KEY an access key of the tenant shows its own."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class QuotaCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  /** The limits to set. */
  static final class Limits {
    @Option(
        names = "--operations",
        paramLabel = "N",
        description = "Operations a second; one on several keys counts for each of them.")
    private @Nullable String operations;

    @Option(names = "--bytes-in", paramLabel = "SIZE", description = "Bytes of requests a second.")
    private @Nullable String bytesIn;

    @Option(names = "--bytes-out", paramLabel = "SIZE", description = "Bytes of answers a second.")
    private @Nullable String bytesOut;

    @Option(
        names = "--burst",
        paramLabel = "TIME",
        description = "For how long what is not used may be saved up: 100ms to 60s. Usual: 1s.")
    private @Nullable String burst;

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        description = "Bytes of entries, backups not counted.")
    private @Nullable String memory;

    @Option(names = "--entries", paramLabel = "N", description = "Entries, counted once.")
    private @Nullable String entries;

    @Option(names = "--connections", paramLabel = "N", description = "Open connections.")
    private @Nullable String connections;

    @Option(names = "--maps", paramLabel = "N", description = "Maps.")
    private @Nullable String maps;

    @Option(names = "--value", paramLabel = "SIZE", description = "Bytes of one value.")
    private @Nullable String value;

    @Option(names = "--locks", paramLabel = "N", description = "Locks held. Usual: 10000.")
    private @Nullable String locks;

    @Option(
        names = "--weight",
        paramLabel = "N",
        description = "Its part where tenants compete for time or memory: 1 to 1000. Usual: 1.")
    private @Nullable String weight;

    ObjectNode wanted(CommandSpec spec) {
      ObjectNode wanted = AdminClient.object();
      put(wanted, Limit.OPERATIONS, AmountText.count(operations, "--operations", spec));
      put(wanted, Limit.BYTES_IN, AmountText.size(bytesIn, "--bytes-in", spec));
      put(wanted, Limit.BYTES_OUT, AmountText.size(bytesOut, "--bytes-out", spec));
      put(wanted, Limit.BURST, AmountText.millis(burst, "--burst", spec));
      put(wanted, Limit.MEMORY, AmountText.size(memory, "--memory", spec));
      put(wanted, Limit.ENTRIES, AmountText.count(entries, "--entries", spec));
      put(wanted, Limit.CONNECTIONS, AmountText.count(connections, "--connections", spec));
      put(wanted, Limit.MAPS, AmountText.count(maps, "--maps", spec));
      put(wanted, Limit.VALUE, AmountText.size(value, "--value", spec));
      put(wanted, Limit.LOCKS, AmountText.count(locks, "--locks", spec));
      put(wanted, Limit.WEIGHT, AmountText.count(weight, "--weight", spec));
      if (wanted.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "which limit? For example --operations 10000; 'none' takes it off");
      }
      return wanted;
    }

    private static void put(ObjectNode wanted, Limit limit, @Nullable Amount amount) {
      if (amount != null) {
        wanted.put(limit.text(), amount.value());
      }
    }
  }

  /**
   * The value of an option.
   *
   * @param value null for "none"
   */
  record Amount(@Nullable Long value) {}

  @Command(
      name = "set",
      description = {
        "Changes some of a tenant's limits; 'none' takes one off, and what is usual holds again.",
        "It holds on every member and for open connections when the command returns."
      },
      mixinStandardHelpOptions = true)
  void set(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin Limits limits,
      @Option(names = "--replace", description = "Take off those limits that are not named.")
          boolean replace,
      @Mixin AdminClient client,
      @Mixin Output out) {
    ObjectNode wanted = limits.wanted(spec);
    JsonNode quota =
        replace ? client.put(path(tenant), wanted) : client.patch(path(tenant), wanted);
    out.print(quota, table(quota, out));
  }

  @Command(
      name = "show",
      description = "Shows what a tenant may use and what it uses, on all members.",
      mixinStandardHelpOptions = true)
  void show(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(tenant)), quota -> table(quota, out));
  }

  @Command(
      name = "list",
      description =
          "Shows the same of tenants by name, a page at a time, in short: what is limited.",
      mixinStandardHelpOptions = true)
  void list(@Mixin ListOptions part, @Mixin AdminClient client, @Mixin View out) {
    out.show(
        () -> client.get(part.of("/api/v1/quotas")),
        answer -> Page.of(tables(answer, out), ListOptions.more(answer)));
  }

  private static TextTable tables(JsonNode answer, Output out) {
    TextTable table = new TextTable("TENANT", "LIMIT", "USED", "OF", "%");
    for (JsonNode quota : answer.path("quotas")) {
      for (Limit limit : Limit.values()) {
        if (quota.path("limits").has(limit.text()) && quota.path("usage").has(limit.text())) {
          long of = quota.path("limits").path(limit.text()).asLong();
          long used = quota.path("usage").path(limit.text()).asLong();
          table.add(
              quota.path("tenant").asText(),
              limit.text(),
              AmountText.show(limit, used),
              AmountText.show(limit, of),
              percent(used, of));
        }
      }
    }
    out.warnOfSilent(answer.path("quotas").path(0));
    return table;
  }

  private static TextTable table(JsonNode quota, Output out) {
    TextTable table = new TextTable("LIMIT", "USED", "OF", "%");
    for (Limit limit : Limit.values()) {
      JsonNode of = quota.path("limits").path(limit.text());
      JsonNode used = quota.path("usage").path(limit.text());
      table.add(
          limit.text(),
          used.isMissingNode() ? "" : AmountText.show(limit, used.asLong()),
          of.isMissingNode() ? "unlimited" : AmountText.show(limit, of.asLong()),
          used.isMissingNode() || of.isMissingNode() ? "" : percent(used.asLong(), of.asLong()));
    }
    table.add("throttled", quota.path("usage").path("throttled").asText(), "", "");
    out.warnOfSilent(quota);
    return table;
  }

  private static String percent(long used, long of) {
    return of == 0 ? "" : String.valueOf(Math.round(100.0 * used / of));
  }

  private static String path(String tenant) {
    return "/api/v1/tenants/" + AdminClient.part(tenant) + "/quota";
  }
}

package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.cli.QuotaCommand.Amount;
import io.keyvalueserve.server.config.Sizes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs reserve ...} */
@Command(
    name = "reserve",
    description = {
      "Keeps maps, members and memory for one tenant alone, for which it is charged.",
      "With KVS_KEY an access key of the tenant lists its own."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class ReserveCommand implements Runnable {
  private static final String PATH = "/api/v1/reservations";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "map",
      description = {
        "Reserves a map with memory that is never taken for others. Nobody else can be granted",
        "anything on it. Said again, it changes the memory."
      },
      mixinStandardHelpOptions = true)
  void map(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Option(
              names = "--memory",
              required = true,
              paramLabel = "SIZE",
              description = "Bytes of entries, backups not counted: 1m or more.")
          String memory,
      @Mixin AdminClient client,
      @Mixin Output out) {
    Amount amount = AmountText.size(memory, "--memory", spec);
    Long bytes = amount == null ? null : amount.value();
    if (bytes == null) {
      throw new ParameterException(
          spec.commandLine(), "--memory: how much? 'kvs reserve release' ends a reservation");
    }
    JsonNode made =
        client.post(PATH, AdminClient.object().put("map", map).put("memoryBytes", bytes));
    out.print(made, "reservation " + made.path("id").asText() + ": " + inWords(made));
  }

  @Command(
      name = "member",
      description = {
        "Reserves a member: its doors let in that tenant alone, and as much memory as it has is",
        "kept for the tenant over the cluster. Sessions of others on it end."
      },
      mixinStandardHelpOptions = true)
  void member(
      @Parameters(
              paramLabel = "MEMBER",
              description = "The member's address or id, as 'kvs member list' shows them.")
          String member,
      @Option(names = "--for", required = true, paramLabel = "TENANT", description = "For whom.")
          String tenant,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode made =
        client.post(PATH, AdminClient.object().put("member", member).put("tenant", tenant));
    out.print(made, "reservation " + made.path("id").asText() + ": " + inWords(made));
  }

  @Command(
      name = "list",
      description = "Lists what is reserved, and how much memory is left; or what a tenant has.",
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT", arity = "0..1") @Nullable String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    String path =
        tenant == null ? PATH : "/api/v1/tenants/" + AdminClient.part(tenant) + "/reservations";
    out.show(() -> client.get(path), ReserveCommand::page);
  }

  private static Object page(JsonNode answer) {
    TextTable table = new TextTable("RESERVATION", "TENANT", "WHAT", "MEMORY", "SINCE");
    for (JsonNode each : answer.path("reservations")) {
      table.add(
          each.path("id").asText(),
          each.path("tenant").asText(),
          what(each),
          Sizes.text(each.path("memoryBytes").asLong()),
          each.path("createdAt").asText());
    }
    JsonNode memory = answer.path("memory");
    return memory.isMissingNode()
        ? table
        : Page.of(
            table,
            Sizes.text(memory.path("leftBytes").asLong())
                + " of "
                + Sizes.text(memory.path("mostBytes").asLong())
                + " are left");
  }

  @Command(
      name = "release",
      description = "Ends a reservation, on every member.",
      mixinStandardHelpOptions = true)
  void release(
      @Parameters(paramLabel = "RESERVATION", description = "As 'kvs reserve list' shows it.")
          String id,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode released = client.delete(PATH + "/" + AdminClient.part(id));
    out.print(released, "reservation " + id + " of " + what(released) + " is released");
  }

  private static String inWords(JsonNode reservation) {
    return what(reservation)
        + " is "
        + reservation.path("tenant").asText()
        + "'s alone, with "
        + Sizes.text(reservation.path("memoryBytes").asLong())
        + " of memory";
  }

  private static String what(JsonNode reservation) {
    return reservation.has("map")
        ? "map " + reservation.path("map").asText()
        : "member " + reservation.path("address").asText();
  }
}

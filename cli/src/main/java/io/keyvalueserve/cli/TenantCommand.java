package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.Console;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs tenant ...} */
@Command(
    name = "tenant",
    description = "Creates, shows and ends tenants.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class TenantCommand implements Runnable {
  private static final String TENANTS = "/api/v1/tenants";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "create",
      description = "Creates a tenant and its first access key, which is shown once.",
      mixinStandardHelpOptions = true)
  void create(
      @Parameters(paramLabel = "NAME") String name, @Mixin AdminClient client, @Mixin Output out) {
    JsonNode created = client.post(TENANTS, AdminClient.object().put("name", name));
    out.print(
        created,
        "tenant      "
            + created.path("tenant").asText()
            + "\naccess key  "
            + created.path("key").asText()
            + "\n\nThe key is shown once: keep it now. 'kvs key create "
            + name
            + "' makes another.");
  }

  @Command(
      name = "list",
      description = "Lists tenants by name, a page at a time.",
      mixinStandardHelpOptions = true)
  void list(@Mixin ListOptions part, @Mixin AdminClient client, @Mixin View out) {
    out.show(
        () -> client.get(part.of(TENANTS)),
        answer -> Page.of(table(answer), ListOptions.more(answer)));
  }

  private static TextTable table(JsonNode answer) {
    TextTable table =
        new TextTable("TENANT", "STATE", "MEMORY", "KEYS", "MAPS", "SESSIONS", "OPERATIONS");
    for (JsonNode tenant : answer.path("tenants")) {
      table.add(
          tenant.path("tenant").asText(),
          tenant.path("state").asText(),
          tenant.path("hibernation").asText(),
          String.valueOf(tenant.path("keys").size()),
          String.valueOf(tenant.path("maps").size()),
          tenant.path("sessions").asText(),
          tenant.path("operations").asText());
    }
    return table;
  }

  @Command(name = "show", description = "Shows a tenant.", mixinStandardHelpOptions = true)
  void show(
      @Parameters(paramLabel = "TENANT") String name, @Mixin AdminClient client, @Mixin View out) {
    out.show(
        () -> {
          ObjectNode tenant = (ObjectNode) client.get(path(name));
          tenant.set("persistence", client.get(path(name) + "/persistence"));
          tenant.set("asleep", client.get(path(name) + "/hibernation"));
          return tenant;
        },
        TenantCommand::facts);
  }

  @Command(
      name = "configure",
      description =
          "Sets how the maps of a tenant are kept, and when it leaves memory because nobody uses"
              + " it.",
      mixinStandardHelpOptions = true)
  void configure(
      @Parameters(paramLabel = "TENANT") String name,
      @Option(
              names = "--persistence",
              paramLabel = "memory|rarely-used|consented|durable|default",
              description =
                  "How those maps are kept that have no persistence of their own, as 'kvs map"
                      + " configure' has it. It does not hold for a map whose own durability or use"
                      + " of memory contradicts it.")
          @Nullable String persistence,
      @Option(
              names = "--hibernate-after",
              paramLabel = "TIME|never|default",
              description =
                  "How long after its last use the tenant leaves memory: 90s, 12h, 30d. Its first"
                      + " request brings it back.")
          @Nullable String hibernateAfter,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (persistence == null && hibernateAfter == null) {
      throw new ParameterException(
          spec.commandLine(), "what is to be set? Give --persistence or --hibernate-after.");
    }
    ObjectNode answers = AdminClient.object();
    StringJoiner words = new StringJoiner("\n");
    if (persistence != null) {
      JsonNode answer = keep(name, persistence, client);
      answers.setAll((ObjectNode) answer);
      words.add(
          "tenant "
              + name
              + " has persistence "
              + answer.path("persistence").asText()
              + " for maps that have none of their own");
    }
    if (hibernateAfter != null) {
      JsonNode answer =
          client.put(
              path(name) + "/hibernation", AdminClient.object().put("after", hibernateAfter));
      answers.setAll((ObjectNode) answer);
      words.add("tenant " + name + " " + leaving(answer));
    }
    out.print(answers, words.toString());
  }

  private static JsonNode keep(String name, String persistence, AdminClient client) {
    ObjectNode wanted = AdminClient.object().put("persistence", persistence);
    JsonNode answer = client.put(path(name) + "/persistence", wanted);
    while (!answer.path("pending").isEmpty()) {
      answer = client.put(path(name) + "/persistence", wanted); // waits for what is under way
    }
    return answer;
  }

  private static String leaving(JsonNode hibernation) {
    String after = hibernation.path("after").asText();
    return after.equals("never")
        ? "stays in memory"
        : "leaves memory when nobody has used it for " + after;
  }

  @Command(
      name = "hibernate",
      description = {
        "Has a tenant leave memory now: its data is in the repository of snapshots alone.",
        "Its first request brings it back. 'kvs tenant configure TENANT --hibernate-after TIME' has"
            + " it leave by itself."
      },
      mixinStandardHelpOptions = true)
  void hibernate(
      @Parameters(paramLabel = "TENANT") String name,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer = client.post(path(name) + "/hibernate", AdminClient.object());
    out.print(
        answer,
        "tenant "
            + name
            + " is hibernated: "
            + answer.path("entries").asText()
            + " entries, "
            + answer.path("storedBytes").asText()
            + " bytes in "
            + answer.path("repository").asText());
  }

  @Command(
      name = "wake",
      description = "Brings a hibernated tenant back into memory, and waits until all of it is.",
      mixinStandardHelpOptions = true)
  void wake(
      @Parameters(paramLabel = "TENANT") String name,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer = client.post(path(name) + "/wake", AdminClient.object());
    out.print(answer, "tenant " + name + " is in memory");
  }

  private static String memory(JsonNode hibernation) {
    StringBuilder words = new StringBuilder(hibernation.path("state").asText());
    if (hibernation.has("storedBytes")) {
      words
          .append(" since ")
          .append(hibernation.path("since").asText())
          .append(": ")
          .append(hibernation.path("entries").asText())
          .append(" entries, ")
          .append(hibernation.path("storedBytes").asText())
          .append(" bytes");
    }
    words.append("; ").append(leaving(hibernation));
    if (hibernation.has("stays")) {
      words.append("; not now: ").append(hibernation.path("stays").asText());
    }
    if (hibernation.has("error")) {
      words.append("; error: ").append(hibernation.path("error").asText());
    }
    return words.toString();
  }

  private static TextTable facts(JsonNode tenant) {
    StringJoiner maps = new StringJoiner(", ");
    tenant.path("maps").forEach(map -> maps.add(map.asText()));
    TextTable table = TextTable.ofFacts("tenant", tenant.path("tenant").asText());
    table.add("state", tenant.path("state").asText());
    table.add("created", tenant.path("createdAt").asText());
    table.add("access keys", String.valueOf(tenant.path("keys").size()));
    table.add("maps", maps.toString());
    JsonNode persistence = tenant.path("persistence");
    table.add("persistence", persistence.path("persistence").asText() + " (of maps without one)");
    table.add("consent", MapCommand.consent(persistence));
    table.add("memory", memory(tenant.path("asleep")));
    table.add("sessions", tenant.path("sessions").asText() + " (on this member)");
    table.add(
        "operations", tenant.path("operations").asText() + " (on this member, since its start)");
    return table;
  }

  @Command(
      name = "history",
      description = {
        "Shows the usage of a tenant over time, on all members together.",
        "Steps of a minute and more are from its ledger. Steps of 10s are from the members' memory,"
            + " for an hour at most.",
        "A step in which it used and held nothing is left out."
      },
      mixinStandardHelpOptions = true)
  void history(
      @Parameters(paramLabel = "TENANT") String name,
      @Option(
              names = "--since",
              defaultValue = "1h",
              paramLabel = "TIME",
              description =
                  "Since then: 15m, 24h, 31d ago, or 2030-01-31T12:00:00Z."
                      + " Default: ${DEFAULT-VALUE}")
          String since,
      @Option(
              names = "--to",
              paramLabel = "TIME",
              description = "Until then; as --since. Default: now.")
          @Nullable String to,
      @Option(
              names = "--step",
              paramLabel = "10s|1m|5m|15m|1h|1d",
              description = "The length of a step. Default: such that there are at most 400.")
          @Nullable String step,
      @Option(
              names = "--series",
              paramLabel = "NAMES",
              description = "Only these, with commas between them. Default: all.")
          @Nullable String series,
      @Option(names = "--csv", description = "Print CSV, a line for each step.") boolean csv,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(
        () -> {
          StringJoiner parameters = new StringJoiner("&", "?", "");
          AdminClient.add(
              parameters, "from", TimeText.agoIfGiven(since, "--since", spec.commandLine()));
          AdminClient.add(parameters, "to", TimeText.agoIfGiven(to, "--to", spec.commandLine()));
          AdminClient.add(parameters, "step", step);
          AdminClient.add(parameters, "series", series);
          return client.get(path(name) + "/history" + parameters);
        },
        answer -> {
          out.warnOfSilent(answer);
          return csv ? HistoryText.csv(answer) : HistoryText.table(answer);
        });
  }

  @Command(
      name = "suspend",
      description = "Shuts a tenant out; its data stays.",
      mixinStandardHelpOptions = true)
  void suspend(
      @Parameters(paramLabel = "TENANT") String name,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode tenant = client.post(path(name) + "/suspend", AdminClient.object());
    out.print(tenant, "tenant " + name + " is suspended; its sessions have ended");
  }

  @Command(
      name = "resume",
      description = "Lets a suspended tenant in again.",
      mixinStandardHelpOptions = true)
  void resume(
      @Parameters(paramLabel = "TENANT") String name,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode tenant = client.post(path(name) + "/resume", AdminClient.object());
    out.print(tenant, "tenant " + name + " is active");
  }

  @Command(
      name = "delete",
      description = "Deletes a tenant with all its data.",
      mixinStandardHelpOptions = true)
  void delete(
      @Parameters(paramLabel = "TENANT") String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (!yes) {
      confirm(name);
    }
    JsonNode deleted = client.delete(path(name));
    out.print(
        deleted,
        "tenant " + name + " is deleted, with " + deleted.path("objects").asText() + " objects");
  }

  private static void confirm(String name) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new Failure("deleting a tenant destroys its data: confirm with --yes");
    }
    String answer = console.readLine("Delete tenant %s with all its data? Type its name: ", name);
    if (!name.equals(answer)) {
      throw new Failure("nothing was deleted");
    }
  }

  static String path(String tenant) {
    return TENANTS + "/" + AdminClient.part(tenant);
  }
}

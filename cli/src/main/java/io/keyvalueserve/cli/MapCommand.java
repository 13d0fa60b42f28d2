package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.server.config.Sizes;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs map ...} */
@Command(
    name = "map",
    description = "Shows the maps of tenants and sets them up.",
    mixinStandardHelpOptions = true,
    subcommands = MapIndexCommand.class,
    synopsisSubcommandLabel = "COMMAND")
final class MapCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "configure",
      description = "Sets up a map, whether it exists yet or not.",
      mixinStandardHelpOptions = true)
  void configure(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Option(
              names = "--durability",
              paramLabel = "none|everysec|always|default",
              description =
                  "What of it survives a crash: nothing, all but the last second, or everything;"
                      + " default: as the server's --durability says.")
          @Nullable String durability,
      @Option(
              names = "--over-memory",
              paramLabel = "spill|evict|refuse|default",
              description =
                  "What becomes of its entries when its tenant, or the member, is over its memory:"
                      + " values go to the disk and come back when they are read, entries are"
                      + " deleted, or writes are refused; default: evict if the map has an eviction"
                      + " policy, else spill if the member can.")
          @Nullable String overMemory,
      @Option(
              names = "--persistence",
              paramLabel = "memory|rarely-used|consented|durable|default",
              description =
                  "How its data is kept, in a word: in memory alone; with values that are used least"
                      + " on the disk; in the restart log too, once its tenant has consented; or"
                      + " certain before a write is answered. default: as its tenant's, or as"
                      + " --durability and --over-memory say.")
          @Nullable String persistence,
      @Option(
              names = "--charged-to",
              paramLabel = "owner|writer|default",
              description =
                  "For whom its entries count, as memory, as entries and in the bill: for the tenant"
                      + " that the map belongs to, or for who wrote them last; default: owner.")
          @Nullable String chargedTo,
      @Mixin MapStoreOptions store,
      @Option(
              names = "--no-wait",
              description = "Do not wait until it holds on all members: 'kvs map show' tells.")
          boolean noWait,
      @Mixin AdminClient client,
      @Mixin Output out) {
    ObjectNode wanted = AdminClient.object();
    if (durability != null) {
      wanted.put("durability", durability);
    }
    if (overMemory != null) {
      wanted.put("overMemory", overMemory);
    }
    if (persistence != null) {
      wanted.put("persistence", persistence);
    }
    if (chargedTo != null) {
      wanted.put("chargedTo", chargedTo);
    }
    store.addTo(wanted, spec);
    if (wanted.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing is set: give --persistence, --durability, --over-memory, --charged-to or --store");
    }
    JsonNode first = client.put(path(map), wanted);
    JsonNode configured = first;
    if (isPending(first) && !noWait) {
      spec.commandLine().getErr().println(underWay(map, first));
      spec.commandLine().getErr().flush();
      while (isPending(configured)) {
        configured = client.put(path(map), wanted); // waits for the change that is under way
      }
    }
    if (!settings(configured).equals(settings(first))) {
      throw new Failure(
          "somebody else has changed it meanwhile: map " + map + " has " + settings(configured));
    }
    out.print(
        configured,
        isPending(configured)
            ? underWay(map, configured)
            : "map " + map + " has " + settings(configured));
  }

  private static boolean isPending(JsonNode map) {
    return !map.path("pending").isEmpty();
  }

  private static String members(JsonNode answer) {
    StringJoiner members = new StringJoiner(", ");
    answer.path("pending").forEach(each -> members.add(each.path("member").asText()));
    return members.toString();
  }

  private static String underWay(String name, JsonNode map) {
    return "map "
        + name
        + " is to have "
        + settings(map)
        + ", which is under way on "
        + members(map)
        + ": it goes on whether anybody waits or not; 'kvs map show "
        + name
        + "' tells how far it is";
  }

  @Command(
      name = "consent",
      description = {
        "Consents that a map is kept on the disk, as the map's persistence 'consented' asks.",
        "Needs an access key of the tenant in KVS_KEY or --key-file: no operator consents for it.",
        "With --withdraw the restart log forgets the map; what it had never returns."
      },
      mixinStandardHelpOptions = true)
  void consent(
      @Parameters(paramLabel = "TENANT/MAP", description = "A tenant alone with --all.") String map,
      @Option(names = "--withdraw", description = "Withdraws the consent.") boolean withdraw,
      @Option(names = "--all", description = "For all maps of the tenant. The last word counts.")
          boolean all,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (all && map.indexOf('/') >= 0) {
      throw new ParameterException(
          spec.commandLine(), "--all is for all maps of a tenant: name the tenant alone");
    }
    String path = (all ? TenantCommand.path(map) : path(map)) + "/consent";
    JsonNode answer = sayOf(path, withdraw, client);
    if (isPending(answer)) {
      spec.commandLine()
          .getErr()
          .println("it is noted, and under way on " + members(answer) + ": it goes on anyway");
      spec.commandLine().getErr().flush();
      while (isPending(answer)) {
        answer = sayOf(path, withdraw, client); // waits for what is under way
      }
    }
    String what = all ? "all maps of tenant " + map : "map " + map;
    out.print(
        answer,
        withdraw
            ? "consent for " + what + " is withdrawn: the restart log has forgotten what needed it"
            : "consent for " + what + " is given" + effect(answer));
  }

  private static JsonNode sayOf(String path, boolean withdraw, AdminClient client) {
    return withdraw ? client.delete(path) : client.put(path, AdminClient.object());
  }

  private static String effect(JsonNode answer) {
    return answer.path("persistence").asText().equals("consented")
        ? ""
        : "; it matters where the persistence is 'consented'";
  }

  @Command(
      name = "list",
      description = {
        "Lists the maps of a tenant, with their entries, and their operations in the last 10 s.",
      },
      mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(MapPath.allOf(tenant)), MapCommand::table);
  }

  private static TextTable table(JsonNode answer) {
    TextTable table =
        new TextTable(
            "MAP",
            "ENTRIES",
            "MEMORY",
            "READS/S",
            "WRITES/S",
            "PERSISTENCE",
            "DURABILITY",
            "OVER MEMORY",
            "CHARGED TO",
            "STORE",
            "INDEXES");
    for (JsonNode map : answer.path("maps")) {
      table.add(
          map.path("map").asText(),
          map.path("entries").asText(),
          map.has("memoryBytes") ? Sizes.text(map.path("memoryBytes").asLong()) : "",
          map.path("readsPerSecond").asText(),
          map.path("writesPerSecond").asText(),
          persistence(map),
          durability(map),
          overMemory(map),
          chargedTo(map),
          MapStoreOptions.inShort(map),
          String.valueOf(map.path("indexes").size()));
    }
    return table;
  }

  @Command(name = "show", description = "Shows a map.", mixinStandardHelpOptions = true)
  void show(
      @Parameters(paramLabel = "TENANT/MAP") String name,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(name)), map -> facts(name, map));
  }

  private static TextTable facts(String name, JsonNode map) {
    TextTable table = TextTable.ofFacts("map", name);
    table.add("persistence", persistence(map));
    table.add("does", map.path("persistenceDoes").asText());
    table.add("consent", consent(map));
    table.add("durability", durability(map));
    table.add("over memory", overMemory(map));
    table.add("charged to", chargedTo(map));
    MapStoreOptions.addTo(table, map);
    for (JsonNode member : map.path("pending")) {
      table.add(
          "not yet on",
          member.path("member").asText()
              + (member.has("error") ? "  (" + member.path("error").asText() + ")" : ""));
    }
    for (JsonNode index : map.path("indexes")) {
      StringJoiner attributes = new StringJoiner(", ");
      index.path("attributes").forEach(attribute -> attributes.add(attribute.asText()));
      table.add(
          "index",
          index.path("name").asText()
              + "  ("
              + index.path("type").asText()
              + ": "
              + attributes
              + ")");
    }
    return table;
  }

  @Command(
      name = "locks",
      description = {
        "Lists the locks on a map's keys, on all members: who holds each, what for, and until when.",
        "BY is the id of a transaction, or the address and name of a Hazelcast client."
      },
      mixinStandardHelpOptions = true)
  void locks(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(map) + "/locks"), answer -> locks(answer, out));
  }

  private static TextTable locks(JsonNode answer, Output out) {
    TextTable table = new TextTable("KEY", "HOLDER", "FOR", "SINCE", "ENDS", "BY");
    for (JsonNode lock : answer.path("locks")) {
      table.add(
          lock.path("key").asText("(of a type without a text)"),
          lock.path("holder").asText("-"),
          purpose(lock),
          lock.path("since").asText(),
          end(lock),
          lock.path("transaction").asText(lock.path("session").asText("-")));
    }
    out.warnOfSilent(answer);
    return table.shortening("KEY", "BY");
  }

  private static String purpose(JsonNode lock) {
    return switch (lock.path("purpose").asText()) {
      case "lock" -> "lock of a client";
      case "client_transaction" -> "transaction of a client";
      case "multi" -> "MULTI";
      case "http" -> "HTTP transaction";
      case String other -> other;
    };
  }

  private static String end(JsonNode lock) {
    if (lock.has("remainingMillis")) {
      return "in " + lock.path("remainingMillis").asLong() + " ms";
    }
    return lock.path("transactional").asBoolean() ? "with the transaction" : "never";
  }

  @Command(
      name = "unlock",
      description = {
        "Takes the lock off a key, whoever holds it.",
        "If a transaction holds it, the whole transaction is ended: its client gets an error, and"
            + " nothing is changed. One that is decided already is carried out."
      },
      mixinStandardHelpOptions = true)
  void unlock(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Parameters(paramLabel = "KEY", description = "As 'kvs map locks' shows it.") String key,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer = client.delete(path(map) + "/locks?key=" + AdminClient.part(key));
    out.warnOfSilent(answer);
    int taken = answer.path("locks").size();
    out.print(
        answer,
        taken == 0
            ? "key " + key + " of " + map + " was not locked"
            : "key "
                + key
                + " of "
                + map
                + " is unlocked; it was held by "
                + holder(answer.path("locks").path(0)));
  }

  private static String holder(JsonNode lock) {
    String purpose = purpose(lock);
    String by = lock.has("holder") ? purpose + " of " + lock.path("holder").asText() : purpose;
    if (!lock.has("transaction")) {
      return by;
    }
    String transaction = by + ", transaction " + lock.path("transaction").asText();
    return switch (lock.path("end").asText()) {
      case "aborted" -> transaction + ", which was aborted";
      case "committed" -> transaction + ", which was decided already and is carried out";
      default -> transaction;
    };
  }

  private static String settings(JsonNode map) {
    return "durability "
        + durability(map)
        + ", over memory: "
        + overMemory(map)
        + ", charged to: "
        + chargedTo(map)
        + ", store: "
        + MapStoreOptions.inLine(map)
        + ", persistence: "
        + persistence(map);
  }

  private static String persistence(JsonNode map) {
    return map.path("persistence").asText()
        + (map.path("persistenceFrom").asText().equals("tenant") ? " (of the tenant)" : "");
  }

  /** Returns the last word of a tenant on whether its data may be on the disk. */
  static String consent(JsonNode answer) {
    JsonNode consent = answer.path("consent");
    return consent.path("state").asText()
        + (consent.has("at")
            ? " at "
                + consent.path("at").asText()
                + " with key "
                + consent.path("key").asText()
                + (consent.path("for").asText().equals("tenant") ? " for all maps" : "")
            : "");
  }

  private static String overMemory(JsonNode map) {
    return map.path("overMemory").asText()
        + (map.path("overMemoryIsDefault").asBoolean() ? " (default)" : "");
  }

  private static String chargedTo(JsonNode map) {
    return map.path("chargedTo").asText()
        + (map.path("chargedToIsDefault").asBoolean() ? " (default)" : "");
  }

  private static String durability(JsonNode map) {
    return map.path("durability").asText()
        + (map.path("durabilityIsDefault").asBoolean() ? " (default)" : "");
  }

  private String path(String name) {
    return MapPath.of(name, spec.commandLine());
  }
}

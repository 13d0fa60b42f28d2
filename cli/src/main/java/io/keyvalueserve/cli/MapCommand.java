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
              names = "--charged-to",
              paramLabel = "owner|writer|default",
              description =
                  "For whom its entries count, as memory, as entries and in the bill: for the tenant"
                      + " that the map belongs to, or for who wrote them last; default: owner.")
          @Nullable String chargedTo,
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
    if (chargedTo != null) {
      wanted.put("chargedTo", chargedTo);
    }
    if (wanted.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "nothing is set: give --durability, --over-memory or --charged-to");
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

  private static String underWay(String name, JsonNode map) {
    StringJoiner members = new StringJoiner(", ");
    map.path("pending").forEach(each -> members.add(each.path("member").asText()));
    return "map "
        + name
        + " is to have "
        + settings(map)
        + ", which is under way on "
        + members
        + ": it goes on whether anybody waits or not; 'kvs map show "
        + name
        + "' tells how far it is";
  }

  @Command(
      name = "list",
      description = "Lists the maps of a tenant.",
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
            "MAP", "ENTRIES", "MEMORY", "DURABILITY", "OVER MEMORY", "CHARGED TO", "INDEXES");
    for (JsonNode map : answer.path("maps")) {
      table.add(
          map.path("map").asText(),
          map.path("entries").asText(),
          map.has("memoryBytes") ? Sizes.text(map.path("memoryBytes").asLong()) : "",
          durability(map),
          overMemory(map),
          chargedTo(map),
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
    table.add("durability", durability(map));
    table.add("over memory", overMemory(map));
    table.add("charged to", chargedTo(map));
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
      description = "Lists the locks on a map's keys, on all members.",
      mixinStandardHelpOptions = true)
  void locks(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Mixin AdminClient client,
      @Mixin View out) {
    out.show(() -> client.get(path(map) + "/locks"), answer -> locks(answer, out));
  }

  private static TextTable locks(JsonNode answer, Output out) {
    TextTable table = new TextTable("KEY", "HOLDER", "CLIENT", "ENDS");
    for (JsonNode lock : answer.path("locks")) {
      table.add(
          lock.path("key").asText("(of a type without a text)"),
          lock.path("holder").asText("-"),
          lock.path("client").asText(),
          lock.has("remainingMillis")
              ? "in " + lock.path("remainingMillis").asLong() + " ms"
              : "never");
    }
    out.warnOfSilent(answer);
    return table.shortening("KEY");
  }

  @Command(
      name = "unlock",
      description = "Takes the lock off a key, whoever holds it.",
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
    String client =
        lock.path("client").asText().equals("hazelcast")
            ? "a Hazelcast client"
            : "a member, for a Redis or HTTP client";
    return lock.has("holder") ? client + " of " + lock.path("holder").asText() : client;
  }

  private static String settings(JsonNode map) {
    return "durability "
        + durability(map)
        + ", over memory: "
        + overMemory(map)
        + ", charged to: "
        + chargedTo(map);
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

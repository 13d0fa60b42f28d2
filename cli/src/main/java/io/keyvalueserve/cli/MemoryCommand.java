package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kvs memory} */
@Command(
    name = "memory",
    description = {
      "Shows what holds the entries of a member: tiers, pools, and each map's share.",
      "The figures are of the member that --url names."
    },
    mixinStandardHelpOptions = true)
final class MemoryCommand implements Runnable {
  private static final String MEMORY = "/api/v1/memory";

  @Mixin private AdminClient client;
  @Mixin private View out;

  @Option(
      names = "--return",
      description = "Give empty pages back to the operating system, and show how much.")
  private boolean giveBack;

  @Option(
      names = "--reclaimed",
      description =
          "Show what was taken from which tenant and why, and what of it is on the disk, instead.")
  private boolean reclaimed;

  @Override
  public void run() {
    if (reclaimed) {
      out.show(() -> client.get(MEMORY + "/reclaimed"), ReclaimText::of);
    } else if (giveBack) {
      JsonNode answer = client.post(MEMORY + "/return-to-os", AdminClient.object());
      out.print(
          answer,
          "gave "
              + size(answer, "returnedBytes")
              + " back to the operating system; "
              + size(answer, "residentBytes")
              + " are resident");
    } else {
      out.show(() -> client.get(MEMORY), MemoryCommand::text);
    }
  }

  private static Page text(JsonNode report) {
    return Page.of(
        "member " + report.path("member").path("address").asText(),
        pools(report),
        blocks(report),
        maps(report));
  }

  private static TextTable pools(JsonNode report) {
    TextTable table =
        new TextTable(
            "TIER", "POOL", "KIND", "CAPACITY", "USED", "RESIDENT", "FRAGMENTED", "WHERE");
    for (JsonNode tier : report.path("tiers")) {
      for (JsonNode pool : tier.path("pools")) {
        table.add(
            tier.path("name").asText(),
            pool.path("name").asText(),
            pool.path("kind").asText(),
            size(pool, "capacityBytes"),
            size(pool, "usedBytes"),
            size(pool, "residentBytes"),
            percent(pool, "externalFragmentation"),
            where(pool));
      }
    }
    return table;
  }

  private static String where(JsonNode pool) {
    String detail = pool.path("detail").asText();
    String node = pool.has("node") ? "node " + pool.path("node").asText() : "";
    return detail.isEmpty() || node.isEmpty() ? detail + node : detail + ", " + node;
  }

  private static TextTable blocks(JsonNode report) {
    JsonNode blocks = report.path("blocks");
    TextTable table = TextTable.ofFacts("taken from pools", size(blocks, "heldBytes"));
    table.add(
        "in use",
        size(blocks, "blockBytes")
            + "  (internal fragmentation "
            + percent(blocks, "internalFragmentation")
            + ", within slabs "
            + percent(blocks, "slabFragmentation")
            + ")");
    table.add("waiting for readers", size(blocks, "limboBytes"));
    table.add("on the way to or from clients", size(report, "pinnedBytes"));
    table.add("kept empty for use", size(blocks, "cachedBytes"));
    table.add("no room", report.path("refusals").asText() + " times since the member's start");
    return table;
  }

  private static TextTable maps(JsonNode report) {
    TextTable table = new TextTable("TENANT", "MAP", "ENTRIES", "BACKUPS", "MEMORY");
    for (JsonNode map : report.path("maps")) {
      table.add(
          map.path("tenant").asText("-"),
          map.path("map").asText(),
          map.path("entries").asText(),
          map.path("backupEntries").asText(),
          size(map, "bytes"));
    }
    return table;
  }

  private static String size(JsonNode object, String field) {
    return Sizes.text(object.path(field).asLong());
  }

  private static String percent(JsonNode object, String field) {
    return String.format(Locale.ROOT, "%.1f %%", object.path(field).asDouble() * 100);
  }
}

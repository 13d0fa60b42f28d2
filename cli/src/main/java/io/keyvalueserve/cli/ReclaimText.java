package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;

/** The memory that a member has reclaimed, as text for people. */
final class ReclaimText {
  private static final int MOST_EVENTS = 20;

  private ReclaimText() {}

  static Page of(JsonNode answer) {
    return Page.of(
        "member " + answer.path("member").path("address").asText(),
        facts(answer),
        totals(answer),
        held(answer),
        events(answer));
  }

  private static TextTable facts(JsonNode answer) {
    TextTable table =
        TextTable.ofFacts(
            "memory is taken",
            "above "
                + answer.path("highPercent").asText()
                + " %, down to "
                + answer.path("lowPercent").asText()
                + " %");
    table.add(
        "a tenant is inactive",
        "after "
            + answer.path("inactiveAfterSeconds").asText()
            + " s, or below "
            + answer.path("lessActivePercent").asText()
            + " % of the most active one");
    JsonNode spill = answer.path("spill");
    table.add(
        "on the disk",
        spill.isMissingNode()
            ? "nothing: the member has nowhere to spill to (--spill)"
            : spill.path("values").asText()
                + " values, "
                + Sizes.text(spill.path("usedBytes").asLong())
                + " of "
                + Sizes.text(spill.path("capacityBytes").asLong()));
    if (!spill.isMissingNode()) {
      table.add("read back", spill.path("valuesRead").asText() + " times");
    }
    table.add(
        "compacted",
        answer.path("compactions").asText()
            + " times, by which "
            + Sizes.text(answer.path("compactedBytes").asLong())
            + " of pages came free");
    return table;
  }

  private static TextTable totals(JsonNode answer) {
    TextTable table = new TextTable("TENANT", "REASON", "ACTION", "MEMORY", "RECORDS");
    for (JsonNode total : answer.path("totals")) {
      table.add(
          total.path("tenant").asText(),
          total.path("reason").asText(),
          total.path("action").asText(),
          Sizes.text(total.path("bytes").asLong()),
          total.path("records").asText());
    }
    return table;
  }

  private static TextTable held(JsonNode answer) {
    TextTable table = new TextTable("TENANT", "WRITES WERE MADE TO WAIT");
    for (JsonNode held : answer.path("held")) {
      table.add(held.path("tenant").asText(), held.path("times").asText() + " times");
    }
    return table;
  }

  private static TextTable events(JsonNode answer) {
    TextTable table = new TextTable("LAST", "TENANT", "ACTION", "MEMORY", "WHY");
    int count = 0;
    for (JsonNode event : answer.path("events")) {
      if (count++ == MOST_EVENTS) {
        break;
      }
      String obstacle = event.path("obstacle").asText();
      table.add(
          event.path("to").asText(),
          event.path("tenant").asText(),
          event.path("action").asText(),
          Sizes.text(event.path("bytes").asLong()),
          event.path("why").asText() + (obstacle.isEmpty() ? "" : "; not more: " + obstacle));
    }
    return table.shortening("WHY");
  }
}

package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyvalueserve.journal.Damage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The damage of a log by kind, and what to do about it. */
final class DamageReport {
  private static final int MOST_PLACES = 50; // of a kind, in text

  private final List<Damage> damage;

  DamageReport(List<Damage> damage) {
    this.damage = damage;
  }

  boolean isEmpty() {
    return damage.isEmpty();
  }

  /** Returns whether there is no damage but what a crash explains. */
  boolean isWhole() {
    return places() == 0;
  }

  /** Returns the number of damaged places that a crash does not explain. */
  long places() {
    return damage.stream().filter(each -> !each.isOfCrash()).count();
  }

  /** A block for each kind; empty if there is none. */
  String text() {
    Map<Damage.Kind, List<Damage>> byKind = new EnumMap<>(Damage.Kind.class);
    damage.forEach(each -> byKind.computeIfAbsent(each.kind(), k -> new ArrayList<>()).add(each));
    List<String> lines = new ArrayList<>();
    byKind.forEach((kind, places) -> addKind(lines, kind, places));
    return String.join(System.lineSeparator(), lines);
  }

  private static void addKind(List<String> lines, Damage.Kind kind, List<Damage> places) {
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.add(kind + (places.size() == 1 ? "" : ", " + places.size() + " places"));
    for (Damage place : places.subList(0, Math.min(MOST_PLACES, places.size()))) {
      String where = place.file() + " at " + place.offset();
      lines.add("  " + where + (place.bytes() == 0 ? "" : ", " + place.bytes() + " bytes"));
      lines.add("    " + place.text());
    }
    if (places.size() > MOST_PLACES) {
      lines.add("  and " + (places.size() - MOST_PLACES) + " more: --json has all");
    }
    lines.add("  What to do: " + places.getFirst().remedy() + ".");
  }

  ArrayNode json() {
    ArrayNode json = AdminClient.object().putArray("damage");
    for (Damage each : damage) {
      json.addObject()
          .put("kind", each.kind().name())
          .put("file", each.file())
          .put("offset", each.offset())
          .put("bytes", each.bytes())
          .put("text", each.text())
          .put("ofCrash", each.isOfCrash())
          .put("remedy", each.remedy());
    }
    return json;
  }
}

package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The history of a tenant as a table or as CSV. */
final class HistoryText {
  private static final String PER_SECOND = "PerSecond";

  private HistoryText() {}

  /** Returns a table with a column for each series that has anything. */
  static TextTable table(JsonNode history) {
    List<String> series = series(history);
    series.removeIf(name -> history.path("points").findValue(name) == null);
    List<String> head = new ArrayList<>(List.of("TIME"));
    series.forEach(name -> head.add(title(name)));
    TextTable table = new TextTable(head.toArray(String[]::new));
    for (JsonNode point : history.path("points")) {
      List<String> row = new ArrayList<>(List.of(point.path("at").asText()));
      series.forEach(name -> row.add(text(name, point.path(name).asDouble())));
      table.add(row.toArray(String[]::new));
    }
    return table;
  }

  /** Returns {@code bytesInPerSecond} as {@code BYTES IN/S}. */
  private static String title(String name) {
    boolean isRate = name.endsWith(PER_SECOND);
    String stem = isRate ? name.substring(0, name.length() - PER_SECOND.length()) : name;
    String words = stem.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
    return isRate ? words + "/S" : words;
  }

  private static String text(String name, double value) {
    return name.startsWith("bytes") || name.endsWith("Bytes")
        ? Sizes.text(Math.round(value))
        : String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }

  /** Returns a line of names, and one for each step that has a point. */
  static String csv(JsonNode history) {
    List<String> series = series(history);
    StringJoiner lines = new StringJoiner(System.lineSeparator());
    lines.add("at," + String.join(",", series));
    for (JsonNode point : history.path("points")) {
      StringJoiner line = new StringJoiner(",").add(point.path("at").asText());
      series.forEach(name -> line.add(point.path(name).asText("0")));
      lines.add(line.toString());
    }
    return lines.toString();
  }

  private static List<String> series(JsonNode history) {
    List<String> series = new ArrayList<>();
    history.path("series").forEach(name -> series.add(name.asText()));
    return series;
  }
}

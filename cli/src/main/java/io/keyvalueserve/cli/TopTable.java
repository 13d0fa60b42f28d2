package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of {@code kvs top}.
 *
 * @param rows the field of the answer that has them
 * @param columns the first one names the row
 * @param usualSort the column that it is sorted by at first
 */
record TopTable(String rows, List<Column> columns, int usualSort) {
  private static final int MOST_NAMED = 3;
  private static final double TWO_DECIMALS_BELOW = 10;
  private static final double ONE_DECIMAL_BELOW = 100;

  /**
   * A column.
   *
   * @param rank those of high rank are left out first where there is no room
   * @param text of a row
   * @param number what it is sorted by, the largest first; null to sort by text
   */
  record Column(
      String title,
      int rank,
      Function<JsonNode, String> text,
      @Nullable ToDoubleFunction<JsonNode> number) {
    /** Returns the order of rows by this column. */
    Comparator<JsonNode> order() {
      return number == null
          ? Comparator.comparing(text)
          : Comparator.comparingDouble(number).reversed();
    }
  }

  static final TopTable TENANTS =
      new TopTable(
          "tenants",
          List.of(
              text("TENANT", 0, row -> TextTable.printable(row.path("tenant").asText())),
              count("OPS/S", 1, "/operationsPerSecond"),
              millis("P50", 5, "/latency/p50Millis"),
              millis("P99", 2, "/latency/p99Millis"),
              bytes("IN/S", 8, "/bytesInPerSecond"),
              bytes("OUT/S", 9, "/bytesOutPerSecond"),
              bytes("MEMORY", 3, "/memoryBytes"),
              count("CONNS", 7, "/connections"),
              count("THROTTLED", 6, "/throttled"),
              millis("WAITED", 4, "/waitedMillisPerSecond"),
              millis("LONGEST", 11, "/longestWaitMillis"),
              text("BEHIND", 10, row -> behind(row.path("behindMillisPerSecond")))),
          1);

  static final TopTable MEMBERS =
      new TopTable(
          "members",
          List.of(
              text("MEMBER", 0, TopTable::memberName),
              text("STATE", 1, row -> row.path("state").asText()),
              count("PARTITIONS", 6, "/partitions"),
              count("OPS/S", 2, "/operationsPerSecond"),
              millis("P99", 3, "/latency/p99Millis"),
              new Column("MEMORY", 4, TopTable::memory, TopTable::usedBytes),
              bytes("LOG/S", 5, "/log/appendedBytesPerSecond"),
              bytes("LIVE", 8, "/log/liveBytes"),
              bytes("DEAD", 9, "/log/deadBytes"),
              count("CONNS", 7, "/connections")),
          0);

  TopTable {
    columns = List.copyOf(columns);
  }

  /** The rows of an answer as a table that goes to a file or a pipe. */
  TextTable plain(JsonNode top) {
    TextTable table = new TextTable(columns.stream().map(Column::title).toArray(String[]::new));
    for (JsonNode row : top.path(rows)) {
      table.add(columns.stream().map(column -> column.text().apply(row)).toArray(String[]::new));
    }
    return table;
  }

  private static Column text(String title, int rank, Function<JsonNode, String> text) {
    return new Column(title, rank, text, null);
  }

  private static Column count(String title, int rank, String at) {
    return new Column(
        title,
        rank,
        row -> row.at(at).isMissingNode() ? "-" : row.at(at).asText(),
        row -> row.at(at).asDouble());
  }

  private static Column bytes(String title, int rank, String at) {
    return new Column(
        title,
        rank,
        row -> row.at(at).isMissingNode() ? "-" : Sizes.text(row.at(at).asLong()),
        row -> row.at(at).asDouble());
  }

  private static Column millis(String title, int rank, String at) {
    return new Column(title, rank, row -> millis(row.at(at)), row -> row.at(at).asDouble());
  }

  /** Milliseconds, as many digits as say something. */
  private static String millis(JsonNode millis) {
    if (millis.isMissingNode()) {
      return "-";
    }
    double value = millis.asDouble();
    int decimals = value < TWO_DECIMALS_BELOW ? 2 : value < ONE_DECIMAL_BELOW ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String behind(JsonNode others) {
    StringJoiner names = new StringJoiner(", ");
    int named = 0;
    for (var other : others.properties()) {
      if (named++ == MOST_NAMED) {
        break;
      }
      names.add(TextTable.printable(other.getKey()) + " " + millis(other.getValue()));
    }
    return names.toString();
  }

  private static String memberName(JsonNode row) {
    String name = row.path("name").asText();
    return TextTable.printable(name.isEmpty() ? row.path("address").asText() : name);
  }

  private static double usedBytes(JsonNode row) {
    double used = 0;
    for (JsonNode tier : row.path("tiers")) {
      used += tier.path("usedBytes").asDouble();
    }
    return used;
  }

  private static String memory(JsonNode row) {
    StringJoiner tiers = new StringJoiner(", ");
    for (JsonNode tier : row.path("tiers")) {
      tiers.add(
          TextTable.printable(tier.path("name").asText())
              + " "
              + Sizes.text(tier.path("usedBytes").asLong())
              + " of "
              + Sizes.text(tier.path("capacityBytes").asLong()));
    }
    return tiers.length() == 0 ? "-" : tiers.toString();
  }
}

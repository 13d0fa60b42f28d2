package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code kvs map configure} that say which table is behind a map. */
final class MapStoreOptions {
  private static final String NONE = "none";

  @Option(
      names = "--store",
      paramLabel = "STORE|none",
      description =
          "The external store, as 'kvs store list' shows it; none removes it from the map. Table"
              + " options that are left out return to their defaults.")
  private @Nullable String store;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "The table, with its schema if need be: public.orders")
  private @Nullable String table;

  @Option(
      names = "--mode",
      paramLabel = "read-through|write-through|write-behind",
      description =
          "read-through loads missing keys. write-through also writes to the database before it"
              + " answers. write-behind writes later. Default: read-through")
  private @Nullable String mode;

  @Option(
      names = "--key-column",
      paramLabel = "COLUMN",
      description = "The column that holds keys. Default: id")
  private @Nullable String keyColumn;

  @Option(
      names = "--value-columns",
      paramLabel = "COLUMNS",
      description =
          "The column that holds values; with --value-json any number, as A,B. Default: value; with"
              + " --value-json all but the key")
  private @Nullable String valueColumns;

  @Option(
      names = "--value-json",
      description = "Values are JSON objects with the columns as fields.")
  private boolean valueJson;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "The most rows that are written at once: 1 to 10000. Default: 500")
  private @Nullable Integer batch;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description =
          "With write-behind: how long a write waits at least before the database gets it. Default:"
              + " 1s")
  private @Nullable String delay;

  @Option(
      names = "--negative-ttl",
      paramLabel = "TIME",
      description = "How long a key that the table does not have is remembered. Default: 5s")
  private @Nullable String negativeTtl;

  @Option(
      names = "--ttl",
      paramLabel = "TIME|none",
      description = "How long a loaded entry stays before it is loaded again. Default: none")
  private @Nullable String timeToLive;

  @Option(
      names = "--load",
      paramLabel = "eager|lazy",
      description =
          "eager loads the whole table at once; lazy loads rows when they are read. Default: lazy")
  private @Nullable String load;

  @Option(
      names = "--most-waiting",
      paramLabel = "N",
      description =
          "With write-behind: the most entries that a member lets wait for the database; then it"
              + " refuses writes. Default: 100000")
  private @Nullable Integer mostWaiting;

  @Option(
      names = "--most-rate",
      paramLabel = "N",
      description =
          "With write-behind: the most rows that a member writes in a second. It protects a"
              + " database that was away. Default: no limit")
  private @Nullable Integer mostRate;

  @Option(
      names = "--refresh-ahead",
      paramLabel = "PERCENT",
      description =
          "With --ttl: reloads an entry in the background if it is read after this share of its"
              + " time, such as 80%. Default: never")
  private @Nullable String refreshAhead;

  @Option(
      names = "--follow",
      description =
          "The map follows changes that others make in the table, by PostgreSQL's logical"
              + " replication.")
  private boolean follow;

  /** Adds what is to be behind the map, if anything is said. */
  void addTo(ObjectNode wanted, CommandSpec spec) {
    ObjectNode of = AdminClient.object();
    add(of, "name", store);
    add(of, "table", table);
    add(of, "mode", mode);
    add(of, "keyColumn", keyColumn);
    if (valueColumns != null) {
      ArrayNode columns = of.putArray("valueColumns");
      for (String column : valueColumns.split(",", -1)) {
        columns.add(column.strip());
      }
    }
    if (valueJson) {
      of.put("format", "json");
    }
    if (batch != null) {
      of.put("batch", batch);
    }
    add(of, "delay", delay);
    add(of, "negativeTtl", negativeTtl);
    add(of, "timeToLive", timeToLive);
    add(of, "load", load);
    if (mostWaiting != null) {
      of.put("mostWaiting", mostWaiting);
    }
    if (mostRate != null) {
      of.put("mostRate", mostRate);
    }
    if (refreshAhead != null) {
      of.put("refreshAhead", percent(refreshAhead, spec));
    }
    if (follow) {
      of.put("follow", true);
    }
    if (of.isEmpty()) {
      return;
    }
    if (store == null) {
      throw new ParameterException(
          spec.commandLine(), "a table is one of an external store: name it with --store");
    }
    if (store.equals(NONE)) {
      if (of.size() > 1) {
        throw new ParameterException(
            spec.commandLine(), "--store none takes no other options of a table");
      }
      wanted.put("store", NONE);
      return;
    }
    if (table == null) {
      throw new ParameterException(
          spec.commandLine(), "which table of " + store + "? Name it with --table");
    }
    wanted.set("store", of);
  }

  private static int percent(String text, CommandSpec spec) {
    try {
      return Integer.parseInt(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
    } catch (NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(), "--refresh-ahead: '" + text + "' is no percentage; use 80%", e);
    }
  }

  private static void add(ObjectNode body, String field, @Nullable String value) {
    if (value != null) {
      body.put(field, value);
    }
  }

  // ---- what is shown of it

  /** Returns what is behind a map, in a few words. */
  static String inShort(JsonNode map) {
    JsonNode store = map.path("store");
    return store.isObject()
        ? store.path("name").asText() + ": " + store.path("table").asText()
        : "-";
  }

  /** Returns what is behind a map, in one line. */
  static String inLine(JsonNode map) {
    JsonNode store = map.path("store");
    return store.isObject()
        ? "%s, table %s, %s"
            .formatted(
                store.path("name").asText(),
                store.path("table").asText(),
                store.path("mode").asText())
        : NONE;
  }

  /** Adds what is behind a map to its facts. */
  static void addTo(TextTable facts, JsonNode map) {
    facts.add("store", inLine(map));
    JsonNode store = map.path("store");
    if (!store.isObject()) {
      return;
    }
    StringJoiner columns = new StringJoiner(", ");
    store.path("valueColumns").forEach(column -> columns.add(column.asText()));
    boolean isJson = store.path("format").asText().equals("json");
    String values = columns.length() == 0 ? "all others" : columns.toString();
    facts.add(
        "columns",
        "key "
            + store.path("keyColumn").asText()
            + ", value "
            + values
            + (isJson ? " as JSON" : ""));
    facts.add(
        "loading",
        "%s, time to live %s%s, absent keys are remembered for %s%s"
            .formatted(
                store.path("load").asText(),
                store.path("timeToLive").asText(),
                refreshed(store),
                store.path("negativeTtl").asText(),
                store.path("follow").asBoolean() ? ", the table is followed" : ""));
    if (store.path("mode").asText().equals("write-behind")) {
      facts.add(
          "writing",
          "after %s, %s rows at once, up to %s may wait at a member"
              .formatted(
                  store.path("delay").asText(),
                  store.path("batch").asText(),
                  store.path("mostWaiting").asText()));
    }
  }

  private static String refreshed(JsonNode store) {
    int percent = store.path("refreshAhead").asInt();
    return percent == 0 ? "" : ", loaded again after " + percent + "% of it";
  }
}

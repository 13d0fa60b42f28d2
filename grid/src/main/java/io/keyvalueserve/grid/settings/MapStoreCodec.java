package io.keyvalueserve.grid.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The stored form of the table behind a map: a part of the map's settings. */
final class MapStoreCodec {
  private MapStoreCodec() {}

  static ObjectNode encode(MapStoreSettings settings) {
    ObjectNode record =
        JsonNodeFactory.instance
            .objectNode()
            .put("store", settings.store())
            .put("table", settings.table())
            .put("mode", settings.mode().text())
            .put("keyColumn", settings.keyColumn());
    ArrayNode columns = record.putArray("valueColumns");
    settings.valueColumns().forEach(columns::add);
    record
        .put("format", settings.format().text())
        .put("batch", settings.batch())
        .put("delayMillis", settings.delay().toMillis())
        .put("negativeTtlMillis", settings.negativeTtl().toMillis());
    if (settings.timeToLive() != null) {
      record.put("timeToLiveMillis", settings.timeToLive().toMillis());
    }
    return record
        .put("eager", settings.eager())
        .put("mostWaiting", settings.mostWaiting())
        .put("mostRate", settings.mostRate())
        .put("refreshAhead", settings.refreshAhead())
        .put("follow", settings.follow());
  }

  /**
   * Reads what is behind a map.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  static MapStoreSettings decode(JsonNode record) {
    List<String> columns = new ArrayList<>();
    required(record, "valueColumns").forEach(column -> columns.add(column.asText()));
    String mode = required(record, "mode").asText();
    String format = required(record, "format").asText();
    return new MapStoreSettings(
        required(record, "store").asText(),
        required(record, "table").asText(),
        StoreMode.ofText(mode).orElseThrow(() -> unknown("store.mode", mode)),
        required(record, "keyColumn").asText(),
        columns,
        StoreFormat.ofText(format).orElseThrow(() -> unknown("store.format", format)),
        required(record, "batch").asInt(),
        millis(required(record, "delayMillis")),
        millis(required(record, "negativeTtlMillis")),
        record.has("timeToLiveMillis") ? millis(record.path("timeToLiveMillis")) : null,
        required(record, "eager").asBoolean(),
        required(record, "mostWaiting").asInt(),
        record.path("mostRate").asInt(),
        record.path("refreshAhead").asInt(),
        record.path("follow").asBoolean());
  }

  private static Duration millis(JsonNode value) {
    return Duration.ofMillis(value.asLong());
  }

  private static JsonNode required(JsonNode record, String field) {
    return MapSettingsCodec.required(record, field);
  }

  private static IllegalArgumentException unknown(String field, String text) {
    return new IllegalArgumentException(
        "a map's settings have an unknown '" + field + "': " + text);
  }
}

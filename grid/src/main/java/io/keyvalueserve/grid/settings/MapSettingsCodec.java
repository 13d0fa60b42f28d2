package io.keyvalueserve.grid.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a map's settings: JSON with a version. What is not set is not there; fields
 * that a later version adds are ignored.
 */
final class MapSettingsCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private MapSettingsCodec() {}

  static String encode(MapSettings settings) {
    ObjectNode record = JSON.createObjectNode();
    record.put("v", VERSION);
    record.put("map", settings.map());
    record.put("revision", settings.revision());
    if (settings.durability() != null) {
      record.put("durability", settings.durability().text());
    }
    if (settings.overMemory() != null) {
      record.put("overMemory", settings.overMemory().text());
    }
    if (settings.chargedTo() != null) {
      record.put("chargedTo", settings.chargedTo().text());
    }
    if (settings.store() != null) {
      record.set("store", MapStoreCodec.encode(settings.store()));
    }
    if (settings.persistence() != Persistence.DEFAULT) {
      record.put("persistence", settings.persistence().text());
    }
    Consent consent = settings.consent();
    if (consent != null) {
      record
          .putObject("consent")
          .put("given", consent.given())
          .put("at", consent.atMillis())
          .put("key", consent.keyId());
    }
    if (!settings.indexes().isEmpty()) {
      ArrayNode indexes = record.putArray("indexes");
      for (MapIndex index : settings.indexes()) {
        ArrayNode attributes =
            indexes
                .addObject()
                .put("name", index.name())
                .put("sorted", index.sorted())
                .putArray("attributes");
        index.attributes().forEach(attributes::add);
      }
    }
    return record.toString();
  }

  /**
   * Reads settings.
   *
   * @throws IllegalArgumentException if they are damaged: the message names the field
   */
  static MapSettings decode(String text) {
    try {
      JsonNode record = JSON.readTree(text);
      int version = required(record, "v").asInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a map's settings are of version " + version + ", this program reads " + VERSION);
      }
      return new MapSettings(
          required(record, "map").asText(),
          required(record, "revision").asLong(),
          durability(record.get("durability")),
          overMemory(record.get("overMemory")),
          chargedTo(record.get("chargedTo")),
          store(record.get("store")),
          indexes(record.path("indexes")),
          persistence(record.get("persistence")),
          consent(record.get("consent")));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a map's settings are not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static @Nullable Durability durability(@Nullable JsonNode text) {
    return text == null
        ? null
        : Durability.ofText(text.asText())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a map's settings have an unknown 'durability': " + text.asText()));
  }

  private static @Nullable OverMemory overMemory(@Nullable JsonNode text) {
    return text == null
        ? null
        : OverMemory.ofText(text.asText())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a map's settings have an unknown 'overMemory': " + text.asText()));
  }

  private static @Nullable ChargedTo chargedTo(@Nullable JsonNode text) {
    return text == null
        ? null
        : ChargedTo.ofText(text.asText())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a map's settings have an unknown 'chargedTo': " + text.asText()));
  }

  private static Persistence persistence(@Nullable JsonNode text) {
    return text == null
        ? Persistence.DEFAULT
        : Persistence.ofText(text.asText())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a map's settings have an unknown 'persistence': " + text.asText()));
  }

  private static @Nullable Consent consent(@Nullable JsonNode record) {
    return record == null
        ? null
        : new Consent(
            required(record, "given").asBoolean(),
            required(record, "at").asLong(),
            required(record, "key").asText());
  }

  private static @Nullable MapStoreSettings store(@Nullable JsonNode record) {
    return record == null ? null : MapStoreCodec.decode(record);
  }

  private static List<MapIndex> indexes(JsonNode records) {
    List<MapIndex> indexes = new ArrayList<>();
    for (JsonNode record : records) {
      List<String> attributes = new ArrayList<>();
      required(record, "attributes").forEach(attribute -> attributes.add(attribute.asText()));
      indexes.add(
          new MapIndex(
              required(record, "name").asText(),
              required(record, "sorted").asBoolean(),
              attributes));
    }
    return indexes;
  }

  static JsonNode required(JsonNode record, String field) {
    JsonNode value = record.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("a map's settings lack the field '" + field + "'");
    }
    return value;
  }
}

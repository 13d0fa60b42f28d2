package io.keyvalueserve.grid.catalogue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a tenant's hibernation: JSON with a version. What is not set is not there;
 * fields that a later version adds are ignored.
 */
final class HibernationCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private HibernationCodec() {}

  static String encode(Hibernation hibernation) {
    ObjectNode record =
        JSON.createObjectNode()
            .put("v", VERSION)
            .put("tenant", hibernation.tenant())
            .put("revision", hibernation.revision())
            .put("phase", hibernation.phase().text());
    Duration after = hibernation.after();
    if (after != null) {
      record.put("afterSeconds", after.toSeconds());
    }
    if (hibernation.sinceMillis() != 0) {
      record.put("since", hibernation.sinceMillis());
    }
    if (!hibernation.coordinator().isEmpty()) {
      record.put("by", hibernation.coordinator());
    }
    Image image = hibernation.image();
    if (image != null) {
      ArrayNode maps =
          record
              .putObject("image")
              .put("repository", image.repository())
              .put("snapshot", image.snapshot())
              .put("entries", image.entries())
              .put("bytes", image.bytes())
              .putArray("maps");
      image.maps().forEach(maps::add);
    }
    if (!hibernation.loaded().isEmpty()) {
      record.put("loaded", HexFormat.of().formatHex(hibernation.loaded().toByteArray()));
    }
    return record.toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  static Hibernation decode(String text) {
    try {
      JsonNode record = JSON.readTree(text);
      int version = required(record, "v").asInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a hibernation is of version " + version + ", this program reads " + VERSION);
      }
      JsonNode after = record.get("afterSeconds");
      return new Hibernation(
          required(record, "tenant").asText(),
          required(record, "revision").asLong(),
          phase(required(record, "phase").asText()),
          after == null ? null : Duration.ofSeconds(after.asLong()),
          record.path("since").asLong(),
          record.path("by").asText(),
          image(record.get("image")),
          BitSet.valueOf(HexFormat.of().parseHex(record.path("loaded").asText())));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a hibernation is not JSON", e);
    }
  }

  private static Phase phase(String text) {
    for (Phase phase : Phase.values()) {
      if (phase.text().equals(text)) {
        return phase;
      }
    }
    throw new IllegalArgumentException("a hibernation has an unknown 'phase': " + text);
  }

  private static @Nullable Image image(@Nullable JsonNode image) {
    if (image == null) {
      return null;
    }
    List<String> maps = new ArrayList<>();
    required(image, "maps").forEach(map -> maps.add(map.asText()));
    return new Image(
        required(image, "repository").asText(),
        required(image, "snapshot").asText(),
        required(image, "entries").asLong(),
        required(image, "bytes").asLong(),
        maps);
  }

  private static JsonNode required(JsonNode record, String field) {
    JsonNode value = record.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("a hibernation lacks the field '" + field + "'");
    }
    return value;
  }
}

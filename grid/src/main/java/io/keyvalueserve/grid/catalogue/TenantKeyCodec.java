package io.keyvalueserve.grid.catalogue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/**
 * The stored form of a tenant's key: JSON with a version. Fields that a later version adds are
 * ignored.
 */
final class TenantKeyCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private TenantKeyCodec() {}

  static String encode(TenantKeyRecord key) {
    ObjectNode record =
        JSON.createObjectNode()
            .put("v", VERSION)
            .put("tenant", key.tenant())
            .put("revision", key.revision())
            .put("id", key.id().toString());
    if (key.sealed() != null) {
      record.put("key", key.sealed());
    }
    return record.toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  static TenantKeyRecord decode(String text) {
    try {
      JsonNode record = JSON.readTree(text);
      int version = required(record, "v").asInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "the record of a tenant's key is of version "
                + version
                + ", this program reads "
                + VERSION);
      }
      JsonNode key = record.get("key");
      return new TenantKeyRecord(
          required(record, "tenant").asText(),
          required(record, "revision").asLong(),
          UUID.fromString(required(record, "id").asText()),
          key == null ? null : key.asText());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the record of a tenant's key is not JSON", e);
    }
  }

  private static JsonNode required(JsonNode record, String field) {
    JsonNode value = record.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException(
          "the record of a tenant's key lacks the field '" + field + "'");
    }
    return value;
  }
}

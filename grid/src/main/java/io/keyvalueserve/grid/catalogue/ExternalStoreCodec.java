package io.keyvalueserve.grid.catalogue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an external store: JSON with a version. Fields that a later version adds are
 * ignored.
 */
public final class ExternalStoreCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private ExternalStoreCodec() {}

  /** Returns the record as text. */
  public static String encode(ExternalStore store) {
    ObjectNode record =
        JSON.createObjectNode()
            .put("v", VERSION)
            .put("name", store.name())
            .put("revision", store.revision());
    if (store.deleted()) {
      record.put("deleted", true);
    }
    record.put("jdbcUrl", store.jdbcUrl());
    if (store.user() != null) {
      record.put("user", store.user());
    }
    if (store.sealedPassword() != null) {
      record.put("password", store.sealedPassword());
    }
    return record
        .put("poolSize", store.poolSize())
        .put("timeoutMillis", store.timeout().toMillis())
        .toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  public static ExternalStore decode(String text) {
    try {
      JsonNode record = JSON.readTree(text);
      int version = required(record, "v").asInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "the record of an external store is of version "
                + version
                + ", this program reads "
                + VERSION);
      }
      return new ExternalStore(
          required(record, "name").asText(),
          required(record, "revision").asLong(),
          record.path("deleted").asBoolean(false),
          required(record, "jdbcUrl").asText(),
          text(record, "user"),
          text(record, "password"),
          required(record, "poolSize").asInt(),
          Duration.ofMillis(required(record, "timeoutMillis").asLong()));
    } catch (JsonProcessingException e) {
      // Text that is not JSON may still have a password in it, so it is not shown.
      throw new IllegalArgumentException("the record of an external store is not JSON", e);
    }
  }

  private static @Nullable String text(JsonNode record, String field) {
    JsonNode value = record.get(field);
    return value == null || value.isNull() ? null : value.asText();
  }

  private static JsonNode required(JsonNode record, String field) {
    JsonNode value = record.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException(
          "the record of an external store lacks the field '" + field + "'");
    }
    return value;
  }
}

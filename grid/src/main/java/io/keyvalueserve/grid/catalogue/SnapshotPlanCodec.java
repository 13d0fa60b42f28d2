package io.keyvalueserve.grid.catalogue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;

/** The stored form of a plan: JSON with a version. Fields that a later version adds are ignored. */
final class SnapshotPlanCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private SnapshotPlanCodec() {}

  static String encode(SnapshotPlan plan) {
    return JSON.createObjectNode()
        .put("v", VERSION)
        .put("tenant", plan.tenant())
        .put("revision", plan.revision())
        .put("deleted", plan.deleted())
        .put("repository", plan.repository())
        .put("everySeconds", plan.every().toSeconds())
        .put("keepSeconds", plan.keep().toSeconds())
        .put("archive", plan.archive())
        .toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  static SnapshotPlan decode(String text) {
    try {
      JsonNode record = JSON.readTree(text);
      int version = required(record, "v").asInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a plan of snapshots is of version " + version + ", this program reads " + VERSION);
      }
      return new SnapshotPlan(
          required(record, "tenant").asText(),
          required(record, "revision").asLong(),
          record.path("deleted").asBoolean(false),
          required(record, "repository").asText(),
          Duration.ofSeconds(required(record, "everySeconds").asLong()),
          Duration.ofSeconds(required(record, "keepSeconds").asLong()),
          record.path("archive").asBoolean(false));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a plan of snapshots is not JSON", e);
    }
  }

  private static JsonNode required(JsonNode record, String field) {
    JsonNode value = record.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("a plan of snapshots lacks the field '" + field + "'");
    }
    return value;
  }
}

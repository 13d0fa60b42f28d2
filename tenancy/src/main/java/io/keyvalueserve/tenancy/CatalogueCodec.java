package io.keyvalueserve.tenancy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a tenant's record: JSON with a version, in which codes are numbers that never
 * change their meaning. Fields that a later version adds are ignored.
 */
public final class CatalogueCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private CatalogueCodec() {}

  /** The record as text. */
  public static String encode(Tenant tenant) {
    return toJson(tenant).toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  public static Tenant decode(String text) {
    try {
      return fromJson(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a tenant's record is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  static ObjectNode toJson(Tenant tenant) {
    ObjectNode record = JSON.createObjectNode();
    record.put("v", VERSION);
    record.put("name", tenant.name().value());
    record.put("number", tenant.number());
    record.put("state", tenant.state().code());
    record.put("createdAt", tenant.createdAt().toString());
    record.put("revision", tenant.revision());
    ObjectNode quota = record.putObject("quota");
    tenant.quota().limits().forEach((limit, value) -> quota.put(limit.text(), value));
    ArrayNode keys = record.putArray("keys");
    for (AccessKey key : tenant.keys()) {
      ObjectNode stored =
          keys.addObject()
              .put("id", key.id())
              .put("secretHash", key.secretHash())
              .put("createdAt", key.createdAt().toString())
              .put("label", key.label());
      ScramVerifier scram = key.scram();
      if (scram != null) {
        stored
            .putObject("scram")
            .put("storedKey", scram.storedKey())
            .put("serverKey", scram.serverKey());
      }
    }
    return record;
  }

  static Tenant fromJson(JsonNode record) {
    try {
      int version = required(record, "v").asInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a tenant's record is of version " + version + ", this program reads " + VERSION);
      }
      List<AccessKey> keys = new ArrayList<>();
      for (JsonNode key : required(record, "keys")) {
        keys.add(
            new AccessKey(
                required(key, "id").asText(),
                required(key, "secretHash").asText(),
                Instant.parse(required(key, "createdAt").asText()),
                required(key, "label").asText(),
                scram(key.get("scram"))));
      }
      return new Tenant(
          new TenantName(required(record, "name").asText()),
          required(record, "number").asInt(),
          TenantState.ofCode(required(record, "state").asInt()),
          Instant.parse(required(record, "createdAt").asText()),
          keys,
          quota(record.path("quota")),
          required(record, "revision").asLong());
    } catch (java.time.DateTimeException e) {
      throw new IllegalArgumentException("a tenant's record holds no time where it should", e);
    }
  }

  /** A key of a version that knew no SCRAM has none. */
  private static @Nullable ScramVerifier scram(@Nullable JsonNode stored) {
    return stored == null
        ? null
        : new ScramVerifier(
            required(stored, "storedKey").asText(), required(stored, "serverKey").asText());
  }

  /** A record of a version that had no quotas has none. */
  private static Quota quota(JsonNode stored) {
    Map<Limit, Long> limits = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      JsonNode value = stored.get(limit.text());
      if (value != null) {
        limits.put(limit, value.asLong());
      }
    }
    return new Quota(limits);
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("a tenant's record lacks the field '" + field + "'");
    }
    return value;
  }
}

package io.keyvalueserve.tenancy.grant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored form of a map's grants: JSON with a version, in which codes are numbers that never
 * change their meaning. Fields that a later version adds are ignored.
 */
public final class GrantCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private GrantCodec() {}

  /** The record as text. */
  public static String encode(MapGrants grants) {
    ObjectNode record = JSON.createObjectNode();
    record.put("v", VERSION);
    record.put("owner", grants.map().tenant().value());
    record.put("map", grants.map().map().value());
    record.put("ownerNumber", grants.ownerNumber());
    record.put("revision", grants.revision());
    ArrayNode list = record.putArray("grants");
    for (Grant grant : grants.grants()) {
      ObjectNode node =
          list.addObject()
              .put("id", grant.id())
              .put("to", grant.grantee().value())
              .put("toNumber", grant.granteeNumber())
              .put("scope", grant.scope().kind().code())
              .put("text", grant.scope().text())
              .put("rights", grant.rights().bits())
              .put("createdAt", grant.createdAt().toString())
              .put("by", grant.grantedBy());
      Instant expiresAt = grant.expiresAt();
      if (expiresAt != null) {
        node.put("expiresAt", expiresAt.toString());
      }
    }
    return record.toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  public static MapGrants decode(String text) {
    try {
      return fromJson(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a record of grants is not JSON: " + e.getOriginalMessage(), e);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a record of grants holds no time where it should", e);
    }
  }

  private static MapGrants fromJson(JsonNode record) {
    int version = required(record, "v").asInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "a record of grants is of version " + version + ", this program reads " + VERSION);
    }
    List<Grant> grants = new ArrayList<>();
    for (JsonNode grant : required(record, "grants")) {
      JsonNode expiresAt = grant.get("expiresAt");
      grants.add(
          new Grant(
              required(grant, "id").asText(),
              new TenantName(required(grant, "to").asText()),
              required(grant, "toNumber").asInt(),
              new Scope(
                  Scope.Kind.ofCode(required(grant, "scope").asInt()),
                  required(grant, "text").asText()),
              new Rights(required(grant, "rights").asInt()),
              Instant.parse(required(grant, "createdAt").asText()),
              expiresAt == null ? null : Instant.parse(expiresAt.asText()),
              required(grant, "by").asText()));
    }
    return new MapGrants(
        new QualifiedName(
            new TenantName(required(record, "owner").asText()),
            new MapName(required(record, "map").asText())),
        required(record, "ownerNumber").asInt(),
        grants,
        required(record, "revision").asLong());
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("a record of grants lacks the field '" + field + "'");
    }
    return value;
  }
}

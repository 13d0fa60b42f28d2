package io.keyvalueserve.gates.reservation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.gates.reservation.Reservation.OfMap;
import io.keyvalueserve.gates.reservation.Reservation.OfMember;
import io.keyvalueserve.gates.reservation.Reservation.Target;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The stored form of reservations: JSON with a version. Fields that a later version adds are
 * ignored.
 */
public final class ReservationCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReservationCodec() {}

  /** The record as text. */
  public static String encode(ReservationSet set) {
    ObjectNode record = JSON.createObjectNode();
    record.put("v", VERSION);
    record.put("made", set.made());
    record.put("revision", set.revision());
    ArrayNode list = record.putArray("reservations");
    for (Reservation reservation : set.reservations()) {
      ObjectNode node =
          list.addObject()
              .put("id", reservation.id())
              .put("tenant", reservation.tenant().value())
              .put("tenantNumber", reservation.tenantNumber())
              .put("memoryBytes", reservation.memoryBytes())
              .put("createdAt", reservation.createdAt().toString())
              .put("by", reservation.reservedBy());
      switch (reservation.target()) {
        case OfMap(QualifiedName map) -> node.put("map", map.toString());
        case OfMember(UUID uuid, String address) ->
            node.put("member", uuid.toString()).put("address", address);
      }
    }
    return record.toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged: the message names the field
   */
  public static ReservationSet decode(String text) {
    try {
      return fromJson(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a record of reservations is not JSON: " + e.getOriginalMessage(), e);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "a record of reservations holds no time where it should", e);
    }
  }

  private static ReservationSet fromJson(JsonNode record) {
    int version = required(record, "v").asInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "a record of reservations is of version " + version + ", this program reads " + VERSION);
    }
    List<Reservation> reservations = new ArrayList<>();
    for (JsonNode node : required(record, "reservations")) {
      reservations.add(
          new Reservation(
              required(node, "id").asText(),
              new TenantName(required(node, "tenant").asText()),
              required(node, "tenantNumber").asInt(),
              target(node),
              required(node, "memoryBytes").asLong(),
              Instant.parse(required(node, "createdAt").asText()),
              required(node, "by").asText()));
    }
    return new ReservationSet(
        reservations, required(record, "made").asLong(), required(record, "revision").asLong());
  }

  private static Target target(JsonNode node) {
    if (node.has("map")) {
      String name = node.path("map").asText();
      return new OfMap(
          QualifiedName.parse(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException("a reservation is of no map: '" + name + "'")));
    }
    return new OfMember(
        UUID.fromString(required(node, "member").asText()), required(node, "address").asText());
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException(
          "a record of reservations lacks the field '" + field + "'");
    }
    return value;
  }
}

package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.gates.reservation.MemoryRoom;
import io.keyvalueserve.gates.reservation.Reservation;
import io.keyvalueserve.gates.reservation.Reservation.OfMap;
import io.keyvalueserve.gates.reservation.Reservation.OfMember;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The routes of reservations: operators make and release them, tenants see their own. */
final class ReservationRoutes {
  private static final String RESERVATIONS = "/api/v1/reservations";
  private static final String TENANT = "tenant";
  private static final String MAP = "map";
  private static final String MEMBER = "member";
  private static final String MEMORY = "memoryBytes";
  private static final Set<String> OF_MAP = Set.of(MAP, MEMORY);
  private static final Set<String> OF_MEMBER = Set.of(MEMBER, TENANT);

  private final Administration administration;

  ReservationRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, RESERVATIONS, OPERATOR, "listReservations", this::list),
        new Route(POST, RESERVATIONS, OPERATOR, "createReservation", this::create),
        new Route(
            DELETE, RESERVATIONS + "/{reservation}", OPERATOR, "releaseReservation", this::release),
        new Route(
            GET,
            "/api/v1/tenants/{tenant}/reservations",
            TENANT_ITSELF,
            "listTenantReservations",
            this::ofTenant));
  }

  private void list(ServerRequest request, ServerResponse response) {
    List<Reservation> all = administration.reserving().list();
    MemoryRoom room = administration.reserving().room();
    ObjectNode body = HttpDoor.object();
    ArrayNode list = body.putArray("reservations");
    all.forEach(each -> list.add(json(each).put("by", each.reservedBy())));
    long reserved = all.stream().mapToLong(Reservation::memoryBytes).sum();
    body.putObject("memory")
        .put("clusterBytes", room.memoryBytes())
        .put("copies", room.copies())
        .put("mostBytes", room.mostReserved())
        .put("reservedBytes", reserved)
        .put("leftBytes", Math.max(0, room.mostReserved() - reserved));
    HttpDoor.json(response, Status.OK_200, body);
  }

  /**
   * Lists the reservations of a tenant, without who made them and from where, which only operators
   * see.
   */
  private void ofTenant(ServerRequest request, ServerResponse response) {
    ObjectNode body = HttpDoor.object();
    ArrayNode list = body.putArray("reservations");
    administration.reserving().of(Caller.ownTenant(request)).forEach(each -> list.add(json(each)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void create(ServerRequest request, ServerResponse response) {
    JsonNode body = AdminRoutes.body(request);
    boolean isMember = body.has(MEMBER);
    for (String field : (Iterable<String>) body::fieldNames) {
      if (!(isMember ? OF_MEMBER : OF_MAP).contains(field)) {
        throw new HttpErrors.BadRequest(
            field,
            "a reservation has no field '"
                + field
                + "' here; there are map and memoryBytes, or member and tenant");
      }
    }
    Reservation made = isMember ? reserveMember(request, body) : reserveMap(request, body);
    HttpDoor.json(response, Status.CREATED_201, json(made).put("by", made.reservedBy()));
  }

  private Reservation reserveMember(ServerRequest request, JsonNode body) {
    return administration
        .reserving()
        .reserveMember(
            text(body, MEMBER, "the id or the address of a member"),
            new TenantName(text(body, TENANT, "for whom the member is to be")),
            Caller.actor(request));
  }

  private Reservation reserveMap(ServerRequest request, JsonNode body) {
    String name = text(body, MAP, "a map, such as acme/orders");
    QualifiedName map =
        QualifiedName.parse(name)
            .orElseThrow(
                () ->
                    new HttpErrors.BadRequest(
                        MAP, "'map' names no map: use TENANT/MAP, such as acme/orders"));
    JsonNode memory = body.get(MEMORY);
    if (memory == null || !memory.isIntegralNumber() || !memory.canConvertToLong()) {
      throw new HttpErrors.BadRequest(
          MEMORY, "the body needs a whole number 'memoryBytes': the bytes that are kept for it");
    }
    return administration.reserving().reserveMap(map, memory.asLong(), Caller.actor(request));
  }

  private static String text(JsonNode body, String field, String what) {
    JsonNode value = body.get(field);
    if (value == null || !value.isTextual()) {
      throw new HttpErrors.BadRequest(field, "the body needs a text '" + field + "': " + what);
    }
    return value.asText();
  }

  private void release(ServerRequest request, ServerResponse response) {
    String id = request.path().pathParameters().get("reservation");
    Reservation released = administration.reserving().release(id, Caller.actor(request));
    HttpDoor.json(response, Status.OK_200, json(released).put("state", "released"));
  }

  private static ObjectNode json(Reservation reservation) {
    ObjectNode body =
        HttpDoor.object().put("id", reservation.id()).put(TENANT, reservation.tenant().value());
    switch (reservation.target()) {
      case OfMap(QualifiedName map) -> body.put(MAP, map.toString());
      case OfMember(UUID uuid, String address) ->
          body.put(MEMBER, uuid.toString()).put("address", address);
    }
    return body.put(MEMORY, reservation.memoryBytes())
        .put("createdAt", reservation.createdAt().toString());
  }
}

package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.grid.settings.MapIndex;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Administration.MapView;
import io.keyvalueserve.server.MapSizes;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of a tenant's maps. */
final class MapRoutes {
  private static final String MAPS = "/api/v1/tenants/{tenant}/maps";

  /** The most maps whose sizes are asked for: each costs a look at every partition. */
  private static final int MOST_SIZED = 256;

  private static final String DURABILITY = "durability";
  private static final String OVER_MEMORY = "overMemory";
  private static final String CHARGED_TO = "chargedTo";
  private static final String CHARGED_TO_VALUES = "owner, writer or default";
  private static final Set<String> SETTINGS =
      Set.of(DURABILITY, OVER_MEMORY, PersistenceRoutes.PERSISTENCE, CHARGED_TO, StoreJson.STORE);
  private static final String DEFAULT = "default";
  private static final String VALUES = "none, everysec, always or default";
  private static final String OVER_MEMORY_VALUES = "spill, evict, refuse or default";

  /** Less than anybody on the way waits for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Administration administration;

  MapRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, MAPS, TENANT_ITSELF, "listMaps", this::list),
        new Route(GET, MAPS + "/{map}", TENANT_ITSELF, "showMap", this::show),
        new Route(PUT, MAPS + "/{map}", OPERATOR, "configureMap", this::configure));
  }

  private void list(ServerRequest request, ServerResponse response) {
    List<MapView> views = administration.maps(tenant(request));
    MapSizes sizes =
        administration.sizes(views.stream().limit(MOST_SIZED).map(MapView::name).toList());
    ObjectNode body = HttpDoor.object();
    ArrayNode maps = body.putArray("maps");
    for (MapView view : views) {
      ObjectNode map = json(view);
      MapSizes.Size size = sizes.maps().get(view.name());
      if (size != null) {
        map.put("entries", size.entries())
            .put("memoryBytes", size.bytes())
            .put("readsPerSecond", Math.round(size.readsPerSecond() * 10) / 10.0)
            .put("writesPerSecond", Math.round(size.writesPerSecond() * 10) / 10.0);
      }
      maps.add(map);
    }
    ArrayNode silent = body.putArray("silent");
    sizes.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void show(ServerRequest request, ServerResponse response) {
    HttpDoor.json(response, Status.OK_200, json(administration.map(map(request))));
  }

  private void configure(ServerRequest request, ServerResponse response) {
    QualifiedName map = map(request);
    JsonNode body = AdminRoutes.body(request);
    for (String field : (Iterable<String>) body::fieldNames) {
      if (!SETTINGS.contains(field)) {
        throw new HttpErrors.BadRequest(
            field,
            "a map has no setting '"
                + field
                + "'; there are: "
                + DURABILITY
                + ", "
                + OVER_MEMORY
                + ", "
                + PersistenceRoutes.PERSISTENCE
                + ", "
                + CHARGED_TO
                + ", "
                + StoreJson.STORE);
      }
    }
    if (body.isEmpty()) {
      throw new HttpErrors.BadRequest(
          DURABILITY,
          "nothing is set: give "
              + DURABILITY
              + " ("
              + VALUES
              + "), "
              + OVER_MEMORY
              + " ("
              + OVER_MEMORY_VALUES
              + "), "
              + PersistenceRoutes.PERSISTENCE
              + " ("
              + PersistenceRoutes.VALUES
              + "), "
              + CHARGED_TO
              + " ("
              + CHARGED_TO_VALUES
              + ") or "
              + StoreJson.STORE
              + " (none, or a table)");
    }
    KeepingChange change = KeepingChange.NOTHING;
    if (body.has(DURABILITY)) {
      change = change.durability(durability(body.get(DURABILITY)).orElse(null));
    }
    if (body.has(OVER_MEMORY)) {
      change = change.overMemory(overMemory(body.get(OVER_MEMORY)).orElse(null));
    }
    if (body.has(PersistenceRoutes.PERSISTENCE)) {
      change = change.persistence(PersistenceRoutes.word(body));
    }
    Optional<ChargedTo> chargedTo =
        body.has(CHARGED_TO) ? chargedTo(body.get(CHARGED_TO)) : Optional.empty();
    MapStoreSettings store =
        body.has(StoreJson.STORE) ? StoreJson.behind(body.get(StoreJson.STORE)) : null;
    if (!change.equals(KeepingChange.NOTHING)) {
      administration.persisting().keep(map, change, PATIENCE, Caller.actor(request));
    }
    if (body.has(CHARGED_TO)) {
      MapView _ =
          administration.setChargedTo(map, chargedTo.orElse(null), PATIENCE, Caller.actor(request));
    }
    if (body.has(StoreJson.STORE)) {
      administration.stores().setBehind(map, store, PATIENCE, Caller.actor(request));
    }
    send(response, administration.map(map));
  }

  /** Sends a map, and says whether what is set holds on all members. */
  static void send(ServerResponse response, MapView set) {
    HttpDoor.json(response, isPending(set) ? Status.ACCEPTED_202 : Status.OK_200, json(set));
  }

  /** Empty for what is usual. */
  private static Optional<OverMemory> overMemory(JsonNode value) {
    String text = value.asText();
    if (text.equals(DEFAULT)) {
      return Optional.empty();
    }
    Optional<OverMemory> overMemory = OverMemory.ofText(text);
    if (overMemory.isEmpty()) {
      throw new HttpErrors.BadRequest(
          OVER_MEMORY, OVER_MEMORY + ": " + value + " is none of them; use " + OVER_MEMORY_VALUES);
    }
    return overMemory;
  }

  /** Empty for what is usual. */
  private static Optional<ChargedTo> chargedTo(JsonNode value) {
    String text = value.asText();
    if (text.equals(DEFAULT)) {
      return Optional.empty();
    }
    Optional<ChargedTo> chargedTo = ChargedTo.ofText(text);
    if (chargedTo.isEmpty()) {
      throw new HttpErrors.BadRequest(
          CHARGED_TO, CHARGED_TO + ": " + value + " is none of them; use " + CHARGED_TO_VALUES);
    }
    return chargedTo;
  }

  /** Empty for what is usual. */
  private static Optional<Durability> durability(@Nullable JsonNode value) {
    String text = value != null && value.isTextual() ? value.asText() : "";
    if (text.equals(DEFAULT)) {
      return Optional.empty();
    }
    Optional<Durability> durability = Durability.ofText(text);
    if (durability.isEmpty()) {
      throw new HttpErrors.BadRequest(
          DURABILITY,
          "durability: "
              + (value == null ? "it is missing" : value + " is none of them")
              + "; use "
              + VALUES);
    }
    return durability;
  }

  private static boolean isPending(MapView view) {
    return view.pending() != null && !view.pending().isEmpty();
  }

  private static ObjectNode json(MapView view) {
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", view.name().tenant().value())
            .put("map", view.name().map().value())
            .put(DURABILITY, view.durability() == null ? "none" : view.durability().text())
            .put("durabilityIsDefault", view.keeping().durability() == null)
            .put(OVER_MEMORY, view.overMemory().text())
            .put("overMemoryIsDefault", view.keeping().overMemory() == null)
            .put(CHARGED_TO, chargedTo(view.settings()).text())
            .put("chargedToIsDefault", view.settings().chargedTo() == null);
    PersistenceRoutes.put(view.keeping(), body);
    ArrayNode indexes = body.putArray("indexes");
    for (MapIndex index : view.settings().indexes()) {
      ArrayNode attributes =
          indexes
              .addObject()
              .put("name", index.name())
              .put("type", index.sorted() ? "sorted" : "hash")
              .putArray("attributes");
      index.attributes().forEach(attributes::add);
    }
    if (view.settings().store() != null) {
      body.set(StoreJson.STORE, StoreJson.of(view.settings().store()));
    }
    if (view.pending() != null) {
      PersistenceRoutes.put(view.pending(), body);
    }
    return body;
  }

  private static TenantName tenant(ServerRequest request) {
    return Caller.ownTenant(request);
  }

  private static ChargedTo chargedTo(MapSettings settings) {
    return settings.chargedTo() == null ? ChargedTo.OWNER : settings.chargedTo();
  }

  private static QualifiedName map(ServerRequest request) {
    return new QualifiedName(
        tenant(request), new MapName(request.path().pathParameters().get("map")));
  }
}

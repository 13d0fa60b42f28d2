package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.EVERY_TENANT;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Administration.TenantView;
import io.keyvalueserve.server.Version;
import io.keyvalueserve.tenancy.AccessKey;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The routes of {@code /api/v1}. */
final class AdminRoutes {
  private static final String TENANT = "/api/v1/tenants/{tenant}";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The most access keys that a tenant may have of its own making. */
  private static final int MOST_OWN_KEYS = 100;

  /** The most bytes in a body of an administrative request. */
  static final int MOST_BODY_BYTES = 1024 * 1024;

  /** Administration is never turned away for want of room. */
  private static final BodyRoom BODIES = new BodyRoom(Long.MAX_VALUE, MemberHeap.unbounded());

  private final Administration administration;
  private final List<Route> routes;

  /**
   * @param audit is told what is refused to tenants
   */
  AdminRoutes(Administration administration, AccessAudit audit) {
    this.administration = administration;
    List<Route> all =
        new ArrayList<>(
            List.of(
                new Route(GET, "/api/v1/version", OPERATOR, "showVersion", AdminRoutes::version),
                new Route(GET, "/api/v1/me", EVERY_TENANT, "showCaller", this::whoAsks),
                new Route(GET, "/api/v1/cluster", OPERATOR, "showCluster", this::cluster),
                new Route(GET, "/api/v1/tenants", OPERATOR, "listTenants", this::listTenants),
                new Route(POST, "/api/v1/tenants", OPERATOR, "createTenant", this::createTenant),
                new Route(GET, TENANT, TENANT_ITSELF, "showTenant", this::showTenant),
                new Route(DELETE, TENANT, OPERATOR, "deleteTenant", this::deleteTenant),
                new Route(
                    POST, TENANT + "/suspend", OPERATOR, "suspendTenant", this::suspendTenant),
                new Route(POST, TENANT + "/resume", OPERATOR, "resumeTenant", this::resumeTenant),
                new Route(GET, TENANT + "/keys", TENANT_ITSELF, "listKeys", this::listKeys),
                new Route(POST, TENANT + "/keys", TENANT_ITSELF, "createKey", this::createKey),
                new Route(
                    DELETE, TENANT + "/keys/{key}", TENANT_ITSELF, "revokeKey", this::revokeKey)));
    all.addAll(new MemberRoutes(administration).routes());
    all.addAll(new MapRoutes(administration).routes());
    all.addAll(new PersistenceRoutes(administration).routes());
    all.addAll(new HibernationRoutes(administration).routes());
    all.addAll(new StoreRoutes(administration).routes());
    all.addAll(new SnapshotRoutes(administration).routes());
    all.addAll(new StoreStatusRoutes(administration).routes());
    all.addAll(new GrantRoutes(administration, audit).routes());
    all.addAll(new LockRoutes(administration).routes());
    all.addAll(new QuotaRoutes(administration).routes());
    all.addAll(new ReservationRoutes(administration).routes());
    all.addAll(new BillRoutes(administration).routes());
    all.addAll(new HistoryRoutes(administration).routes());
    all.addAll(new AllBillRoutes(administration).routes());
    all.addAll(new CostRoutes(administration).routes());
    all.addAll(new RateRoutes(administration).routes());
    all.addAll(new SpendRoutes(administration).routes());
    all.addAll(new AuditRoutes(administration).routes());
    all.addAll(new MemoryRoutes(administration).routes());
    all.addAll(new ReclaimRoutes(administration).routes());
    all.addAll(new EndpointRoutes(administration).routes());
    all.addAll(new LiveRoutes(administration).routes());
    all.addAll(new ClientRoutes(administration).routes());
    all.addAll(new AlertRoutes(administration).routes());
    this.routes = List.copyOf(all);
  }

  List<Route> routes() {
    return routes;
  }

  static void version(ServerRequest request, ServerResponse response) {
    Version version = Version.current();
    ok(
        response,
        HttpDoor.object()
            .put("version", version.version())
            .put("hazelcast", version.hazelcast())
            .put("java", Runtime.version().toString()));
  }

  private void whoAsks(ServerRequest request, ServerResponse response) {
    Identity tenant = Caller.of(request).tenant();
    ObjectNode body = HttpDoor.object().put("role", tenant == null ? "operator" : "tenant");
    if (tenant != null) {
      body.put("tenant", tenant.tenant().value()).put("keyId", tenant.keyId());
    }
    ok(response, body);
  }

  private void cluster(ServerRequest request, ServerResponse response) {
    ObjectNode body = ClusterJson.of(administration);
    LoadProgress load = administration.loadProgress();
    if (load != null) {
      body.set("loading", json(load));
    }
    ok(response, body);
  }

  /** Returns the progress of a member in loading its data. */
  static ObjectNode json(LoadProgress load) {
    return HttpDoor.object()
        .put("done", load.done())
        .put("records", load.records())
        .put("totalRecords", load.totalRecords())
        .put("bytes", load.bytes())
        .put("totalBytes", load.totalBytes())
        .put("bytesPerSecond", Math.round(load.bytesPerSecond()))
        .put("secondsLeft", load.secondsLeft());
  }

  private void listTenants(ServerRequest request, ServerResponse response) {
    ObjectNode body = HttpDoor.object();
    ArrayNode tenants = body.putArray("tenants");
    ListQuery query = ListQuery.of(request.query());
    List<TenantView> found = administration.tenants(query.prefix(), query.cursor(), query.asked());
    query
        .page(found, view -> view.tenant().name(), administration.tenantCount(), body)
        .forEach(tenant -> tenants.add(json(tenant)));
    ok(response, body);
  }

  private void createTenant(ServerRequest request, ServerResponse response) {
    JsonNode name = body(request).get("name");
    if (name == null || !name.isTextual()) {
      throw new HttpErrors.BadRequest("name", "the body needs a text 'name': {\"name\":\"acme\"}");
    }
    Catalogue.NewTenant created =
        administration.createTenant(new TenantName(name.asText()), Caller.actor(request));
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", created.tenant().name().value())
            .put("number", created.tenant().number())
            .put("state", state(created.tenant().state()))
            .put("createdAt", created.tenant().createdAt().toString())
            .put("keyId", created.keyId())
            .put("key", created.accessKey());
    HttpDoor.json(response, Status.CREATED_201, body);
  }

  private void showTenant(ServerRequest request, ServerResponse response) {
    ok(response, json(administration.tenant(tenant(request))));
  }

  private void deleteTenant(ServerRequest request, ServerResponse response) {
    TenantName tenant = tenant(request);
    int objects = administration.delete(tenant, Caller.actor(request));
    ok(
        response,
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put("state", "deleted")
            .put("objects", objects));
  }

  private void suspendTenant(ServerRequest request, ServerResponse response) {
    ok(response, json(administration.suspend(tenant(request), Caller.actor(request))));
  }

  private void resumeTenant(ServerRequest request, ServerResponse response) {
    ok(response, json(administration.resume(tenant(request), Caller.actor(request))));
  }

  private void listKeys(ServerRequest request, ServerResponse response) {
    ObjectNode body = HttpDoor.object();
    body.set("keys", keys(administration.tenant(tenant(request)).tenant().keys()));
    ok(response, body);
  }

  private void createKey(ServerRequest request, ServerResponse response) {
    String label = body(request).path("label").asText("");
    TenantName tenant = tenant(request);
    requireRoomForKey(request, tenant);
    Catalogue.NewKey created = administration.createKey(tenant, label, Caller.actor(request));
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put("keyId", created.key().id())
            .put("label", created.key().label())
            .put("createdAt", created.key().createdAt().toString())
            .put("key", created.accessKey());
    HttpDoor.json(response, Status.CREATED_201, body);
  }

  private void revokeKey(ServerRequest request, ServerResponse response) {
    TenantName tenant = tenant(request);
    String key = request.path().pathParameters().get("key");
    requireNotLastWayIn(request, tenant, key);
    administration.revokeKey(tenant, key, Caller.actor(request));
    ok(
        response,
        HttpDoor.object().put("tenant", tenant.value()).put("keyId", key).put("state", "revoked"));
  }

  /** Keys are in every member's memory, and each is at the cost of all tenants. */
  private void requireRoomForKey(ServerRequest request, TenantName tenant) {
    if (Caller.of(request).tenant() != null
        && administration.tenant(tenant).tenant().keys().size() >= MOST_OWN_KEYS) {
      throw new HttpErrors.Refused(
          Status.CONFLICT_409,
          "too_many_keys",
          "a tenant has up to "
              + MOST_OWN_KEYS
              + " access keys, unless the operator makes more: revoke one first",
          0);
    }
  }

  /** A tenant does not shut itself out by mistake: not by its only key, nor by the one it shows. */
  private void requireNotLastWayIn(ServerRequest request, TenantName tenant, String key) {
    Identity who = Caller.of(request).tenant();
    if (who == null || isForced(request)) {
      return;
    }
    List<AccessKey> keys = administration.tenant(tenant).tenant().keys();
    boolean isLast = keys.size() == 1 && keys.getFirst().id().equals(key);
    if (isLast || who.keyId().equals(key)) {
      throw new HttpErrors.Refused(
          Status.CONFLICT_409,
          "key_in_use",
          (isLast ? "this is the tenant's last access key" : "the request shows this very key")
              + "; say ?force=true to revoke it all the same",
          0);
    }
  }

  private static boolean isForced(ServerRequest request) {
    String force = request.query().contains("force") ? request.query().get("force") : "false";
    if (!force.equals("true") && !force.equals("false")) {
      throw new HttpErrors.BadRequest("force", "'force' is true or false");
    }
    return force.equals("true");
  }

  private static ObjectNode json(TenantView view) {
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", view.tenant().name().value())
            .put("number", view.tenant().number())
            .put("state", state(view.tenant().state()))
            .put("hibernation", view.phase().text())
            .put("createdAt", view.tenant().createdAt().toString());
    body.set("keys", keys(view.tenant().keys()));
    ArrayNode maps = body.putArray("maps");
    view.maps().forEach(maps::add);
    return body.put("sessions", view.sessions()).put("operations", view.operations());
  }

  private static ArrayNode keys(List<AccessKey> keys) {
    ArrayNode list = JSON.createArrayNode();
    for (AccessKey key : keys) {
      list.addObject()
          .put("id", key.id())
          .put("label", key.label())
          .put("createdAt", key.createdAt().toString());
    }
    return list;
  }

  private static String state(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static TenantName tenant(ServerRequest request) {
    return Caller.ownTenant(request);
  }

  /** The body, an empty object if there is none. */
  static JsonNode body(ServerRequest request) {
    try (BodyRoom.Part part = BODIES.part(0)) {
      return json(RequestBody.read(request, MOST_BODY_BYTES, part));
    }
  }

  /** The object that a body is, an empty one if it has nothing. */
  static JsonNode json(byte[] bytes) {
    try {
      JsonNode body = JSON.readTree(bytes);
      if (body == null || body.isMissingNode()) {
        return JSON.createObjectNode();
      }
      if (!body.isObject()) {
        throw new HttpErrors.BadRequest("body", "the body must be a JSON object");
      }
      return body;
    } catch (JsonProcessingException e) {
      throw new HttpErrors.BadRequest("body", "the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new HttpErrors.BadRequest("body", "the body is not JSON in UTF-8");
    }
  }

  private static void ok(ServerResponse response, ObjectNode body) {
    HttpDoor.json(response, Status.OK_200, body);
  }
}

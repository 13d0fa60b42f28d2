package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.ChannelGrants;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The routes of grants: for operators, and for tenants with one of their own access keys. */
final class GrantRoutes {
  private static final String TENANT = "/api/v1/tenants/{tenant}";
  private static final String GRANTS = TENANT + "/maps/{map}/grants";
  private static final String CHANNEL_GRANTS = TENANT + "/channels/grants";
  private static final String TO = "to";
  private static final String RIGHTS = "rights";
  private static final String PREFIX = "prefix";
  private static final String KEY = "key";
  private static final String EXPIRES_AT = "expiresAt";
  private static final Set<String> FIELDS = Set.of(TO, RIGHTS, PREFIX, KEY, EXPIRES_AT);
  private static final Set<String> CHANNEL_FIELDS = Set.of(TO, RIGHTS, PREFIX, EXPIRES_AT);

  private final Administration administration;
  private final GrantsOfTenants ofTenants;

  /**
   * @param audit is told what is refused to tenants
   */
  GrantRoutes(Administration administration, AccessAudit audit) {
    this.administration = administration;
    this.ofTenants = new GrantsOfTenants(audit, System::nanoTime);
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, TENANT + "/grants", TENANT_ITSELF, "listTenantGrants", this::ofTenant),
        new Route(GET, GRANTS, TENANT_ITSELF, "listMapGrants", this::list),
        new Route(POST, GRANTS, TENANT_ITSELF, "createGrant", this::create),
        new Route(DELETE, GRANTS + "/{grant}", TENANT_ITSELF, "revokeGrant", this::revoke),
        new Route(GET, CHANNEL_GRANTS, TENANT_ITSELF, "listChannelGrants", this::listOfChannels),
        new Route(
            POST, CHANNEL_GRANTS, TENANT_ITSELF, "createChannelGrant", this::createOnChannels),
        new Route(
            DELETE,
            CHANNEL_GRANTS + "/{grant}",
            TENANT_ITSELF,
            "revokeChannelGrant",
            this::revokeOnChannels));
  }

  private void ofTenant(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    ObjectNode body = HttpDoor.object();
    ArrayNode given = body.putArray("given");
    add(given, administration.grantsBy(tenant), true);
    add(given, administration.channelGrantsBy(tenant), true);
    ArrayNode received = body.putArray("received");
    add(received, administration.grantsTo(tenant), false);
    add(received, administration.channelGrantsTo(tenant), false);
    HttpDoor.json(response, Status.OK_200, body);
  }

  /**
   * Adds grants to a list. Those that a tenant has received do not say who gave them, and from
   * where.
   */
  private static void add(ArrayNode list, List<MapGrants> all, boolean withGiver) {
    for (MapGrants grants : all) {
      for (Grant grant : grants.grants()) {
        ObjectNode body = json(grants.map(), grant);
        list.add(withGiver ? body : body.without("by"));
      }
    }
  }

  private void list(ServerRequest request, ServerResponse response) {
    QualifiedName map = Caller.ownMap(request);
    ObjectNode body = HttpDoor.object();
    ArrayNode grants = body.putArray("grants");
    administration.grants(map).forEach(grant -> grants.add(json(map, grant)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void create(ServerRequest request, ServerResponse response) {
    QualifiedName map = Caller.ownMap(request);
    JsonNode body = body(request, FIELDS);
    TenantName to = new TenantName(text(body, TO, "the tenant that is to have the rights"));
    Scope scope = scope(body);
    Rights rights = Rights.parse(rights(body, "read, write, lock, admin or several of them"));
    Instant expiresAt = expiresAt(body);
    Supplier<Grant> giving =
        () -> administration.grant(map, to, scope, rights, expiresAt, Caller.actor(request));
    give(request, response, map, to, giving);
  }

  private void give(
      ServerRequest request,
      ServerResponse response,
      QualifiedName on,
      TenantName to,
      Supplier<Grant> giving) {
    Identity tenant = Caller.of(request).tenant();
    Grant grant = tenant == null ? giving.get() : ofTenants.give(tenant, on, to, giving);
    HttpDoor.json(response, Status.CREATED_201, json(on, grant));
  }

  private static JsonNode body(ServerRequest request, Set<String> fields) {
    JsonNode body = AdminRoutes.body(request);
    for (String field : (Iterable<String>) body::fieldNames) {
      if (!fields.contains(field)) {
        throw new HttpErrors.BadRequest(
            field,
            "a grant has no field '"
                + field
                + "'; there are: "
                + String.join(", ", new TreeSet<>(fields)));
      }
    }
    return body;
  }

  // ---- channels

  private void listOfChannels(ServerRequest request, ServerResponse response) {
    TenantName owner = Caller.ownTenant(request);
    ObjectNode body = HttpDoor.object();
    ArrayNode grants = body.putArray("grants");
    administration
        .channelGrants(owner)
        .forEach(grant -> grants.add(json(ChannelGrants.of(owner), grant)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void createOnChannels(ServerRequest request, ServerResponse response) {
    TenantName owner = Caller.ownTenant(request);
    JsonNode body = body(request, CHANNEL_FIELDS);
    TenantName to = new TenantName(text(body, TO, "the tenant that is to have the rights"));
    String prefix = text(body, PREFIX, "the text that the channels begin with");
    Rights rights = Rights.parseOfChannels(rights(body, "subscribe, publish or both"));
    Instant expiresAt = expiresAt(body);
    give(
        request,
        response,
        ChannelGrants.of(owner),
        to,
        () ->
            administration.grantChannels(
                owner, to, prefix, rights, expiresAt, Caller.actor(request)));
  }

  private void revokeOnChannels(ServerRequest request, ServerResponse response) {
    TenantName owner = Caller.ownTenant(request);
    String id = request.path().pathParameters().get("grant");
    Grant grant = administration.revokeChannelGrant(owner, id, Caller.actor(request));
    HttpDoor.json(
        response, Status.OK_200, json(ChannelGrants.of(owner), grant).put("state", "revoked"));
  }

  private void revoke(ServerRequest request, ServerResponse response) {
    QualifiedName map = Caller.ownMap(request);
    String id = request.path().pathParameters().get("grant");
    Grant grant = administration.revokeGrant(map, id, Caller.actor(request));
    HttpDoor.json(response, Status.OK_200, json(map, grant).put("state", "revoked"));
  }

  private static Scope scope(JsonNode body) {
    if (body.has(PREFIX) && body.has(KEY)) {
      throw new HttpErrors.BadRequest(KEY, "a grant is on a prefix or on a key: name one of them");
    }
    if (body.has(PREFIX)) {
      return Scope.prefix(text(body, PREFIX, "a text"));
    }
    return body.has(KEY) ? Scope.key(text(body, KEY, "a text")) : Scope.MAP;
  }

  private static String rights(JsonNode body, String known) {
    JsonNode rights = body.get(RIGHTS);
    if (rights == null || !rights.isArray()) {
      return text(body, RIGHTS, known);
    }
    StringJoiner joined = new StringJoiner(",");
    rights.forEach(right -> joined.add(right.asText()));
    return joined.toString();
  }

  private static @Nullable Instant expiresAt(JsonNode body) {
    if (!body.hasNonNull(EXPIRES_AT)) {
      return null;
    }
    try {
      return Instant.parse(body.path(EXPIRES_AT).asText());
    } catch (DateTimeException e) {
      throw new HttpErrors.BadRequest(
          EXPIRES_AT, "'expiresAt' is a time such as 2030-01-31T12:00:00Z");
    }
  }

  private static String text(JsonNode body, String field, String what) {
    JsonNode value = body.get(field);
    if (value == null || !value.isTextual()) {
      throw new HttpErrors.BadRequest(field, "the body needs a text '" + field + "': " + what);
    }
    return value.asText();
  }

  private static ObjectNode json(QualifiedName map, Grant grant) {
    boolean isOnChannels = grant.scope().kind() == Scope.Kind.CHANNELS;
    ObjectNode body =
        HttpDoor.object()
            .put("id", grant.id())
            .put(
                isOnChannels ? "channels" : "map",
                isOnChannels ? map.tenant().value() : map.toString())
            .put(TO, grant.grantee().value());
    ArrayNode rights = body.putArray(RIGHTS);
    for (String right : grant.rights().text().split(",", -1)) {
      rights.add(right);
    }
    switch (grant.scope().kind()) {
      case MAP -> {}
      case PREFIX, CHANNELS -> body.put(PREFIX, grant.scope().text());
      case KEY -> body.put(KEY, grant.scope().text());
    }
    body.put("createdAt", grant.createdAt().toString()).put("by", grant.grantedBy());
    Instant expiresAt = grant.expiresAt();
    return expiresAt == null ? body : body.put(EXPIRES_AT, expiresAt.toString());
  }
}

package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ALONE;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.settings.Consent;
import io.keyvalueserve.grid.settings.Keeping;
import io.keyvalueserve.grid.settings.Keeping.Source;
import io.keyvalueserve.grid.settings.Pending;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Persisting;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes of how tenants' maps are kept: operators set words, and tenants consent. */
final class PersistenceRoutes {
  static final String PERSISTENCE = "persistence";
  static final String VALUES =
      Arrays.stream(Persistence.values()).map(Persistence::text).collect(Collectors.joining(", "));

  private static final String TENANT = "/api/v1/tenants/{tenant}";
  private static final String OF_TENANT = TENANT + "/persistence";
  private static final String OF_ALL = TENANT + "/consent";
  private static final String OF_MAP = TENANT + "/maps/{map}/consent";

  private final Administration administration;

  PersistenceRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, OF_TENANT, TENANT_ITSELF, "showPersistence", this::show),
        new Route(PUT, OF_TENANT, OPERATOR, "setPersistence", this::set),
        new Route(
            PUT, OF_ALL, TENANT_ALONE, "consentToAll", (from, to) -> consentToAll(from, to, true)),
        new Route(
            DELETE,
            OF_ALL,
            TENANT_ALONE,
            "withdrawAllConsent",
            (from, to) -> consentToAll(from, to, false)),
        new Route(PUT, OF_MAP, TENANT_ALONE, "consentToMap", (from, to) -> consent(from, to, true)),
        new Route(
            DELETE,
            OF_MAP,
            TENANT_ALONE,
            "withdrawConsentToMap",
            (from, to) -> consent(from, to, false)));
  }

  private void show(ServerRequest request, ServerResponse response) {
    send(response, administration.persisting().of(Caller.ownTenant(request)));
  }

  private void set(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    JsonNode body = AdminRoutes.body(request);
    Parameters.requireKnown(body, Set.of(PERSISTENCE));
    Persistence word = word(body);
    administration.persisting().keepAll(tenant, word, MapRoutes.PATIENCE, Caller.actor(request));
    send(response, administration.persisting().of(tenant));
  }

  private void consentToAll(ServerRequest request, ServerResponse response, boolean given) {
    Identity by = tenantItself(request);
    administration.persisting().consentToAll(given, MapRoutes.PATIENCE, by);
    send(response, administration.persisting().of(by.tenant()));
  }

  private void consent(ServerRequest request, ServerResponse response, boolean given) {
    QualifiedName map = Caller.ownMap(request);
    administration.persisting().consent(map, given, MapRoutes.PATIENCE, tenantItself(request));
    MapRoutes.send(response, administration.map(map));
  }

  private static Identity tenantItself(ServerRequest request) {
    TenantName _ = Caller.ownTenant(request);
    Identity tenant = Caller.of(request).tenant();
    if (tenant == null) {
      throw new HttpException(ApiGate.CONSENT_IS_FOR_TENANTS, Status.FORBIDDEN_403);
    }
    return tenant;
  }

  /** Returns the word that a body names. */
  static Persistence word(JsonNode body) {
    JsonNode value = body.path(PERSISTENCE);
    return Persistence.ofText(value.asText())
        .filter(word -> value.isTextual())
        .orElseThrow(
            () ->
                new HttpErrors.BadRequest(
                    PERSISTENCE,
                    PERSISTENCE
                        + ": "
                        + (value.isMissingNode() ? "it is missing" : value + " is none of them")
                        + "; use "
                        + VALUES));
  }

  private static void send(ServerResponse response, Persisting.View view) {
    ObjectNode body =
        HttpDoor.object().put("tenant", view.tenant().value()).put(PERSISTENCE, view.word().text());
    body.set("consent", json(view.consent(), Source.TENANT));
    put(view.pending(), body);
    HttpDoor.json(response, view.pending().isEmpty() ? Status.OK_200 : Status.ACCEPTED_202, body);
  }

  /** Puts how a map is kept into an answer, and why. */
  static void put(Keeping keeping, ObjectNode body) {
    body.put(PERSISTENCE, keeping.word().text())
        .put("persistenceFrom", keeping.source().text())
        .put("persistenceDoes", keeping.inWords());
    body.set("consent", json(keeping.consent(), keeping.consentSource()));
  }

  /** Puts the members into an answer on which something does not hold yet. */
  static void put(List<Pending> all, ObjectNode body) {
    ArrayNode pending = body.putArray("pending");
    for (Pending each : all) {
      ObjectNode member = pending.addObject().put("member", each.member());
      if (each.hasFailed()) {
        member.put("error", each.why());
      }
    }
  }

  private static ObjectNode json(@Nullable Consent consent, Source source) {
    ObjectNode json = HttpDoor.object();
    if (consent == null) {
      return json.put("state", "none");
    }
    return json.put("state", consent.given() ? "given" : "withdrawn")
        .put("at", Instant.ofEpochMilli(consent.atMillis()).toString())
        .put("key", consent.keyId())
        .put("for", source.text());
  }
}

package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Hibernating;
import io.keyvalueserve.server.config.Durations;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of tenants that leave memory when nobody uses them. */
final class HibernationRoutes {
  private static final String TENANT = "/api/v1/tenants/{tenant}";
  private static final String HIBERNATION = TENANT + "/hibernation";
  private static final String AFTER = "after";
  private static final String NEVER = "never";
  private static final String DEFAULT = "default";

  private final Administration administration;

  HibernationRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, HIBERNATION, TENANT_ITSELF, "showHibernation", this::show),
        new Route(PUT, HIBERNATION, OPERATOR, "setHibernation", this::set),
        new Route(POST, TENANT + "/hibernate", OPERATOR, "hibernateTenant", this::hibernate),
        new Route(POST, TENANT + "/wake", OPERATOR, "wakeTenant", this::wake));
  }

  private Hibernating hibernating() {
    return administration.hibernating();
  }

  private void show(ServerRequest request, ServerResponse response) {
    boolean isOperator = Caller.of(request).tenant() == null;
    send(response, hibernating().of(Caller.ownTenant(request)), isOperator);
  }

  private void set(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    JsonNode body = AdminRoutes.body(request);
    Parameters.requireKnown(body, Set.of(AFTER));
    send(response, hibernating().setAfter(tenant, after(body), Caller.actor(request)), true);
  }

  private static @Nullable Duration after(JsonNode body) {
    JsonNode value = body.path(AFTER);
    String text = value.asText();
    if (value.isTextual() && text.equals(DEFAULT)) {
      return null;
    }
    if (value.isTextual() && text.equals(NEVER)) {
      return Duration.ZERO;
    }
    return Durations.parse(text)
        .filter(time -> value.isTextual() && !time.isZero())
        .orElseThrow(
            () ->
                new HttpErrors.BadRequest(
                    AFTER,
                    AFTER
                        + ": "
                        + (value.isMissingNode() ? "it is missing" : value + " is no time")
                        + "; use a time as 90s, 12h or 30d, or never, or default"));
  }

  private void hibernate(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    send(response, hibernating().hibernate(tenant, Caller.actor(request)), true);
  }

  private void wake(ServerRequest request, ServerResponse response) {
    send(response, hibernating().wake(Caller.ownTenant(request)), true);
  }

  /**
   * @param isWhole whether the answer is for an operator: tenants see no addresses
   */
  private static void send(ServerResponse response, Hibernating.View view, boolean isWhole) {
    Hibernation is = view.hibernation();
    Duration after = is.after();
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", view.tenant().value())
            .put("state", is.phase().text())
            .put(AFTER, Hibernating.inWords(Objects.requireNonNullElse(after, view.usual())))
            .put("afterFrom", after == null ? "member" : "tenant");
    if (is.sinceMillis() != 0) {
      body.put("since", Instant.ofEpochMilli(is.sinceMillis()).toString());
    }
    Image image = is.image();
    if (image != null && is.isHeld()) {
      body.put("entries", image.entries()).put("storedBytes", image.bytes());
      if (isWhole) {
        body.put("repository", image.repository()).put("snapshot", image.snapshot());
      }
    }
    String stays = view.troubles().stays();
    if (isWhole && stays != null && !is.isHeld()) {
      body.put("stays", stays);
    }
    String error = view.troubles().error();
    if (isWhole && error != null && is.isHeld()) {
      body.put("error", error);
    }
    HttpDoor.json(response, Status.OK_200, body);
  }
}

package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.EVERY_TENANT;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.AuditAnswers;
import io.keyvalueserve.server.AuditTrails.Trail;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.AuditEvent;
import io.keyvalueserve.tenancy.audit.AuditKind;
import io.keyvalueserve.tenancy.audit.AuditQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The routes of the audit trails; for operators, and to tenants what concerns them. */
final class AuditRoutes {
  private static final int MOST_EVENTS = 1_000;
  private static final int USUAL_EVENTS = 100;
  private static final Set<String> PARAMETERS =
      Set.of("trail", "tenant", "kind", "actor", "object", "from", "to", "limit");

  private final Administration administration;

  AuditRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/api/v1/audit", EVERY_TENANT, "listAuditEvents", this::list),
        new Route(GET, "/api/v1/audit/export", OPERATOR, "exportAuditEvents", this::export));
  }

  private void list(ServerRequest request, ServerResponse response) {
    Identity asking = Caller.of(request).tenant();
    AuditQuery query = query(request.query());
    AuditAnswers answers =
        administration.audit(
            trail(request.query()),
            asking == null ? query : query.of(ownOnly(request.query(), asking.tenant())));
    ObjectNode body = HttpDoor.object();
    ArrayNode events = body.putArray("events");
    answers
        .events()
        .forEach(
            event ->
                events.add(
                    asking == null ? json(event) : withoutPlaces(json(event), event, asking)));
    ArrayNode silent = body.putArray("silent");
    answers.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
  }

  /** The tenant itself, which may also be named. */
  private static TenantName ownOnly(UriQuery query, TenantName asking) {
    String named = Parameters.text(query, "tenant");
    if (named != null && !named.equals(asking.value())) {
      throw new HttpErrors.Refused(
          Status.FORBIDDEN_403,
          "forbidden",
          "an access key shows the events of its own tenant: leave 'tenant' out",
          0);
    }
    String actor =
        Parameters.text(query, "actor"); // what is not shown is not to be found out by asking
    if (actor != null
        && !actor.equals("operator")
        && !actor.equals("tenant:" + asking)
        && !actor.startsWith("tenant:" + asking + "/")) {
      throw new HttpErrors.Refused(
          Status.FORBIDDEN_403,
          "forbidden",
          "an access key may ask for the actors operator, tenant:" + asking + " and its keys",
          0);
    }
    return asking;
  }

  /** A tenant learns neither where operators come from nor the keys of other tenants. */
  private static ObjectNode withoutPlaces(ObjectNode json, AuditEvent event, Identity asking) {
    return switch (event.actor()) {
      case Actor.Operator _ -> json.put("actor", "operator");
      case Actor.TenantKey other when !other.tenant().equals(asking.tenant()) ->
          json.put("actor", "tenant:" + other.tenant());
      default -> json;
    };
  }

  private void export(ServerRequest request, ServerResponse response) {
    Trail trail = trail(request.query());
    AuditQuery query = query(request.query());
    response.header(HeaderNames.CONTENT_TYPE, "application/x-ndjson");
    try (OutputStream out = response.outputStream()) {
      administration.exportAudit(trail, query, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Trail trail(UriQuery query) {
    Parameters.requireKnown(query, PARAMETERS);
    String name = Parameters.text(query, "trail");
    if (name == null) {
      return Trail.CHANGES;
    }
    for (Trail trail : Trail.values()) {
      if (trail.name().toLowerCase(Locale.ROOT).equals(name)) {
        return trail;
      }
    }
    throw new HttpErrors.BadRequest(
        "trail", "there is no trail '" + name + "'; there are: changes, access");
  }

  private static AuditQuery query(UriQuery query) {
    AuditQuery asked =
        AuditQuery.all()
            .between(Parameters.time(query, "from"), Parameters.time(query, "to"))
            .of(kinds(query))
            .paged(AuditQuery.Order.NEWEST_FIRST, limit(query));
    String tenant = Parameters.text(query, "tenant");
    String actor = Parameters.text(query, "actor");
    String object = Parameters.text(query, "object");
    asked = tenant == null ? asked : asked.of(new TenantName(tenant));
    asked = actor == null ? asked : asked.by(actor);
    return object == null ? asked : asked.on(object);
  }

  private static Set<AuditKind> kinds(UriQuery query) {
    Set<AuditKind> kinds = EnumSet.noneOf(AuditKind.class);
    String labels = Parameters.text(query, "kind");
    if (labels != null) {
      for (String label : labels.split(",", -1)) {
        kinds.add(AuditKind.ofLabel(label).orElseThrow(() -> noKind(label)));
      }
    }
    return kinds;
  }

  private static HttpErrors.BadRequest noKind(String label) {
    String labels =
        Arrays.stream(AuditKind.values()).map(AuditKind::label).collect(Collectors.joining(", "));
    return new HttpErrors.BadRequest(
        "kind", "there is no kind of event '" + label + "'; there are: " + labels);
  }

  private static int limit(UriQuery query) {
    String text = Parameters.text(query, "limit");
    if (text == null) {
      return USUAL_EVENTS;
    }
    int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MOST_EVENTS) {
      throw new HttpErrors.BadRequest("limit", "'limit' is a number from 1 to " + MOST_EVENTS);
    }
    return limit;
  }

  private static ObjectNode json(AuditEvent event) {
    ObjectNode body =
        HttpDoor.object()
            .put("time", event.time().toString())
            .put("kind", event.kind().label())
            .put("actor", event.actor().text());
    TenantName tenant = event.tenant();
    if (tenant != null) {
      body.put("tenant", tenant.value());
    }
    return body.put("object", event.object())
        .put("detail", event.detail())
        .put("count", event.count())
        .put("member", event.member().toString())
        .put("sequence", event.sequence());
  }
}

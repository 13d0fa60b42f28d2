package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.PATCH;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.EVERY_TENANT;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Administration.QuotaView;
import io.keyvalueserve.server.Ranking;
import io.keyvalueserve.server.TenantUsage;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes of quotas: operators change them, tenants see their own. */
final class QuotaRoutes {
  private static final String QUOTA = "/api/v1/tenants/{tenant}/quota";

  private static final String BEHIND = "behindMillisPerSecond";

  private final Administration administration;

  QuotaRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/api/v1/quotas", OPERATOR, "listQuotas", this::list),
        new Route(GET, "/api/v1/top", EVERY_TENANT, "showTop", this::top),
        new Route(GET, QUOTA, TENANT_ITSELF, "showQuota", this::show),
        new Route(PUT, QUOTA, OPERATOR, "replaceQuota", this::replace),
        new Route(PATCH, QUOTA, OPERATOR, "changeQuota", this::change));
  }

  private void list(ServerRequest request, ServerResponse response) {
    ObjectNode body = HttpDoor.object();
    ArrayNode quotas = body.putArray("quotas");
    ListQuery query = ListQuery.of(request.query());
    List<QuotaView> found = administration.quotas(query.prefix(), query.cursor(), query.asked());
    query
        .page(found, QuotaView::tenant, administration.tenantCount(), body)
        .forEach(view -> quotas.add(json(view)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  /**
   * Answers with the tenants that use most, the largest first, and the tenants they waited for, and
   * with reports of the members. A tenant gets only its own part.
   */
  private void top(ServerRequest request, ServerResponse response) {
    Identity asking = Caller.of(request).tenant();
    Parameters.requireKnown(request.query(), Set.of("sort", "limit"));
    int limit = ListQuery.limit(request.query(), ListQuery.MOST);
    Ranking ranking = ranking(request);
    ObjectNode body = HttpDoor.object();
    ArrayNode tenants = body.putArray("tenants");
    Administration.Top top =
        asking == null ? administration.top(ranking, limit) : ofItself(asking.tenant());
    top.tenants()
        .forEach(
            (tenant, usage) ->
                tenants.add(
                    asking == null ? busy(tenant, usage) : withoutNames(busy(tenant, usage))));
    ArrayNode silent = body.putArray("silent");
    top.silent().forEach(silent::add);
    if (asking == null) {
      body.put("total", administration.tenantCount());
      ArrayNode members = body.putArray("members");
      administration.memberReports().forEach(report -> members.add(LatencyJson.json(report)));
    }
    HttpDoor.json(response, Status.OK_200, body);
  }

  private Administration.Top ofItself(TenantName tenant) {
    QuotaView own = administration.quota(tenant);
    return new Administration.Top(Map.of(tenant, own.usage()), own.silent());
  }

  private static Ranking ranking(ServerRequest request) {
    String sort = Parameters.text(request.query(), "sort");
    return sort == null
        ? Ranking.OPERATIONS
        : Ranking.of(sort)
            .orElseThrow(
                () ->
                    new HttpErrors.BadRequest(
                        "sort",
                        "'sort' is one of "
                            + Arrays.stream(Ranking.values())
                                .map(Ranking::text)
                                .collect(Collectors.joining(", "))));
  }

  private static ObjectNode busy(TenantName tenant, TenantUsage usage) {
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put(Limit.OPERATIONS.text(), Math.round(usage.operationsPerSecond()))
            .put(Limit.BYTES_IN.text(), Math.round(usage.bytesInPerSecond()))
            .put(Limit.BYTES_OUT.text(), Math.round(usage.bytesOutPerSecond()))
            .put("throttled", usage.throttled())
            .put(Limit.MEMORY.text(), usage.memoryBytes())
            .put(Limit.CONNECTIONS.text(), usage.connections())
            .put("waitedMillisPerSecond", usage.waited() * 1e3)
            .put("longestWaitMillis", usage.longestWaitNanos() / 1e6);
    LatencyJson.putDoors(body, usage);
    ObjectNode behind = body.putObject(BEHIND);
    usage.behind().entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(each -> behind.put(each.getKey(), each.getValue() * 1e3));
    return body;
  }

  /** A tenant learns that it waits for others, and not for whom. */
  private static ObjectNode withoutNames(ObjectNode busy) {
    double sum = 0;
    for (JsonNode each : busy.path(BEHIND)) {
      sum += each.asDouble();
    }
    ObjectNode behind = busy.putObject(BEHIND);
    if (sum > 0) {
      behind.put("(others)", sum);
    }
    return busy;
  }

  private void show(ServerRequest request, ServerResponse response) {
    HttpDoor.json(response, Status.OK_200, json(administration.quota(Caller.ownTenant(request))));
  }

  private void replace(ServerRequest request, ServerResponse response) {
    Map<Limit, Long> limits = new EnumMap<>(Limit.class);
    wanted(request)
        .forEach(
            (limit, value) -> {
              if (value != null) {
                limits.put(limit, value);
              }
            });
    Quota quota = new Quota(limits);
    QuotaView view =
        administration.changeQuota(
            Caller.ownTenant(request), before -> quota, Caller.actor(request));
    HttpDoor.json(response, Status.OK_200, json(view));
  }

  private void change(ServerRequest request, ServerResponse response) {
    Map<Limit, @Nullable Long> wanted = wanted(request);
    QuotaView view =
        administration.changeQuota(
            Caller.ownTenant(request), before -> changed(before, wanted), Caller.actor(request));
    HttpDoor.json(response, Status.OK_200, json(view));
  }

  private static Quota changed(Quota before, Map<Limit, @Nullable Long> wanted) {
    Quota quota = before;
    for (Map.Entry<Limit, @Nullable Long> each : wanted.entrySet()) {
      quota = quota.with(each.getKey(), each.getValue());
    }
    return quota;
  }

  private static Map<Limit, @Nullable Long> wanted(ServerRequest request) {
    JsonNode body = AdminRoutes.body(request);
    Map<Limit, @Nullable Long> wanted = new EnumMap<>(Limit.class);
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      wanted.put(limit(field.getKey()), value(field.getKey(), field.getValue()));
    }
    return wanted;
  }

  private static Limit limit(String name) {
    return Arrays.stream(Limit.values())
        .filter(limit -> limit.text().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new HttpErrors.BadRequest(
                    name,
                    "a quota has no limit '"
                        + name
                        + "'; there are: "
                        + Arrays.stream(Limit.values())
                            .map(Limit::text)
                            .collect(Collectors.joining(", "))));
  }

  private static @Nullable Long value(String name, JsonNode value) {
    if (value.isNull()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new HttpErrors.BadRequest(
          name, "'" + name + "' is a whole number, or null for no limit");
    }
    return value.asLong();
  }

  /** The limits that a quota has. */
  static ObjectNode limits(Quota quota) {
    ObjectNode limits = HttpDoor.object();
    for (Limit limit : Limit.values()) {
      long value = quota.of(limit);
      if (value != Quota.UNLIMITED) {
        limits.put(limit.text(), value);
      }
    }
    return limits;
  }

  private static ObjectNode json(QuotaView view) {
    ObjectNode body = HttpDoor.object().put("tenant", view.tenant().value());
    body.set("limits", limits(view.quota()));
    TenantUsage usage = view.usage();
    body.putObject("usage")
        .put(Limit.OPERATIONS.text(), Math.round(usage.operationsPerSecond()))
        .put(Limit.BYTES_IN.text(), Math.round(usage.bytesInPerSecond()))
        .put(Limit.BYTES_OUT.text(), Math.round(usage.bytesOutPerSecond()))
        .put(Limit.MEMORY.text(), usage.memoryBytes())
        .put(Limit.ENTRIES.text(), usage.entries())
        .put(Limit.CONNECTIONS.text(), usage.connections())
        .put(Limit.MAPS.text(), view.maps())
        .put(Limit.LOCKS.text(), usage.locks())
        .put("throttled", usage.throttled());
    ArrayNode silent = body.putArray("silent");
    view.silent().forEach(silent::add);
    return body;
  }
}

package io.keyvalueserve.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.server.ClusterView;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/** The routes of a witness: health, metrics and the members. All else is for members with data. */
final class WitnessRoutes {
  static final String NO_DATA = "witness";

  private static final Status MISDIRECTED = Status.create(421, "Misdirected Request");

  private final ClusterView cluster;
  private final ApiGate gate;
  private final PrometheusMeterRegistry registry;

  /**
   * @param gate lets operators pass
   */
  WitnessRoutes(ClusterView cluster, ApiGate gate) {
    this.cluster = cluster;
    this.gate = gate;
    this.registry = MetricsText.registryOf(cluster);
  }

  void addTo(HttpRouting.Builder routing) {
    routing
        .get("/", this::index)
        .get("/health/live", (request, response) -> HttpDoor.health(response, true, "live"))
        .get(
            "/health/ready",
            (request, response) -> HttpDoor.ready(response, true, cluster.quorum(), List.of()))
        .any("/metrics", gate)
        .get(
            "/metrics",
            (request, response) ->
                response
                    .header(HeaderNames.CONTENT_TYPE, MetricsText.CONTENT_TYPE)
                    .send(registry.scrape(MetricsText.CONTENT_TYPE)))
        .any("/api/v1/cluster", gate)
        .get(
            "/api/v1/cluster",
            (request, response) -> HttpDoor.json(response, Status.OK_200, ClusterJson.of(cluster)))
        .any("/api/v1/version", gate)
        .get("/api/v1/version", AdminRoutes::version)
        .any(WitnessRoutes::refuse);
  }

  private void index(ServerRequest request, ServerResponse response) {
    HttpDoor.json(
        response,
        Status.OK_200,
        HttpDoor.object()
            .put("service", "KeyValueServe")
            .put("role", Role.WITNESS.text())
            .put("cluster", "/api/v1/cluster")
            .put("health", "/health/ready")
            .put("metrics", "/metrics")
            .put("keyNeeded", !gate.isOpen(request)));
  }

  private static void refuse(ServerRequest request, ServerResponse response) {
    Errors.send(
        request,
        response,
        MISDIRECTED,
        NO_DATA,
        "this member is a witness: it has no data and serves no tenants; ask a member with data");
  }
}

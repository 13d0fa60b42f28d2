package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.OPEN;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.SCRAPER;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
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
  private final boolean dev;
  private final PrometheusMeterRegistry registry;

  /**
   * @param dev whether requests from this machine need no operator key
   */
  WitnessRoutes(ClusterView cluster, boolean dev) {
    this.cluster = cluster;
    this.dev = dev;
    this.registry = MetricsText.registryOf(cluster);
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/", OPEN, "showIndex", this::index),
        new Route(
            GET,
            "/health/live",
            OPEN,
            "showLiveness",
            (request, response) -> HttpDoor.health(response, true, "live")),
        new Route(
            GET,
            "/health/ready",
            OPEN,
            "showReadiness",
            (request, response) -> HttpDoor.ready(response, true, cluster.quorum(), List.of())),
        new Route(GET, "/metrics", SCRAPER, "showMetrics", this::metrics),
        new Route(GET, "/api/v1/cluster", OPERATOR, "showCluster", this::cluster),
        new Route(GET, "/api/v1/version", OPERATOR, "showVersion", AdminRoutes::version));
  }

  private void metrics(ServerRequest request, ServerResponse response) {
    response
        .header(HeaderNames.CONTENT_TYPE, MetricsText.CONTENT_TYPE)
        .send(registry.scrape(MetricsText.CONTENT_TYPE));
  }

  private void cluster(ServerRequest request, ServerResponse response) {
    HttpDoor.json(response, Status.OK_200, ClusterJson.of(cluster));
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
            .put("keyNeeded", !ApiGate.isOpen(dev, request)));
  }

  static void refuse(ServerRequest request, ServerResponse response) {
    HttpErrors.send(
        request,
        response,
        MISDIRECTED,
        NO_DATA,
        "this member is a witness: it has no data and serves no tenants; ask a member with data");
  }
}

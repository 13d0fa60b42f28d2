package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.OPEN;
import static io.keyvalueserve.server.http.Access.SCRAPER;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.grid.quorum.QuorumState;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.ClusterView;
import io.keyvalueserve.server.RunningQueries;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP door: the API, the console, health, metrics and the API's own description. Each request
 * runs on a virtual thread of its own, so it may block.
 */
public final class HttpDoor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpDoor.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Duration SWEEP = Duration.ofSeconds(1);
  private static final Duration LISTENER_CHECK = Duration.ofSeconds(5);

  private static final String TENANT = "tenant";

  /** The most tenants that a request for metrics can name. */
  private static final int MOST_SCRAPED = 100;

  private final HttpListener listener;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-http-door").daemon().factory());

  private HttpDoor(HttpListener listener, HttpConnections connections) {
    this.listener = listener;
    every(SWEEP, connections::closeOverdue);
    every(LISTENER_CHECK, listener::check);
  }

  private void every(Duration interval, Runnable task) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            LOG.warn("the HTTP door could not look after its connections; it tries again", e);
          }
        };
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            guarded, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The configuration of the door.
   *
   * @param dev whether requests from this machine need no operator key
   * @param origins whose pages may send changes, in addition to the server's own
   * @param connections most open connections that have shown a key
   */
  public record Config(String bind, int port, boolean dev, List<String> origins, int connections) {
    public Config {
      origins = List.copyOf(origins);
    }
  }

  /**
   * Opens the door.
   *
   * @param callers knows operators and tenants by their keys
   * @param entries what entries are served with
   * @param sql carries statements out
   * @param queries statements that run on all members
   * @param ready whether the server serves its tenants
   */
  public static HttpDoor open(
      Config config,
      Administration administration,
      Callers callers,
      EntryServices entries,
      SqlService sql,
      RunningQueries queries,
      BooleanSupplier ready) {
    PeerBudget peers = entries.policy().peers();
    ConsoleFiles console = new ConsoleFiles();
    MetricsText metrics = new MetricsText(administration, entries.policy());
    EntryRoutes entryRoutes = new EntryRoutes(entries);
    List<Route> routes =
        routes(
            ownRoutes(config.dev(), console, administration, metrics, ready),
            new AdminRoutes(administration, callers.audit()),
            entryRoutes,
            new SqlRoutes(entries, entryRoutes.room(), sql, queries));
    Permissions permissions = new Permissions(routes);
    ApiGate gate = gateOf(config, callers, peers, permissions);
    HttpRouting.Builder routing = HttpRouting.builder().addFilter(HttpDoor::pace);
    console.addTo(routing);
    routing.any("/metrics", gate).any("/api/*", gate);
    routes.forEach(route -> route.addTo(routing));
    routing.any((request, response) -> notFound(permissions, request, response));
    return open(
        config,
        routing,
        peers,
        entryRoutes.room(),
        Math.max(AdminRoutes.MOST_BODY_BYTES, entries.mostValueBytes()),
        EntryRoutes.MOST_VALUE);
  }

  /** Returns all routes of the door, and the one of their description. */
  static List<Route> routes(
      List<Route> own, AdminRoutes admin, EntryRoutes entries, SqlRoutes sql) {
    List<Route> all = new ArrayList<>(own);
    all.addAll(admin.routes());
    all.addAll(entries.routes());
    all.addAll(sql.routes());
    all.add(new OpenApiRoute(all).route());
    return all;
  }

  /** Returns the routes of the index, of health and of metrics. */
  static List<Route> ownRoutes(
      boolean dev,
      ConsoleFiles console,
      Administration administration,
      MetricsText metrics,
      BooleanSupplier ready) {
    return List.of(
        new Route(
            GET,
            "/",
            OPEN,
            "showIndex",
            (request, response) -> root(console, dev, request, response)),
        new Route(
            GET,
            "/health/live",
            OPEN,
            "showLiveness",
            (request, response) -> health(response, true, "live")),
        new Route(
            GET,
            "/health/ready",
            OPEN,
            "showReadiness",
            (request, response) ->
                ready(
                    response,
                    ready.getAsBoolean(),
                    administration.quorum(),
                    troubles(administration))),
        new Route(
            GET,
            "/metrics",
            SCRAPER,
            "showMetrics",
            (request, response) ->
                response
                    .header(HeaderNames.CONTENT_TYPE, MetricsText.CONTENT_TYPE)
                    .send(scrape(metrics, administration, request))));
  }

  /**
   * Opens the door of a witness: it has what tells of the cluster, and an error for all else.
   *
   * @param callers knows operators by their keys
   * @param peers bounds connections that have shown no key
   */
  public static HttpDoor openOfWitness(
      Config config, ClusterView cluster, Callers callers, PeerBudget peers) {
    List<Route> routes = new WitnessRoutes(cluster, config.dev()).routes();
    ApiGate gate = gateOf(config, callers, peers, new Permissions(routes));
    HttpRouting.Builder routing = HttpRouting.builder().addFilter(HttpDoor::pace);
    for (Route route : routes) {
      if (route.access() != OPEN) {
        routing.any(route.path(), gate);
      }
      route.addTo(routing);
    }
    routing.any(WitnessRoutes::refuse);
    return open(
        config,
        routing,
        peers,
        new BodyRoom(2L * AdminRoutes.MOST_BODY_BYTES, MemberHeap.unbounded()),
        AdminRoutes.MOST_BODY_BYTES,
        "");
  }

  private static ApiGate gateOf(
      Config config, Callers callers, PeerBudget peers, Permissions permissions) {
    return new ApiGate(
        config.dev(), new OriginCheck(config.origins()), callers, peers.failedKeys(), permissions);
  }

  private static HttpDoor open(
      Config config,
      HttpRouting.Builder routing,
      PeerBudget peers,
      BodyRoom room,
      long mostBytes,
      String setting) {
    HttpErrors.addTo(routing);
    HttpConnections connections =
        new HttpConnections(HttpLimits.of(config.connections()), peers, room, System::nanoTime);
    return new HttpDoor(
        new HttpListener(
            config.bind(),
            config.port(),
            port ->
                serve(connections, routing)
                    .host(config.bind())
                    .port(port)
                    .maxPayloadSize(mostBytes)
                    .directHandlers(Malformed.handlers(RequestBody.tooLongText(mostBytes, setting)))
                    .build()
                    .start()),
        connections);
  }

  /** Returns a web server in which all connections are these. */
  static WebServerConfig.Builder serve(HttpConnections connections, HttpRouting.Builder routing) {
    return WebServer.builder()
        .protocolsDiscoverServices(false)
        .addConnectionSelector(connections)
        .connectionOptions(connections.acceptOptions())
        .directHandlers(Malformed.handlers("the body is longer than this server takes"))
        .shutdownHook(false)
        .addRouting(routing);
  }

  /** The port that was bound. */
  public int port() {
    return listener.port();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    listener.close();
  }

  /** Counts requests without a key; those with one are counted where the key is looked up. */
  static void pace(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    if (!request.headers().contains(HeaderNames.AUTHORIZATION)
        && HttpConnection.passedWithoutKey()) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    chain.proceed();
  }

  /** Answers with JSON. */
  static void json(ServerResponse response, Status status, ObjectNode body) {
    response
        .status(status)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .send(body.toString());
  }

  /** Answers with what is JSON already. */
  static void json(ServerResponse response, Status status, byte[] body) {
    response
        .status(status)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .send(body);
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static void health(ServerResponse response, boolean good, String what) {
    json(
        response,
        good ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503,
        object().put("status", good ? "UP" : "DOWN").put("check", what));
  }

  /**
   * Answers whether a member serves. One that refuses some requests is ready, as it serves the
   * others.
   *
   * @param troubles what it refuses and why, each in words; empty if nothing
   */
  static void ready(
      ServerResponse response, boolean ready, QuorumState state, List<String> troubles) {
    if (ready && !state.serves()) {
      json(
          response,
          Status.SERVICE_UNAVAILABLE_503,
          object()
              .put("status", "DOWN")
              .put("check", "ready")
              .put(
                  "reason",
                  "the member reaches "
                      + (state.voters().size() - state.missing().size())
                      + " of "
                      + state.voters().size()
                      + " voters of its cluster and needs "
                      + state.majority()));
      return;
    }
    if (!ready || troubles.isEmpty()) {
      health(response, ready, "ready");
      return;
    }
    json(
        response,
        Status.OK_200,
        object()
            .put("status", "UP")
            .put("check", "ready")
            .put("degraded", true)
            .put("reason", String.join(". ", troubles)));
  }

  private static List<String> troubles(Administration administration) {
    List<String> troubles = new ArrayList<>();
    int lost = administration.lostHere().size();
    if (lost > 0) {
      troubles.add(
          "partitions of this member without a copy: "
              + lost
              + "; requests for their keys are refused until the members that had them are back");
    }
    Losses losses = administration.lossesHere();
    if (!losses.isEmpty()) {
      troubles.add(
          "data that no copy had when this member started are lost: "
              + losses.count()
              + " records, and the unknown contents of "
              + losses.places()
              + " damaged places; take note of it with 'kvs member acknowledge'");
    }
    if (administration.isLogDamaged()) {
      troubles.add(
          "the restart log is damaged, or was missing at the start; what it lacks comes from memory"
              + " and the other copies, and is being written anew");
    }
    LogFigures log = administration.logFigures();
    if (log != null && log.failed()) {
      troubles.add(
          "the disk of the restart log has failed; writes are refused until the member is started"
              + " again on a disk that works");
    } else if (log != null && log.diskFull()) {
      troubles.add(
          "the disk of the restart log is full; writes are refused until there is space on it");
    }
    return troubles;
  }

  /** All metrics, or those of the tenants that are named. */
  private static String scrape(
      MetricsText metrics, Administration administration, ServerRequest request) {
    Parameters.requireKnown(request.query(), Set.of(TENANT));
    if (!request.query().contains(TENANT)) {
      return metrics.scrape();
    }
    Set<TenantName> tenants = new LinkedHashSet<>();
    for (String name : request.query().all(TENANT)) {
      tenants.add(administration.tenant(new TenantName(name)).tenant().name());
    }
    if (tenants.size() > MOST_SCRAPED) {
      throw new HttpErrors.BadRequest(
          TENANT, "'tenant' names up to " + MOST_SCRAPED + " tenants; ask again for the others");
    }
    return metrics.scrape(tenants);
  }

  private static void root(
      ConsoleFiles console, boolean dev, ServerRequest request, ServerResponse response) {
    if (ConsoleFiles.isWanted(request)) {
      console.sendPage(request, response);
    } else {
      response.header(HeaderNames.VARY, "Accept");
      json(response, Status.OK_200, index().put("keyNeeded", !ApiGate.isOpen(dev, request)));
    }
  }

  private static ObjectNode index() {
    return object()
        .put("service", "KeyValueServe")
        .put("api", "/api/v1")
        .put("openapi", "/openapi")
        .put("health", "/health/ready")
        .put("metrics", "/metrics");
  }

  private static void notFound(
      Permissions permissions, ServerRequest request, ServerResponse response) {
    if (permissions.isPath(request.path().path())) {
      HttpErrors.send(
          request,
          response,
          Status.METHOD_NOT_ALLOWED_405,
          "method_not_allowed",
          request.prologue().method() + " is not for this path; see /openapi");
    } else {
      HttpErrors.send(
          request,
          response,
          Status.NOT_FOUND_404,
          "not_found",
          "there is no such path; see /openapi");
    }
  }
}

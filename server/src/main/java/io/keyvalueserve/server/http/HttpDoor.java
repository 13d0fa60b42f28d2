package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * The HTTP door: the API, the console, health, metrics and the API's own description. Each request
 * runs on a virtual thread of its own, so it may block.
 */
public final class HttpDoor implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WebServer server;

  private HttpDoor(WebServer server) {
    this.server = server;
  }

  /**
   * How the door is set up.
   *
   * @param dev whether requests from this machine need no operator key
   */
  public record Config(String bind, int port, boolean dev) {}

  /**
   * Opens the door.
   *
   * @param callers knows operators and tenants by their keys
   * @param entries what entries are served with
   * @param ready whether the server serves its tenants
   */
  public static HttpDoor open(
      Config config,
      Administration administration,
      Callers callers,
      EntryServices entries,
      BooleanSupplier ready) {
    ApiGate gate = new ApiGate(config.dev(), callers);
    AdminRoutes admin = new AdminRoutes(administration, callers.audit());
    MetricsText metrics = new MetricsText(administration, entries.policy().peers());
    String openApi = resource("openapi.json");
    ConsoleFiles console = new ConsoleFiles();
    HttpRouting.Builder routing = HttpRouting.builder();
    console.addTo(routing);
    routing
        .get("/", (request, response) -> root(console, gate, request, response))
        .get("/health/live", (request, response) -> health(response, true, "live"))
        .get(
            "/health/ready", (request, response) -> health(response, ready.getAsBoolean(), "ready"))
        .get(
            "/openapi",
            (request, response) ->
                response.header(HeaderNames.CONTENT_TYPE, "application/json").send(openApi))
        .any("/metrics", gate)
        .get(
            "/metrics",
            (request, response) ->
                response
                    .header(HeaderNames.CONTENT_TYPE, MetricsText.CONTENT_TYPE)
                    .send(metrics.scrape()))
        .any("/api/*", gate);
    AdminRoutes.add(admin.routes(), routing);
    AdminRoutes.add(new EntryRoutes(entries).routes(), routing);
    routing.any(HttpDoor::notFound);
    Errors.addTo(routing);
    WebServer server =
        WebServer.builder()
            .host(config.bind())
            .port(config.port())
            .maxPayloadSize(Math.max(AdminRoutes.MOST_BODY_BYTES, entries.mostValueBytes()))
            .directHandlers(Malformed.HANDLERS)
            .shutdownHook(false)
            .addRouting(routing)
            .build()
            .start();
    return new HttpDoor(server);
  }

  /** The port that was bound. */
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
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

  private static void health(ServerResponse response, boolean good, String what) {
    json(
        response,
        good ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503,
        object().put("status", good ? "UP" : "DOWN").put("check", what));
  }

  private static void root(
      ConsoleFiles console, ApiGate gate, ServerRequest request, ServerResponse response) {
    if (ConsoleFiles.isWanted(request)) {
      console.sendPage(request, response);
    } else {
      response.header(HeaderNames.VARY, "Accept");
      json(response, Status.OK_200, index().put("keyNeeded", !gate.isOpen(request)));
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

  private static void notFound(ServerRequest request, ServerResponse response) {
    boolean known = AdminRoutes.isPath(request.path().path());
    if (known) {
      Errors.send(
          request,
          response,
          Status.METHOD_NOT_ALLOWED_405,
          "method_not_allowed",
          request.prologue().method() + " is not for this path; see /openapi");
    } else {
      Errors.send(
          request,
          response,
          Status.NOT_FOUND_404,
          "not_found",
          "there is no such path; see /openapi");
    }
  }

  private static String resource(String name) {
    try (InputStream in = HttpDoor.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

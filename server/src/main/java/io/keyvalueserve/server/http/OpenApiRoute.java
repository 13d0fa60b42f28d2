package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The route of the OpenAPI document. The document is {@code openapi.json}, with the id of each
 * operation and the keys that open it from the rows of the routes. Thread-safe.
 */
final class OpenApiRoute {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int STREAM_BYTES = 8 * 1024;

  private final List<Route> routes;
  private volatile byte @Nullable [] document;

  /**
   * @param routes all routes of the door; read when the document is first asked for
   */
  OpenApiRoute(List<Route> routes) {
    this.routes = routes;
  }

  Route route() {
    return new Route(GET, "/openapi", Access.OPEN, "showOpenApi", this::show);
  }

  /** Answers in pieces, so that no copy of the whole is made for each client that reads slowly. */
  private void show(ServerRequest request, ServerResponse response) {
    byte[] bytes = document();
    response.header(HeaderNames.CONTENT_TYPE, "application/json").contentLength(bytes.length);
    try (OutputStream out = response.outputStream()) {
      for (int at = 0; at < bytes.length; at += STREAM_BYTES) {
        out.write(bytes, at, Math.min(STREAM_BYTES, bytes.length - at));
      }
    } catch (IOException e) {
      throw new CloseConnectionException("the answer was not taken", e);
    }
  }

  /**
   * Returns the document.
   *
   * @throws IllegalStateException if the file lacks a route
   */
  byte[] document() {
    byte[] made = document;
    return made == null ? makeOnce() : made;
  }

  private synchronized byte[] makeOnce() {
    byte[] made = document;
    if (made == null) {
      made = make();
      document = made;
    }
    return made;
  }

  private byte[] make() {
    try (InputStream in = OpenApiRoute.class.getResourceAsStream("openapi.json")) {
      JsonNode api = JSON.readTree(in);
      routes.forEach(route -> describe(route, api.path("paths")));
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(api);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void describe(Route route, JsonNode paths) {
    JsonNode path = paths.path(route.path().replace("{+", "{"));
    String method = route.method().text().toLowerCase(Locale.ROOT);
    if (!(path.path(method) instanceof ObjectNode operation)) {
      throw new IllegalStateException("openapi.json lacks " + method + " " + route.path());
    }
    ArrayNode keys = operation.put("operationId", route.operation()).putArray("security");
    keysFor(route.access()).forEach(key -> keys.addObject().putArray(key));
  }

  private static List<String> keysFor(Access access) {
    return switch (access) {
      case OPEN -> List.of();
      case SCRAPER -> List.of("operatorKey", "scrapeKey");
      case OPERATOR -> List.of("operatorKey");
      case TENANT_ITSELF, EVERY_TENANT -> List.of("operatorKey", "accessKey");
      case TENANT_ALONE, ENTRIES -> List.of("accessKey");
    };
  }
}

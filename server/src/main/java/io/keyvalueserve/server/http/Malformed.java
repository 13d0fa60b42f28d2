package io.keyvalueserve.server.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.nio.charset.StandardCharsets;

/**
 * Answers requests that are no such, before any route is looked for: with the same form of error as
 * routes do.
 */
final class Malformed {
  static final DirectHandlers HANDLERS = handlers();

  private Malformed() {}

  private static DirectHandlers handlers() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (EventType type : EventType.values()) {
      handlers.addHandler(type, Malformed::answer);
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse answer(
      DirectHandler.TransportRequest request,
      EventType type,
      Status status,
      ServerResponseHeaders headers,
      String message) {
    String body =
        HttpDoor.object()
            .set(
                "error",
                HttpDoor.object().put("code", code(status)).put("message", message(status)))
            .toString();
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .keepAlive(false)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .entity(body.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  private static String code(Status status) {
    return status.equals(Status.REQUEST_ENTITY_TOO_LARGE_413)
        ? "too_large"
        : status.equals(Status.BAD_REQUEST_400) ? "bad_request" : "http_" + status.code();
  }

  /** The server's own words may repeat what the client sent, and so are left out. */
  private static String message(Status status) {
    return switch (code(status)) {
      case "too_large" -> "the body is longer than this server takes; see /openapi";
      case "bad_request" ->
          "this is no request of HTTP/1.1: look at its first line, its headers, its percents and the"
              + " sizes of its chunks";
      default -> "the server answers " + status.codeText() + " " + status.reasonPhrase();
    };
  }
}

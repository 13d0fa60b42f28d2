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
  private Malformed() {}

  /**
   * Returns the handlers of a server.
   *
   * @param tooLong the message for a body that is longer than the server takes
   */
  static DirectHandlers handlers(String tooLong) {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (EventType type : EventType.values()) {
      handlers.addHandler(
          type, (request, event, status, headers, message) -> answer(status, headers, tooLong));
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse answer(
      Status status, ServerResponseHeaders headers, String tooLong) {
    String body =
        HttpDoor.object()
            .set(
                "error",
                HttpDoor.object()
                    .put("code", code(status))
                    .put("message", message(status, tooLong)))
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
  private static String message(Status status, String tooLong) {
    return switch (code(status)) {
      case "too_large" -> tooLong;
      case "bad_request" ->
          "this is no request of HTTP/1.1: look at its first line, its headers, its percents and the"
              + " sizes of its chunks";
      default -> "the server answers " + status.codeText() + " " + status.reasonPhrase();
    };
  }
}

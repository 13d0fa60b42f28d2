package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.InvalidQuotaException;
import io.keyvalueserve.tenancy.audit.AuditException;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors as clients see them: {@code {"error":{"code","message","field"}}}, and no stack trace. */
final class Errors {
  private static final Logger LOG = LoggerFactory.getLogger(Errors.class);
  private static final int REFERENCE_CHARACTERS = 8;

  private Errors() {}

  /** A request that is not well formed. */
  static final class BadRequest extends RuntimeException {
    private final String field;

    BadRequest(String field, String message) {
      super(message, null, false, false);
      this.field = field;
    }
  }

  static void addTo(HttpRouting.Builder routing) {
    routing
        .error(
            BadRequest.class,
            (request, response, e) ->
                send(response, Status.BAD_REQUEST_400, "bad_request", e.getMessage(), e.field))
        .error(
            InvalidNameException.class,
            (request, response, e) ->
                send(response, Status.BAD_REQUEST_400, "invalid_name", e.getMessage(), e.field()))
        .error(
            InvalidQuotaException.class,
            (request, response, e) ->
                send(
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_quota",
                    e.getMessage(),
                    e.limit().text()))
        .error(
            CatalogueException.class,
            (request, response, e) ->
                send(
                    response,
                    statusOf(e.kind()),
                    e.kind().name().toLowerCase(Locale.ROOT),
                    e.getMessage()))
        .error(
            MapSettingsException.class,
            (request, response, e) ->
                send(
                    response,
                    statusOf(e.kind()),
                    e.kind().name().toLowerCase(Locale.ROOT),
                    e.getMessage(),
                    "durability"))
        .error(
            AuditException.class,
            (request, response, e) ->
                send(
                    response,
                    Status.SERVICE_UNAVAILABLE_503,
                    "audit",
                    "what was asked for may have been done, but the audit trail failed: "
                        + e.getMessage()))
        .error(
            HttpException.class,
            (request, response, e) ->
                send(response, e.status(), "http_" + e.status().code(), e.getMessage()))
        .error(Throwable.class, (request, response, e) -> unexpected(response, e));
  }

  static void send(ServerResponse response, Status status, String code, @Nullable String message) {
    send(response, status, code, message, null);
  }

  private static void send(
      ServerResponse response,
      Status status,
      String code,
      @Nullable String message,
      @Nullable String field) {
    ObjectNode body = HttpDoor.object();
    ObjectNode error = body.putObject("error").put("code", code).put("message", message);
    if (field != null) {
      error.put("field", field);
    }
    HttpDoor.json(response, status, body);
  }

  private static Status statusOf(CatalogueException.Kind kind) {
    return switch (kind) {
      case NO_SUCH_TENANT, NO_SUCH_KEY, NO_SUCH_GRANT -> Status.NOT_FOUND_404;
      case TENANT_EXISTS, WRONG_STATE, TOO_MANY_GRANTS -> Status.CONFLICT_409;
      case RESERVED_NAME, WRONG_GRANT -> Status.BAD_REQUEST_400;
    };
  }

  private static Status statusOf(MapSettingsException.Kind kind) {
    return switch (kind) {
      case NOTHING_ON_DISK -> Status.CONFLICT_409;
      case NOT_CARRIED_OUT, UNDER_WAY -> Status.SERVICE_UNAVAILABLE_503;
    };
  }

  private static void unexpected(ServerResponse response, Throwable e) {
    String reference = UUID.randomUUID().toString().substring(0, REFERENCE_CHARACTERS);
    LOG.error("a request failed (ref {})", reference, e);
    send(
        response,
        Status.INTERNAL_SERVER_ERROR_500,
        "internal",
        "internal error, see the member's log (ref " + reference + ")");
  }
}

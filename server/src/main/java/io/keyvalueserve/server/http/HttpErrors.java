package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.pricing.InvalidRateCardException;
import io.keyvalueserve.billing.spending.InvalidSpendLimitException;
import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.grid.catalogue.InvalidStoreException;
import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.grid.hibernation.HibernationException;
import io.keyvalueserve.grid.ledger.LedgerException;
import io.keyvalueserve.grid.quorum.NoMajority;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.grid.snapshot.SnapshotFailure;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.server.BillingException;
import io.keyvalueserve.server.SnapshotRefusal;
import io.keyvalueserve.server.StoreCheckException;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.InvalidQuotaException;
import io.keyvalueserve.tenancy.audit.AuditException;
import io.keyvalueserve.tenancy.log.FailureLines;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors as clients see them: {@code {"error":{"code","message","field"}}}, and no stack trace. */
final class HttpErrors {
  private static final Logger LOG = LoggerFactory.getLogger(HttpErrors.class);
  private static final FailureLines LINES = new FailureLines();
  private static final int REFERENCE_CHARACTERS = 8;
  private static final int SECONDS_UNTIL_JOBS_END = 10;

  private HttpErrors() {}

  /** A request that is not well formed. */
  static final class BadRequest extends RuntimeException {
    private final String field;

    BadRequest(String field, String message) {
      super(message, null, false, false);
      this.field = field;
    }
  }

  /** A request that is not served. */
  static final class Refused extends RuntimeException {
    private final Status status;
    private final String code;
    private final long retryAfterSeconds;
    private final @Nullable String field;

    /**
     * @param code which refusal it is, for programs
     * @param retryAfterSeconds when to come again; 0 if that would change nothing
     */
    Refused(Status status, String code, @Nullable String message, long retryAfterSeconds) {
      this(status, code, message, retryAfterSeconds, null);
    }

    private Refused(
        Status status,
        String code,
        @Nullable String message,
        long retryAfterSeconds,
        @Nullable String field) {
      super(message, null, false, false);
      this.status = status;
      this.code = code;
      this.retryAfterSeconds = retryAfterSeconds;
      this.field = field;
    }

    /** Returns the same refusal, which names the part of the request that is at fault. */
    Refused at(String part) {
      return new Refused(status, code, getMessage(), retryAfterSeconds, part);
    }

    Status status() {
      return status;
    }

    String code() {
      return code;
    }

    long retryAfterSeconds() {
      return retryAfterSeconds;
    }

    private void answer(ServerRequest request, ServerResponse response) {
      if (retryAfterSeconds > 0) {
        response.header(HeaderNames.RETRY_AFTER, String.valueOf(retryAfterSeconds));
      }
      if (status.equals(Status.REQUEST_ENTITY_TOO_LARGE_413)
          || status.equals(Status.REQUEST_TIMEOUT_408)
          || code.equals(HttpConnections.TOO_MANY)
          || HttpConnection.isEnding()) {
        response.header(HeaderValues.CONNECTION_CLOSE); // the rest of the body is not read
      }
      send(request, response, status, code, getMessage(), field);
    }
  }

  static void addTo(HttpRouting.Builder routing) {
    routing
        .error(Refused.class, (request, response, e) -> e.answer(request, response))
        .error(
            BadRequest.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "bad_request",
                    e.getMessage(),
                    e.field))
        .error(
            InvalidNameException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_name",
                    e.getMessage(),
                    e.field()))
        .error(
            InvalidQuotaException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_quota",
                    e.getMessage(),
                    e.limit().text()))
        .error(
            CatalogueException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    statusOf(e.kind()),
                    e.kind().name().toLowerCase(Locale.ROOT),
                    e.getMessage()))
        .error(
            MapSettingsException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    statusOf(e.kind()),
                    e.kind().name().toLowerCase(Locale.ROOT),
                    e.getMessage(),
                    e.field()))
        .error(
            InvalidStoreException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_store",
                    e.getMessage(),
                    e.field()))
        .error(
            StoreCheckException.class,
            (request, response, e) ->
                send(request, response, Status.BAD_GATEWAY_502, e.kind().code(), e.getMessage()))
        .error(
            SnapshotRefusal.class, (request, response, e) -> refusal(e).answer(request, response))
        .error(
            SnapshotException.class, (request, response, e) -> refusal(e).answer(request, response))
        .error(
            SnapshotFailure.class,
            (request, response, e) ->
                send(request, response, Status.CONFLICT_409, "snapshot_failed", e.getMessage()))
        .error(
            HibernationException.class,
            (request, response, e) ->
                send(request, response, Status.CONFLICT_409, "hibernation", e.getMessage()))
        .error(
            Hibernation.InvalidException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_hibernation",
                    e.getMessage(),
                    "after"))
        .error(
            SnapshotPlan.InvalidPlanException.class,
            (request, response, e) ->
                new Refused(
                        Status.BAD_REQUEST_400, "invalid_snapshot", e.getMessage(), 0, e.field())
                    .answer(request, response))
        .error(
            SealException.class,
            (request, response, e) ->
                send(request, response, Status.CONFLICT_409, "key_unreadable", e.getMessage()))
        .error(
            InvalidRateCardException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_rates",
                    e.getMessage(),
                    e.field()))
        .error(
            InvalidSpendLimitException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.BAD_REQUEST_400,
                    "invalid_spend_cap",
                    e.getMessage(),
                    e.field()))
        .error(
            BillingException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.CONFLICT_409,
                    e.kind().name().toLowerCase(Locale.ROOT),
                    e.getMessage()))
        .error(
            LedgerException.class,
            (request, response, e) ->
                send(request, response, Status.SERVICE_UNAVAILABLE_503, "ledger", e.getMessage()))
        .error(
            AuditException.class,
            (request, response, e) ->
                send(
                    request,
                    response,
                    Status.SERVICE_UNAVAILABLE_503,
                    "audit",
                    "what was asked for may have been done, but the audit trail failed: "
                        + e.getMessage()))
        .error(
            HttpException.class,
            (request, response, e) ->
                send(request, response, e.status(), "http_" + e.status().code(), e.getMessage()))
        .error(Throwable.class, (request, response, e) -> unexpected(request, response, e));
  }

  /** Answers with an error; to HEAD, without its body (RFC 9110, section 9.3.2). */
  static void send(
      ServerRequest request,
      ServerResponse response,
      Status status,
      String code,
      @Nullable String message) {
    send(request, response, status, code, message, null);
  }

  private static void send(
      ServerRequest request,
      ServerResponse response,
      Status status,
      String code,
      @Nullable String message,
      @Nullable String field) {
    if (request.prologue().method().equals(Method.HEAD)) {
      response.status(status).send();
      return;
    }
    ObjectNode body = HttpDoor.object();
    ObjectNode error = body.putObject("error").put("code", code).put("message", message);
    if (field != null) {
      error.put("field", field);
    }
    HttpDoor.json(response, status, body);
  }

  private static Status statusOf(CatalogueException.Kind kind) {
    return switch (kind) {
      case NO_SUCH_TENANT,
          NO_SUCH_KEY,
          NO_SUCH_GRANT,
          NO_SUCH_MEMBER,
          NO_SUCH_RESERVATION,
          NO_SUCH_STORE ->
          Status.NOT_FOUND_404;
      case TENANT_EXISTS, WRONG_STATE, TOO_MANY_GRANTS, CANNOT_RESERVE, RESERVED, STORE_IN_USE ->
          Status.CONFLICT_409;
      case RESERVED_NAME, WRONG_GRANT, WRONG_RESERVATION -> Status.BAD_REQUEST_400;
    };
  }

  private static Refused refusal(SnapshotRefusal e) {
    Status status =
        switch (e.kind()) {
          case NO_REPOSITORY -> Status.BAD_REQUEST_400;
          case NO_SUCH_SNAPSHOT, NO_SNAPSHOT_KEY, NO_SNAPSHOT_PLAN, NO_SUCH_JOB ->
              Status.NOT_FOUND_404;
          case SNAPSHOT_BUSY, OVER_QUOTA, STORE_IN_USE, SNAPSHOT_DAMAGED, SNAPSHOT_FAILED ->
              Status.CONFLICT_409;
          case TOO_MANY_JOBS -> Status.TOO_MANY_REQUESTS_429;
        };
    boolean isLater = e.kind() == SnapshotRefusal.Kind.TOO_MANY_JOBS;
    return new Refused(
        status, e.kind().code(), e.getMessage(), isLater ? SECONDS_UNTIL_JOBS_END : 0, e.field());
  }

  private static Refused refusal(SnapshotException e) {
    return switch (e.kind()) {
      case INVALID ->
          new Refused(Status.BAD_REQUEST_400, "invalid_snapshot", e.getMessage(), 0, e.field());
      case NO_REPOSITORY -> refusal(e, Status.CONFLICT_409, "no_such_repository");
      case MISSING -> refusal(e, Status.NOT_FOUND_404, "no_such_snapshot");
      case DAMAGED -> refusal(e, Status.CONFLICT_409, "snapshot_damaged");
      case OTHER_KEY -> refusal(e, Status.CONFLICT_409, "other_key");
      case OTHER_FORMAT -> refusal(e, Status.CONFLICT_409, "other_format");
      case TOO_LARGE -> refusal(e, Status.CONFLICT_409, "too_large");
      case DENIED -> refusal(e, Status.BAD_GATEWAY_502, "repository_denied");
      case FULL -> refusal(e, Status.INSUFFICIENT_STORAGE_507, "repository_full");
      case UNAVAILABLE -> refusal(e, Status.BAD_GATEWAY_502, "repository_unavailable");
    };
  }

  private static Refused refusal(SnapshotException e, Status status, String code) {
    return new Refused(status, code, e.getMessage(), 0, null);
  }

  private static Status statusOf(MapSettingsException.Kind kind) {
    return switch (kind) {
      case NO_SUCH_MAP -> Status.NOT_FOUND_404;
      case CONTRADICTION, NOTHING_ON_DISK -> Status.CONFLICT_409;
      case NOT_CARRIED_OUT, UNDER_WAY -> Status.SERVICE_UNAVAILABLE_503;
    };
  }

  private static void unexpected(ServerRequest request, ServerResponse response, Throwable e) {
    NoMajority why = NoMajority.of(e);
    if (why != null) {
      boolean inDoubt = why == NoMajority.IN_DOUBT;
      send(
          request,
          response,
          Status.SERVICE_UNAVAILABLE_503,
          inDoubt ? "in_doubt" : "unavailable",
          inDoubt
              ? "the member lost its cluster while it carried the request out: it may or may not have"
                  + " taken effect"
              : "the member cannot reach a majority of its cluster, or the cluster is changing; try"
                  + " again, or another member");
      return;
    }
    LogRefusedException refused = LogRefusedException.in(e);
    if (refused != null) {
      boolean isFull = refused.isDiskFull();
      send(
          request,
          response,
          isFull ? Status.INSUFFICIENT_STORAGE_507 : Status.SERVICE_UNAVAILABLE_503,
          isFull ? "disk_full" : "not_logged",
          refused.getMessage());
      return;
    }
    String reference = UUID.randomUUID().toString().substring(0, REFERENCE_CHARACTERS);
    FailureLines.Line line = LINES.take(e);
    if (line == null) {
      LOG.debug("a request failed (ref {})", reference, e);
    } else if (line.hasTrace()) {
      LOG.error("a request failed (ref {})", reference, e);
    } else {
      LOG.error("a request failed (ref {}): {}", reference, line.text());
    }
    send(
        request,
        response,
        Status.INTERNAL_SERVER_ERROR_500,
        "internal",
        "internal error, see the member's log (ref " + reference + ")");
  }
}

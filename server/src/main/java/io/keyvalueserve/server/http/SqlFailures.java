package io.keyvalueserve.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.http.Status;
import io.keyvalueserve.sql.SqlException;
import java.io.IOException;
import java.util.Map;

/** Failures of statements as answers. The code for programs is {@code sql_} and the SQLSTATE. */
final class SqlFailures {
  private static final int RETRY_SECONDS = 1;

  private static final Map<String, Status> BY_STATE =
      Map.of(
          "42501", Status.FORBIDDEN_403,
          "42P01", Status.NOT_FOUND_404,
          "23505", Status.CONFLICT_409,
          "0A000", Status.NOT_IMPLEMENTED_501,
          "53200", Status.INSUFFICIENT_STORAGE_507,
          "53400", Status.TOO_MANY_REQUESTS_429,
          "57014", Status.REQUEST_TIMEOUT_408,
          "08007", Status.GATEWAY_TIMEOUT_504);

  private static final Map<String, Status> BY_CLASS =
      Map.of(
          "22", Status.BAD_REQUEST_400,
          "23", Status.BAD_REQUEST_400,
          "42", Status.BAD_REQUEST_400,
          "53", Status.TOO_MANY_REQUESTS_429,
          "54", Status.BAD_REQUEST_400,
          "57", Status.SERVICE_UNAVAILABLE_503,
          "08", Status.SERVICE_UNAVAILABLE_503);

  private SqlFailures() {}

  /** Returns the failure as an answer of its own. */
  static HttpErrors.Refused refused(SqlException e) {
    Status status =
        BY_STATE.getOrDefault(
            e.state(),
            BY_CLASS.getOrDefault(e.state().substring(0, 2), Status.INTERNAL_SERVER_ERROR_500));
    boolean mayRetry =
        status.equals(Status.TOO_MANY_REQUESTS_429)
            || status.equals(Status.SERVICE_UNAVAILABLE_503);
    return new HttpErrors.Refused(status, code(e), text(e), mayRetry ? RETRY_SECONDS : 0).at("sql");
  }

  private static String code(SqlException e) {
    return "sql_" + e.state();
  }

  private static String text(SqlException e) {
    StringBuilder text = new StringBuilder(String.valueOf(e.getMessage()));
    if (e.position() > 0) {
      text.append(" (at character ").append(e.position()).append(')');
    }
    if (!e.hint().isEmpty()) {
      text.append("; ").append(e.hint());
    }
    return text.toString();
  }

  /** Writes the failure as a member of a result that has begun. */
  static void write(JsonGenerator json, SqlException e) throws IOException {
    json.writeObjectFieldStart("error");
    json.writeStringField("code", code(e));
    json.writeStringField("message", text(e));
    json.writeEndObject();
  }
}

package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.run.Execution;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failures that clients are told of. */
final class Faults {
  private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
  private static final int ID_LENGTH = 8;

  private Faults() {}

  /**
   * Returns the exception for a failure. A defect is logged, and the client is told its id alone.
   *
   * @param execution null if the statement was not carried out yet
   */
  static SqlException of(Throwable failure, @Nullable Execution execution) {
    return switch (failure) {
      case SqlFailure known ->
          new SqlException(known.state(), message(known), known.position(), known.hint());
      case QueryException query -> of(query, execution);
      case StackOverflowError _ ->
          new SqlException(
              SqlState.TOO_COMPLEX,
              "the statement is nested too deeply",
              0,
              "write a long chain of OR as IN, and deep queries with WITH");
      default -> defect(failure);
    };
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? "the statement failed" : message;
  }

  private static SqlException of(QueryException failure, @Nullable Execution execution) {
    if (failure.kind() == QueryException.Kind.INTERNAL) {
      return defect(failure);
    }
    String state =
        switch (failure.kind()) {
          case BAD_VALUE -> isDuplicate(failure) ? SqlState.DUPLICATE_KEY : SqlState.BAD_VALUE;
          case BAD_NAME -> SqlState.NO_TABLE;
          case REFUSED -> SqlState.REFUSED;
          case QUOTA ->
              execution != null && execution.isOutOfMemory()
                  ? SqlState.OUT_OF_MEMORY
                  : SqlState.QUOTA;
          case THROTTLED -> SqlState.THROTTLED;
          case CANCELLED -> SqlState.CANCELLED;
          case UNSUPPORTED -> SqlState.UNSUPPORTED;
          case UNAVAILABLE -> SqlState.UNAVAILABLE;
          case IN_DOUBT -> SqlState.IN_DOUBT;
          case INTERNAL -> SqlState.INTERNAL;
        };
    return new SqlException(state, message(failure), 0, hint(state));
  }

  private static String hint(String state) {
    return switch (state) {
      case SqlState.DUPLICATE_KEY -> "SINK INTO replaces entries that exist";
      case SqlState.OUT_OF_MEMORY -> "narrow the statement with WHERE, or group by fewer values";
      case SqlState.THROTTLED, SqlState.UNAVAILABLE -> "try again in a moment";
      case SqlState.IN_DOUBT -> "read what was written before writing again";
      default -> "";
    };
  }

  private static boolean isDuplicate(QueryException failure) {
    String message = message(failure).toLowerCase(Locale.ROOT);
    return message.contains("duplicate")
        || message.contains("exists")
        || message.contains("is there already");
  }

  /** Notes that the end of a statement failed, which its client need not know. */
  static void logClosing(RuntimeException failure) {
    LOG.warn("The rows of a statement could not be closed", failure);
  }

  private static SqlException defect(Throwable failure) {
    String id = UUID.randomUUID().toString().substring(0, ID_LENGTH);
    LOG.error("A statement failed; its client was told the id {}", id, failure);
    return new SqlException(
        SqlState.INTERNAL,
        "the statement failed for a reason of the service's own, noted as " + id,
        0,
        "tell the operator this id");
  }
}

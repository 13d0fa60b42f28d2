package io.keyvalueserve.hazelcast;

import com.hazelcast.sql.impl.SqlErrorCode;
import io.keyvalueserve.sql.SqlException;

/** Translates failures of statements into the codes that Hazelcast clients know. */
final class SqlErrors {
  private SqlErrors() {}

  /** A failure as a client is told of it. */
  record Failure(int code, String message) {}

  static Failure of(SqlException e) {
    String where = e.position() > 0 ? " (at character " + e.position() + ")" : "";
    String hint = e.hint().isEmpty() ? "" : "; " + e.hint();
    return of(e.state(), e.getMessage() + where + hint);
  }

  /**
   * @param state SQLSTATE
   */
  static Failure of(String state, String message) {
    return new Failure(code(state), message);
  }

  private static int code(String state) {
    return switch (state) {
      case "57014" -> SqlErrorCode.CANCELLED_BY_USER; // a time that is over says so in its words
      case "42P01" -> SqlErrorCode.OBJECT_NOT_FOUND;
      default ->
          switch (state.substring(0, 2)) {
            case "22", "23" -> SqlErrorCode.DATA_EXCEPTION;
            case "42" -> SqlErrorCode.PARSING;
            case "08" -> SqlErrorCode.CONNECTION_PROBLEM;
            default -> SqlErrorCode.GENERIC;
          };
    };
  }
}

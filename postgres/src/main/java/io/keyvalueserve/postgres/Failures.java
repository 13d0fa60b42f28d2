package io.keyvalueserve.postgres;

import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.postgres.wire.PostgresException;

/** Errors as a client is told of them. */
final class Failures {
  private Failures() {}

  static PostgresException told(QueryException e) {
    String state =
        switch (e.kind()) {
          case BAD_VALUE -> "22000";
          case BAD_NAME -> "42P01";
          case REFUSED -> "42501";
          case QUOTA -> "53400";
          case THROTTLED -> "57P03";
          case CANCELLED -> "57014";
          case UNSUPPORTED -> "0A000";
          case UNAVAILABLE -> "57P01";
          case IN_DOUBT -> "08007";
          case INTERNAL -> "XX000";
        };
    return new PostgresException(state, String.valueOf(e.getMessage()));
  }

  /** Returns an error whose position is that in the whole text, in characters. */
  static PostgresException moved(PostgresException e, String text, int offset) {
    if (e.position() == 0) {
      return e;
    }
    int at = Math.min(offset + e.position() - 1, text.length());
    return new PostgresException(e.state(), e.text(), text.codePointCount(0, at) + 1, e.hint());
  }
}

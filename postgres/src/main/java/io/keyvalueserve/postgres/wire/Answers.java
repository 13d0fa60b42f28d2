package io.keyvalueserve.postgres.wire;

/** The messages to a client that are the same for all. */
public final class Answers {
  private Answers() {}

  /** Writes an error. */
  public static void error(MessageWriter out, PostgresException error, boolean isFatal) {
    out.begin('E');
    fields(out, isFatal ? "FATAL" : "ERROR", error.state(), error.text());
    if (!error.hint().isEmpty()) {
      out.int8('H').text(error.hint());
    }
    if (error.position() > 0) {
      out.int8('P').text(Integer.toString(error.position()));
    }
    out.int8(0).end();
  }

  /** Writes a warning. */
  public static void warning(MessageWriter out, String state, String message) {
    out.begin('N');
    fields(out, "WARNING", state, message);
    out.int8(0).end();
  }

  private static void fields(MessageWriter out, String severity, String state, String message) {
    out.int8('S').text(severity).int8('V').text(severity);
    out.int8('C').text(state).int8('M').text(message);
  }

  /** Writes a request for a form of authentication, or that it has succeeded: 0. */
  public static MessageWriter authentication(MessageWriter out, int code) {
    return out.begin('R').int32(code);
  }

  /** Writes the value of a parameter. */
  public static void parameter(MessageWriter out, String name, String value) {
    out.begin('S').text(name).text(value).end();
  }

  /** Writes that the next statement may come. */
  public static void ready(MessageWriter out, char status) {
    out.begin('Z').int8(status).end();
  }

  /** Writes that a statement is done. */
  public static void complete(MessageWriter out, String tag) {
    out.begin('C').text(tag).end();
  }

  /** Writes a message without a body. */
  public static void empty(MessageWriter out, char type) {
    out.begin(type).end();
  }
}

package io.keyvalueserve.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a client on one key, with its answer. Immutable.
 *
 * @param client the client's number
 * @param door the protocol that the client speaks, for reports
 * @param kind what the operation does
 * @param invokedNanos when the client sent it
 * @param returnedNanos when the answer arrived; {@link #NEVER} if the outcome is unknown. Such an
 *     operation may take effect once at any time after it was sent, or not at all
 * @param argument the value that it writes; null for kinds that write none
 * @param expected the value that COMPARE_AND_SET asks for; null for other kinds
 * @param expiryNanos the time to live of SET_WITH_EXPIRY; 0 for other kinds
 * @param result the answer. GET and GET_AND_SET: the value seen, or null if the key was absent.
 *     DELETE, SET_IF_ABSENT and COMPARE_AND_SET: {@link #DONE} or {@link #NOT_DONE}. INCREMENT: the
 *     new number. All but GET: {@link #NOT_TOLD} if the operation was acknowledged without it.
 *     Ignored for SET and SET_WITH_EXPIRY, and if the outcome is unknown
 */
record KeyOperation(
    int client,
    String door,
    Kind kind,
    long invokedNanos,
    long returnedNanos,
    @Nullable String argument,
    @Nullable String expected,
    long expiryNanos,
    @Nullable String result) {
  /** A kind of operation. */
  enum Kind {
    GET,
    /** Writes a value that does not expire. */
    SET,
    /** Writes a value that expires. */
    SET_WITH_EXPIRY,
    DELETE,
    /** Writes a value that does not expire, if the key is absent. */
    SET_IF_ABSENT,
    /** Replaces a value by another one. */
    COMPARE_AND_SET,
    /** Writes a value that does not expire, and returns the one before it. */
    GET_AND_SET,
    /** Adds 1 to a number. An absent key counts as 0. */
    INCREMENT
  }

  /** A moment that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  /** The result of a conditional operation that changed the key. */
  static final String DONE = "1";

  /** The result of a conditional operation that changed nothing. */
  static final String NOT_DONE = "0";

  /** The result of an operation that was acknowledged without its result. */
  static final String NOT_TOLD = "?";

  private static final double NANOS_PER_MILLI = 1e6;

  KeyOperation {
    require(returnedNanos >= invokedNanos, "it returns before it is invoked");
    require(expiryNanos >= 0, "its time to live is negative");
    switch (kind) {
      case GET, DELETE, INCREMENT -> {}
      case SET, SET_WITH_EXPIRY, SET_IF_ABSENT, GET_AND_SET ->
          require(argument != null, "it writes no value");
      case COMPARE_AND_SET -> require(argument != null && expected != null, "it needs two values");
    }
    if (returnedNanos != NEVER) {
      switch (kind) {
        case GET, SET, SET_WITH_EXPIRY, GET_AND_SET -> {}
        case DELETE, SET_IF_ABSENT, COMPARE_AND_SET ->
            require(
                DONE.equals(result) || NOT_DONE.equals(result) || NOT_TOLD.equals(result),
                "its result is neither 1 nor 0 nor ?");
        case INCREMENT -> require(result != null, "it has no result");
      }
    }
  }

  /** Returns the same operation with an unknown outcome. */
  KeyOperation unanswered() {
    return new KeyOperation(
        client, door, kind, invokedNanos, NEVER, argument, expected, expiryNanos, null);
  }

  /** Returns whether nobody knows if and when the operation took effect. */
  boolean isUnknown() {
    return returnedNanos == NEVER;
  }

  /** Returns whether the operation was acknowledged without its result. */
  boolean isNotTold() {
    return !isUnknown()
        && kind != Kind.GET
        && kind != Kind.SET
        && kind != Kind.SET_WITH_EXPIRY
        && NOT_TOLD.equals(result);
  }

  /**
   * Returns a line that describes the operation.
   *
   * @param originNanos the moment from which its times are counted
   */
  String describe(long originNanos) {
    String returned = isUnknown() ? "never" : millis(returnedNanos, originNanos);
    return String.format(
        Locale.ROOT,
        "%s..%s ms, client %d, %s: %s: %s",
        millis(invokedNanos, originNanos),
        returned,
        client,
        door,
        command(),
        outcome());
  }

  /** Returns a moment in milliseconds after another one. */
  static String millis(long nanos, long originNanos) {
    return String.format(Locale.ROOT, "%.3f", (nanos - originNanos) / NANOS_PER_MILLI);
  }

  private String command() {
    return switch (kind) {
      case GET, DELETE, INCREMENT -> kind.toString();
      case SET, SET_IF_ABSENT, GET_AND_SET -> kind + " " + argument;
      case SET_WITH_EXPIRY -> kind + " " + argument + " for " + millis(expiryNanos, 0) + " ms";
      case COMPARE_AND_SET -> kind + " " + expected + " to " + argument;
    };
  }

  private String outcome() {
    if (isUnknown()) {
      return "not answered";
    }
    if (isNotTold()) {
      return "acknowledged, result unknown";
    }
    boolean done = DONE.equals(result);
    return switch (kind) {
      case GET, GET_AND_SET -> result == null ? "saw no value" : "saw " + result;
      case SET, SET_WITH_EXPIRY -> "acknowledged";
      case DELETE -> done ? "removed a value" : "found no value";
      case SET_IF_ABSENT -> done ? "found no value and wrote" : "found a value";
      case COMPARE_AND_SET -> done ? "replaced the value" : "found no such value";
      case INCREMENT -> "returned " + result;
    };
  }

  private static void require(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalArgumentException("an operation is not valid: " + problem);
    }
  }
}

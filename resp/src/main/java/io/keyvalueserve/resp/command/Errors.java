package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.Locale;

/** The errors that clients know, in Redis' own words. */
public final class Errors {
  /** Options that do not go together, or are none. */
  public static final Reply.ErrorLine SYNTAX = Reply.error("ERR syntax error");

  /** An argument that is no integer of 64 bits. */
  public static final Reply.ErrorLine NOT_AN_INTEGER =
      Reply.error("ERR value is not an integer or out of range");

  /** A number that is none. */
  public static final Reply.ErrorLine NOT_A_FLOAT = Reply.error("ERR value is not a valid float");

  /** A sum that is no finite number. */
  public static final Reply.ErrorLine NOT_FINITE =
      Reply.error("ERR increment would produce NaN or Infinity");

  /** A value that has no text. */
  public static final Reply.ErrorLine WRONG_TYPE =
      Reply.error("WRONGTYPE Operation against a key holding the wrong kind of value");

  /** A key that is not there. */
  public static final Reply.ErrorLine NO_SUCH_KEY = Reply.error("ERR no such key");

  /** A client that has not authenticated. */
  public static final Reply.ErrorLine NO_AUTH = Reply.error("NOAUTH Authentication required.");

  /** Credentials that are refused. */
  public static final Reply.ErrorLine WRONG_PASS =
      Reply.error("WRONGPASS invalid username-password pair or user is disabled.");

  /** A digest of which no script is known. */
  public static final Reply.ErrorLine NO_SCRIPT =
      Reply.error("NOSCRIPT No matching script. Please use EVAL.");

  /** A request that cannot wait while its tenant has paused its clients. */
  public static final Reply.ErrorLine PAUSED =
      Reply.error(
          "ERR not executed: the tenant has paused its clients (CLIENT PAUSE), and neither a"
              + " large value nor what is before it waits for the end of a pause; send it again"
              + " then");

  private static final Reply.ErrorLine OVERFLOW =
      Reply.error("ERR increment or decrement would overflow");
  private static final String TOO_LONG =
      "ERR string exceeds maximum allowed size (proto-max-bulk-len)";

  private static final Reply.ErrorLine ELEMENT_NOT_AN_INTEGER =
      Reply.error("ERR hash value is not an integer");
  private static final Reply.ErrorLine ELEMENT_NOT_A_DECIMAL =
      Reply.error("ERR hash value is not a float");
  private static final Reply.ErrorLine INDEX_OUT_OF_RANGE = Reply.error("ERR index out of range");
  private static final Reply.ErrorLine SCORE_NOT_A_NUMBER =
      Reply.error("ERR resulting score is not a number (NaN)");

  static final Reply.ErrorLine NOT_POSITIVE =
      Reply.error("ERR value is out of range, must be positive");

  private static final Reply.ErrorLine NOT_A_SKETCH =
      Reply.error("WRONGTYPE Key is not a valid HyperLogLog string value.");
  private static final Reply.ErrorLine CORRUPT_SKETCH =
      Reply.error("INVALIDOBJ Corrupted HLL object detected");

  private static final int MOST_ECHOED = 128;
  private static final String KEY_PREFIX = "kvs_";

  private Errors() {}

  /**
   * A key that is none, from an address that has shown too many of them.
   *
   * @param waitMillis when the next is looked at like the first
   */
  static Reply.ErrorLine tooManyRefusedKeys(long waitMillis) {
    return Reply.error(
        "WRONGPASS too many keys from this address were not valid; look at yours, and retry after "
            + waitMillis
            + " ms");
  }

  /** A value or an argument that does not fit. */
  public static Reply.ErrorLine of(Outcome.Rejected rejected) {
    return switch (rejected) {
      case WRONG_TYPE -> WRONG_TYPE;
      case NOT_AN_INTEGER -> NOT_AN_INTEGER;
      case NOT_A_DECIMAL -> NOT_A_FLOAT;
      case OVERFLOW -> OVERFLOW;
      case NOT_FINITE -> NOT_FINITE;
      case TOO_LONG -> Reply.error(TOO_LONG);
      case ELEMENT_NOT_AN_INTEGER -> ELEMENT_NOT_AN_INTEGER;
      case ELEMENT_NOT_A_DECIMAL -> ELEMENT_NOT_A_DECIMAL;
      case INDEX_OUT_OF_RANGE -> INDEX_OUT_OF_RANGE;
      case NO_SUCH_KEY -> NO_SUCH_KEY;
      case SCORE_NOT_A_NUMBER -> SCORE_NOT_A_NUMBER;
      case NOT_A_SKETCH -> NOT_A_SKETCH;
      case CORRUPT_SKETCH -> CORRUPT_SKETCH;
    };
  }

  /** Returns the error for something that the engine could not do. */
  public static Reply.ErrorLine of(Outcome.Failure failure) {
    return Reply.error(text(failure));
  }

  /** Returns whether an error says that there is no grant. */
  public static boolean isForWantOfGrant(Reply.ErrorLine error) {
    return new String(error.line(), ISO_8859_1).startsWith("NOPERM ");
  }

  /** Returns the error as the line that is sent. */
  public static String text(Outcome.Failure failure) {
    return switch (failure.kind()) {
      case UNAVAILABLE -> "CLUSTERDOWN " + failure.message();
      case TIMEOUT -> "ERR timeout: " + failure.message();
      case IN_DOUBT -> "INDOUBT " + failure.message();
      case INTERNAL -> "ERR internal error: " + failure.message();
      case FULL -> "OOM command not allowed when used memory > 'maxmemory'.";
      case NOT_LOGGED -> "MISCONF " + failure.message();
      case LOADING -> "LOADING " + failure.message();
      case REFUSED -> "NOPERM " + failure.message();
      case QUOTA -> "QUOTA " + failure.message();
      case TOO_COSTLY -> "ERR " + failure.message();
      case FORCED_OFF -> "EXECABORT " + failure.message();
      case NOT_STORABLE -> "ERR " + failure.message();
    };
  }

  /** A tenant that has used up what it may use in a second, or spend. */
  public static Reply.ErrorLine notAdmitted(NotAdmitted why) {
    return Reply.error((why.isRefused() ? "QUOTA " : "THROTTLED ") + why.message());
  }

  /** A pattern that takes too many steps. */
  public static Reply.ErrorLine tooCostly(GlobMatcher matcher) {
    return Reply.error("ERR " + matcher.refusal());
  }

  /** An argument that is longer than the member takes. */
  public static Reply.ErrorLine tooLong(long bytes, long most) {
    return Reply.error(
        "ERR an argument of "
            + bytes
            + " bytes is longer than the limit of "
            + most
            + " bytes: make it shorter, or have 'resp.max-value' raised");
  }

  /** A value that would grow beyond what the member takes: the words of Redis, and the limit. */
  static Reply.ErrorLine grownTooLong(long most) {
    return Reply.error(
        TOO_LONG
            + ": the limit is "
            + most
            + " bytes; make it shorter, or have 'resp.max-value' raised");
  }

  /** A defect; the log has the details under this reference. */
  public static Reply.ErrorLine internal(String reference) {
    return Reply.error("ERR internal error, see the member's log (ref " + reference + ")");
  }

  /** Returns the error for too few or too many arguments. */
  public static Reply.ErrorLine wrongArity(Descriptor descriptor) {
    return Reply.error("ERR wrong number of arguments for '" + descriptor.fullName() + "' command");
  }

  /** A subcommand that takes other arguments. */
  static Reply.ErrorLine unknownOrWrongArity(String container, Request request) {
    return latin(
        "ERR unknown subcommand or wrong number of arguments for '"
            + shortened(shown(request.latin(1)), MOST_ECHOED)
            + "'. Try "
            + container.toUpperCase(Locale.ROOT)
            + " HELP.");
  }

  /** A time that is none. */
  public static Reply.ErrorLine invalidExpireTime(String command) {
    return Reply.error("ERR invalid expire time in '" + command + "' command");
  }

  /** A word after a command that has subcommands. */
  static Reply.ErrorLine unknownSubcommand(String container, Request request) {
    String why = RedisCommands.whyMissing(container + "|" + request.latin(1));
    return latin(
        "ERR unknown subcommand '"
            + shortened(shown(request.latin(1)), MOST_ECHOED)
            + "'. Try "
            + container
            + " HELP."
            + (why.isEmpty() ? "" : " " + why));
  }

  /**
   * A name that no command has; says so if Redis has it. What looks like an access key is not
   * repeated.
   */
  static Reply.ErrorLine unknownCommand(Request request) {
    StringBuilder arguments = new StringBuilder();
    for (int i = 1; i < request.count() && arguments.length() < MOST_ECHOED; i++) {
      int room = MOST_ECHOED - arguments.length();
      arguments.append('\'').append(shortened(shown(request.latin(i)), room)).append("' ");
    }
    return latin(
        "ERR unknown command '"
            + shortened(shown(request.latin(0)), MOST_ECHOED)
            + "', with args beginning with: "
            + arguments
            + RedisCommands.whyMissing(request.latin(0)));
  }

  /** An argument as an error may repeat it: not what looks like an access key. */
  static String shown(String argument) {
    return argument.contains(KEY_PREFIX) ? "(not shown)" : argument;
  }

  /** Shortens a text as C prints a string: up to a zero byte. */
  private static String shortened(String text, int most) {
    int zero = text.indexOf(0);
    return text.substring(0, Math.min(zero < 0 ? text.length() : zero, most));
  }

  private static Reply.ErrorLine latin(String line) {
    return new Reply.ErrorLine(line.getBytes(ISO_8859_1));
  }
}

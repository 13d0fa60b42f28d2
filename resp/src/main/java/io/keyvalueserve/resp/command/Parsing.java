package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Optional;

/** The parsing of arguments. */
public final class Parsing {
  private static final long MILLIS_PER_SECOND = 1000;

  private Parsing() {}

  /**
   * Returns how many elements are to be chosen at random: a negative number for elements that may
   * be chosen again.
   */
  static long sample(Request request, int index) {
    long count = integer(request, index);
    if (count == Long.MIN_VALUE) {
      throw new CommandException(
          "ERR value is out of range, value must between -9223372036854775807 and"
              + " 9223372036854775807");
    }
    return count;
  }

  static CommandException syntaxError() {
    return new CommandException(Errors.SYNTAX);
  }

  /** An integer of 64 bits. */
  static long integer(Request request, int index) {
    return Arithmetic.parseInteger(request.argument(index))
        .orElseThrow(() -> new CommandException(Errors.NOT_AN_INTEGER));
  }

  /**
   * A time to wait, in milliseconds; 0 for ever.
   *
   * @throws CommandException if it is none
   */
  static long timeoutMillis(Request request, int index) {
    long millis =
        Arithmetic.parseInteger(request.argument(index))
            .orElseThrow(
                () -> new CommandException("ERR timeout is not an integer or out of range"));
    if (millis < 0) {
      throw new CommandException("ERR timeout is negative");
    }
    return millis;
  }

  /**
   * A count of 0 or more.
   *
   * @throws CommandException if it is none
   */
  static long notNegative(Request request, int index) {
    long value =
        Arithmetic.parseInteger(request.argument(index))
            .orElseThrow(() -> new CommandException(Errors.NOT_POSITIVE));
    if (value < 0) {
      throw new CommandException(Errors.NOT_POSITIVE);
    }
    return value;
  }

  /**
   * The place that a cursor names. Redis reads it as C does: any integer whose magnitude has up to
   * 64 bits, with a sign or without, up to a zero byte; nothing is 0. Behind all keys if it is none
   * of ours.
   *
   * @throws CommandException if it is no such integer
   */
  static long cursor(String argument) {
    int zero = argument.indexOf(0);
    String text = zero < 0 ? argument : argument.substring(0, zero);
    if (text.isEmpty()) {
      return 0;
    }
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String digits = signed ? text.substring(1) : text;
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new CommandException("ERR invalid cursor");
    }
    long magnitude;
    try {
      magnitude = Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new CommandException("ERR invalid cursor");
    }
    long cursor = text.startsWith("-") ? -magnitude : magnitude;
    return cursor < 0 ? Long.MAX_VALUE : cursor;
  }

  /**
   * The map of this name: number 0 is the map {@code default}, number n the map {@code n}, {@code
   * tenant/map} another tenant's.
   *
   * @param own whose maps are meant if the name does not say
   * @throws CommandException if it is no name
   */
  public static QualifiedName mapName(String text, TenantName own) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return new QualifiedName(own, mapName(text));
    }
    try {
      return new QualifiedName(
          new TenantName(text.substring(0, slash)), new MapName(text.substring(slash + 1)));
    } catch (InvalidNameException e) {
      throw new CommandException("ERR " + e.getMessage());
    }
  }

  /**
   * Returns whether a text could name one of the tenant's own maps, and is not a number as
   * databases of Redis have. Where a number is expected, only a map that exists is meant: otherwise
   * a word in its place is an error, as in Redis.
   */
  static boolean isMapWord(byte[] text) {
    for (byte each : text) {
      if (each == '/') {
        return false;
      }
    }
    return Arithmetic.parseInteger(text).isEmpty();
  }

  private static MapName mapName(String text) {
    if (text.equals("0")) {
      return MapName.DEFAULT;
    }
    Optional<Long> number =
        Arithmetic.parseInteger(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    if (number.isPresent() && number.get() < 0) {
      throw new CommandException("ERR DB index is out of range");
    }
    try {
      return new MapName(text);
    } catch (InvalidNameException e) {
      throw new CommandException("ERR " + e.getMessage());
    }
  }

  /**
   * The moment a client means, as Redis reads {@code EX}, {@code PX}, {@code EXAT} and {@code
   * PXAT}: more than 0.
   *
   * @param baseMillis the time now for a duration, 0 for a moment
   * @throws CommandException if it is no such time
   */
  static long expireAtMillis(long time, boolean seconds, long baseMillis, String command) {
    if (time <= 0 || (seconds && time > Long.MAX_VALUE / MILLIS_PER_SECOND)) {
      throw new CommandException(Errors.invalidExpireTime(command));
    }
    long millis = seconds ? time * MILLIS_PER_SECOND : time;
    if (millis > Long.MAX_VALUE - baseMillis) {
      throw new CommandException(Errors.invalidExpireTime(command));
    }
    return millis + baseMillis;
  }
}

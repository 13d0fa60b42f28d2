package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Optional;

/** The parsing of arguments. */
final class Parsing {
  private static final long MILLIS_PER_SECOND = 1000;

  private Parsing() {}

  static CommandException syntaxError() {
    return new CommandException(Errors.SYNTAX);
  }

  /** An integer of 64 bits. */
  static long integer(Request request, int index) {
    return Arithmetic.parseInteger(request.argument(index))
        .orElseThrow(() -> new CommandException(Errors.NOT_AN_INTEGER));
  }

  /**
   * The map of this name: number 0 is the map {@code default}, number n the map {@code n}, {@code
   * tenant/map} another tenant's.
   *
   * @param own whose maps are meant if the name does not say
   * @throws CommandException if it is no name
   */
  static QualifiedName mapName(String text, TenantName own) {
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

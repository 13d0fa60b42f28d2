package io.keyvalueserve.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.server.config.Durations;
import java.time.Duration;

/** The time that an entry lives, in requests and answers. */
final class TimeToLive {
  /** The header with the milliseconds that an entry has left, or is to have. */
  static final HeaderName HEADER = HeaderNames.create("Kvs-Ttl-Millis");

  static final String PARAMETER = "ttl";

  /** The result of {@link #millis} if the entry is to keep the end that it has. */
  static final long KEEP = -1;

  private static final String KEEP_TEXT = "keep";

  /** A hundred years: what is to live for longer needs no end. */
  private static final Duration MOST = Duration.ofDays(36_500);

  private TimeToLive() {}

  /**
   * Returns the milliseconds that an entry is to live.
   *
   * @return 0 if the request does not say, {@link #KEEP} if the end is to stay as it is
   * @throws Errors.BadRequest if what it says is no time
   */
  static long millis(ServerRequest request) {
    boolean inQuery = request.query().contains(PARAMETER);
    if (inQuery && request.headers().contains(HEADER)) {
      throw new HttpErrors.BadRequest(
          PARAMETER, "'ttl' and Kvs-Ttl-Millis say the same: give one of them");
    }
    if (inQuery) {
      return parse(request.query().get(PARAMETER), PARAMETER);
    }
    if (request.headers().contains(HEADER)) {
      String text = request.headers().get(HEADER).get();
      return requireValid(
          text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0,
          HEADER.defaultCase(),
          "a number of milliseconds");
    }
    return 0;
  }

  /**
   * Returns the milliseconds that a text such as {@code 30s} means, or {@link #KEEP}.
   *
   * @param field where the request says it
   */
  static long parse(String text, String field) {
    if (text.equals(KEEP_TEXT)) {
      return KEEP;
    }
    Duration duration = Durations.parse(text).orElse(Duration.ZERO);
    return requireValid(
        duration.compareTo(MOST) > 0 ? 0 : duration.toMillis(),
        field,
        "keep, or a time such as 250ms, 30s, 15m, 12h or 7d");
  }

  /**
   * Returns this number, if an entry can live for so long.
   *
   * @param field where the request says it
   * @param form what it has to be, for the message
   */
  static long requireValid(long millis, String field, String form) {
    if (millis < 1 || millis > MOST.toMillis()) {
      throw new HttpErrors.BadRequest(
          field, "'" + field + "' is " + form + ", from one millisecond to a hundred years");
    }
    return millis;
  }

  /**
   * Returns the time when an entry expires that is written now.
   *
   * @param millis for how long it lives; 0 for good, {@link #KEEP} as long as the entry that it
   *     replaces
   * @return an {@link Expiry}
   */
  static long expiry(long millis, long nowMillis) {
    if (millis == KEEP) {
      return Expiry.KEEP;
    }
    return millis == 0 ? Expiry.NONE : nowMillis + millis;
  }

  /** Returns the milliseconds that are left: 1 or more. */
  static long left(long expireAtMillis, long nowMillis) {
    return Math.max(1, expireAtMillis - nowMillis);
  }
}

package io.keyvalueserve.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.server.config.Durations;
import java.time.Duration;

/** For how long an entry lives, as requests and answers say it. */
final class TimeToLive {
  /** How many milliseconds an entry has left, or is to have. */
  static final HeaderName HEADER = HeaderNames.create("Kvs-Ttl-Millis");

  static final String PARAMETER = "ttl";

  /** A hundred years: what is to live for longer needs no end. */
  private static final long MOST_MILLIS = Duration.ofDays(36_500).toMillis();

  private TimeToLive() {}

  /**
   * When an entry expires that is written now.
   *
   * @return an {@link Expiry}: {@link Expiry#NONE} if the request says nothing
   * @throws Errors.BadRequest if what it says is no time
   */
  static long expiry(ServerRequest request, long nowMillis) {
    boolean inQuery = request.query().contains(PARAMETER);
    if (inQuery && request.headers().contains(HEADER)) {
      throw new Errors.BadRequest(
          PARAMETER, "'ttl' and Kvs-Ttl-Millis say the same: give one of them");
    }
    if (inQuery) {
      long millis =
          Durations.parse(request.query().get(PARAMETER)).map(TimeToLive::millis).orElse(0L);
      return expiry(millis, nowMillis, PARAMETER, "a time such as 250ms, 30s, 15m, 12h or 7d");
    }
    if (request.headers().contains(HEADER)) {
      String text = request.headers().get(HEADER).get();
      long millis = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
      return expiry(millis, nowMillis, HEADER.defaultCase(), "a number of milliseconds");
    }
    return Expiry.NONE;
  }

  /**
   * When an entry expires that is to live for so long.
   *
   * @param field where the request says it
   * @param form what it has to be, for the message
   */
  static long expiry(long millis, long nowMillis, String field, String form) {
    if (millis < 1 || millis > MOST_MILLIS) {
      throw new Errors.BadRequest(
          field, "'" + field + "' is " + form + ", from one millisecond to a hundred years");
    }
    return nowMillis + millis;
  }

  private static long millis(Duration duration) {
    return duration.compareTo(Duration.ofMillis(MOST_MILLIS)) > 0 ? 0 : duration.toMillis();
  }

  /** How many milliseconds are left: 1 or more. */
  static long left(long expireAtMillis, long nowMillis) {
    return Math.max(1, expireAtMillis - nowMillis);
  }
}

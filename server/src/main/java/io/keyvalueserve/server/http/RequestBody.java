package io.keyvalueserve.server.http;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.server.config.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Reads bodies into memory, no longer than they may be. */
final class RequestBody {
  private static final int FIRST_BYTES = 8 * 1024;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LEAST_BYTES_PER_SECOND = 64 * 1024;

  private RequestBody() {}

  /** The same for a body whose limit no setting raises. */
  static byte[] read(ServerRequest request, int most, BodyRoom.Part room) {
    return read(request, most, "", room);
  }

  /**
   * The body. Memory is taken as bytes arrive, not as the request announces them.
   *
   * @param most how long it may be
   * @param setting the setting that raises that; empty if none does
   * @throws Errors.Refused if it is longer (413), there is no room (503), or it comes too slowly
   *     (408)
   */
  static byte[] read(ServerRequest request, int most, String setting, BodyRoom.Part room) {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    long announced = request.headers().contentLength().orElse(-1);
    if (announced > most) {
      throw tooLong(most, setting);
    }
    int first = announced < 0 ? FIRST_BYTES : (int) Math.min(announced, FIRST_BYTES);
    int length = 0;
    long began = System.nanoTime();
    // A connection counts the bytes of chunks itself, as it buffers them.
    boolean isCounted = announced < 0 && HttpConnection.current() != null;
    if (!isCounted) {
      room.take(first);
    }
    byte[] body = new byte[first];
    try (InputStream in = request.content().inputStream()) {
      while (true) {
        if (length == body.length) {
          int next = in.read();
          if (next < 0) {
            return body;
          }
          if (length >= most) {
            throw tooLong(most, setting);
          }
          int larger = (int) Math.min(most, Math.max(2L * length, FIRST_BYTES));
          if (!isCounted) {
            room.take(larger - length);
          }
          body = Arrays.copyOf(body, larger);
          body[length++] = (byte) next;
        }
        int count = in.read(body, length, body.length - length);
        if (count < 0) {
          return length == body.length ? body : Arrays.copyOf(body, length);
        }
        length += count;
        if (isTooSlow(System.nanoTime() - began, length)) {
          throw new HttpErrors.Refused(
              Status.REQUEST_TIMEOUT_408,
              "too_slow",
              "the body comes too slowly: it has a minute, and a second for each 64 KiB",
              0);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new HttpException("the body ended before it was complete", Status.BAD_REQUEST_400);
    }
  }

  /**
   * Returns whether a body comes too slowly: so many bytes in so much time. Slow bodies take room
   * from others.
   */
  static boolean isTooSlow(long nanos, long bytes) {
    return nanos - PATIENCE_NANOS > TimeUnit.SECONDS.toNanos(bytes) / LEAST_BYTES_PER_SECOND;
  }

  private static HttpErrors.Refused tooLong(long most, String setting) {
    return new HttpErrors.Refused(
        Status.REQUEST_ENTITY_TOO_LARGE_413, "too_large", tooLongText(most, setting), 0);
  }

  /**
   * Returns the message for a body that is too long.
   *
   * @param setting the setting that raises the limit; empty if none does
   */
  static String tooLongText(long most, String setting) {
    String remedy = setting.isEmpty() ? "" : ", or have '" + setting + "' raised";
    return "the body may have " + Sizes.text(most) + " at most: send less" + remedy;
  }
}

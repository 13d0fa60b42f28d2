package io.keyvalueserve.server.http;

import io.helidon.http.Status;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of values all requests together may have on the Java heap. Who finds no room is
 * told to come again: nobody waits, so that those who send slowly hold nobody up who has his bytes
 * already. Thread-safe.
 */
final class BodyRoom {
  private static final int RETRY_SECONDS = 1;

  private final long most;
  private final AtomicLong used = new AtomicLong();

  /**
   * @param most how many bytes, at least as many as one request may have
   */
  BodyRoom(long most) {
    this.most = most;
  }

  /** How many bytes are in use. */
  long used() {
    return used.get();
  }

  /** The part of one request, which takes none at first. */
  Part part() {
    return new Part();
  }

  /** What one request has. Used by one thread. */
  final class Part implements AutoCloseable {
    private long bytes;

    /**
     * Takes more.
     *
     * @throws Errors.Refused if there is no room
     */
    void take(long more) {
      if (used.addAndGet(more) > most) {
        used.addAndGet(-more);
        throw new Errors.Refused(
            Status.SERVICE_UNAVAILABLE_503,
            "busy",
            "the member has as many large values on their way as it has memory for; try again",
            RETRY_SECONDS);
      }
      bytes += more;
    }

    @Override
    public void close() {
      used.addAndGet(-bytes);
      bytes = 0;
    }
  }
}

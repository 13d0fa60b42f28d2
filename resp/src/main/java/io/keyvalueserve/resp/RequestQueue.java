package io.keyvalueserve.resp;

import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one connection that wait for their turn. An empty queue holds no memory. On the
 * connection's event loop only.
 */
final class RequestQueue {
  private static final int MOST_REQUESTS = 4096;
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private @Nullable ArrayDeque<Request> requests;
  private long bytes;
  private long heldBytes;

  void add(Request request) {
    ArrayDeque<Request> waiting = requests;
    if (waiting == null) {
      waiting = new ArrayDeque<>();
      requests = waiting;
    }
    waiting.add(request);
    bytes += request.sizeBytes();
    heldBytes += request.heldBytes();
  }

  boolean isEmpty() {
    ArrayDeque<Request> waiting = requests;
    return waiting == null || waiting.isEmpty();
  }

  int size() {
    ArrayDeque<Request> waiting = requests;
    return waiting == null ? 0 : waiting.size();
  }

  /** The next request, which stays. */
  Request peek() {
    return waiting().element();
  }

  /** Takes the next request. */
  Request poll() {
    Request request = waiting().remove();
    bytes -= request.sizeBytes();
    heldBytes -= request.heldBytes();
    return request;
  }

  /** About how many bytes of memory the requests take. */
  long bytes() {
    return bytes;
  }

  /** Returns the room that was taken for large values of the requests. */
  long heldBytes() {
    return heldBytes;
  }

  /** Gives the memory of an empty queue back. */
  void trim() {
    if (requests != null && isEmpty()) {
      requests = null;
    }
  }

  /** Discards all. */
  void clear() {
    ArrayDeque<Request> dropped = requests;
    requests = null;
    bytes = 0;
    heldBytes = 0;
    if (dropped != null) {
      dropped.forEach(Request::discard);
    }
  }

  /**
   * Returns whether there is room for more.
   *
   * @param emptying whether it was full: then there is room again when half of it is done
   */
  boolean hasRoom(boolean emptying) {
    int share = emptying ? 2 : 1;
    return size() <= MOST_REQUESTS / share && bytes <= MOST_BYTES / share;
  }

  private ArrayDeque<Request> waiting() {
    ArrayDeque<Request> waiting = requests;
    if (waiting == null) {
      throw new IllegalStateException("no request is queued");
    }
    return waiting;
  }
}

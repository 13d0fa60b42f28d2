package io.keyvalueserve.resp.channel;

import io.keyvalueserve.gates.heap.HeapLease;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a connection has received and not written. Those of a client that does not
 * read, beyond a few, count to the heap of its tenant, in units. On the connection's event loop.
 */
public final class Inbox {
  private static final int FEW_BYTES = 64 << 10;
  private static final int UNIT_BYTES = 128 << 10;

  private final ArrayDeque<Message> messages = new ArrayDeque<>(2);
  private final HeapLease lease;
  private long bytes;
  private long leased;

  /**
   * @param lease the tenant's
   */
  public Inbox(HeapLease lease) {
    this.lease = lease;
  }

  /** Returns whether nothing waits. */
  public boolean isEmpty() {
    return messages.isEmpty();
  }

  /** Returns the bytes of the messages that wait. */
  public long bytes() {
    return bytes;
  }

  /**
   * Adds a message, and keeps a reference to it.
   *
   * @return false if the tenant has no heap left for it; it was added all the same
   */
  public boolean add(Message message) {
    messages.add(message.retain());
    bytes += message.size();
    while (bytes > FEW_BYTES + leased) {
      if (!lease.takeAhead(UNIT_BYTES)) {
        return false;
      }
      leased += UNIT_BYTES;
    }
    return true;
  }

  /** Takes the oldest message, which the caller has to release; null if there is none. */
  public @Nullable Message poll() {
    Message oldest = messages.poll();
    if (oldest != null) {
      bytes -= oldest.size();
      if (messages.isEmpty()) {
        giveBack();
      }
    }
    return oldest;
  }

  /** Drops all messages. */
  public void clear() {
    Message each;
    while ((each = messages.poll()) != null) {
      each.release();
    }
    bytes = 0;
    giveBack();
  }

  private void giveBack() {
    if (leased > 0) {
      lease.give(leased);
      leased = 0;
    }
  }
}

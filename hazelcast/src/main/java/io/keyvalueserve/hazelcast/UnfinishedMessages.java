package io.keyvalueserve.hazelcast;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory of messages that Hazelcast clients have sent in part. For these messages it has
 * not been asked yet whether their tenants may have so much waiting. The memory counts to the
 * {@link MemberHeap}. Thread-safe.
 */
final class UnfinishedMessages {
  private static final int HEAP_PART = 4;
  private static final long MEBIBYTE = 1 << 20;

  private final long most;
  private final long mostOfOne;
  private final MemberHeap whole;
  private final AtomicLong held = new AtomicLong();

  /**
   * None yet.
   *
   * @param most bytes that all may have together, 1 or more; one that is alone may have more
   * @param mostOfOne how many bytes one message may have, and all that a connection has begun
   * @param whole where the bytes count too
   */
  UnfinishedMessages(long most, long mostOfOne, MemberHeap whole) {
    this.most = most;
    this.mostOfOne = mostOfOne;
    this.whole = whole;
  }

  /**
   * Creates the counter for a member. All messages together may have a quarter of the Java heap.
   * One message may have as much, or what a tenant may have waiting, if that is more.
   */
  static UnfinishedMessages forHeap(long waitingBytes, MemberHeap whole) {
    long part = Runtime.getRuntime().maxMemory() / HEAP_PART;
    return new UnfinishedMessages(part, Math.max(part, waitingBytes) + MEBIBYTE, whole);
  }

  /** Returns the number of bytes that are held now. */
  long held() {
    return held.get();
  }

  /**
   * The bytes of one connection's unfinished messages. Changed by the thread that reads the
   * connection, and ended by any thread.
   */
  final class OfConnection {
    private final IntSupplier tenant;
    private final AtomicLong own = new AtomicLong();
    private final AtomicLong leased = new AtomicLong();
    private volatile boolean ended;

    /** Null until its tenant is known: peers without a key have a budget of their own. */
    private volatile @Nullable HeapLease lease;

    /**
     * The bytes that the connection had when they were last reported. Used by the thread that
     * reads.
     */
    private long said;

    /**
     * @param tenant gives the number of the tenant; less than 1 if none has authenticated
     */
    OfConnection(IntSupplier tenant) {
      this.tenant = tenant;
    }

    /** Returns how many bytes one message may have. */
    long mostOfOne() {
      return mostOfOne;
    }

    /**
     * It has so many bytes now.
     *
     * @throws IllegalStateException if that is more than one message may have, if all have too many
     *     or if the tenant uses too much of the heap
     */
    void holds(long bytes) {
      if (bytes == said) {
        return;
      }
      said = bytes;
      long more = bytes - own.getAndSet(bytes);
      long all = held.addAndGet(more);
      boolean fits = lease(bytes);
      if (ended) {
        end();
        return;
      }
      boolean tooMany = all > most && all != bytes; // one that is alone may have more
      if (more > 0 && (tooMany || bytes > mostOfOne)) {
        throw new IllegalStateException(
            "messages that are not complete take too much memory at this member: bytes="
                + all
                + " of which by this connection="
                + bytes
                + " limits="
                + most
                + ", "
                + mostOfOne);
      }
      HeapLease known = lease;
      if (!fits && known != null) {
        throw new IllegalStateException(
            "messages that are not complete take too much memory at this member: "
                + known.refusal());
      }
    }

    /** Returns false if the tenant uses too much: the connection is closed then. */
    private boolean lease(long bytes) {
      HeapLease known = lease;
      if (known == null) {
        int number = bytes == 0 ? 0 : tenant.getAsInt();
        if (number < 1) {
          return true;
        }
        known = whole.lease(number, HeapUse.MESSAGES);
        lease = known;
      }
      long more = bytes - leased.getAndSet(bytes);
      if (more <= 0) {
        known.give(-more);
        return true;
      }
      boolean fits = known.takeAhead(more);
      if (!fits) {
        long _ = leased.addAndGet(-more);
      }
      return fits;
    }

    /** The connection is closed. */
    void end() {
      ended = true;
      held.addAndGet(-own.getAndSet(0));
      HeapLease known = lease;
      if (known != null) {
        known.give(leased.getAndSet(0));
      }
    }
  }
}

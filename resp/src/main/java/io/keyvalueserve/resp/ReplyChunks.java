package io.keyvalueserve.resp;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Arrays that replies are gathered in, for the next time. One for each event loop, and used by it
 * only; how many are kept is bounded for all of them together ({@link Room}).
 *
 * <p>A reply to ten thousand keys takes a megabyte: made anew each time, it would be most of what a
 * collector of garbage has to do, and everybody waits for that.
 */
final class ReplyChunks {
  /** Far less than what a collector takes for huge. */
  static final int BYTES = 16 * 1024;

  private final Room room;
  private final Deque<byte[]> free = new ArrayDeque<>();

  ReplyChunks(Room room) {
    this.room = room;
  }

  /**
   * The bound on the arrays that are kept by all event loops. They count to the {@link MemberHeap}:
   * if tenants need it for other things, fewer are kept. Thread-safe.
   */
  static final class Room {
    /** A sixteenth of the Java heap. */
    private static final int HEAP_PART = 16;

    private final int most;
    private final HeapLease lease;
    private final AtomicInteger kept = new AtomicInteger();

    Room(int most, MemberHeap whole) {
      this.most = most;
      this.lease = whole.lease(MemberHeap.MEMBER, HeapUse.REPLY_BUFFERS);
    }

    static Room ofHeap(long heapBytes, MemberHeap whole) {
      return new Room((int) Math.min(Integer.MAX_VALUE, heapBytes / HEAP_PART / BYTES), whole);
    }

    private boolean keep() {
      int before = kept.getAndIncrement();
      if (before < most && lease.take(BYTES)) {
        return true;
      }
      kept.getAndDecrement();
      return false;
    }

    private void taken() {
      kept.getAndDecrement();
      lease.give(BYTES);
    }
  }

  /** An array of {@link #BYTES}; what is in it means nothing. */
  byte[] take() {
    byte[] one = free.pollLast();
    if (one == null) {
      return new byte[BYTES];
    }
    room.taken();
    return one;
  }

  /** Takes an array back, which nobody uses any more, if it is one that may be kept. */
  void give(byte[] array) {
    if (array.length == BYTES && room.keep()) {
      free.addLast(array);
    }
  }
}

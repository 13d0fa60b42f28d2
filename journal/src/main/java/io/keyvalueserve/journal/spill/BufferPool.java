package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.AlignedMemory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory to read into, of three sizes, kept for the next reader; what is longer is made for one
 * read. Thread-safe.
 */
final class BufferPool implements AutoCloseable {
  private final Kept[] kept = {
    new Kept(SpillSpace.PAGE_BYTES, 64), new Kept(SpillSpace.SLAB_BYTES, 16), new Kept(2 << 20, 4)
  };
  private volatile boolean closed;

  private static final class Kept {
    final int bytes;
    private final int most;
    private final Queue<AlignedMemory> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    Kept(int bytes, int most) {
      this.bytes = bytes;
      this.most = most;
    }

    AlignedMemory take() {
      AlignedMemory memory = queue.poll();
      if (memory == null) {
        return AlignedMemory.allocate(bytes);
      }
      count.decrementAndGet();
      return memory;
    }

    void give(AlignedMemory memory) {
      if (count.incrementAndGet() <= most) {
        queue.add(memory);
      } else {
        count.decrementAndGet();
        memory.close();
      }
    }

    void close() {
      for (AlignedMemory each = queue.poll(); each != null; each = queue.poll()) {
        each.close();
      }
    }
  }

  /** Takes a buffer of at least so many bytes, of any content. */
  AlignedMemory take(long bytes) {
    for (Kept each : kept) {
      if (bytes <= each.bytes) {
        return each.take();
      }
    }
    return AlignedMemory.allocate(bytes);
  }

  /** Takes back what was taken. */
  void give(AlignedMemory memory) {
    for (Kept each : kept) {
      if (memory.bytes() == each.bytes) {
        each.give(memory);
        if (closed) {
          each.close();
        }
        return;
      }
    }
    memory.close();
  }

  @Override
  public void close() {
    closed = true;
    for (Kept each : kept) {
      each.close();
    }
  }
}

package io.keyvalueserve.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The readers that may still be looking at unlinked blocks.
 *
 * <p>A reader opens a guard before it follows a pointer and closes it when it no longer uses what
 * it found. A writer unlinks a block, then takes a stamp ({@link #stamp}), and frees the block once
 * {@link #oldestGuard} is past that stamp: whoever came later cannot have seen the block.
 *
 * <p><b>How.</b> Epoch-based reclamation (K. Fraser, "Practical lock-freedom", 2004, section
 * 5.2.3), with slots that any thread may claim instead of a record for each thread: so virtual
 * threads can read, nothing is registered, and nothing is left behind by a thread that ends. A slot
 * holds 0 (free) or the epoch at which its guard was opened. A guard is opened with a
 * compare-and-set on a slot that hardly anybody else wants (chosen by the thread's number), which
 * is also the full fence that keeps the reader's loads behind it; a stamp is taken with an atomic
 * increment, the fence that keeps the scan of the slots behind the unlinking.
 *
 * <p>Thread-safe. Guards may nest and may be closed by another thread. Readers never wait, but when
 * {@value #SLOTS} guards are open.
 */
public final class Epochs {
  private static final int SLOTS = 256;
  private static final int STRIDE = 16; // longs: two cache lines, for the prefetcher's sake
  private static final long NEVER = Long.MAX_VALUE;
  private static final long CLOSED = Long.MIN_VALUE;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle EPOCH;

  static {
    try {
      EPOCH = MethodHandles.lookup().findVarHandle(Epochs.class, "epoch", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long[] slots = new long[(SLOTS + 1) * STRIDE];

  @SuppressWarnings("FieldMayBeFinal") // changed through EPOCH
  private volatile long epoch = 1;

  /**
   * Opens a guard: what is reachable from now on stays readable until {@link #exit}.
   *
   * @return the guard, to be handed to exit
   * @throws IllegalStateException if the heap has been closed
   */
  public int enter() {
    long now = epoch;
    if (now < 0) {
      throw new IllegalStateException("the heap is closed");
    }
    int slot = home();
    for (int tries = 1; ; tries++) {
      int index = index(slot);
      if ((long) SLOT.getOpaque(slots, index) == 0 && SLOT.compareAndSet(slots, index, 0L, now)) {
        VarHandle.fullFence();
        if (epoch < 0) {
          exit(slot);
          throw new IllegalStateException("the heap is closed");
        }
        return slot;
      }
      slot = (slot + 1) & (SLOTS - 1);
      if (tries % SLOTS == 0) {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  /** Closes a guard. Once. */
  public void exit(int guard) {
    SLOT.setRelease(slots, index(guard), 0L);
  }

  /**
   * Returns a stamp for blocks that were unlinked before. Guards that are opened from now on cannot
   * have seen them.
   */
  long stamp() {
    return (long) EPOCH.getAndAdd(this, 1L);
  }

  /**
   * Returns the epoch of the oldest open guard, or {@link #NEVER} if none is open. Nothing uses
   * blocks with a lower stamp any more.
   */
  long oldestGuard() {
    VarHandle.fullFence();
    long oldest = NEVER;
    for (int slot = 0; slot < SLOTS; slot++) {
      long since = (long) SLOT.getVolatile(slots, index(slot));
      if (since != 0 && since < oldest) {
        oldest = since;
      }
    }
    return oldest;
  }

  /** Returns the number of open guards. */
  public int guards() {
    int open = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((long) SLOT.getVolatile(slots, index(slot)) != 0) {
        open++;
      }
    }
    return open;
  }

  /** Lets nobody in any more and waits until everybody has left. */
  void close() {
    EPOCH.getAndBitwiseOr(this, CLOSED);
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (int open = guards(); open > 0; open = guards()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the heap cannot be closed: " + open + " readers stay");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private static int home() {
    return (int) ((Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L) >>> 56);
  }

  private static int index(int slot) {
    return (slot + 1) * STRIDE;
  }
}

package io.keyvalueserve.memory;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The unified heap: blocks of any size over all tiers, and the epochs that say when a block that
 * was unlinked may be used anew (seed 002: one heap over several mounts and kinds of memory).
 *
 * <p>A writer names a <em>stripe</em>, usually the number of its partition: writers of different
 * stripes do not disturb each other. A block has to be freed with the stripe and the size it was
 * allocated with.
 *
 * <p>Thread-safe.
 */
public final class NativeHeap implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_AGAIN_NANOS = 100_000;

  private final PageHeap pages;
  private final Epochs epochs = new Epochs();
  private final SlabAllocator[] stripes;
  private final long capacityBytes;
  private final LongAdder refusals = new LongAdder();
  private final AtomicInteger pins = new AtomicInteger();
  private final LongAdder pinnedBytes = new LongAdder();

  private NativeHeap(PageHeap pages, long capacityBytes, int stripes) {
    this.pages = pages;
    this.capacityBytes = capacityBytes;
    this.stripes = new SlabAllocator[stripes];
    for (int i = 0; i < stripes; i++) {
      this.stripes[i] = new SlabAllocator(i, pages, epochs);
    }
  }

  /**
   * Opens a heap.
   *
   * @param stripes how many writers can work without disturbing each other, at least 1: as many as
   *     there are partition threads
   * @throws MemorySourceException if one of the pools cannot be opened
   */
  public static NativeHeap open(HeapConfig config, int stripes) {
    if (stripes < 1) {
      throw new IllegalArgumentException("stripes must be at least 1: stripes=" + stripes);
    }
    return new NativeHeap(PageHeap.open(config), config.capacityBytes(), stripes);
  }

  /** Returns the number of stripes; a stripe's number is taken modulo this. */
  public int stripes() {
    return stripes.length;
  }

  /** The bytes of all pools together. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /**
   * The bytes of blocks in use, without what only waits for readers or for the next block. Cheap,
   * from any thread: the sum of figures that the writers of each stripe keep.
   */
  public long usedBytes() {
    long used = 0;
    for (SlabAllocator stripe : stripes) {
      used += stripe.liveBytes();
    }
    return used;
  }

  /** Returns the epochs, which know the readers. */
  public Epochs epochs() {
    return epochs;
  }

  /**
   * A block, its bytes being whatever they were.
   *
   * @param bytes at least 1
   * @return its address, a multiple of 8, never 0
   * @throws OutOfNativeMemoryException if no tier has room; nothing has changed
   */
  public long allocate(int stripe, int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a block has at least one byte: bytes=" + bytes);
    }
    try {
      return of(stripe).allocate(bytes);
    } catch (OutOfNativeMemoryException e) {
      trimOthers();
    }
    try {
      return of(stripe).allocate(bytes);
    } catch (OutOfNativeMemoryException e) {
      refusals.increment();
      throw e;
    }
  }

  /**
   * A run of whole pages, what they hold being whatever it was: for memory that is kept back. They
   * count as one block.
   *
   * @param count 1 or more
   * @return the address of the first
   * @throws OutOfNativeMemoryException if no tier has a run so long; nothing has changed
   */
  public long allocatePages(int count) {
    try {
      return stripes[0].allocatePages(count);
    } catch (OutOfNativeMemoryException e) {
      trimOthers();
    }
    try {
      return stripes[0].allocatePages(count);
    } catch (OutOfNativeMemoryException e) {
      refusals.increment();
      throw e;
    }
  }

  /** Takes back what {@link #allocatePages} gave, and no reader can be looking at. */
  public void freePages(long run, int count) {
    stripes[0].freePages(run, count);
  }

  /** They may keep empty pages for themselves. */
  private void trimOthers() {
    for (SlabAllocator each : stripes) {
      each.tryTrim();
    }
  }

  /** Returns how often no tier had room for a block since the heap was opened. */
  public long refusals() {
    return refusals.sum();
  }

  /** Takes back a block that no reader can be looking at. */
  public void free(int stripe, long block, int bytes) {
    of(stripe).free(block, bytes);
  }

  /** Takes back a block that was unlinked, once every guard that is open now has closed. */
  public void retire(int stripe, long block, int bytes) {
    of(stripe).retire(block, bytes);
  }

  void pinned(int bytes) {
    pins.getAndIncrement();
    pinnedBytes.add(bytes);
  }

  void unpinned(int bytes) {
    pinnedBytes.add(-bytes);
    pins.getAndDecrement();
  }

  /**
   * Returns the bytes of the blocks that are {@linkplain Pin pinned} now, each counted as often as
   * it is.
   */
  public long pinnedBytes() {
    return pinnedBytes.sum();
  }

  /** Returns how often blocks are {@linkplain Pin pinned} now. */
  public int pins() {
    return pins.get();
  }

  /**
   * Requires that a block is in use; does nothing unless blocks are checked, see {@link
   * Memory#CHECKED}.
   *
   * @throws IllegalStateException if it was freed or never was a block of this heap
   */
  public void requireLive(long block, int bytes) {
    if (Memory.CHECKED) {
      if (!SlabAllocator.isWithin(pages, block, bytes)) {
        throw new IllegalStateException("use: not of this heap: 0x" + Long.toHexString(block));
      }
      Slab.requireLive(Slab.of(block, bytes), block, "use");
    }
  }

  /**
   * Chooses pages that can be had by moving blocks: those of slabs whose blocks fit into others of
   * the same size. Whoever has blocks moves those that {@link #isEvacuated are there}; {@link
   * #endEvacuation} has to follow. One thread at a time; others go on.
   *
   * @return the bytes of these pages
   */
  public long beginEvacuation(int stripe) {
    return of(stripe).beginEvacuation();
  }

  /** Returns whether a block is to move. Any thread that has the block may call it. */
  public boolean isEvacuated(long block, int bytes) {
    return Slab.isEvacuated(Slab.of(block, bytes));
  }

  /** Ends the evacuation. Blocks that have not moved stay where they are. */
  public void endEvacuation(int stripe) {
    of(stripe).endEvacuation();
  }

  /** Frees what waits for readers that are gone, and gathers all empty pages in the pools. */
  public void trim() {
    for (SlabAllocator stripe : stripes) {
      stripe.trim();
    }
  }

  /**
   * Gives empty pages back to the operating system, where their source can.
   *
   * @return the bytes given back
   */
  public long returnToOs() {
    trim();
    return pages.returnToOs();
  }

  /** The tiers and pools, each pool's figures of one moment. */
  public List<TierReport> tiers() {
    return pages.report();
  }

  /** Returns the use of the pages that are not free. */
  public SlabReport blocks() {
    SlabReport sum = SlabReport.NONE;
    for (SlabAllocator stripe : stripes) {
      sum = sum.plus(stripe.report());
    }
    return sum;
  }

  /**
   * Unmaps all memory. No writer may be left; readers and who has a {@link Pin} are waited for, and
   * readers who come later get an {@link IllegalStateException}. Idempotent.
   *
   * @throws IllegalStateException if one of them does not leave within ten seconds: then the memory
   *     stays, as unmapping it would end the process
   */
  @Override
  public void close() {
    epochs.close();
    awaitPins();
    pages.close();
  }

  private void awaitPins() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (int left = pins(); left > 0; left = pins()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the heap cannot be closed: " + left + " pins stay");
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  private SlabAllocator of(int stripe) {
    return stripes[Math.floorMod(stripe, stripes.length)];
  }
}

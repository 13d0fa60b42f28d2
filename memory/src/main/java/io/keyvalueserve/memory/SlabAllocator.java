package io.keyvalueserve.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Blocks of any size for the writers of one stripe, cut from slabs of its own and given back to the
 * slab they came from, whoever frees them.
 *
 * <p>Thread-safe. A writer of one stripe hardly ever meets another: its lock is one uncontended
 * compare-and-set. Slabs and spans come from the {@link PageHeap} as runs of pages; a few empty
 * pages stay here for the next slab, so that the heap's own lock is taken rarely (seed 002: pages
 * are cached by thread and split in Java, native calls are amortised).
 *
 * <p>A block has to be freed with the size it was allocated with: nothing in front of a small block
 * says how large it is.
 */
final class SlabAllocator {
  private static final int MOST_CACHED = 16;
  private static final VarHandle LOCK;
  private static final VarHandle LIVE_BYTES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCK = lookup.findVarHandle(SlabAllocator.class, "lock", int.class);
      LIVE_BYTES = lookup.findVarHandle(SlabAllocator.class, "liveBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int stripe;
  private final PageHeap pages;
  private final Limbo limbo;
  private final Limbo.Sink sink = this::freeRetired;
  private final long[] current = new long[SizeClasses.COUNT];
  private final long[] partial = new long[SizeClasses.COUNT];
  private final long[] cached = new long[MOST_CACHED];
  private final Evacuation evacuation = new Evacuation(partial);
  private int cachedPages;
  private long pagesHeld;
  private long blockBytes;
  private long requestedBytes;
  private long liveBytes;

  @SuppressWarnings("unused") // through LOCK
  private int lock;

  SlabAllocator(int stripe, PageHeap pages, Epochs epochs) {
    this.stripe = stripe;
    this.pages = pages;
    this.limbo = new Limbo(epochs);
  }

  /**
   * A block, its bytes being whatever they were.
   *
   * @param bytes 1 or more
   * @return its address, a multiple of 8
   * @throws OutOfNativeMemoryException if no tier has room; nothing has changed
   */
  long allocate(int bytes) {
    lock();
    try {
      long block =
          bytes <= SizeClasses.LARGEST ? allocateOf(SizeClasses.of(bytes)) : allocateSpan(bytes);
      blockBytes += held(bytes);
      requestedBytes += bytes;
      addLive(held(bytes));
      return block;
    } finally {
      unlock();
    }
  }

  /**
   * A run of whole pages, counted as one block.
   *
   * @throws OutOfNativeMemoryException if no tier has one so long; nothing has changed
   */
  long allocatePages(int count) {
    lock();
    try {
      long run = acquireOrTrim(count);
      countPages(count);
      return run;
    } finally {
      unlock();
    }
  }

  /** Takes back what {@link #allocatePages} gave. */
  void freePages(long run, int count) {
    lock();
    try {
      countPages(-count);
      pagesHeld -= count;
      pages.release(run, count);
    } finally {
      unlock();
    }
  }

  private void countPages(int count) {
    long bytes = count * PageHeap.PAGE_BYTES;
    blockBytes += bytes;
    requestedBytes += bytes;
    addLive(bytes);
  }

  /** Takes back a block that no reader can be looking at. */
  void free(long block, int bytes) {
    lock();
    try {
      if (Memory.CHECKED) {
        requireOwn(block, bytes, "free");
        Slab.setRetired(Slab.of(block, bytes), block, true);
        freeRetired(block, bytes);
      } else {
        freeLocked(block, bytes);
      }
      addLive(-held(bytes));
    } finally {
      unlock();
    }
  }

  /** Takes back a block, as soon as no reader can be looking at it. It must be unlinked already. */
  void retire(long block, int bytes) {
    lock();
    try {
      if (Memory.CHECKED) {
        requireOwn(block, bytes, "retire");
        Slab.setRetired(Slab.of(block, bytes), block, true);
      }
      addLive(-held(bytes));
      limbo.add(block, bytes, sink);
    } finally {
      unlock();
    }
  }

  /** Frees what waits for readers that are gone, and gives all empty pages to the heap. */
  void trim() {
    lock();
    try {
      trimLocked();
    } finally {
      unlock();
    }
  }

  /** Does the same as {@link #trim}, unless the allocator is in use right now. */
  void tryTrim() {
    if (LOCK.compareAndSet(this, 0, 1)) {
      try {
        trimLocked();
      } finally {
        unlock();
      }
    }
  }

  /**
   * Chooses slabs whose blocks fit into the others of their classes, the emptiest first: nothing is
   * taken from them until {@link #endEvacuation}.
   *
   * @return the bytes of their pages
   */
  long beginEvacuation() {
    lock();
    try {
      limbo.drain(sink);
      return evacuation.begin() * PageHeap.PAGE_BYTES;
    } finally {
      unlock();
    }
  }

  /** Blocks may be taken again from slabs that did not become empty. */
  void endEvacuation() {
    lock();
    try {
      limbo.drain(sink);
      evacuation.end();
    } finally {
      unlock();
    }
  }

  /** The bytes of blocks in use, without those that only wait for readers. From any thread. */
  long liveBytes() {
    return (long) LIVE_BYTES.getOpaque(this);
  }

  /** Its figures. */
  SlabReport report() {
    lock();
    try {
      return new SlabReport(
          pagesHeld * PageHeap.PAGE_BYTES,
          (long) cachedPages * PageHeap.PAGE_BYTES,
          blockBytes,
          requestedBytes,
          limbo.bytes());
    } finally {
      unlock();
    }
  }

  private long allocateOf(int sizeClass) {
    long block = takeOf(sizeClass);
    if (block != 0) {
      return block;
    }
    try {
      current[sizeClass] = newSlab(sizeClass);
    } catch (OutOfNativeMemoryException e) {
      trimLocked();
      block = takeOf(sizeClass); // one may have come back
      if (block != 0) {
        return block;
      }
      current[sizeClass] = newSlab(sizeClass);
    }
    return Slab.take(current[sizeClass]);
  }

  /** A block of a slab that is there, or 0: then no slab of the class has a free one. */
  private long takeOf(int sizeClass) {
    long slab = current[sizeClass];
    if (slab != 0) {
      long block = Slab.take(slab);
      if (block != 0) {
        return block;
      }
    }
    slab = partial[sizeClass];
    if (slab == 0) {
      return 0;
    }
    partial[sizeClass] = Slab.unlink(slab, slab);
    current[sizeClass] = slab;
    return Slab.take(slab);
  }

  private long allocateSpan(int bytes) {
    int count = Slab.pagesOfSpan(bytes);
    long slab = acquireOrTrim(count);
    Slab.init(slab, stripe, Slab.SPAN, count);
    return Slab.takeSpan(slab);
  }

  private long newSlab(int sizeClass) {
    int count = SizeClasses.pages(sizeClass);
    long slab = count == 1 && cachedPages > 0 ? cached[--cachedPages] : acquire(count);
    Slab.init(slab, stripe, sizeClass, count);
    return slab;
  }

  private long acquireOrTrim(int count) {
    try {
      return acquire(count);
    } catch (OutOfNativeMemoryException e) {
      trimLocked();
      return acquire(count);
    }
  }

  private long acquire(int count) {
    long run = pages.acquire(count);
    pagesHeld += count;
    return run;
  }

  /** Takes back a block that nobody is waiting for any more. */
  private void freeRetired(long block, int bytes) {
    if (Memory.CHECKED) {
      Slab.setRetired(Slab.of(block, bytes), block, false);
    }
    freeLocked(block, bytes);
  }

  private void freeLocked(long block, int bytes) {
    long slab = Slab.of(block, bytes);
    blockBytes -= held(bytes);
    requestedBytes -= bytes;
    int sizeClass = Slab.sizeClass(slab);
    if (sizeClass == Slab.SPAN) {
      release(slab);
      return;
    }
    Slab.give(slab, block);
    if (Slab.used(slab) == 0) {
      dropEmpty(slab, sizeClass);
    } else if (!Slab.isListed(slab) && slab != current[sizeClass]) {
      partial[sizeClass] = Slab.push(slab, partial[sizeClass]);
    }
  }

  private void dropEmpty(long slab, int sizeClass) {
    if (slab == current[sizeClass]) {
      current[sizeClass] = 0;
    } else if (Slab.isEvacuated(slab)) {
      evacuation.remove(slab);
    } else if (Slab.isListed(slab)) {
      partial[sizeClass] = Slab.unlink(slab, partial[sizeClass]);
    }
    if (Slab.pages(slab) == 1 && cachedPages < MOST_CACHED) {
      Slab.dissolve(slab);
      cached[cachedPages++] = slab;
    } else {
      release(slab);
    }
  }

  private void release(long slab) {
    int count = Slab.pages(slab);
    Slab.dissolve(slab);
    pagesHeld -= count;
    pages.release(slab, count);
  }

  private void trimLocked() {
    limbo.drain(sink);
    while (cachedPages > 0) {
      pagesHeld--;
      pages.release(cached[--cachedPages], 1);
    }
  }

  private void addLive(long bytes) {
    LIVE_BYTES.setOpaque(this, liveBytes + bytes);
  }

  /** Returns the bytes that a block of a requested size takes. */
  private static long held(int bytes) {
    return bytes <= SizeClasses.LARGEST
        ? SizeClasses.stride(SizeClasses.of(bytes))
        : Slab.pagesOfSpan(bytes) * PageHeap.PAGE_BYTES;
  }

  private void requireOwn(long block, int bytes, String what) {
    if (!isWithin(pages, block, bytes)) {
      throw new IllegalStateException(
          what + ": foreign block: 0x" + Long.toHexString(block) + " is not of this heap");
    }
    long slab = Slab.of(block, bytes);
    Slab.requireLive(slab, block, what);
    int sizeClass = bytes <= SizeClasses.LARGEST ? SizeClasses.of(bytes) : Slab.SPAN;
    if (Slab.owner(slab) != stripe || Slab.sizeClass(slab) != sizeClass) {
      throw new IllegalStateException(
          what
              + ": the block is freed as what it is not: block=0x"
              + Long.toHexString(block)
              + " bytes="
              + bytes
              + " stripe="
              + stripe
              + ", it belongs to stripe="
              + Slab.owner(slab)
              + " class="
              + Slab.sizeClass(slab));
    }
  }

  /** Returns whether a block, and the slab that it says it belongs to, are in the heap at all. */
  static boolean isWithin(PageHeap pages, long block, int bytes) {
    return pages.contains(block)
        && pages.contains(block - SizeClasses.LINK_BYTES)
        && pages.contains(Slab.of(block, bytes));
  }

  private void lock() {
    for (int spins = 0; !LOCK.compareAndSet(this, 0, 1); spins++) {
      if (spins < 64) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  private void unlock() {
    LOCK.setRelease(this, 0);
  }
}

package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The index of a table's records: linear hashing over buckets of one cache line.
 *
 * <pre>
 *   bucket   | slot 0 | slot 1 | ... | slot 6 | next bucket of the chain |      8 bytes each
 *
 *   slot     bits 63-45 tag: 19 bits of the hash, 44-0 the record's address / 8; 0 is empty
 *
 *   root     | buckets | room | segment 0 | segment 1 | ...                     4, 4, 8, 8, ...
 *
 *   segment  1, 1, 2, 4, 8, then always 16 buckets
 * </pre>
 *
 * <p>With {@code n} buckets, {@code L = floor(log2 n)}, a hash belongs to bucket {@code h mod
 * 2^(L+1)} if there is one of that number, else to {@code h mod 2^L}. Growing by one bucket splits
 * bucket {@code n - 2^L}; shrinking undoes the last split. One insertion causes at most one split.
 *
 * <p><b>Readers</b> hold a guard (epochs), so no block they reach is used anew meanwhile. A slot
 * goes from one record to its successor in one write, so a hit is always right: the record was the
 * key's at some time during the search, even if the bucket has been left behind by a split since. A
 * miss may be wrong while records move between buckets: {@code sequence} is odd then, and a reader
 * that finds nothing believes it only if the sequence was even and has not changed. The writer
 * moves a record by writing its new slot before it clears the old one.
 *
 * <p><b>The writer</b> allocates before it changes anything, so running out of memory changes
 * nothing. Growing is an improvement, not a duty: without memory for it, chains get longer.
 *
 * <p>One writer at a time, hand-over being the caller's duty; any readers.
 */
final class Index {
  /** The result of {@link #scan} after the last bucket. */
  static final long END = -1;

  private static final int SLOTS = 7;
  private static final int NEXT = SLOTS * Long.BYTES;
  private static final int BUCKET_BYTES = 64;

  private static final int TAG_SHIFT = 45;
  private static final long ADDRESS_MASK = (1L << TAG_SHIFT) - 1;
  private static final int ALIGNMENT_SHIFT = 3;

  private static final int BUCKETS = 0;
  private static final int ROOM = 4;
  private static final int SEGMENTS = 8;
  private static final int FIRST_ROOM = 4;
  private static final int SEGMENT_BUCKETS_SHIFT = 4;
  private static final int SEGMENT_BUCKETS = 1 << SEGMENT_BUCKETS_SHIFT;
  private static final int SMALL_SEGMENTS = SEGMENT_BUCKETS_SHIFT + 1;
  private static final int MOST_BUCKETS = 1 << 30;

  /** Records for each bucket, on average, above which the index grows. */
  static final int GROW_ABOVE = 5;

  /** Records for each bucket, on average, that stay enough when no more are expected. */
  private static final int FIT = 3;

  /** Buckets for each record above which it shrinks. */
  private static final int SHRINK_ABOVE = 2;

  /**
   * The most buckets by which one removal shrinks the index. It is more than one removal makes
   * necessary.
   */
  private static final int SHRINK_AT_ONCE = 4;

  private static final VarHandle SEQUENCE;
  private static final VarHandle ROOT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SEQUENCE = lookup.findVarHandle(Index.class, "sequence", long.class);
      ROOT = lookup.findVarHandle(Index.class, "root", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NativeHeap heap;
  private final int stripe;
  private final long seed;

  private long root;
  private long sequence;
  private long bytes;
  private int leastBuckets = 1;

  /** Keeps the loads from being left out. */
  @SuppressWarnings("UnusedVariable")
  private long seen;

  /**
   * @throws OutOfNativeMemoryException if there is no room for the first bucket
   */
  Index(NativeHeap heap, int stripe, long seed) {
    this.heap = heap;
    this.stripe = stripe;
    this.seed = seed;
    long fresh = allocate(rootBytes(FIRST_ROOM));
    try {
      long first = newBuckets(1);
      Memory.putInt(fresh + BUCKETS, 1);
      Memory.putInt(fresh + ROOM, FIRST_ROOM);
      Memory.fill(fresh + SEGMENTS, (long) FIRST_ROOM * Long.BYTES, (byte) 0);
      Memory.putLong(fresh + SEGMENTS, first);
    } catch (OutOfNativeMemoryException e) {
      heap.free(stripe, fresh, rootBytes(FIRST_ROOM));
      throw e;
    }
    ROOT.setRelease(this, fresh);
  }

  // ---- any thread, guarded; or the writer

  /** The record of a key, 0 if there is none. */
  long find(byte[] key, int offset, int length, int form, long hash) {
    long tag = tag(hash);
    while (true) {
      long before = (long) SEQUENCE.getVolatile(this);
      long top = (long) ROOT.getVolatile(this);
      if (top == 0) {
        return 0;
      }
      for (long b = bucketOf(top, (int) hash); b != 0; b = next(b)) {
        for (int i = 0; i < NEXT; i += Long.BYTES) {
          long slot = Memory.getLongAcquire(b + i);
          if (slot >>> TAG_SHIFT == tag && slot != 0) {
            long record = record(slot);
            if (Records.hasKey(record, key, offset, length, form)) {
              return record;
            }
          }
        }
      }
      if (isUnchanged(before)) {
        return 0;
      }
      Thread.onSpinWait();
    }
  }

  /** The record of a key that is in memory, 0 if there is none. To be called by the writer. */
  long find(long key, int length, int form, long hash) {
    long tag = tag(hash);
    for (long b = bucketOf(root, (int) hash); b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        if (slot >>> TAG_SHIFT == tag
            && slot != 0
            && Records.hasKey(record(slot), key, length, form)) {
          return record(slot);
        }
      }
    }
    return 0;
  }

  /**
   * The record with a hash and the id of a note, 0 if there is none. To be called by the writer.
   */
  long find(long hash, int note) {
    long tag = tag(hash);
    for (long b = bucketOf(root, (int) hash); b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        if (slot >>> TAG_SHIFT == tag && slot != 0 && Records.note(record(slot)) == note) {
          return record(slot);
        }
      }
    }
    return 0;
  }

  /** The record whose key has a hash, 0 if there is none. To be called by the writer. */
  long find(long hash) {
    long tag = tag(hash);
    for (long b = bucketOf(root, (int) hash); b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        if (slot >>> TAG_SHIFT == tag && slot != 0 && Records.hash(record(slot), seed) == hash) {
          return record(slot);
        }
      }
    }
    return 0;
  }

  /** The record whose key has a hash, 0 if there is none. Any thread, guarded. */
  long findGuarded(long hash) {
    long tag = tag(hash);
    while (true) {
      long before = (long) SEQUENCE.getVolatile(this);
      long top = (long) ROOT.getVolatile(this);
      if (top == 0) {
        return 0;
      }
      for (long b = bucketOf(top, (int) hash); b != 0; b = next(b)) {
        for (int i = 0; i < NEXT; i += Long.BYTES) {
          long slot = Memory.getLongAcquire(b + i);
          if (slot >>> TAG_SHIFT == tag && slot != 0 && Records.hash(record(slot), seed) == hash) {
            return record(slot);
          }
        }
      }
      if (isUnchanged(before)) {
        return 0;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Returns the address of the bucket of a hash, 0 if it cannot be told; good for looking ahead
   * only.
   */
  long bucketOf(long hash) {
    long top = (long) ROOT.getVolatile(this);
    return top == 0 ? 0 : bucketOf(top, (int) hash);
  }

  /** A record in a bucket or its chain that may have this hash; 0 if there is none. */
  static long likely(long bucket, long hash) {
    long tag = tag(hash);
    for (long b = bucket; b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLongAcquire(b + i);
        if (slot >>> TAG_SHIFT == tag && slot != 0) {
          return record(slot);
        }
      }
    }
    return 0;
  }

  /**
   * The records of one bucket whose position is a cursor's or after it.
   *
   * <p>A position is the reversed low half of a hash. All records of a bucket are neighbours in
   * that order, and a split leaves them neighbours: so a cursor means the same before and after any
   * growing and shrinking, and in any other index with the same seed.
   *
   * @param cursor 0 to 2^32 - 1
   * @param found takes the records, behind those that it has
   * @return the cursor that follows, or {@link #END}
   */
  long scan(long cursor, Found found) {
    int first = found.count;
    while (true) {
      found.count = first;
      long before = (long) SEQUENCE.getVolatile(this);
      long top = (long) ROOT.getVolatile(this);
      if (top == 0) {
        return END;
      }
      int n = buckets(top);
      int number = numberOf(n, Integer.reverse((int) cursor));
      for (long b = bucket(top, number); b != 0; b = next(b)) {
        for (int i = 0; i < NEXT; i += Long.BYTES) {
          long slot = Memory.getLongAcquire(b + i);
          if (slot != 0) {
            found.add(record(slot));
          }
        }
      }
      if (isUnchanged(before)) {
        int bits = levelOf(n, number);
        long span = 1L << (Integer.SIZE - bits);
        long begin = cursor & -span;
        if (cursor != begin) { // only then some may be before it, which takes a look at each
          found.keepFrom(first, cursor, seed);
        }
        long end = begin + span;
        return end > 0xFFFF_FFFFL ? END : end;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Brings some of the buckets near that follow in a scan.
   *
   * @return the sum of what was loaded, to be kept
   */
  long fetch(long cursor, int buckets) {
    long top = (long) ROOT.getVolatile(this);
    if (top == 0) {
      return 0;
    }
    int n = buckets(top);
    long sum = 0;
    long next = cursor;
    for (int i = 0; i < buckets && next <= 0xFFFF_FFFFL; i++) {
      int number = numberOf(n, Integer.reverse((int) next));
      long span = 1L << (Integer.SIZE - levelOf(n, number));
      long bucket = bucket(top, number);
      sum += bucket == 0 ? 0 : Memory.getLong(bucket);
      next = (next & -span) + span;
    }
    return sum;
  }

  /** The position of a hash in the order of scans: 0 to 2^32 - 1. */
  static long position(long hash) {
    return Integer.reverse((int) hash) & 0xFFFF_FFFFL;
  }

  /** The bytes of the index itself. */
  long bytes() {
    return bytes;
  }

  // ---- the writer

  /**
   * Adds a record whose key is not there.
   *
   * @throws OutOfNativeMemoryException if its chain is full and cannot grow; nothing has changed
   */
  void insert(long hash, long record) {
    long slot = slot(hash, record);
    long b = bucketOf(root, (int) hash);
    while (true) {
      long empty = emptySlot(b);
      if (empty != 0) {
        Memory.putLongRelease(empty, slot);
        return;
      }
      long following = next(b);
      if (following == 0) {
        long added = newBuckets(1);
        Memory.putLong(added, slot);
        Memory.putLongRelease(b + NEXT, added);
        return;
      }
      b = following;
    }
  }

  /**
   * Puts a record in the place of another of the same key.
   *
   * @return whether the other was there
   */
  boolean replace(long hash, long old, long record) {
    long at = slotOf(hash, old);
    if (at == 0) {
      return false;
    }
    Memory.putLongRelease(at, slot(hash, record));
    return true;
  }

  /**
   * Takes a record out.
   *
   * @return whether it was there
   */
  boolean remove(long hash, long record) {
    long old = slot(hash, record);
    long previous = 0;
    for (long b = bucketOf(root, (int) hash); b != 0; previous = b, b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        if (Memory.getLong(b + i) == old) {
          Memory.putLongRelease(b + i, 0);
          if (previous != 0 && isEmpty(b)) {
            beginMove();
            unlink(previous, b);
            endMove();
          }
          return true;
        }
      }
    }
    return false;
  }

  /** Grows by one bucket, or shrinks by a few, if the number of records asks for it. */
  void adjust(int records) {
    int n = buckets(root);
    if (records > (long) n * GROW_ABOVE && n < MOST_BUCKETS) {
      grow(n);
      return;
    }
    for (int i = 0;
        i < SHRINK_AT_ONCE && n > leastBuckets && (long) records * SHRINK_ABOVE < n;
        i++) {
      if (!shrink(--n)) {
        return;
      }
    }
  }

  /**
   * Grows for so many records at once, as far as there is memory, and stays so large until told
   * another number: to grow while few records are there is to move few.
   */
  void reserve(int records) {
    leastBuckets = Math.max(1, Math.min(MOST_BUCKETS, records / GROW_ABOVE));
    for (int n = buckets(root); n < leastBuckets; n++) {
      grow(n);
      if (buckets(root) == n) {
        return;
      }
    }
  }

  /**
   * Ends what {@link #reserve} asked for: shrinks to what so many records need, if it is much too
   * large for them. No record is looked at.
   */
  void fit(int records) {
    leastBuckets = 1;
    int n = buckets(root);
    int most = Math.max(1, records / FIT);
    while (n > most && shrink(n - 1)) {
      n--;
    }
  }

  /**
   * Empties the index without allocating anything, and hands over each record once no reader can
   * come upon it any more. Nothing moves, so readers need not wait: whom they miss is gone.
   */
  void clear(RecordVisitor removed) {
    int n = buckets(root);
    putBuckets(1);
    for (int number = 0; number < n; number++) {
      long first = bucket(root, number);
      for (long b = first; b != 0; ) {
        long following = next(b);
        for (int i = 0; i < NEXT; i += Long.BYTES) {
          long slot = Memory.getLong(b + i);
          if (slot != 0) {
            Memory.putLongRelease(b + i, 0);
            removed.visit(record(slot));
          }
        }
        Memory.putLongRelease(first + NEXT, following);
        if (b != first) {
          retireBuckets(b, 1);
        }
        b = following;
      }
    }
    for (int segment = Memory.getInt(root + ROOM) - 1; segment > 0; segment--) {
      dropSegment(segment);
    }
  }

  /** Ends the index, which has been cleared. Readers find nothing from now on. */
  void close() {
    long last = root;
    ROOT.setRelease(this, 0L);
    retireBuckets(Memory.getLong(last + SEGMENTS), 1);
    retire(last, rootBytes(Memory.getInt(last + ROOM)));
  }

  // ---- growing and shrinking

  private void grow(int n) {
    int level = level(n);
    long to;
    try {
      to = prepareBucket(n);
    } catch (OutOfNativeMemoryException e) {
      return;
    }
    long from = bucket(root, n - (1 << level));
    if (!copyMoving(from, to, level)) {
      return;
    }
    beginMove();
    putBuckets(n + 1);
    clearMoved(from, level);
    compact(from);
    endMove();
  }

  /** The memory of a bucket that does not count yet, empty. */
  private long prepareBucket(int number) {
    int segment = segmentOf(number);
    if (segment == Memory.getInt(root + ROOM)) {
      growRoot();
    }
    long at = root + SEGMENTS + (long) segment * Long.BYTES;
    long buckets = Memory.getLong(at);
    if (buckets == 0) {
      buckets = newBuckets(bucketsOf(segment));
      Memory.putLongRelease(at, buckets);
    }
    long bucket = buckets + (long) BUCKET_BYTES * placeOf(number);
    empty(bucket);
    return bucket;
  }

  private void growRoot() {
    int room = Memory.getInt(root + ROOM);
    long old = root;
    long wider = allocate(rootBytes(2 * room));
    Memory.copy(old, wider, rootBytes(room));
    Memory.putInt(wider + ROOM, 2 * room);
    Memory.fill(wider + SEGMENTS + (long) room * Long.BYTES, (long) room * Long.BYTES, (byte) 0);
    ROOT.setRelease(this, wider);
    retire(old, rootBytes(room));
  }

  /** Copies what moves to a new bucket; takes it back if there is no memory for its chain. */
  private boolean copyMoving(long from, long to, int level) {
    long last = to;
    int used = 0;
    for (long b = from; b != 0; b = next(b)) {
      look(b);
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        if (slot == 0 || !moves(slot, level)) {
          continue;
        }
        if (used == NEXT) {
          try {
            long added = newBuckets(1);
            Memory.putLongRelease(last + NEXT, added);
            last = added;
            used = 0;
          } catch (OutOfNativeMemoryException e) {
            retireChain(next(to));
            empty(to);
            return false;
          }
        }
        Memory.putLongRelease(last + used, slot); // a reader may be here since before a shrink
        used += Long.BYTES;
      }
    }
    return true;
  }

  /**
   * Reads from all records of a bucket: the processor waits for all of them at once, and not for
   * each until it is known whether it moves.
   */
  private void look(long bucket) {
    long sum = 0;
    for (int i = 0; i < NEXT; i += Long.BYTES) {
      long slot = Memory.getLong(bucket + i);
      sum += Memory.getInt(slot == 0 ? bucket : record(slot));
    }
    seen += sum;
  }

  private void clearMoved(long from, int level) {
    for (long b = from; b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        if (slot != 0 && moves(slot, level)) {
          Memory.putLongRelease(b + i, 0);
        }
      }
    }
  }

  /** Fills the holes of a chain from its end, and lets empty buckets go. */
  private void compact(long first) {
    long previous = first;
    for (long b = next(first); b != 0; ) {
      long following = next(b);
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        long hole = slot == 0 ? 0 : emptySlotBefore(first, b);
        if (hole != 0) {
          Memory.putLongRelease(hole, slot);
          Memory.putLongRelease(b + i, 0);
        }
      }
      if (isEmpty(b)) {
        unlink(previous, b);
      } else {
        previous = b;
      }
      b = following;
    }
  }

  /** Lets the last bucket go; false if there is no memory for it. */
  private boolean shrink(int last) {
    long from = bucket(root, last);
    long to = bucket(root, last - (1 << level(last)));
    if (!hasRoomFor(to, from)) {
      return false;
    }
    beginMove();
    for (long b = from; b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        long slot = Memory.getLong(b + i);
        if (slot != 0) {
          Memory.putLongRelease(emptySlotBefore(to, 0), slot);
        }
      }
    }
    putBuckets(last);
    retireChain(next(from));
    empty(from);
    if (placeOf(last) == 0) {
      dropSegment(segmentOf(last));
    }
    endMove();
    return true;
  }

  /**
   * Returns whether a chain has enough holes for another chain's records. Adds buckets to it if it
   * has not and memory allows.
   */
  private boolean hasRoomFor(long to, long from) {
    int lacking = records(from);
    long last = to;
    for (long b = to; b != 0; last = b, b = next(b)) {
      lacking -= SLOTS - recordsOf(b);
    }
    while (lacking > 0) {
      try {
        long added = newBuckets(1);
        Memory.putLongRelease(last + NEXT, added);
        last = added;
        lacking -= SLOTS;
      } catch (OutOfNativeMemoryException e) {
        return false; // an empty bucket may stay in the chain until the next split lets it go
      }
    }
    return true;
  }

  private boolean moves(long slot, int level) {
    return ((Records.hash(record(slot), seed) >>> level) & 1) != 0;
  }

  private void beginMove() {
    SEQUENCE.setOpaque(this, sequence + 1);
    VarHandle.storeStoreFence();
  }

  private void endMove() {
    SEQUENCE.setRelease(this, sequence + 1);
  }

  private boolean isUnchanged(long before) {
    VarHandle.loadLoadFence();
    return (before & 1) == 0 && (long) SEQUENCE.getOpaque(this) == before;
  }

  // ---- chains

  private long slotOf(long hash, long record) {
    long wanted = slot(hash, record);
    for (long b = bucketOf(root, (int) hash); b != 0; b = next(b)) {
      for (int i = 0; i < NEXT; i += Long.BYTES) {
        if (Memory.getLong(b + i) == wanted) {
          return b + i;
        }
      }
    }
    return 0;
  }

  private static long emptySlotBefore(long first, long end) {
    for (long b = first; b != end; b = next(b)) {
      long empty = emptySlot(b);
      if (empty != 0) {
        return empty;
      }
    }
    return 0;
  }

  private static long emptySlot(long bucket) {
    for (int i = 0; i < NEXT; i += Long.BYTES) {
      if (Memory.getLong(bucket + i) == 0) {
        return bucket + i;
      }
    }
    return 0;
  }

  private static int records(long first) {
    int count = 0;
    for (long b = first; b != 0; b = next(b)) {
      count += recordsOf(b);
    }
    return count;
  }

  private static int recordsOf(long bucket) {
    int count = 0;
    for (int i = 0; i < NEXT; i += Long.BYTES) {
      if (Memory.getLong(bucket + i) != 0) {
        count++;
      }
    }
    return count;
  }

  private static boolean isEmpty(long bucket) {
    return recordsOf(bucket) == 0;
  }

  private static void empty(long bucket) {
    for (int i = 0; i <= NEXT; i += Long.BYTES) {
      Memory.putLongRelease(bucket + i, 0);
    }
  }

  private void unlink(long previous, long bucket) {
    Memory.putLongRelease(previous + NEXT, next(bucket));
    retireBuckets(bucket, 1);
  }

  private void retireChain(long first) {
    for (long b = first; b != 0; ) {
      long following = next(b);
      retireBuckets(b, 1);
      b = following;
    }
  }

  private static long next(long bucket) {
    return Memory.getLongAcquire(bucket + NEXT);
  }

  // ---- from hashes to buckets

  private static long slot(long hash, long record) {
    return (tag(hash) << TAG_SHIFT) | (record >>> ALIGNMENT_SHIFT);
  }

  private static long record(long slot) {
    return (slot & ADDRESS_MASK) << ALIGNMENT_SHIFT;
  }

  private static long tag(long hash) {
    return hash >>> TAG_SHIFT;
  }

  private static long bucketOf(long top, int hash) {
    return bucket(top, numberOf(buckets(top), hash));
  }

  /** A bucket's address; 0 if a reader came too late for it. */
  private static long bucket(long top, int number) {
    long buckets = Memory.getLongAcquire(top + SEGMENTS + (long) segmentOf(number) * Long.BYTES);
    return buckets == 0 ? 0 : buckets + (long) BUCKET_BYTES * placeOf(number);
  }

  private static int numberOf(int n, int hash) {
    int half = 1 << level(n);
    int number = hash & (2 * half - 1);
    return number < n ? number : number - half;
  }

  /** Returns the number of low bits of their hashes that the records of a bucket share. */
  private static int levelOf(int n, int number) {
    int level = level(n);
    int half = 1 << level;
    return number >= half || number < n - half ? level + 1 : level;
  }

  private static int level(int n) {
    return 31 - Integer.numberOfLeadingZeros(n);
  }

  private static int segmentOf(int number) {
    return number < SEGMENT_BUCKETS
        ? Integer.SIZE - Integer.numberOfLeadingZeros(number)
        : SMALL_SEGMENTS + ((number - SEGMENT_BUCKETS) >>> SEGMENT_BUCKETS_SHIFT);
  }

  private static int placeOf(int number) {
    return number < SEGMENT_BUCKETS
        ? number - Integer.highestOneBit(number)
        : number & (SEGMENT_BUCKETS - 1);
  }

  private static int bucketsOf(int segment) {
    return segment == 0 ? 1 : segment < SMALL_SEGMENTS ? 1 << (segment - 1) : SEGMENT_BUCKETS;
  }

  private static int buckets(long top) {
    return Memory.getIntAcquire(top + BUCKETS);
  }

  private void putBuckets(int n) {
    Memory.putIntRelease(root + BUCKETS, n);
  }

  // ---- memory

  private long newBuckets(int count) {
    long buckets = allocate(count * BUCKET_BYTES);
    Memory.fill(buckets, (long) count * BUCKET_BYTES, (byte) 0);
    return buckets;
  }

  private void dropSegment(int segment) {
    long at = root + SEGMENTS + (long) segment * Long.BYTES;
    long buckets = Memory.getLong(at);
    if (buckets != 0) {
      Memory.putLongRelease(at, 0);
      retireBuckets(buckets, bucketsOf(segment));
    }
  }

  private void retireBuckets(long buckets, int count) {
    retire(buckets, count * BUCKET_BYTES);
  }

  private long allocate(int size) {
    long block = heap.allocate(stripe, size);
    bytes += size;
    return block;
  }

  private void retire(long block, int size) {
    heap.retire(stripe, block, size);
    bytes -= size;
  }

  private static int rootBytes(int room) {
    return SEGMENTS + room * Long.BYTES;
  }

  /** Records that a scan came upon. Reused. */
  static final class Found {
    private long[] records = new long[2 * SLOTS];
    private int count;

    /** Keeps the loads from being left out. */
    @SuppressWarnings("UnusedVariable")
    private long seen;

    int count() {
      return count;
    }

    long record(int index) {
      return records[index];
    }

    void clear() {
      count = 0;
    }

    /**
     * Brings the records near.
     *
     * @param loaded the sum of what was loaded before
     */
    void fetch(long loaded) {
      seen += loaded + Lookahead.fetch(records, count);
    }

    private void add(long record) {
      if (count == records.length) {
        records = Arrays.copyOf(records, 2 * count);
      }
      records[count++] = record;
    }

    private void keepFrom(int first, long cursor, long seed) {
      int kept = first;
      for (int i = first; i < count; i++) {
        if (position(Records.hash(records[i], seed)) >= cursor) {
          records[kept++] = records[i];
        }
      }
      count = kept;
    }
  }
}

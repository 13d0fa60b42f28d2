package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.memory.Pin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition of one map, outside the Java heap.
 *
 * <p>One writer at a time; who hands over to another writer has to see to it that the next sees
 * what the last has done (a lock does). Any number of readers, which take no lock and keep the
 * writer from nothing: they open a guard of the heap's {@link NativeHeap#epochs}, find records,
 * read them through {@link Records}, and close the guard. A record that was found stays readable
 * until then, whatever becomes of it: removed, replaced, or its table closed. The writer needs a
 * guard as well for addresses that it wants to use after it has changed the same record.
 *
 * <p>A key is a range of bytes and a form of 0 to 3: keys are the same if both are. An
 * <em>extra</em> number is kept beside it and does not count. Values have forms too.
 *
 * <p>What a method that throws {@link OutOfNativeMemoryException} was to change is as it was.
 */
public final class Table implements AutoCloseable {
  /** The buckets that a scan has under way at once: as many as a processor has misses. */
  private static final int MOST_AHEAD = 16;

  /** The result of {@link #scan} after the last record. */
  public static final long END = Index.END;

  private static final int NO_EXTRA = 0;

  private static final VarHandle SIZE;
  private static final VarHandle BYTES;
  private static final VarHandle EXPIRING;
  private static final VarHandle SPARE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SIZE = lookup.findVarHandle(Table.class, "size", int.class);
      BYTES = lookup.findVarHandle(Table.class, "recordBytes", long.class);
      EXPIRING = lookup.findVarHandle(Table.class, "expiring", int.class);
      SPARE = lookup.findVarHandle(Table.class, "spare", Index.Found.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NativeHeap heap;
  private final int stripe;
  private final long seed;
  private boolean logged;
  private final Departures departures;
  private final Index index;
  private final Attributes keyOnly = new Attributes();
  private final PinnedRecords pinned = new PinnedRecords();
  private final ExpirySchedule schedule;

  private int size;
  private int expiring;
  private long recordBytes;
  private boolean idling;
  private boolean closed;

  /** The buffers of the last scan. With them the next scan, on any thread, allocates nothing. */
  @SuppressWarnings("UnusedVariable") // by SPARE
  private Index.@Nullable Found spare;

  /**
   * An empty table whose records are in no log.
   *
   * @param stripe tells writers apart, see {@link NativeHeap}: usually the partition
   * @param seed of the hash: a secret, the same wherever a cursor of {@link #scan} is to be valid
   * @throws OutOfNativeMemoryException if not even an empty table fits
   */
  public Table(NativeHeap heap, int stripe, long seed) {
    this(heap, stripe, seed, false, (position, bytes) -> {});
  }

  /**
   * An empty table whose records may be in a log, and then keep where, which takes 8 bytes each.
   *
   * @param logged whether they are, until {@link #setLogged} says otherwise
   * @param departures told of each record that leaves the table, if it was in the log
   * @throws OutOfNativeMemoryException if not even an empty table fits
   */
  public Table(NativeHeap heap, int stripe, long seed, boolean logged, Departures departures) {
    this.heap = heap;
    this.stripe = stripe;
    this.seed = seed;
    this.logged = logged;
    this.departures = departures;
    this.index = new Index(heap, stripe, seed);
    this.schedule = new ExpirySchedule(heap, stripe, seed, index, this::scan);
  }

  // ---- any thread

  /** Returns the number of records. */
  public int size() {
    return (int) SIZE.getOpaque(this);
  }

  /** Returns the number of records that expire. */
  public int expiring() {
    return (int) EXPIRING.getOpaque(this);
  }

  /** The bytes of records and index, without what rounding up to blocks costs. */
  public long bytes() {
    return (long) BYTES.getOpaque(this) + index.bytes() + schedule.bytes();
  }

  /**
   * The record of a key. To be called by the writer, or with a guard open.
   *
   * @return its address, 0 if there is none
   */
  public long find(byte[] key, int offset, int length, int form) {
    return index.find(key, offset, length, form, KeyHash.of(seed, key, offset, length, form));
  }

  /**
   * Visits some records, and tells where to go on. Going on from 0 to the {@link #END}, every
   * record that was there all the time is visited once, whatever the table does meanwhile, and any
   * other once or not at all. The order is that of {@link #position}. To be called by the writer,
   * which may remove or replace what it visits, or with a guard open.
   *
   * @param cursor 0, or what this or another table with the same seed has returned
   * @return the next cursor, at most 2^32 - 1, or {@link #END}
   */
  public long scan(long cursor, RecordVisitor visitor) {
    if (cursor < 0 || cursor > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException("a cursor is 0 to 2^32 - 1: cursor=" + cursor);
    }
    Index.Found found = takeSpare();
    long next = index.scan(cursor, found);
    for (int i = 0; i < found.count(); i++) {
      visitor.visit(found.record(i));
    }
    SPARE.setRelease(this, found);
    return next;
  }

  /**
   * Visits as {@link #scan} does, but many records at once, and has the processor wait for the
   * memory of all of them together: for visitors that read keys and values.
   *
   * @param least how many at least, if there are so many; at least 1
   */
  public long scanMany(long cursor, int least, RecordVisitor visitor) {
    if (cursor < 0 || cursor > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException("a cursor is 0 to 2^32 - 1: cursor=" + cursor);
    }
    Index.Found found = takeSpare();
    long loaded = index.fetch(cursor, Math.min(MOST_AHEAD, least / Index.GROW_ABOVE + 1));
    long next = cursor;
    do {
      next = index.scan(next, found);
    } while (next != END && found.count() < least);
    found.fetch(loaded);
    for (int i = 0; i < found.count(); i++) {
      visitor.visit(found.record(i));
    }
    SPARE.setRelease(this, found);
    return next;
  }

  private Index.Found takeSpare() {
    Index.Found found = (Index.Found) SPARE.getAndSetAcquire(this, null);
    if (found == null) {
      return new Index.Found();
    }
    found.clear();
    return found;
  }

  /** Returns the position at which a key comes in scans: 0 to 2^32 - 1. */
  public long position(byte[] key, int offset, int length, int form) {
    return position(seed, key, offset, length, form);
  }

  /**
   * Returns the position at which a key comes in scans of all tables with this seed: 0 to 2^32 - 1.
   */
  public static long position(long seed, byte[] key, int offset, int length, int form) {
    return Index.position(KeyHash.of(seed, key, offset, length, form));
  }

  /** Returns the position at which a record comes in scans: 0 to 2^32 - 1. */
  public long position(long record) {
    return Index.position(Records.hash(record, seed));
  }

  /**
   * Visits records from a random place on. To be called by the writer, or with a guard open.
   *
   * @param count how many at least, if there are so many
   */
  public void sample(int count, RecordVisitor visitor) {
    if (size() == 0) {
      return;
    }
    Index.Found found = takeSpare();
    long start = ThreadLocalRandom.current().nextLong(1L << Integer.SIZE);
    long cursor = start;
    boolean wrapped = false;
    for (int seen = 0; seen < count; ) {
      found.clear();
      cursor = index.scan(cursor, found);
      for (int i = 0; i < found.count(); i++) {
        visitor.visit(found.record(i));
      }
      seen += found.count();
      if (cursor == END) {
        if (wrapped) {
          break;
        }
        wrapped = true;
        cursor = 0;
      }
      if (wrapped && cursor >= start) {
        break;
      }
    }
    SPARE.setRelease(this, found);
  }

  /** The hash of a key: the same in all tables with the same seed. */
  public long hash(byte[] key, int offset, int length, int form) {
    return KeyHash.of(seed, key, offset, length, form);
  }

  /** The hash of a key that is in memory: the same in all tables with the same seed. */
  public long hash(long key, int length, int form) {
    return KeyHash.of(seed, key, length, form);
  }

  /** The {@link #hash} of the key of a readable record. */
  public long hash(long record) {
    return Records.hash(record, seed);
  }

  /** The record whose key has a {@link #hash}, 0 if there is none. By the writer. */
  public long find(long hash) {
    return index.find(hash);
  }

  /**
   * The record whose key has a {@link #hash}, 0 if there is none. To be called by the writer, or
   * with a guard open.
   */
  public long findHashed(long hash) {
    return index.findGuarded(hash);
  }

  /** The hash of a key in all tables with a seed. */
  public static long hash(long seed, byte[] key, int offset, int length, int form) {
    return KeyHash.of(seed, key, offset, length, form);
  }

  long bucketOf(long hash) {
    return index.bucketOf(hash);
  }

  /**
   * Returns the time when {@link #expire} has something to do, in seconds since 1970; {@link
   * Long#MAX_VALUE} if nothing here expires.
   */
  public long expiryWakeAt() {
    return schedule.wakeAt();
  }

  // ---- the writer

  /**
   * Returns whether there may be records that live longer when they are used. Never false if there
   * are such records.
   */
  public boolean mayIdle() {
    return idling;
  }

  /**
   * Has somebody told whenever {@link #expiryWakeAt} becomes earlier, and now if anything expires.
   *
   * @param listener takes the second; is called by the writer, in the middle of a change; must not
   *     use the table
   */
  public void onWakeEarlier(LongConsumer listener) {
    requireOpen();
    schedule.onWakeEarlier(listener);
  }

  /**
   * Shows records whose time to expire has come. Costs what there is to show, not what there is. A
   * record whose expiry was moved to a later time is shown then. Allocates no heap.
   *
   * @param nowMillis the time, in milliseconds since 1970
   * @param most at most so many are looked at
   * @return whether there are more to be looked at now
   */
  public boolean expire(long nowMillis, int most, ExpiryVisitor visitor) {
    requireOpen();
    return schedule.expire(nowMillis, most, visitor);
  }

  /**
   * Has a record shown again that {@link #expire} has shown, and that was not removed after all.
   *
   * @param record of this table, not replaced or removed since it was found
   * @param atMillis when, in milliseconds since 1970
   * @param nowMillis the time, in milliseconds since 1970
   */
  public void expireLater(long record, long atMillis, long nowMillis) {
    requireLive(record);
    schedule.noteLater(record, atMillis, nowMillis);
  }

  /**
   * Writes a record, in the place of the key's present one if there is one.
   *
   * @param extra kept beside the key, 0 for nothing
   * @param attributes all of what the record has besides; not kept
   * @return the new record's address
   * @throws OutOfNativeMemoryException if there is no memory for it; nothing has changed
   * @throws IllegalArgumentException if the key is longer than {@link Records#MOST_KEY_BYTES}, or a
   *     form is none
   * @throws IndexOutOfBoundsException if a range is not within its array
   */
  public long put(
      byte[] key,
      int keyOffset,
      int keyLength,
      int keyForm,
      int extra,
      byte[] value,
      int valueOffset,
      int valueLength,
      int valueForm,
      Attributes attributes) {
    requireOpen();
    requireKey(keyLength, keyForm);
    Objects.checkFromIndexSize(keyOffset, keyLength, key.length);
    requireValue(value, valueOffset, valueLength, valueForm);
    long hash = KeyHash.of(seed, key, keyOffset, keyLength, keyForm);
    long old = index.find(key, keyOffset, keyLength, keyForm, hash);
    int bytes = Records.bytes(attributes, logged, extra, keyLength, valueLength);
    long record = heap.allocate(stripe, bytes);
    Records.writeHeader(
        record, attributes, logged, extra, keyLength, keyForm, valueLength, valueForm);
    Memory.copy(key, keyOffset, Records.keyAddress(record), keyLength);
    Memory.copy(value, valueOffset, Records.valueAddress(record), valueLength);
    try {
      announce(hash, old, record);
    } catch (RuntimeException | Error e) {
      heap.retire(stripe, record, bytes);
      throw e;
    }
    enter(hash, old, record, bytes);
    return record;
  }

  /**
   * Makes room for a record whose value is still to come. By the writer.
   *
   * @param expires whether it will expire
   * @throws OutOfNativeMemoryException if there is no memory for it
   * @throws IllegalArgumentException if the key is longer than {@link Records#MOST_KEY_BYTES}
   */
  public StagedRecord stage(int keyLength, int valueLength, boolean expires) {
    requireOpen();
    requireKey(keyLength, 0);
    Attributes attributes = new Attributes();
    attributes.expiresAt = expires ? 0 : Attributes.NEVER;
    int bytes = Records.bytes(attributes, logged, NO_EXTRA, keyLength, valueLength);
    long record = heap.allocate(stripe, bytes);
    Pin pin = new Pin(heap, stripe, record, bytes);
    return new StagedRecord(this, pin, record, bytes - valueLength, valueLength);
  }

  /**
   * Returns whether a staged record can become a record. It can if it was staged in this table, for
   * a key of this length and for such attributes.
   */
  public boolean takes(StagedRecord staged, int keyLength, Attributes attributes) {
    return staged.table() == this
        && !staged.isOver()
        && staged.valueOffset() == Records.bytes(attributes, logged, NO_EXTRA, keyLength, 0);
  }

  /**
   * Has a record whose value has come have all that a record has, without putting it anywhere. By
   * the writer, as {@link #putStaged}.
   *
   * @throws IllegalArgumentException if it is not of this table, or was not staged for such a
   *     record
   */
  public void complete(
      StagedRecord staged,
      byte[] key,
      int keyOffset,
      int keyLength,
      int keyForm,
      int valueForm,
      Attributes attributes) {
    requireOpen();
    requireKey(keyLength, keyForm);
    requireForm(valueForm);
    Objects.checkFromIndexSize(keyOffset, keyLength, key.length);
    if (!takes(staged, keyLength, attributes)) {
      throw new IllegalArgumentException("it was not staged for such a record");
    }
    long record = staged.address();
    int valueLength = staged.valueLength();
    Records.writeHeader(
        record, attributes, logged, NO_EXTRA, keyLength, keyForm, valueLength, valueForm);
    Memory.copy(key, keyOffset, Records.keyAddress(record), keyLength);
  }

  /**
   * Writes a record whose value has come, in the place of the key's present one if there is one. If
   * this throws, it stays staged.
   *
   * @param staged that this table {@linkplain #takes takes}
   * @return the new record's address
   * @throws OutOfNativeMemoryException if there is no memory to find it by; nothing has changed
   * @throws IllegalArgumentException if it is not of this table, or was not staged for such a
   *     record
   */
  public long putStaged(
      byte[] key,
      int keyOffset,
      int keyLength,
      int keyForm,
      StagedRecord staged,
      int valueForm,
      Attributes attributes) {
    complete(staged, key, keyOffset, keyLength, keyForm, valueForm, attributes);
    long hash = KeyHash.of(seed, key, keyOffset, keyLength, keyForm);
    long old = index.find(key, keyOffset, keyLength, keyForm, hash);
    long record = staged.address();
    announce(hash, old, record);
    staged.becameRecord();
    enter(hash, old, record, Records.bytes(record));
    return record;
  }

  /**
   * Has a new record found if its key has none, and announces it: all that may fail. If it does,
   * the record is nobody's, but a reader may be looking at it.
   */
  private void announce(long hash, long old, long record) {
    if (old != 0) {
      departures.arriving(record);
      return;
    }
    index.insert(hash, record); // there may be no memory for it: that has to be known first
    try {
      departures.arriving(record);
    } catch (RuntimeException | Error e) {
      boolean _ = index.remove(hash, record);
      throw e;
    }
  }

  /** The record is nobody's yet. */
  private void arrive(long record, int bytes) {
    try {
      departures.arriving(record);
    } catch (RuntimeException | Error e) {
      heap.free(stripe, record, bytes);
      throw e;
    }
  }

  /** Follows {@link #announce}. */
  private void enter(long hash, long old, long record, int bytes) {
    if (old == 0) {
      inserted(hash, record, bytes);
    } else {
      settle(hash, old, record, bytes);
    }
  }

  /**
   * Puts a record back that was in a table before, with all that it had.
   *
   * @param image what were its {@link Records#bytes}, from {@code record} on; only read
   * @param position where it is in the log
   * @return the record's address
   * @throws IllegalArgumentException if that was no record, or one that was not logged
   * @throws IllegalStateException if this table's records are not
   */
  public long putImage(long image, int length, long position) {
    requireImage(image, length);
    long hash = Records.hash(image, seed);
    long old =
        index.find(
            Records.keyAddress(image), Records.keyLength(image), Records.keyForm(image), hash);
    return place(hash, old, image, length, position);
  }

  /**
   * Does the same as {@link #putImage} for a key that has no record. The key is not looked up.
   *
   * @param hash the key's
   */
  public long addImage(long hash, long image, int length, long position) {
    requireImage(image, length);
    return place(hash, 0, image, length, position);
  }

  private void requireImage(long image, int length) {
    requireOpen();
    if (!logged) {
      throw new IllegalStateException("the table's records are not in a log");
    }
    if (!Records.isImage(image, length)) {
      throw new IllegalArgumentException("these " + length + " bytes are no record");
    }
  }

  private long place(long hash, long old, long image, int length, long position) {
    long record = heap.allocate(stripe, length);
    Memory.copy(image, record, length);
    Records.setLogPosition(record, position);
    if (Records.hasExpiryShape(record)) {
      Records.setNote(record, 0); // what the log has is of another time
    }
    settle(hash, old, record, length);
    return record;
  }

  /**
   * Writes a record without a value for a key that is in memory and has no record, which is not
   * looked for.
   *
   * @param hash the key's
   * @param version kept with it
   * @param position where it is in the log
   * @return the record's address
   * @throws IllegalStateException if this table's records are not in a log
   */
  public long addKey(long hash, long key, int length, int form, int version, long position) {
    requireOpen();
    requireKey(length, form);
    keyOnly.version = version;
    int bytes = Records.bytes(keyOnly, logged, NO_EXTRA, length, 0);
    long record = heap.allocate(stripe, bytes);
    Records.writeHeader(record, keyOnly, logged, NO_EXTRA, length, form, 0, 0);
    Memory.copy(key, Records.keyAddress(record), length);
    Records.setLogPosition(record, position);
    settle(hash, 0, record, bytes);
    return record;
  }

  /**
   * Makes room for so many records at once, as far as there is memory, and keeps it until told
   * another number: cheaper than to grow with each of them.
   */
  public void reserve(int records) {
    requireOpen();
    index.reserve(records);
  }

  /** No more records are expected: gives back room that {@link #reserve} has made for too many. */
  public void fit() {
    requireOpen();
    index.fit(size);
  }

  /** The record of a key that is in memory; 0 if there is none. */
  public long find(long key, int length, int form) {
    return find(hash(key, length, form), key, length, form);
  }

  /** Does the same with the key's {@link #hash}. */
  public long find(long hash, long key, int length, int form) {
    return index.find(key, length, form, hash);
  }

  /**
   * Sets whether records that are written from now on keep their position in a log. Present records
   * stay as they are, until {@link #makeRoom} or their next change.
   */
  public void setLogged(boolean keep) {
    logged = keep;
  }

  /**
   * Gives a record room for where it is in a log, if it has none.
   *
   * @param record of this table, not replaced or removed since it was found
   * @return the record's address, which may be a new one
   * @throws OutOfNativeMemoryException if there is no memory for that; nothing has changed
   */
  public long makeRoom(long record) {
    requireLive(record);
    return Records.isLogged(record) ? record : remade(record, new Attributes().of(record), false);
  }

  /**
   * Gives a record another value; all else stays, but the new record is not in a log yet.
   *
   * @param record of this table, not replaced or removed since it was found
   * @return the new record's address
   */
  public long replaceValue(
      long record, byte[] value, int valueOffset, int valueLength, int valueForm) {
    return replaceValue(record, value, valueOffset, valueLength, valueForm, Records.tenant(record));
  }

  /**
   * Does the same for a record that counts to another tenant from now on.
   *
   * @param tenant see {@link Attributes#tenant}
   */
  public long replaceValue(
      long record, byte[] value, int valueOffset, int valueLength, int valueForm, int tenant) {
    requireOpen();
    requireValue(value, valueOffset, valueLength, valueForm);
    requireLive(record);
    long next;
    if (lacksRoom(record)) {
      next = copyOf(record, new Attributes().of(record), valueLength, valueForm);
    } else {
      next = heap.allocate(stripe, Records.bytesWithValueOf(record, valueLength));
      Records.copyAllButValue(record, next, valueLength, valueForm);
      Records.forgetLogPosition(next);
    }
    if (tenant != Records.tenant(next)) {
      Records.putTenant(next, tenant);
    }
    Memory.copy(value, valueOffset, Records.valueAddress(next), valueLength);
    arrive(next, Records.bytes(next));
    swap(record, next);
    drop(record);
    return next;
  }

  /**
   * Returns whether {@link #setExpiry} changes a record in place. Then no arrival of another record
   * is reported.
   */
  public boolean setsExpiryInPlace(long record, Attributes attributes) {
    return Records.hasExpiryShapeFor(record, attributes) && !lacksRoom(record);
  }

  /**
   * Sets when a record expires.
   *
   * @param record of this table, not replaced or removed since it was found
   * @param attributes of which the expiry is taken, and nothing else
   * @return the record's address, which may be a new one
   */
  public long setExpiry(long record, Attributes attributes) {
    requireLive(record);
    if (setsExpiryInPlace(record, attributes)) {
      long before = Records.expiresAt(record);
      count(record, -1, 0);
      Records.putExpiry(record, attributes);
      count(record, 1, 0);
      schedule.note(Records.hash(record, seed), record, record, before, expiring);
      return record;
    }
    Attributes all = new Attributes().of(record);
    all.expiresAt = attributes.expiresAt;
    all.lastUpdate = attributes.lastUpdate;
    all.timeToLive = attributes.timeToLive;
    all.maxIdle = attributes.maxIdle;
    return remade(record, all, true);
  }

  /**
   * Has a record count to another tenant. It is another record then, as readers that note a use
   * write to the same word.
   *
   * @param record of this table, not replaced or removed since it was found
   * @param tenant see {@link Attributes#tenant}
   * @return the record's address
   * @throws OutOfNativeMemoryException if there is no memory for it; nothing has changed
   */
  public long setTenant(long record, int tenant) {
    requireOpen();
    requireLive(record);
    Attributes all = new Attributes().of(record);
    all.tenant = tenant;
    return remade(record, all, true);
  }

  /**
   * Puts a stub in the place of a record: all of it but the value, and where that is. In the log it
   * stays what it is. Readers find the one or the other.
   *
   * @param record of this table, not replaced or removed since it was found, and not spilled
   * @param handle where the value is to be had from now on, to any reader
   * @return the stub's address
   * @throws OutOfNativeMemoryException if there is no memory for it; nothing has changed
   */
  public long spill(long record, long handle) {
    requireOpen();
    requireLive(record);
    if (Records.isSpilled(record)) {
      throw new IllegalStateException("the record's value is spilled already");
    }
    long next = heap.allocate(stripe, Records.bytesAsStub(record));
    Records.copyAllButValue(record, next, Records.valueLength(record), Records.valueForm(record));
    Records.setSpilled(next, handle);
    swap(record, next);
    release(record);
    return next;
  }

  /**
   * Brings the value of a stub back into memory. In the log the record stays what it is.
   *
   * @param stub of this table, not replaced or removed since it was found
   * @param value of which {@link Records#valueLength} bytes from the offset on are taken
   * @return the record's address
   * @throws IllegalStateException if its value is not spilled
   * @throws OutOfNativeMemoryException if there is no memory for it; nothing has changed
   */
  public long promote(long stub, byte[] value, int valueOffset) {
    requireOpen();
    requireLive(stub);
    if (!Records.isSpilled(stub)) {
      throw new IllegalStateException("the record's value is not spilled");
    }
    int length = Records.valueLength(stub);
    Objects.checkFromIndexSize(valueOffset, length, value.length);
    long next = heap.allocate(stripe, Records.bytesWithValue(stub));
    Records.copyAllButValue(stub, next, length, Records.valueForm(stub));
    Memory.copy(value, valueOffset, Records.valueAddress(next), length);
    swap(stub, next);
    leaveDisk(stub);
    release(stub);
    return next;
  }

  /**
   * Keeps a record's memory as it is for somebody who needs no guard to look at it, whatever
   * becomes of the record: its key and its value do not change.
   *
   * @param record of this table, not replaced or removed since it was found
   * @return a pin that is taken, to be released once
   */
  public Pin pin(long record) {
    requireOpen();
    requireLive(record);
    return pinned.pin(heap, stripe, record);
  }

  /** Returns the number of records that are known to have been pinned. */
  int pinnedRecords() {
    return pinned.size();
  }

  /**
   * Moves a record to another place in memory; all of it stays as it is. What readers note of it
   * meanwhile may be lost.
   *
   * @param record of this table, not replaced or removed since it was found
   * @return the record's address
   * @throws OutOfNativeMemoryException if there is no memory for it; nothing has changed
   */
  public long relocate(long record) {
    requireOpen();
    requireLive(record);
    int bytes = Records.bytes(record);
    long next = heap.allocate(stripe, bytes);
    Memory.copy(record, next, bytes);
    swap(record, next);
    release(record);
    return next;
  }

  /** Puts a record of the shape that records have now in the place of one with the same value. */
  private long remade(long record, Attributes attributes, boolean arrives) {
    long next;
    if (Records.isSpilled(record)) {
      next = stubOf(record, attributes);
    } else {
      int length = Records.valueLength(record);
      next = copyOf(record, attributes, length, Records.valueForm(record));
      Memory.copy(Records.valueAddress(record), Records.valueAddress(next), length);
    }
    if (arrives) {
      arrive(next, Records.bytes(next));
    }
    swap(record, next);
    leaveLog(record);
    release(record);
    return next;
  }

  private long stubOf(long stub, Attributes attributes) {
    int extra = Records.extra(stub);
    int bytes = Records.bytesAsStub(attributes, logged, extra, Records.keyLength(stub));
    long next = copyOf(stub, attributes, bytes, Records.valueLength(stub), Records.valueForm(stub));
    Records.setSpilled(next, Records.spillHandle(stub));
    return next;
  }

  private boolean lacksRoom(long record) {
    return logged && !Records.isLogged(record);
  }

  /**
   * Removes a record.
   *
   * @return whether it was there: not if it was replaced or removed since it was found
   */
  public boolean remove(long record) {
    requireOpen();
    if (!index.remove(Records.hash(record, seed), record)) {
      return false;
    }
    SIZE.setOpaque(this, size - 1);
    drop(record);
    index.adjust(size);
    return true;
  }

  /** Removes all records. Allocates nothing. */
  public void clear() {
    requireOpen();
    SIZE.setOpaque(this, 0);
    index.clear(this::drop);
    schedule.clear();
  }

  /** Gives back all memory, as soon as no reader is looking at it. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      clear();
      schedule.close();
      index.close();
      closed = true;
    }
  }

  /** Has a new record found by its key, in the place of an old one if there is one. */
  private void settle(long hash, long old, long record, int bytes) {
    if (old != 0) {
      index.replace(hash, old, record);
      schedule.note(hash, old, record, Records.expiresAt(old), expiring);
      drop(old);
    } else {
      insert(hash, record, bytes);
      inserted(hash, record, bytes);
      return;
    }
    count(record, 1, bytes);
  }

  private void inserted(long hash, long record, int bytes) {
    SIZE.setOpaque(this, size + 1);
    count(record, 1, bytes);
    schedule.note(hash, 0, record, Attributes.NEVER, expiring);
    index.adjust(size);
  }

  private long copyOf(long record, Attributes attributes, int valueLength, int valueForm) {
    int extra = Records.extra(record);
    int bytes = Records.bytes(attributes, logged, extra, Records.keyLength(record), valueLength);
    return copyOf(record, attributes, bytes, valueLength, valueForm);
  }

  private long copyOf(
      long record, Attributes attributes, int bytes, int valueLength, int valueForm) {
    requireOpen();
    requireLive(record);
    int extra = Records.extra(record);
    int keyLength = Records.keyLength(record);
    long next = heap.allocate(stripe, bytes);
    Records.writeHeader(
        next,
        attributes,
        logged,
        extra,
        keyLength,
        Records.keyForm(record),
        valueLength,
        valueForm);
    Memory.copy(Records.keyAddress(record), Records.keyAddress(next), keyLength);
    return next;
  }

  private void swap(long old, long record) {
    int bytes = Records.bytes(record);
    long hash = Records.hash(old, seed);
    if (!index.replace(hash, old, record)) {
      heap.free(stripe, record, bytes);
      throw new IllegalStateException("the record was replaced or removed since it was found");
    }
    schedule.note(hash, old, record, Records.expiresAt(old), expiring);
    count(record, 1, bytes);
  }

  private void insert(long hash, long record, int bytes) {
    try {
      index.insert(hash, record);
    } catch (OutOfNativeMemoryException e) {
      heap.free(stripe, record, bytes);
      throw e;
    }
  }

  private void drop(long record) {
    departures.dropped(record);
    leaveLog(record);
    leaveDisk(record);
    release(record);
  }

  private void leaveLog(long record) {
    long position = Records.logPosition(record);
    if (position != 0) {
      departures.left(position, Records.bytesWithValue(record));
    }
  }

  private void leaveDisk(long record) {
    if (Records.isSpilled(record)) {
      departures.leftDisk(Records.spillHandle(record), Records.valueLength(record));
    }
  }

  private void release(long record) {
    int bytes = Records.bytes(record);
    count(record, -1, -bytes);
    if (!pinned.keeps(record)) {
      heap.retire(stripe, record, bytes);
    }
  }

  private void count(long record, int sign, long bytes) {
    BYTES.setOpaque(this, recordBytes + bytes);
    if (bytes != 0 && Records.tenant(record) != 0) {
      departures.counted(record, sign);
    }
    if (Records.expires(record)) {
      EXPIRING.setOpaque(this, expiring + sign);
      idling |= Records.maxIdle(record) != Attributes.NEVER;
    }
  }

  private void requireLive(long record) {
    if (Memory.CHECKED) {
      heap.requireLive(record, Records.bytes(record));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the table is closed");
    }
  }

  private static void requireKey(int length, int form) {
    if (length > Records.MOST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "a key has at most "
              + Records.MOST_KEY_BYTES
              + " bytes: length="
              + length
              + "; keep long data in the value");
    }
    requireForm(form);
  }

  private static void requireValue(byte[] value, int offset, int length, int form) {
    Objects.checkFromIndexSize(offset, length, value.length);
    requireForm(form);
  }

  private static void requireForm(int form) {
    if (form < 0 || form > Records.MOST_FORM) {
      throw new IllegalArgumentException("a form is 0 to 3: form=" + form);
    }
  }
}

package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.query.impl.InternalIndex;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.memory.Pin;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Departures;
import io.keyvalueserve.store.ExpiryVisitor;
import io.keyvalueserve.store.Lookahead;
import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.StagedRecord;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one map in one partition, off the heap.
 *
 * <p>Written by the thread that holds the partition's lock, and by nobody else: by the partition's
 * own in an operation, or by another that writes directly. Read by any thread: what takes or
 * returns a record's address is to be called by the writer, or between {@link #enter} and {@link
 * #exit}. An address is good until the count of {@link #changes} moves on: for the writer because
 * it frees at once what it unlinks, for others because they must not keep it beyond their guard.
 *
 * <p><b>Why an address with an unmoved count is readable.</b> The count is odd while the writer is
 * writing, and what is found then is not remembered ({@link #isSettled}). A reader that opened its
 * guard and then saw the even count that it knows did so before the writer began: what is unlinked
 * after that waits for the guard. (A count that moved only before the writing would not do: a
 * record that is found between the count and its unlinking would seem to be of the time after.)
 *
 * <p>Once closed there are no entries; who is late and writes is told to try again, and then finds
 * the partition's new entries.
 */
final class NativeEntries {
  /** The stand-in for a value that is not looked at. If it is looked at, it is a null. */
  static final Data UNREAD = new HeapData(new byte[HeapData.HEAP_DATA_OVERHEAD]);

  /** The value that {@link #enter} returns to the writer, which needs no guard. */
  private static final int NO_GUARD = -1;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Table table;
  private final Epochs epochs;
  private final PartitionLock lock;
  private final LongAdder bytes;
  private final Charges charges;
  private final EntryLog log;
  private final WriteLog writeLog;
  private final RestoredEntries restored;
  private final SpilledEntries spilled;
  private final @Nullable PartitionChanges journal;
  private final @Nullable TappedEntries tapped;
  private final long number = NUMBERS.incrementAndGet();
  private final Attributes attributes = new Attributes();

  /**
   * True while there are stubs. Becomes false only when everything that was a stub is in the table.
   */
  private volatile boolean loading;

  private volatile long changes;
  private long written;
  private long reused;
  private volatile boolean closed;
  private boolean released;
  private @Nullable BiConsumer<Data, Data> heads;
  private boolean keepsPages;

  private long countedBytes;
  private @Nullable IndexBuild indexBuild;
  private @Nullable Data lastKey;
  private long lastRecord;
  private long lastChanges;

  /**
   * Entries of their own.
   *
   * @param tables makes the table; it has to tell these entries what leaves it if they are logged
   * @param stubTables makes tables for stubs of records that are to be loaded later
   * @param lock the partition's: who holds it is the writer
   * @param bytes counts what all partitions of the map use
   * @param charges counts what tenants use
   * @param readers of the area where values go that leave memory; null if they stay
   * @param journal is told which keys change; null if nobody wants to know
   * @param tapped is told what changes; null if nobody ever wants to know
   */
  NativeEntries(
      Function<Departures, Table> tables,
      Supplier<Table> stubTables,
      Epochs epochs,
      PartitionLock lock,
      LongAdder bytes,
      Charges charges,
      EntryLog log,
      @Nullable ValueReaders readers,
      @Nullable PartitionChanges journal,
      @Nullable TappedEntries tapped) {
    this.journal = journal;
    this.tapped = tapped;
    this.charges = charges;
    this.log = log;
    this.writeLog = new WriteLog(log, lock);
    this.table = tables.apply(new Leaving());
    this.restored = new RestoredEntries(table, stubTables, log, lock, new Writing());
    this.spilled =
        new SpilledEntries(table, readers, this::beginWrite, this::endWrite, this::successor);
    this.epochs = epochs;
    this.lock = lock;
    this.bytes = bytes;
    countUse();
  }

  /** Has somebody told of heads of large collections that go, with their keys. */
  void onDroppedHeads(BiConsumer<Data, Data> taker) {
    heads = taker;
  }

  /**
   * Says whether heads that go leave their pages to others. By the writer.
   *
   * @return what it was before, to be set again
   */
  boolean keepPages(boolean keep) {
    boolean before = keepsPages;
    keepsPages = keep;
    return before;
  }

  // ---- reading, by any thread

  /** Returns whether the current thread is the writer. */
  boolean isWriter() {
    return lock.isHeld();
  }

  /** Begins to read. What was found stays readable until {@link #exit}. */
  int enter() {
    return isWriter() ? NO_GUARD : epochs.enter();
  }

  /** Ends what {@link #enter} began. */
  void exit(int guard) {
    if (guard != NO_GUARD) {
      epochs.exit(guard);
    }
  }

  /**
   * Returns whether entries can be read, and one of {@code size} bytes be written, without waiting.
   */
  boolean hasRoom(int size) {
    return !isLoading() && spilled.isEmpty() && log.hasRoom(size);
  }

  /** See {@link EntryLog#takesAtOnce}. */
  boolean takesAtOnce(int size, boolean answerWaits) {
    return !isLoading() && log.takesAtOnce(size, answerWaits);
  }

  /**
   * Returns whether a record that is asked for may have to be read from the disk first. Any thread
   * may call this.
   */
  boolean isLoading() {
    return loading;
  }

  /** Returns the position of a key's record in the log; 0 if it has none. Called by the writer. */
  long logPosition(long key, int length, int form) {
    long record = released ? 0 : table.find(key, length, form);
    return record == 0 ? restored.logPosition(key, length, form) : Records.logPosition(record);
  }

  /** The log has a key's record elsewhere now. By the writer. */
  void setLogPosition(long key, int length, int form, long position) {
    long record = released ? 0 : table.find(key, length, form);
    if (record != 0) {
      Records.setLogPosition(record, position);
    }
  }

  /** Returns whether the entries were closed and nothing is left. */
  boolean isClosed() {
    return closed;
  }

  /** Moves on when addresses become void: an address of an earlier count is not to be used. */
  long changes() {
    return changes;
  }

  /** Returns whether addresses that were found since a count was read may be kept with it. */
  static boolean isSettled(long changes) {
    return (changes & 1) == 0;
  }

  /** Returns the address of a key's record; 0 if there is none. */
  @SuppressWarnings("ReferenceEquality") // a shortcut for the very same key
  long find(Data key) {
    if (closed) {
      return 0;
    }
    if (key == lastKey && lastChanges == changes && isWriter()) {
      return lastRecord;
    }
    byte[] payload = DataForm.payload(key);
    int form = DataForm.of(payload);
    int offset = DataForm.offset(form);
    return findOrLoad(payload, offset, payload.length - offset, form);
  }

  /**
   * Returns the address of the record of a key in the form in which it is kept; 0 if there is none.
   */
  long find(byte[] key, int offset, int length, int form) {
    return closed ? 0 : findOrLoad(key, offset, length, form);
  }

  /** Finds a record like {@link #find}, but only among loaded records. Called by the writer. */
  long findLoaded(Data key) {
    byte[] payload = DataForm.payload(key);
    int form = DataForm.of(payload);
    int offset = DataForm.offset(form);
    return closed || released ? 0 : table.find(payload, offset, payload.length - offset, form);
  }

  private long findOrLoad(byte[] key, int offset, int length, int form) {
    // Asked before the table: what is a stub no more is in the table by then.
    boolean stubs = loading;
    long record = table.find(key, offset, length, form);
    return record != 0 || !stubs ? record : restored.load(key, offset, length, form);
  }

  /** Returns the address of the loaded record whose key has a hash; 0 if there is none. */
  long findByHash(long hash) {
    return closed ? 0 : table.findHashed(hash);
  }

  /** Adds a key to those that are looked at together. With a guard open. */
  void anticipate(Lookahead lookahead, byte[] key, int offset, int length, int form) {
    if (!closed) {
      lookahead.add(table, key, offset, length, form);
    }
  }

  /** Adds a key by its hash to those that are looked at together. With a guard open. */
  void anticipate(Lookahead lookahead, long hash) {
    if (!closed) {
      lookahead.add(table, hash);
    }
  }

  /** Adds a key that the log asks about. By the writer. */
  void anticipate(Lookahead lookahead, long key, int length, int form) {
    if (!closed && !released) {
      lookahead.add(table, key, length, form);
    }
  }

  /**
   * Finds a record like {@link #find} and remembers it, because the writer will soon ask for the
   * same key again.
   */
  long findOften(Data key) {
    long record = find(key);
    if (record != 0) {
      lastKey = key;
      lastRecord = record;
      lastChanges = changes;
    }
    return record;
  }

  /** Forgets what {@link #findOften} and {@link #value} remember, so that nothing is kept alive. */
  void forget() {
    lastKey = null;
    spilled.forget();
  }

  /** A copy of a key's value; null if there is none, or if it is null. By any thread. */
  @Nullable Data valueOf(Data key) {
    int guard = enter();
    try {
      long record = find(key);
      return record == 0 ? null : value(record);
    } finally {
      exit(guard);
    }
  }

  /**
   * A copy of a record's value, which may be on the disk. To whoever may read the record.
   *
   * @return null if that is the value, or if the entry was removed while it was read
   */
  @Nullable Data value(long record) {
    if (!Records.isSpilled(record)) {
      return DataForm.value(record);
    }
    if (!isWriter()) {
      return spilled.value(record);
    }
    return spilled.isOverlooked() ? UNREAD : spilled.valueOften(record);
  }

  /**
   * Returns the read that is needed before a key's value is at hand. Called by the writer.
   *
   * @return null if no read is needed, or if that is not known before the key's record is loaded
   */
  @Nullable ColdRead coldRead(Data key) {
    if (spilled.isEmpty() || closed || released) {
      return null;
    }
    long record = findLoaded(key);
    return record == 0 || !Records.isSpilled(record) ? null : spilled.coldRead(record);
  }

  /**
   * Keeps a record as it is for who looks at it without a guard: {@link Table#pin}. By the writer.
   */
  Pin pin(long record) {
    requireWriter();
    return table.pin(record);
  }

  /**
   * Returns the record that the key of a readable record has now; 0 if it has none. Any thread may
   * call this.
   */
  private long successor(long record) {
    return closed
        ? 0
        : table.find(
            Records.keyAddress(record), Records.keyLength(record), Records.keyForm(record));
  }

  /** The values that are on the disk. */
  SpilledEntries spilled() {
    return spilled;
  }

  /** Returns whether there is an entry for a key. Any thread may call this. */
  boolean contains(Data key) {
    int guard = enter();
    try {
      return find(key) != 0;
    } finally {
      exit(guard);
    }
  }

  /** Returns the number of entries. Any thread may call this. */
  int size() {
    return closed ? 0 : table.size() + restored.size();
  }

  /**
   * Returns the number of entries that expire, or may: it is not known of stubs. Any thread may
   * call this.
   */
  int expiring() {
    return closed ? 0 : table.expiring() + restored.size();
  }

  /**
   * Returns the bytes of memory that the entries take, with their index. Any thread may call this.
   */
  long bytes() {
    return closed ? 0 : table.bytes() + restored.bytes();
  }

  /**
   * Visits the records of one bucket; the visitor must not write.
   *
   * @param cursor 0 to begin with
   * @return where to go on, -1 at the end
   * @throws RetryableHazelcastException if not all records are loaded yet, and the writer asks; for
   *     others it waits until they are
   */
  long scan(long cursor, RecordVisitor visitor) {
    restored.awaitAll();
    return closed ? -1 : table.scan(cursor, visitor);
  }

  /** Waits until all records are loaded, as {@link #scan} does. Without a guard. */
  void awaitLoaded() {
    restored.awaitAll();
  }

  /** See {@link Table#expiryWakeAt}. By any thread. */
  long expiryWakeAt() {
    return closed ? Long.MAX_VALUE : table.expiryWakeAt();
  }

  /** See {@link Table#expire}. By the writer. */
  boolean expire(long nowMillis, int most, ExpiryVisitor visitor) {
    return !closed && table.expire(nowMillis, most, visitor);
  }

  /** Has an entry looked at again that {@link #expire} has shown and that is still there. */
  void expireLater(Data key, long atMillis, long nowMillis) {
    long record = closed ? 0 : find(key);
    if (record != 0) {
      table.expireLater(record, atMillis, nowMillis);
    }
  }

  /**
   * Begins the idle times of all loaded entries anew. By the writer; what is not loaded yet begins
   * to idle when it is.
   */
  void beginIdling(long nowMillis) {
    if (closed || !table.mayIdle()) {
      return;
    }
    for (long cursor = 0; cursor >= 0; ) {
      cursor = table.scan(cursor, record -> NativeExpiry.beginIdling(record, nowMillis));
    }
  }

  /** Scans like {@link #scan}, but only loaded records. */
  long scanLoaded(long cursor, RecordVisitor visitor) {
    return closed ? -1 : table.scan(cursor, visitor);
  }

  /** Visits loaded records as {@link Table#scanMany} does. */
  long scanLoaded(long cursor, int least, RecordVisitor visitor) {
    return closed ? -1 : table.scanMany(cursor, least, visitor);
  }

  /**
   * Moves a record to another place in memory, if it is still there.
   *
   * @param record found by a reader whose guard is still open
   * @throws OutOfNativeMemoryException if there is none; nothing has changed
   */
  void relocate(long record) {
    if (successor(record) == record) {
      beginWrite();
      try {
        long _ = table.relocate(record);
      } finally {
        endWrite();
      }
    }
  }

  /** Visits about so many records, taken at random; the visitor must not write. */
  void sample(int count, RecordVisitor visitor) {
    if (!closed && table.size() > 0) {
      table.sample(count, visitor);
    }
  }

  // ---- writing, by the writer

  /** Returns the attributes that the writer fills in before it calls {@link #put}. */
  Attributes attributes() {
    return attributes;
  }

  /**
   * Inserts an entry or replaces all of it.
   *
   * @return its record
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed
   * @throws LogRefusedException if the log does not take it; nothing has changed
   */
  long put(Data key, @Nullable Data value, Attributes attributes) {
    byte[] keyPayload = DataForm.payload(key);
    byte[] valuePayload = DataForm.payload(value);
    int keyForm = DataForm.of(keyPayload);
    int valueForm = DataForm.of(valuePayload);
    int keyOffset = DataForm.offset(keyForm);
    int valueOffset = DataForm.offset(valueForm);
    return put(
        keyPayload,
        keyOffset,
        keyPayload.length - keyOffset,
        keyForm,
        DataForm.partitionHash(keyPayload),
        valuePayload,
        valueOffset,
        valuePayload.length - valueOffset,
        valueForm,
        attributes);
  }

  /**
   * Puts an entry like {@link #put(Data, Data, Attributes)}, with a key and a value in the form in
   * which they are kept.
   *
   * @param partitionHash the key's, 0 if it has none
   */
  long put(
      byte[] key,
      int keyOffset,
      int keyLength,
      int keyForm,
      int partitionHash,
      byte[] value,
      int valueOffset,
      int valueLength,
      int valueForm,
      Attributes attributes) {
    if (loading) { // what the log has of the key is replaced as what is here
      long _ = findOrLoad(key, keyOffset, keyLength, keyForm);
    }
    int before = sizeBefore();
    beginReplacing();
    try {
      long record =
          table.put(
              key,
              keyOffset,
              keyLength,
              keyForm,
              partitionHash,
              value,
              valueOffset,
              valueLength,
              valueForm,
              attributes);
      return written(record, before);
    } finally {
      endWrite();
    }
  }

  /** Makes room for an entry whose value is still to come, see {@link Table#stage}. */
  StagedRecord stage(int keyLength, int valueLength, boolean expires) {
    requireWriter();
    requireOpen();
    writeLog.settle(table); // whether they are logged decides where their values begin
    return table.stage(keyLength, valueLength, expires);
  }

  /** See {@link Table#takes}. */
  boolean takes(StagedRecord staged, int keyLength, Attributes attributes) {
    writeLog.settle(table);
    return !loading && table.takes(staged, keyLength, attributes);
  }

  /**
   * Returns whether the log wants an entry of {@code size} bytes to be {@linkplain EntryLog#draft
   * drafted}.
   */
  boolean isDrafted(int size) {
    return log.isDrafted(size);
  }

  /**
   * Has an entry whose value has come ready to be drafted.
   *
   * @return what does that, on another thread
   */
  Supplier<EntryLog.Draft> drafting(
      StagedRecord staged, byte[] key, int keyForm, int valueForm, Attributes attributes) {
    requireWriter();
    requireOpen();
    table.complete(staged, key, 0, key.length, keyForm, valueForm, attributes);
    return () -> log.draft(staged.address());
  }

  /**
   * Inserts an entry or replaces all of it, as {@link #put}; see {@link Table#putStaged}.
   *
   * @param draft of its record, if the log wants one
   */
  long putStaged(
      byte[] key,
      int keyForm,
      StagedRecord staged,
      EntryLog.@Nullable Draft draft,
      int valueForm,
      Attributes attributes) {
    int before = sizeBefore();
    beginReplacing();
    writeLog.next(draft);
    try {
      return written(
          table.putStaged(key, 0, key.length, keyForm, staged, valueForm, attributes), before);
    } finally {
      writeLog.next(null);
      endWrite();
    }
  }

  /**
   * Has an index get what is here and what is loaded later. By the writer, while there is something
   * to be loaded.
   *
   * @param container the map's
   */
  void indexAsLoaded(InternalIndex index, NativeMapContainer container, int partition) {
    requireWriter();
    IndexBuild build = indexBuild;
    if (build == null) {
      build = new IndexBuild(container, partition);
      indexBuild = build;
    }
    build.add(index, this);
  }

  /** Returns whether the entries are logged. */
  boolean keepsRecords() {
    return !closed && !released && log.keepsRecords();
  }

  /**
   * Visits some records with their values, and tells where to go on, as {@link Table#scan}. By the
   * writer.
   */
  long copies(long cursor, RecordVisitor visitor) {
    List<Long> found = new ArrayList<>();
    long next = collect(cursor, 1, record -> true, found);
    found.forEach(record -> visitor.visit(whole(record)));
    return next;
  }

  /**
   * Visits the record of a key with its value, if there is one. By the writer.
   *
   * @throws LogUnreadableException if the log has it no longer as it was written
   */
  void copy(byte[] key, int form, RecordVisitor visitor) {
    long record = find(key, 0, key.length, form);
    if (record != 0) {
      visitor.visit(whole(record));
    }
  }

  /** Returns the entries that come from the log and are not logged again. */
  RestoredEntries restored() {
    return restored;
  }

  /**
   * Replaces a record's value.
   *
   * @param tenant the number that the record has from now on
   * @return the record that has it
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed
   */
  long replaceValue(long record, @Nullable Data value, int tenant) {
    byte[] payload = DataForm.payload(value);
    int form = DataForm.of(payload);
    int offset = DataForm.offset(form);
    return replaceValue(record, payload, offset, payload.length - offset, form, tenant);
  }

  /**
   * Replaces a value like {@link #replaceValue(long, Data, int)}, with a value in the form in which
   * it is kept.
   */
  long replaceValue(long record, byte[] value, int offset, int length, int form, int tenant) {
    beginReplacing();
    try {
      return written(table.replaceValue(record, value, offset, length, form, tenant), 1);
    } finally {
      endWrite();
    }
  }

  /**
   * Gives a record an expiry, or takes it away; all times in milliseconds, {@link Attributes#NEVER}
   * for none.
   *
   * @return the record that has it; the same, and its address with it, if it had such an expiry
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed
   */
  long setExpiry(long record, long expiresAt, long ttl, long maxIdle, long lastUpdate) {
    writeLog.settle(table);
    long whole = writeLog.isOn() || isTapped() ? whole(record) : record;
    return setExpiryOf(whole, expiresAt, ttl, maxIdle, lastUpdate);
  }

  private long setExpiryOf(long record, long expiresAt, long ttl, long maxIdle, long lastUpdate) {
    boolean expires = expiresAt != Attributes.NEVER;
    if (!expires && !Records.expires(record)) {
      return record;
    }
    Attributes times = attributes.clear();
    times.expiresAt = expiresAt;
    times.timeToLive = ttl;
    times.maxIdle = maxIdle;
    times.lastUpdate = lastUpdate;
    if (table.setsExpiryInPlace(record, times)) {
      return setExpiryInPlace(record, times);
    }
    beginReplacing();
    try {
      return written(table.setExpiry(record, times), 1);
    } finally {
      endWrite();
    }
  }

  private long setExpiryInPlace(long record, Attributes times) {
    writeLog.admit(table);
    if (!writeLog.isOn()) {
      return written(table.setExpiry(record, times), 1);
    }
    long expiresAt = Records.expiresAt(record);
    long ttl = Records.timeToLive(record);
    long maxIdle = Records.maxIdle(record);
    long lastUpdate = Records.lastUpdate(record);
    long same = table.setExpiry(record, times);
    try {
      return written(writeLog.changed(same), 1);
    } catch (LogRefusedException e) {
      times.expiresAt = expiresAt;
      times.timeToLive = ttl;
      times.maxIdle = maxIdle;
      times.lastUpdate = lastUpdate;
      long _ = table.setExpiry(record, times);
      throw e;
    }
  }

  /**
   * Has a record count for another tenant.
   *
   * @return the record that does
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed
   */
  long setTenant(long record, int tenant) {
    writeLog.settle(table);
    long whole = writeLog.isOn() ? whole(record) : record;
    writeLog.admit(table);
    beginWrite();
    try {
      return table.setTenant(whole, tenant);
    } finally {
      endWrite();
    }
  }

  /** A record with its value in memory, as the log wants it. */
  private long whole(long record) {
    return Records.isSpilled(record) ? spilled.bringBack(record) : record;
  }

  /** Removes a record. What expires by the time alone is known to have expired after a restart. */
  void remove(long record) {
    writeLog.admitRemoval(table);
    beginWrite();
    try {
      if (writeLog.isOn() && !hasExpired(record)) {
        writeLog.removing(record);
      }
      if (Records.expiresAt(record) > Clock.currentTimeMillis()) {
        long _ = changed(record, 1);
      }
      TappedEntries to = tapped;
      if (to != null && to.isOn()) {
        to.removing(record, table);
      }
      boolean _ = table.remove(record);
    } finally {
      endWrite();
    }
  }

  /** Removes all entries. */
  void clear() {
    if (closed) {
      return;
    }
    writeLog.admitClearing(table);
    beginWrite();
    boolean before = keepsPages;
    keepsPages = true; // all pages are removed with the entries
    try {
      writeLog.clearing();
      wereDestroyed();
      restored.clear();
      table.clear();
    } finally {
      keepsPages = before;
      endWrite();
    }
  }

  // ---- those who are told of changes

  private boolean isTapped() {
    TappedEntries to = tapped;
    return to != null && to.isOn();
  }

  /** Tells of an entry that was written. Returns its record. */
  private long written(long record, int before) {
    TappedEntries to = tapped;
    if (to != null && to.isOn()) {
      boolean overlooked = spilled.isOverlooked();
      spilled.overlook(false); // the value is wanted, wherever it is
      try {
        to.written(record, this, table);
      } finally {
        spilled.overlook(overlooked);
      }
    }
    return changed(record, before);
  }

  /** Tells that all entries go, though they may not be removed one by one. By the writer. */
  void wereDestroyed() {
    TappedEntries to = tapped;
    if (to != null && to.isOn()) {
      to.clearing();
    }
  }

  /** Returns where the key of a readable record comes in scans: 0 to 2^32 - 1. */
  long position(long record) {
    return table.position(record);
  }

  // ---- the journal of changes

  /** Returns the number of entries if it is known and the journal wants it; else 1. */
  private int sizeBefore() {
    PartitionChanges to = journal;
    return to == null || !to.isOn() || loading ? 1 : table.size();
  }

  /** Notes that the key of a readable record was changed, or is about to be. Returns the record. */
  private long changed(long record, int before) {
    PartitionChanges to = journal;
    if (to != null && to.isOn()) {
      to.changed(number, table.hash(record), before);
    }
    return record;
  }

  /**
   * Has what follows taken for no change of somebody's.
   *
   * @return what it was before, to be set again
   */
  boolean setQuiet(boolean quiet) {
    return journal != null && journal.quiet(quiet);
  }

  /** Notes that all entries were removed, but for those that are still here. By the writer. */
  void wereCleared() {
    PartitionChanges to = journal;
    if (to == null || !to.isOn()) {
      return;
    }
    to.cleared(number);
    for (long cursor = 0; cursor >= 0 && table.size() > 0; ) {
      cursor = table.scan(cursor, record -> to.changed(number, table.hash(record), 1));
    }
  }

  /** Returns what has changed while a side was on its own; null if that is not kept. */
  @Nullable StoreChanges changesOfSplit() {
    return journal == null ? null : journal.find(number, sizeBefore());
  }

  /** Returns {@link #changesOfSplit} and forgets it. */
  @Nullable StoreChanges takeChangesOfSplit() {
    return journal == null ? null : journal.take(number, sizeBefore());
  }

  /** The hash of a readable record's key: the same on all members of a cluster. */
  long hash(long record) {
    return table.hash(record);
  }

  /** The hash of a key: the same on all members of a cluster. */
  long hash(Data key) {
    byte[] payload = DataForm.payload(key);
    int form = DataForm.of(payload);
    int offset = DataForm.offset(form);
    return table.hash(payload, offset, payload.length - offset, form);
  }

  /** The record whose key has a hash, 0 if there is none; of what is loaded. By the writer. */
  long findHashed(long hash) {
    return closed || released ? 0 : table.find(hash);
  }

  /**
   * The entries are taken out of their partition, and stay readable. The log has others from now on
   * and is told nothing more of these. By the writer.
   */
  void leaveLog() {
    if (!released && writeLog.isOn()) {
      requireWriter();
      long _ = log.clearing();
      writeLog.turn(false, table);
    }
  }

  /** Tells the log that the entries are no longer this member's. */
  void disown() {
    if (!released) {
      requireWriter();
      long _ = log.clearing();
      restored.giveUpUnread();
    }
  }

  /** Removes all entries and gives their memory back; the log has them still. Idempotent. */
  void close() {
    if (released) {
      return;
    }
    requireWriter();
    released = true;
    closed = true;
    restored.close();
    table.close();
    count(0, 0, 0);
    charges.handOver();
    if (journal != null) {
      journal.forget(number);
    }
  }

  /**
   * Drops the entries: from now on no thread finds any. Their memory stays as it is until {@link
   * #close}, or until the member goes down and all its memory with it. Any thread may call this.
   */
  void abandon() {
    closed = true;
  }

  private static boolean hasExpired(long record) {
    return Records.maxIdle(record) == Attributes.NEVER
        && Records.expiresAt(record) <= Clock.currentTimeMillis();
  }

  // ---- the log

  /** Returns whether writes are logged. Called by the writer. */
  boolean isLogged() {
    return writeLog.isOn();
  }

  /**
   * Sets whether writes are logged from now on. The entries that are already here have to follow,
   * by {@link #logSome} or {@link #unlogSome}, until they are through.
   */
  void setLogged(boolean keep) {
    requireWriter();
    writeLog.turn(keep, table);
  }

  /**
   * Logs some of what is here and is not logged.
   *
   * @param cursor 0 to begin with
   * @param last gets where the last record is in the log
   * @return where to go on, -1 at the end
   * @throws OutOfNativeMemoryException if records cannot be given room for their position
   */
  long logSome(long cursor, int buckets, LongConsumer last) {
    if (closed) {
      return -1;
    }
    List<Long> found = new ArrayList<>();
    long next = collect(cursor, buckets, record -> Records.logPosition(record) == 0, found);
    if (found.isEmpty()) {
      return next;
    }
    writeLog.admit(table);
    found.replaceAll(this::whole); // these are writes of their own
    beginWrite();
    try {
      for (long record : found) {
        long logged = table.makeRoom(record);
        long position = log.written(logged);
        Records.setLogPosition(logged, position);
        last.accept(position);
      }
    } finally {
      endWrite();
    }
    return next;
  }

  /**
   * Logs some of what is here anew, as far as the log has lost it.
   *
   * @param cursor 0 to begin with
   * @param lost tells the positions that are
   * @return where to go on, -1 at the end
   * @throws OutOfNativeMemoryException if there is no room for a value that is on the disk
   * @throws LogRefusedException if the log takes nothing
   */
  long renewSome(long cursor, int buckets, LongPredicate lost, RenewedRecords to) {
    if (closed) {
      return -1;
    }
    List<Long> found = new ArrayList<>();
    long next =
        collect(
            cursor,
            buckets,
            record -> Records.logPosition(record) != 0 && lost.test(Records.logPosition(record)),
            found);
    if (!found.isEmpty()) {
      writeLog.admit(table);
      found.forEach(record -> renew(record, to));
    }
    return next;
  }

  private void renew(long record, RenewedRecords to) {
    long position = Records.logPosition(record);
    long whole;
    try {
      whole = whole(record); // a write of its own
    } catch (SpillUnreadableException e) {
      byte[] key = new byte[Records.keyLength(record)];
      Records.copyKey(record, key, 0);
      to.markUnreadable(key, Records.keyForm(record), position);
      return;
    }
    beginWrite();
    try {
      int length = Records.bytes(whole);
      Records.setLogPosition(whole, log.writtenAnew(whole));
      log.left(position, length);
      to.renewed(length);
    } finally {
      endWrite();
    }
  }

  /** Has the log forget some of what it has of what is here. As {@link #logSome}. */
  long unlogSome(long cursor, int buckets) {
    if (closed) {
      return -1;
    }
    List<Long> found = new ArrayList<>();
    long next = collect(cursor, buckets, record -> Records.logPosition(record) != 0, found);
    for (long record : found) {
      log.left(Records.logPosition(record), Records.bytesWithValue(record));
      Records.forgetLogPosition(record);
    }
    return next;
  }

  /**
   * Voids all that the log has of these entries, so that it does not come back after a restart.
   * Called when {@link #unlogSome} has finished.
   *
   * @return the position of this statement in the log
   */
  long forgetLogged() {
    return log.forget();
  }

  private long collect(long cursor, int buckets, LongPredicate wanted, List<Long> found) {
    requireWriter();
    long next = cursor;
    for (int i = 0; i < buckets && next >= 0; i++) {
      next =
          table.scan(
              next,
              record -> {
                if (wanted.test(record)) {
                  found.add(record);
                }
              });
    }
    return next;
  }

  /** Returns the number of writes by all threads. Approximate, except for the writer. */
  long written() {
    return written;
  }

  /** Notes a use of a record. From any thread, with a guard; of two at once one may be lost. */
  void touch(long record, int nowSeconds) {
    if (Records.touch(record, nowSeconds)) {
      reused++;
    }
  }

  /**
   * Returns the number of repeated uses of entries by all threads, of each entry one a second.
   * Approximate.
   */
  long reused() {
    return reused;
  }

  private void beginReplacing() {
    written++;
    writeLog.admit(table);
    beginWrite();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  private void beginWrite() {
    requireWriter();
    requireOpen();
    lastKey = null;
    changes++;
  }

  private void requireOpen() {
    if (closed) {
      throw new RetryableHazelcastException("the entries of this partition are no longer here");
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  private void endWrite() {
    changes++;
    countUse();
  }

  private void requireWriter() {
    if (!isWriter()) {
      throw new IllegalStateException(
          "entries are written by who holds the lock of their partition, not by "
              + Thread.currentThread().getName());
    }
  }

  private void countUse() {
    count(table.bytes() + restored.bytes(), table.size() + restored.size(), spilled.bytes());
  }

  private void count(long nowBytes, long nowEntries, long nowSpilled) {
    long moreBytes = nowBytes - countedBytes;
    countedBytes = nowBytes;
    if (moreBytes != 0) {
      bytes.add(moreBytes);
    }
    charges.settle(nowBytes, nowEntries, nowSpilled);
  }

  /** Other tenants may be charged than before. By the writer. */
  void recount() {
    if (!released) {
      requireWriter();
      countUse();
    }
  }

  /** Hands over what was held until now, to be charged. By the writer. */
  void handOverHeldTime() {
    if (!released) {
      requireWriter();
      if (!loading && !closed) { // or the number of entries might have to be read from the disk
        countUse(); // stubs go without a write when they are no longer needed
      }
      charges.handOver();
    }
  }

  /** Returns the sums that say which tenants are charged for these entries. */
  Charges charges() {
    return charges;
  }

  /**
   * Returns the position in the log that was last written for this partition. It moves on when
   * something is logged. Called by the writer.
   */
  long logged() {
    return lock.lastAppended();
  }

  private final class Leaving implements Departures {
    @Override
    public void arriving(long record) {
      writeLog.arriving(record);
    }

    @Override
    public void dropped(long record) {
      BiConsumer<Data, Data> to = heads;
      if (to != null && !keepsPages && !released && HiddenMaps.hasHead(record)) {
        Data head = DataForm.value(record);
        if (head != null) {
          to.accept(DataForm.key(record), head);
        }
      }
    }

    @Override
    public void left(long position, int recordBytes) {
      writeLog.left(position, recordBytes);
    }

    @Override
    public void counted(long record, int sign) {
      charges.counted(record, sign);
    }

    @Override
    public void leftDisk(long handle, int length) {
      spilled.left(handle, length);
    }
  }

  private final class Writing implements RestoredEntries.Writing {
    @Override
    public void begin() {
      beginWrite();
    }

    @Override
    public void end() {
      endWrite();
    }

    @Override
    public void loaded(long record) {
      IndexBuild build = indexBuild;
      if (build != null) {
        build.loaded(record, NativeEntries.this);
      }
    }

    @Override
    public void allLoaded() {
      IndexBuild build = indexBuild;
      if (build != null) {
        indexBuild = null;
        build.complete();
      }
    }

    @Override
    public void stubs(boolean are) {
      loading = are;
    }

    @Override
    public boolean isClosed() {
      return closed;
    }
  }
}

package io.keyvalueserve.maps;

import com.hazelcast.internal.util.Clock;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts entries of a partition back from their log, without logging them again: at a start whole
 * records, or {@linkplain PendingRecords keys} whose records are loaded later.
 *
 * <p>Called by the writer of the entries, unless said otherwise.
 */
final class RestoredEntries {
  private static final long LOOK_AGAIN_NANOS = 10_000_000;

  /**
   * The assumed share of the records in the log that are current. The others have been replaced.
   */
  private static final double BELIEVED = 0.6;

  private final Table table;
  private final Supplier<Table> stubTables;
  private final EntryLog log;
  private final PartitionLock lock;
  private final Writing writing;

  private volatile @Nullable PendingRecords pending;

  /** The number of entries when the number of further ones was estimated. */
  private int sizeBefore;

  /** While not even the keys are known. */
  private volatile @Nullable UnreadPartition unread;

  /**
   * The records that are expected while not even the keys are known, estimated without reading the
   * log.
   */
  private volatile PendingEntries.Amount expected = PendingEntries.Amount.NOTHING;

  /** The way in which the entries are written. */
  interface Writing {
    /** Called before entries are changed. */
    void begin();

    /** Called after entries were changed. */
    void end();

    /** A record was loaded: it is in the table. */
    void loaded(long record);

    /** The last record was loaded, or is not needed any more. */
    void allLoaded();

    /** Called with true when the first stub is there, and with false when the last one is gone. */
    void stubs(boolean are);

    boolean isClosed();
  }

  /**
   * Nothing yet.
   *
   * @param table of the entries
   * @param stubTables makes tables for stubs
   * @param lock of the partition
   */
  RestoredEntries(
      Table table, Supplier<Table> stubTables, EntryLog log, PartitionLock lock, Writing writing) {
    this.table = table;
    this.stubTables = stubTables;
    this.log = log;
    this.lock = lock;
    this.writing = writing;
  }

  // ---- before the log is read

  /**
   * The log has entries whose keys are put back when something is asked for. Called before anybody
   * asks.
   *
   * @param amount what they are, at most
   */
  void readLater(UnreadPartition partition, PendingEntries.Amount amount) {
    expected = amount;
    unread = partition;
    writing.stubs(true);
  }

  /** Returns whether the entries were closed and nothing is left. */
  boolean isClosed() {
    return writing.isClosed();
  }

  /** The keys are put back, if there were any. */
  void markRead() {
    unread = null;
    expected = PendingEntries.Amount.NOTHING;
    PendingRecords waiting = pending;
    if (writing.isClosed()) {
      return;
    }
    if (waiting != null && waiting.size() > 0) {
      waiting.fit(); // what was expected may have been replaced since
    } else {
      closeStubs();
      writing.stubs(false);
      writing.allLoaded();
    }
  }

  /**
   * Gives up the records that the log has and that were not read. The log was just told that they
   * are void.
   */
  void giveUpUnread() {
    UnreadPartition partition = unread;
    if (partition != null) {
      partition.remove(this);
      leaveUnread();
    }
  }

  private void leaveUnread() {
    if (unread != null) {
      unread = null;
      expected = PendingEntries.Amount.NOTHING;
      writing.stubs(false);
    }
  }

  /** Reads the keys, if they were not. */
  private @Nullable PendingRecords known() {
    UnreadPartition partition = unread;
    if (partition != null) {
      partition.read();
    }
    return pending;
  }

  // ---- as the log is read

  /**
   * Adds a key to those that are looked at together before they are put back. By any thread, with a
   * guard open.
   *
   * @param whole whether there will be a record, not a stub alone
   */
  void anticipate(RestoredLookahead lookahead, long key, int length, int form, boolean whole) {
    PendingRecords waiting = pending;
    boolean inTable = whole || table.size() > 0;
    if (waiting == null && !inTable) {
      return;
    }
    long hash = table.hash(key, length, form);
    if (waiting != null) {
      waiting.anticipate(lookahead, hash);
    }
    if (inTable) {
      lookahead.addRecord(table, hash);
    }
  }

  /**
   * There will be so many times as many more as came since this was called last: makes room for
   * them while there are few. Stubs if there are any, else records.
   */
  void expect(double times) {
    if (writing.isClosed()) {
      return;
    }
    PendingRecords waiting = pending;
    int now = waiting != null ? waiting.size() : table.size();
    long all = now + (long) (Math.max(0, now - sizeBefore) * times);
    sizeBefore = now;
    int room = (int) Math.min(Integer.MAX_VALUE, all);
    if (waiting != null) {
      waiting.reserve(room);
    } else {
      table.reserve(room);
    }
  }

  /** No more will come, or there is no room for what was expected: gives back what is too much. */
  void expectNoMore() {
    if (!writing.isClosed()) {
      table.fit();
      PendingRecords waiting = pending;
      if (waiting != null) {
        waiting.fit();
      }
    }
  }

  /** Puts an entry back. */
  void put(long image, int length, long position) {
    writing.begin();
    try {
      beginIdling(table.putImage(image, length, position));
      forgetStub(Records.keyAddress(image), Records.keyLength(image), Records.keyForm(image));
    } finally {
      writing.end();
    }
  }

  /** Puts an entry back of which only the key is known: a stub. */
  void putKey(long key, int length, int form, int recordBytes, long position) {
    writing.begin();
    try {
      long older = table.size() == 0 ? 0 : table.find(key, length, form);
      if (older != 0) {
        boolean _ = table.remove(older);
      }
      PendingRecords waiting = pending;
      if (waiting == null) {
        waiting = new PendingRecords(stubTables.get());
        waiting.reserve((int) Math.min(Integer.MAX_VALUE, (long) (expected.records() * BELIEVED)));
        pending = waiting;
        writing.stubs(true);
      }
      waiting.put(key, length, form, recordBytes, position, log::left);
    } finally {
      writing.end();
    }
  }

  /** Removes an entry as its log says it was. */
  void remove(long key, int length, int form) {
    writing.begin();
    try {
      long record = table.find(key, length, form);
      if (record != 0) {
        boolean _ = table.remove(record);
      }
      forgetStub(key, length, form);
    } finally {
      writing.end();
    }
  }

  /** Removes the entries that the log has at smaller positions. */
  void clear(long before) {
    writing.begin();
    try {
      List<Long> gone = new ArrayList<>();
      for (long cursor = 0; cursor != Table.END; ) {
        cursor =
            table.scan(
                cursor,
                record -> {
                  long position = Records.logPosition(record);
                  if (position != 0 && position < before) { // 0: the log does not have it at all
                    gone.add(record);
                  }
                });
        gone.forEach(table::remove);
        gone.clear();
      }
      PendingRecords waiting = pending;
      if (waiting != null) {
        waiting.all().stream()
            .filter(stub -> PendingRecords.position(stub) < before)
            .forEach(stub -> drop(waiting, stub));
      }
    } finally {
      writing.end();
    }
  }

  private void forgetStub(long key, int length, int form) {
    PendingRecords waiting = pending;
    long stub = waiting == null ? 0 : waiting.find(key, length, form);
    if (waiting != null && stub != 0) {
      drop(waiting, stub);
    }
  }

  /** The log need not keep the record of a stub any more. */
  private void drop(PendingRecords waiting, long stub) {
    log.left(PendingRecords.position(stub), PendingRecords.recordBytes(stub));
    waiting.remove(stub);
    endLoading(waiting);
  }

  // ---- what is still to be loaded

  /**
   * Returns whether a record that is asked for may have to be read from the disk first. Any thread
   * may call this.
   */
  boolean isLoading() {
    UnreadPartition partition = unread; // asked first: what is read by then is pending
    return (partition != null && partition.isUnread()) || pending != null;
  }

  /**
   * Returns the number of records that are still to be loaded. Any thread may call this. The writer
   * has their keys read first; other threads get the largest number there may be.
   */
  int size() {
    if (unread == null) {
      PendingRecords waiting = pending;
      return waiting == null ? 0 : waiting.size();
    }
    if (lock.isHeld()) {
      try {
        PendingRecords waiting = known();
        return waiting == null ? 0 : waiting.size();
      } catch (OutOfNativeMemoryException e) {
        // nobody who asks for a number is prepared for that
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, toLoad().records());
  }

  /**
   * Returns what is still to be loaded, with an estimate for keys that are not known yet. Any
   * thread may call this.
   */
  PendingEntries.Amount toLoad() {
    PendingEntries.Amount unknown = expected;
    PendingRecords waiting = pending;
    return waiting == null
        ? unknown
        : new PendingEntries.Amount(
            unknown.records() + waiting.size(), unknown.bytes() + waiting.recordBytes());
  }

  /** Returns the bytes that the stubs take. Any thread may call this. */
  long bytes() {
    PendingRecords waiting = pending;
    return waiting == null ? 0 : waiting.bytes();
  }

  /**
   * Returns the position in the log of the record of a key that is still to be loaded; 0 if it is
   * not.
   */
  long logPosition(long key, int length, int form) {
    PendingRecords waiting = known();
    long stub = waiting == null ? 0 : waiting.find(key, length, form);
    return stub == 0 ? 0 : PendingRecords.position(stub);
  }

  /**
   * Visits the stubs: where the log has their records, and how many bytes they are. Others than the
   * writer hold its lock for that.
   */
  void visit(EntryLog.Place visitor) {
    PendingRecords waiting = writing.isClosed() ? null : known();
    if (waiting != null) {
      waiting.forEach(
          stub -> visitor.at(PendingRecords.position(stub), PendingRecords.recordBytes(stub)));
    }
  }

  /**
   * The record of a key, read from the disk if there is only its stub; 0 if there is none. By any
   * thread with a guard open: it takes the writer's place for that, and waits.
   *
   * @throws LoadingException if nobody is to wait for records, or there is no memory for this one
   * @throws LogUnreadableException if the log has it no longer as it was written
   */
  long load(byte[] key, int offset, int length, int form) {
    lock.enter();
    try {
      if (writing.isClosed()) {
        return 0;
      }
      PendingRecords waiting = known();
      long stub = waiting == null ? 0 : waiting.find(key, offset, length, form);
      if (waiting != null && stub != 0) {
        log.requireReading();
        log.read(
            PendingRecords.position(stub),
            PendingRecords.recordBytes(stub),
            (image, bytes) -> loaded(waiting, stub, image, bytes));
      }
      return table.find(key, offset, length, form);
    } catch (OutOfNativeMemoryException e) {
      throw new LoadingException();
    } finally {
      lock.exit();
    }
  }

  /**
   * Takes the record of a stub that was read, if the stub still waits for that one.
   *
   * @param image what the log has at the position
   */
  void loaded(long image, int length, long position) {
    PendingRecords waiting = pending;
    if (writing.isClosed() || waiting == null) {
      return;
    }
    long key = Records.keyAddress(image);
    int keyLength = Records.keyLength(image);
    int form = Records.keyForm(image);
    long hash = waiting.hash(key, keyLength, form);
    long stub = waiting.find(hash, key, keyLength, form);
    if (stub != 0 && PendingRecords.position(stub) == position) {
      loaded(waiting, stub, hash, image, length);
    }
  }

  private void loaded(PendingRecords waiting, long stub, long image, int length) {
    long hash =
        waiting.hash(Records.keyAddress(image), Records.keyLength(image), Records.keyForm(image));
    loaded(waiting, stub, hash, image, length);
  }

  /**
   * Replaces a stub by its record. The record is added without a search, because a key that has a
   * stub is not in the table.
   */
  private void loaded(PendingRecords waiting, long stub, long hash, long image, int length) {
    writing.begin();
    try {
      long record = table.addImage(hash, image, length, PendingRecords.position(stub));
      beginIdling(record);
      waiting.remove(stub);
      writing.loaded(record);
      endLoading(waiting);
    } finally {
      writing.end();
    }
  }

  /**
   * Nobody has logged when what lives longer when it is used was used last: as far as is known it
   * was when the member went down.
   */
  private static void beginIdling(long record) {
    NativeExpiry.beginIdling(record, Clock.currentTimeMillis());
  }

  private void endLoading(PendingRecords waiting) {
    if (waiting.size() == 0 && unread == null) { // or there may be more
      closeStubs();
      writing.allLoaded();
    }
  }

  /**
   * Reads the records of all stubs, one by one. A stub whose record cannot be read is dropped.
   *
   * @param unreadable told why
   */
  void loadEach(Consumer<LogUnreadableException> unreadable) {
    PendingRecords waiting = writing.isClosed() ? null : known();
    if (waiting == null) {
      return;
    }
    for (long stub : waiting.all()) {
      try {
        log.read(
            PendingRecords.position(stub),
            PendingRecords.recordBytes(stub),
            (image, length) -> loaded(waiting, stub, image, length));
      } catch (LogUnreadableException e) {
        unreadable.accept(e);
        drop(waiting, stub);
      }
    }
  }

  /** Is told of a stub whose record cannot be read. */
  @FunctionalInterface
  interface UnreadableStub {
    void at(byte[] key, int form, long position, LogUnreadableException why);
  }

  /**
   * Reads the records of all stubs, one by one. Stubs whose records cannot be read stay.
   *
   * @param unreadable told of those; may give them up
   */
  void loadReadable(UnreadableStub unreadable) {
    PendingRecords waiting = writing.isClosed() ? null : known();
    if (waiting == null) {
      return;
    }
    for (long stub : waiting.all()) {
      try {
        log.read(
            PendingRecords.position(stub),
            PendingRecords.recordBytes(stub),
            (image, length) -> loaded(waiting, stub, image, length));
      } catch (LogUnreadableException e) {
        byte[] key = new byte[Records.keyLength(stub)];
        Records.copyKey(stub, key, 0);
        unreadable.at(key, Records.keyForm(stub), PendingRecords.position(stub), e);
      }
    }
  }

  /** Returns whether a key's record is still to be read from {@code position}. */
  boolean waitsFor(byte[] key, int form, long position) {
    PendingRecords waiting = writing.isClosed() ? null : pending;
    long stub = waiting == null ? 0 : waiting.find(key, 0, key.length, form);
    return stub != 0 && PendingRecords.position(stub) == position;
  }

  /** Gives up a key whose record cannot be read, if it is still waited for. */
  void giveUp(byte[] key, int form, long position) {
    PendingRecords waiting = pending;
    if (waiting != null && waitsFor(key, form, position)) {
      drop(waiting, waiting.find(key, 0, key.length, form));
    }
  }

  /** Replaces what there is of a key by an entry of another member, and logs it. */
  void take(long image, int length) {
    log.admit();
    writing.begin();
    try {
      long record = table.putImage(image, length, 0);
      long position = log.written(record);
      Records.setLogPosition(record, position);
      beginIdling(record);
      writing.loaded(record);
      forgetStub(Records.keyAddress(image), Records.keyLength(image), Records.keyForm(image));
    } finally {
      writing.end();
    }
  }

  /** Removes an entry, if it is here, and logs that. */
  void removeLogged(byte[] key, int form) {
    long record = writing.isClosed() ? 0 : table.find(key, 0, key.length, form);
    if (record != 0) {
      log.admit();
      writing.begin();
      try {
        long _ = log.removing(record);
        boolean _ = table.remove(record);
      } finally {
        writing.end();
      }
    }
  }

  /**
   * Returns when all is loaded. By any thread.
   *
   * @throws RetryableHazelcastException to the writer, who is not to wait
   */
  void awaitAll() {
    if (isLoading() && lock.isHeld()) {
      throw new RetryableHazelcastException(
          "the map's entries are still being loaded from the disk");
    }
    while (isLoading() && !writing.isClosed() && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  /** Drops all stubs: their entries were removed, and the log need not keep them. */
  void clear() {
    giveUpUnread(); // nor is what it has to be read any more
    visit(log::left);
    close();
  }

  /** Drops all stubs; the log has their records still. */
  void close() {
    leaveUnread();
    closeStubs();
  }

  private void closeStubs() {
    PendingRecords waiting = pending;
    if (waiting != null) {
      pending = null;
      sizeBefore = 0;
      waiting.close();
      table.reserve(0);
      writing.stubs(false);
    }
  }

  /** Makes room for all that is to be loaded, before it is. */
  void reserve() {
    if (!writing.isClosed() && pending != null) {
      table.reserve(table.size() + size());
    }
  }
}

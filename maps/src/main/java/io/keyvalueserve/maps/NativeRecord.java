package io.keyvalueserve.maps;

import static com.hazelcast.internal.util.TimeStripUtil.recomputeWithBaseTime;
import static com.hazelcast.internal.util.TimeStripUtil.stripBaseTime;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.record.RecordReaderWriter;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import org.jspecify.annotations.Nullable;

/**
 * A record as Hazelcast wants to see it: a view of the entry that a key has now, wherever it lies.
 *
 * <p>Begins as a new record, its parts on the heap, until the storage puts it into memory. From
 * then on every call reads or writes the memory: a value that was replaced in the meantime shows as
 * the new one (as with Hazelcast's own records, which change in place), an entry that was removed
 * shows as version 0 with the value null. Whatever thread calls, nothing that was freed is read:
 * see {@link NativeEntries}.
 *
 * <p>Which of the times and counters exist depends on the map's configuration, as in Hazelcast
 * ({@link Kind}); memory has some of them for every record, for the sake of evicting by tenant.
 */
final class NativeRecord implements Record<Data> {
  /** The statistics that a map's records keep, besides value and version. */
  enum Kind {
    /** Nothing. */
    SIMPLE(RecordReaderWriter.SIMPLE_DATA_RECORD_READER_WRITER),
    /** The time when an entry was last used. */
    LAST_ACCESS(RecordReaderWriter.SIMPLE_DATA_RECORD_WITH_LRU_EVICTION_READER_WRITER),
    /** The number of uses of an entry; approximate, at most 255. */
    USES(RecordReaderWriter.SIMPLE_DATA_RECORD_WITH_LFU_EVICTION_READER_WRITER),
    /** Everything. */
    STATISTICS(RecordReaderWriter.DATA_RECORD_WITH_STATS_READER_WRITER);

    private final RecordReaderWriter wire;

    Kind(RecordReaderWriter wire) {
      this.wire = wire;
    }

    /**
     * Returns whether users see when an entry was last used. An entry that was only written then
     * shows that it never was.
     */
    boolean showsLastAccess() {
      return this == LAST_ACCESS || this == STATISTICS;
    }
  }

  private final Kind kind;
  private final NativeEntries entries;
  private final Data key;

  private @Nullable Unstored unstored;
  private long address;
  private long changes;

  /** A new record, not yet in memory. */
  NativeRecord(Kind kind, NativeEntries entries, Data key, @Nullable Data value) {
    this.kind = kind;
    this.entries = entries;
    this.key = key;
    this.unstored = new Unstored(kind, value);
  }

  /** A view of a record that was found since the count of changes was what it is given as. */
  NativeRecord(Kind kind, NativeEntries entries, Data key, long address, long changes) {
    this.kind = kind;
    this.entries = entries;
    this.key = key;
    this.address = address;
    this.changes = changes;
  }

  /** Returns the parts of a new record that is not in memory yet; null once it is. */
  @Nullable Unstored unstored() {
    return unstored;
  }

  /** It is in memory now. By the writer. */
  void stored(long address) {
    this.unstored = null;
    this.address = address;
    this.changes = entries.changes();
  }

  /**
   * Returns the entry's present address; 0 if there is none. Called by the writer, or within a
   * guard.
   */
  long locate() {
    if (entries.isClosed()) {
      return 0;
    }
    long now = entries.changes();
    if (address == 0 || now != changes || !NativeEntries.isSettled(now)) {
      address = entries.find(key);
      changes = now;
    }
    return address;
  }

  /**
   * Locates the record like {@link #locate}, and brings a value that is on the disk back into
   * memory.
   */
  private long locateUsed() {
    long record = locate();
    if (record != 0
        && Records.isSpilled(record)
        && entries.isWriter()
        && !entries.spilled().isOverlooked()) {
      record = entries.spilled().promote(record);
      address = record;
      changes = entries.changes();
    }
    return record;
  }

  @Override
  public @Nullable Data getValue() {
    Unstored fresh = unstored;
    if (fresh != null) {
      return fresh.value;
    }
    int guard = entries.enter();
    try {
      long record = locate();
      return record == 0 ? null : entries.value(record);
    } finally {
      entries.exit(guard);
    }
  }

  /**
   * Sets the value of a new record. Values in memory are changed by {@code
   * Storage.updateRecordValue}.
   */
  @Override
  public void setValue(@Nullable Data value) {
    Unstored fresh = unstored;
    if (fresh == null) {
      throw new UnsupportedOperationException("a value in memory does not change");
    }
    fresh.value = value;
  }

  /** The bytes that the entry takes off the heap, without its place in the index. */
  @Override
  public long getCost() {
    if (unstored != null) {
      return 0;
    }
    int guard = entries.enter();
    try {
      long record = locate();
      return record == 0 ? 0 : Records.bytes(record);
    } finally {
      entries.exit(guard);
    }
  }

  @Override
  public int getVersion() {
    return get(Part.VERSION);
  }

  @Override
  public void setVersion(int version) {
    set(Part.VERSION, version);
  }

  @Override
  public int getHits() {
    return switch (kind) {
      case STATISTICS -> get(Part.HITS);
      case USES -> get(Part.USES);
      case SIMPLE, LAST_ACCESS -> UNSET;
    };
  }

  @Override
  public void setHits(int hits) {
    if (hits >= 0) {
      set(kind == Kind.STATISTICS ? Part.HITS : Part.USES, hits);
    }
  }

  /** Counted whether the map's configuration asks for it or not. */
  @Override
  public void onAccess(long now) {
    if (unstored != null) {
      setHits(Math.max(0, getHits()) + 1);
      set(Part.LAST_ACCESS, stripBaseTime(now));
      return;
    }
    int guard = entries.enter();
    try {
      long record = locateUsed();
      if (record != 0) {
        entries.touch(record, stripBaseTime(now));
        if (kind == Kind.STATISTICS) {
          int hits = Records.hits(record);
          Records.setHits(record, hits == Integer.MAX_VALUE ? hits : hits + 1);
        }
      }
    } finally {
      entries.exit(guard);
    }
  }

  @Override
  public int getRawLastAccessTime() {
    return kind.showsLastAccess() ? get(Part.LAST_ACCESS) : UNSET;
  }

  @Override
  public void setRawLastAccessTime(int seconds) {
    set(Part.LAST_ACCESS, seconds);
  }

  @Override
  public int getRawCreationTime() {
    return statistic(Part.CREATION);
  }

  @Override
  public void setRawCreationTime(int seconds) {
    set(Part.CREATION, seconds);
  }

  @Override
  public int getRawLastUpdateTime() {
    return statistic(Part.LAST_UPDATE);
  }

  @Override
  public void setRawLastUpdateTime(int seconds) {
    set(Part.LAST_UPDATE, seconds);
  }

  @Override
  public int getRawLastStoredTime() {
    return statistic(Part.LAST_STORED);
  }

  @Override
  public void setRawLastStoredTime(int seconds) {
    set(Part.LAST_STORED, seconds);
  }

  @Override
  public long getLastAccessTime() {
    return whole(getRawLastAccessTime(), kind.showsLastAccess());
  }

  /** Returns when it was last used or written, in milliseconds since 1970, to the second. */
  long lastUsedMillis() {
    return recomputeWithBaseTime(get(Part.LAST_ACCESS));
  }

  @Override
  public void setLastAccessTime(long millis) {
    setRawLastAccessTime(stripBaseTime(millis));
  }

  @Override
  public long getCreationTime() {
    return whole(getRawCreationTime(), kind == Kind.STATISTICS);
  }

  @Override
  public void setCreationTime(long millis) {
    setRawCreationTime(stripBaseTime(millis));
  }

  @Override
  public long getLastUpdateTime() {
    return whole(getRawLastUpdateTime(), kind == Kind.STATISTICS);
  }

  @Override
  public void setLastUpdateTime(long millis) {
    setRawLastUpdateTime(stripBaseTime(millis));
  }

  @Override
  public long getLastStoredTime() {
    return whole(getRawLastStoredTime(), kind == Kind.STATISTICS);
  }

  @Override
  public void setLastStoredTime(long millis) {
    setRawLastStoredTime(stripBaseTime(millis));
  }

  @Override
  public RecordReaderWriter getMatchingRecordReaderWriter() {
    return kind.wire;
  }

  private static long whole(int seconds, boolean kept) {
    return kept ? recomputeWithBaseTime(seconds) : UNSET;
  }

  private int statistic(Part part) {
    return kind == Kind.STATISTICS ? get(part) : UNSET;
  }

  private int get(Part part) {
    Unstored fresh = unstored;
    if (fresh != null) {
      return part.of(fresh.attributes);
    }
    int guard = entries.enter();
    try {
      long record = locate();
      return record == 0 ? 0 : part.of(record);
    } finally {
      entries.exit(guard);
    }
  }

  private void set(Part part, int value) {
    Unstored fresh = unstored;
    if (fresh != null) {
      part.set(fresh.attributes, value);
      return;
    }
    int guard = entries.enter();
    try {
      long record = locate();
      if (record != 0) {
        part.set(record, value);
      }
    } finally {
      entries.exit(guard);
    }
  }

  /** A record that is not yet in memory. */
  static final class Unstored {
    final Attributes attributes = new Attributes();
    private @Nullable Data value;

    private Unstored(Kind kind, @Nullable Data value) {
      this.value = value;
      attributes.lastAccessSeconds = UNSET;
      attributes.statistics = kind == Kind.STATISTICS;
      attributes.creationSeconds = UNSET;
      attributes.lastUpdateSeconds = UNSET;
      attributes.lastStoredSeconds = UNSET;
    }

    @Nullable Data value() {
      return value;
    }
  }
}

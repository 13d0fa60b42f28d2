package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Lookahead;
import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a {@link ScannedMap} while it is read. Records are read between {@link
 * ScannedMap#enter} and {@link ScannedMap#exit}, and are the owner's if {@link #isStill} says so
 * behind their being found: a record never changes. For one thread.
 */
public final class ScannedPartition {
  /** The cursor behind the last record. */
  public static final long END = Table.END;

  /** The form of a key or value that begins with its type. */
  public static final int RAW = DataForm.RAW;

  /** The form of a string: its UTF-8 bytes. */
  public static final int STRING = DataForm.STRING;

  /** The form of an array of bytes: these. */
  public static final int BYTES = DataForm.BYTES;

  /** The form of a null, which has no bytes. */
  public static final int NULL = DataForm.NULL;

  private final ScannedMap map;
  private final int partition;
  private final @Nullable NativeEntries entries;
  private final int stamp;
  private final int version;

  ScannedPartition(
      ScannedMap map, int partition, @Nullable NativeEntries entries, int stamp, int version) {
    this.map = map;
    this.partition = partition;
    this.entries = entries;
    this.stamp = stamp;
    this.version = version;
  }

  /** Returns the partition's number. */
  public int number() {
    return partition;
  }

  /** Returns whether nothing was written to it. */
  public boolean isEmpty() {
    return entries == null;
  }

  /**
   * Visits records as {@link Table#scanMany} does.
   *
   * @return where to go on, or {@link #END}
   */
  public long scan(long cursor, int least, RecordVisitor visitor) {
    return entries == null ? END : entries.scanLoaded(cursor, least, visitor);
  }

  /** Adds the hash of a key to those that will be {@linkplain #find(long) found} soon. */
  public void anticipate(Lookahead lookahead, long hash) {
    if (entries != null) {
      entries.anticipate(lookahead, hash);
    }
  }

  /** Returns the address of the record of a key; 0 if there is none. */
  public long find(Data key) {
    return entries == null ? 0 : entries.find(key);
  }

  /** Returns the address of the record whose key has a hash; 0 if there is none. */
  public long find(long hash) {
    return entries == null ? 0 : entries.findByHash(hash);
  }

  /** Returns the hash of a readable record's key, the same on all members. */
  public long hash(long record) {
    return requireEntries().hash(record);
  }

  /** Returns whether what was found until now was the owner's when it was found. */
  public boolean isStill() {
    return map.isStill(partition, stamp, version)
        && (entries == null || (!entries.isClosed() && !entries.isLoading()));
  }

  /** Returns whether a readable record has expired. */
  public static boolean hasExpired(long record, long nowMillis) {
    long at = Records.expiresAt(record);
    return at != Attributes.NEVER && at <= nowMillis;
  }

  /** Returns a copy of a readable record's key. */
  public static Data key(long record) {
    return DataForm.key(record);
  }

  /** Returns the number of bytes of a readable record's key in serialized form. */
  public static int keySize(long record) {
    return DataForm.offset(Records.keyForm(record)) + Records.keyLength(record);
  }

  /** Copies a readable record's key in serialized form: {@link #keySize} bytes. */
  public static void copyKey(long record, byte[] to, int at) {
    DataForm.copyKey(record, to, at);
  }

  /**
   * Returns the number of bytes of a readable record's value in serialized form; 0 if it is null.
   */
  public static int valueSize(long record) {
    return DataForm.offset(Records.valueForm(record)) + Records.valueLength(record);
  }

  /**
   * Copies a readable record's value in serialized form: {@link #valueSize} bytes. The value must
   * be in memory.
   */
  public static void copyValue(long record, byte[] to, int at) {
    int form = Records.valueForm(record);
    DataForm.putHead(to, at, form, Records.valueLength(record));
    Records.copyValue(record, to, at + DataForm.offset(form));
  }

  /**
   * Returns a copy of a readable record's value. May wait for the disk.
   *
   * @return null if that is the value, or if the entry was removed while it was read
   */
  public @Nullable Data value(long record) {
    return requireEntries().value(record);
  }

  private NativeEntries requireEntries() {
    if (entries == null) {
      throw new IllegalStateException("a partition without entries has no records");
    }
    return entries;
  }
}

package io.keyvalueserve.maps;

import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.engine.DirectMap.ValueSink;
import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Table;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A map as far as it lives on this member, reached by any thread, at once or not at all.
 *
 * <p>Whatever is asked may be declined ({@link #NOT_NOW}); then nothing was done, and an operation
 * has to be sent. What is answered is what the operation would have answered, to the same effect.
 * Never blocks; what takes ranges of bytes allocates nothing. Stays good for ever; thread-safe,
 * unless it was made for one thread ({@link LocalMaps#of(String, int, UncertainRecords)}).
 *
 * <p>Reads: {@link LocalReads}. Writes: {@link LocalWrites}.
 *
 * <p>Keys and values are either serialized, as Hazelcast's clients send them, or plain: the bytes
 * of a string or a byte array alone.
 */
public final class LocalMap {
  /** There is no such entry. */
  public static final int MISSING = -1;

  /** Declined. */
  public static final int NOT_NOW = -2;

  /** There are no more keys. */
  public static final long END = Table.END;

  /** A sink for a serialized value. */
  public interface DataSink extends ValueSink {}

  /** Takes plain keys that are listed. */
  @FunctionalInterface
  public interface KeySink {
    /**
     * The next key.
     *
     * @param isString whether it is a string in UTF-8, else it is a byte array
     * @param bytes begins with it; to be read during the call only
     */
    void key(boolean isString, byte[] bytes, int length);

    /** Returns whether the listing is to stop before the next key of another position. */
    default boolean isFull() {
      return false;
    }
  }

  /** The sink for reads that return no bytes. */
  private static final ValueSink NOWHERE =
      new ValueSink() {
        @Override
        public byte[] room(int length) {
          throw new IllegalStateException("nothing was to be put anywhere");
        }

        @Override
        public int offset() {
          return 0;
        }
      };

  private final LocalReads reads;
  private final LocalWrites writes;
  private final LocalStores stores;
  private final Epochs epochs;

  LocalMap(LocalMaps maps, String name, @Nullable UncertainRecords uncertain, int tenant) {
    this.stores = new LocalStores(maps, name);
    this.epochs = maps.maps().heap().epochs();
    this.reads = new LocalReads(stores, maps.ownership(), maps.clock());
    this.writes = new LocalWrites(maps, name, stores, uncertain, tenant);
  }

  // ---- serialized keys and values

  /**
   * Reads a value.
   *
   * @param partition that of the key, 0 or more and less than there are
   * @param bytes has the serialized key
   * @param sink gets the serialized value; void if this returns {@link #NOT_NOW}
   * @return the length of the serialized value in bytes, {@link #MISSING} or {@link #NOT_NOW}
   */
  public int get(int partition, byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
    if (keyLength < DataForm.FEWEST_BYTES) {
      return NOT_NOW;
    }
    int form = DataForm.of(bytes, keyOffset, keyLength);
    int head = DataForm.offset(form);
    return reads.read(
        partition, bytes, keyOffset + head, keyLength - head, form, LocalReads.Part.DATA, sink);
  }

  /**
   * Tells whether the map has a key.
   *
   * @return 1, {@link #MISSING} or {@link #NOT_NOW}
   */
  public int contains(int partition, byte[] bytes, int keyOffset, int keyLength) {
    if (keyLength < DataForm.FEWEST_BYTES) {
      return NOT_NOW;
    }
    int form = DataForm.of(bytes, keyOffset, keyLength);
    int head = DataForm.offset(form);
    return reads.read(
        partition,
        bytes,
        keyOffset + head,
        keyLength - head,
        form,
        LocalReads.Part.PRESENCE,
        NOWHERE);
  }

  /**
   * Writes an entry, without expiry unless the map gives it one.
   *
   * @param bytes has the serialized key and the serialized value
   * @param previous gets the serialized value that was there before, void if this returns {@link
   *     #NOT_NOW}; null if nobody wants it
   * @return the length of the value before, in bytes, {@link #MISSING} or {@link #NOT_NOW}
   */
  public int put(
      int partition,
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength,
      @Nullable ValueSink previous) {
    if (keyLength < DataForm.FEWEST_BYTES || valueLength < DataForm.FEWEST_BYTES) {
      return NOT_NOW;
    }
    int form = DataForm.of(bytes, keyOffset, keyLength);
    int head = DataForm.offset(form);
    int valueForm = DataForm.of(bytes, valueOffset, valueLength);
    int valueHead = DataForm.offset(valueForm);
    return writes.write(
        partition,
        bytes,
        keyOffset + head,
        keyLength - head,
        form,
        DataForm.partitionHash(bytes, keyOffset),
        bytes,
        valueOffset + valueHead,
        valueLength - valueHead,
        valueForm,
        Attributes.NEVER,
        previous);
  }

  /**
   * Writes an entry, without expiry unless the map gives it one.
   *
   * @param bytes has the serialized key and the serialized value
   * @return whether it did; false is {@link #NOT_NOW}
   */
  public boolean set(
      int partition, byte[] bytes, int keyOffset, int keyLength, int valueOffset, int valueLength) {
    return put(partition, bytes, keyOffset, keyLength, valueOffset, valueLength, null) != NOT_NOW;
  }

  // ---- plain keys and values

  /** Begins to bring entries near that are about to be asked for. */
  public LocalLookahead lookAhead() {
    return LocalLookahead.begin(stores, epochs);
  }

  /**
   * Reads a value that is a byte string or a string; another is declined.
   *
   * @param isString whether the key is a string in UTF-8, else it is a byte array
   * @return its length in bytes, {@link #MISSING} or {@link #NOT_NOW}
   */
  public int readPlain(
      int partition, byte[] bytes, int keyOffset, int keyLength, boolean isString, ValueSink sink) {
    int form = isString ? DataForm.STRING : DataForm.BYTES;
    return reads.read(partition, bytes, keyOffset, keyLength, form, LocalReads.Part.BODY, sink);
  }

  /** The length of such a value, without counting as a use: otherwise as {@link #readPlain}. */
  public int plainLength(
      int partition, byte[] bytes, int keyOffset, int keyLength, boolean isString) {
    int form = isString ? DataForm.STRING : DataForm.BYTES;
    return reads.read(
        partition, bytes, keyOffset, keyLength, form, LocalReads.Part.LENGTH, NOWHERE);
  }

  /**
   * Returns the time when an entry expires, without counting as a use.
   *
   * @return in milliseconds since 1970, {@link Attributes#NEVER}, {@link #MISSING} or {@link
   *     #NOT_NOW}
   */
  public long plainExpiry(
      int partition, byte[] bytes, int keyOffset, int keyLength, boolean isString) {
    return reads.expiry(
        partition, bytes, keyOffset, keyLength, isString ? DataForm.STRING : DataForm.BYTES);
  }

  /**
   * Lists plain keys of a partition that have not expired, in an order that every member has.
   *
   * @param position 0, or what this returned
   * @param count after so many entries it stops, but for those of equal position
   * @param sink gets the keys; those of this call are void if this returns {@link #NOT_NOW}
   * @return where to go on, {@link #END} or {@link #NOT_NOW}
   */
  public long keys(int partition, long position, int count, KeySink sink) {
    return reads.scan(partition, position, count, sink);
  }

  /**
   * Writes a value as a byte array.
   *
   * @param key has the key
   * @param value has the value; may be the same array
   * @param expiresAt in milliseconds since 1970, to come, or {@link Attributes#NEVER}
   * @return whether it did; false is {@link #NOT_NOW}
   */
  public boolean writePlain(
      int partition,
      byte[] key,
      int keyOffset,
      int keyLength,
      boolean isString,
      byte[] value,
      int valueOffset,
      int valueLength,
      long expiresAt) {
    return writes.write(
            partition,
            key,
            keyOffset,
            keyLength,
            isString ? DataForm.STRING : DataForm.BYTES,
            0,
            value,
            valueOffset,
            valueLength,
            DataForm.BYTES,
            expiresAt,
            null)
        != NOT_NOW;
  }

  /**
   * Makes room for a value that will be written as a byte array when it has come.
   *
   * @param expires whether it will be written with a time
   * @return null if it declines
   */
  public @Nullable StagedValue stage(
      int partition, int keyLength, int valueLength, boolean expires) {
    return writes.stage(partition, keyLength, valueLength, expires);
  }

  /**
   * Writes a value that has come, as {@link #writePlain}.
   *
   * @param value that {@link #stage} made room for: it is used up if this returns true
   */
  public boolean writeStaged(
      int partition, byte[] key, boolean isString, StagedValue value, long expiresAt) {
    return value instanceof StagedEntry staged
        && writes.writeStaged(
            partition, key, isString ? DataForm.STRING : DataForm.BYTES, staged, expiresAt);
  }

  /**
   * Does what has to be done ahead of {@link #writeStaged} and takes long, on another thread.
   *
   * @param value is used up unless this returns null
   * @return gets the value to write in its place; null if there is nothing to be done
   */
  public @Nullable CompletionStage<StagedValue> prepare(
      int partition, byte[] key, boolean isString, StagedValue value, long expiresAt) {
    return value instanceof StagedEntry staged && staged.draft() == null
        ? writes.draft(
            partition, key, isString ? DataForm.STRING : DataForm.BYTES, staged, expiresAt)
        : null;
  }

  // ---- a whole partition

  /**
   * Has the partition for itself, to change it as an operation would, but for what {@link LocalMap}
   * leaves to operations. {@link #end} has to follow.
   *
   * @return null if it declines; then nothing has to follow
   */
  public @Nullable RecordStore<?> begin(int partition) {
    return writes.begin(partition);
  }

  /**
   * Returns the store with the pages of a map's large collections in a partition that was begun.
   *
   * @return null if there is none, or it cannot be used at once
   */
  public @Nullable NativeRecordStore pages(NativeRecordStore store) {
    return writes.pages(store);
  }

  /**
   * The same for a transaction that uses several partitions: it declines if the map is logged, or
   * memory is short, so that no change fails that follows. The caller looks at the locks of keys
   * ({@link NativeRecordStore#isFree}). {@link #end} has to follow.
   *
   * @return null if it declines; then nothing has to follow
   */
  public @Nullable NativeRecordStore beginTransaction(int partition) {
    return writes.beginTransaction(partition);
  }

  /**
   * Says that entries of several partitions are being changed together, or are no longer: until
   * then reads without locks decline, here or in whatever partition of the map. Calls may overlap.
   */
  public static void setChanging(NativeRecordStore store, boolean changing) {
    store.container().setChanging(changing);
  }

  /**
   * Returns a number that moves on before a transaction changes several keys of the map, of which
   * some are on this member. If it is the same before the first of several reads and behind the
   * last, and none of them was declined, no reader has seen a half of a transaction.
   *
   * <p>A transaction either has {@linkplain #setChanging marked} the map from before it moves the
   * number on until all is changed, or it has locked its keys that long: reads decline meanwhile.
   * So a read that was answered with the old value of a key began before the number moved on, or
   * before the lock and thus also before the number moved on. Who then sees another key changed
   * sees that number.
   */
  public long stamp() {
    return stores.stamp();
  }

  /**
   * Returns the {@linkplain NativeRecordStore#stamp stamp} of a partition on this member. To be
   * asked for behind the reads that it is for.
   */
  public long stamp(int partition) {
    return stores.stamp(partition);
  }

  /**
   * Ends what {@link #begin} began.
   *
   * @param wrote whether anything was changed
   */
  public void end(int partition, RecordStore<?> store, boolean wrote) {
    writes.end(partition, (NativeRecordStore) store, wrote);
  }
}

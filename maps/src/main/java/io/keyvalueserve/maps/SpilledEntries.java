package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The values of a partition's entries that left memory for the disk: how they get there, and how
 * they come back. In the table stay stubs, which have all of a record but its value.
 *
 * <p>By the writer of the entries, unless said otherwise.
 */
final class SpilledEntries {
  private final Table table;
  private final @Nullable ValueReaders readers;
  private final Runnable beginWrite;
  private final Runnable endWrite;
  private final LongUnaryOperator successor;

  private volatile int count;
  private volatile long bytes;

  /**
   * The reads whose values are at hand, by their handles. No value that is written meanwhile has
   * the same handle.
   */
  private final Map<Long, ColdRead> atHand = new HashMap<>();

  /** True while the current operation does not look at values that are on the disk. */
  private boolean overlooked;

  // What the writer has just read: it may be wanted in memory.
  private long lastHandle;
  private @Nullable HeapData lastValue;

  /**
   * None yet.
   *
   * @param readers of the area where values are; null if they stay in memory
   * @param successor finds what the key of a readable record has now, 0 if nothing; by any thread
   */
  SpilledEntries(
      Table table,
      @Nullable ValueReaders readers,
      Runnable beginWrite,
      Runnable endWrite,
      LongUnaryOperator successor) {
    this.table = table;
    this.readers = readers;
    this.beginWrite = beginWrite;
    this.endWrite = endWrite;
    this.successor = successor;
  }

  /** Returns whether no value is on the disk. Any thread may call this. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Returns the number of values on the disk. Any thread may call this. */
  int count() {
    return count;
  }

  /** Returns the bytes of the values on the disk. Any thread may call this. */
  long bytes() {
    return bytes;
  }

  /**
   * Reads the value of a stub with one read of the disk; null if the entry was removed meanwhile.
   * By any thread that may read the stub; waits for the disk.
   *
   * @throws SpillUnreadableException if the disk does not have what was written
   */
  @Nullable Data value(long stub) {
    return read(stub);
  }

  /**
   * Returns a value like {@link #value} and remembers it, because the writer may {@link #promote}
   * it next.
   */
  @Nullable Data valueOften(long stub) {
    long handle = Records.spillHandle(stub);
    if (handle != lastHandle) {
      lastValue = readOrTake(stub, handle);
      lastHandle = handle;
    }
    return lastValue;
  }

  private @Nullable HeapData readOrTake(long stub, long handle) {
    ColdRead read = atHand.isEmpty() ? null : atHand.get(handle);
    if (read == null) {
      readers().readAtAStretch();
      return read(stub);
    }
    try {
      return read.value();
    } catch (IOException e) {
      return instead(stub, e);
    }
  }

  // ---- values that were read before they are asked for

  /**
   * Returns the read that is needed before the value of a stub is at hand; null if it is at hand.
   */
  @Nullable ColdRead coldRead(long stub) {
    long handle = Records.spillHandle(stub);
    return handle == lastHandle || atHand.containsKey(handle)
        ? null
        : new ColdRead(handle, Records.valueForm(stub), Records.valueLength(stub));
  }

  /** Has what was read serve whoever asks for it, until {@link #takeBack}. */
  void hand(List<ColdRead> reads) {
    for (ColdRead read : reads) {
      if (read.isDone()) {
        atHand.put(read.handle(), read);
      }
    }
  }

  /** Forgets the values that were read and kept at hand. */
  void takeBack() {
    atHand.clear();
  }

  /** Returns whether the current operation does not look at values that are on the disk. */
  boolean isOverlooked() {
    return overlooked;
  }

  /** Sets whether values that are on the disk are not looked at from now on. */
  void overlook(boolean now) {
    overlooked = now;
  }

  // ---- what becomes of them

  /** Forgets what {@link #valueOften} remembers. */
  void forget() {
    lastHandle = 0;
    lastValue = null;
  }

  private @Nullable HeapData read(long stub) {
    int form = Records.valueForm(stub);
    int length = Records.valueLength(stub);
    byte[] payload = DataForm.frame(form, length);
    try {
      area().read(Records.spillHandle(stub), length, payload, DataForm.offset(form));
      return new HeapData(payload);
    } catch (IOException e) {
      return instead(stub, e);
    }
  }

  /**
   * Returns the value that the entry has now, in place of one that could not be read: it may have
   * been replaced, removed or brought back meanwhile.
   */
  private @Nullable HeapData instead(long stub, IOException failure) {
    long now = successor.applyAsLong(stub);
    if (now == stub) {
      throw new SpillUnreadableException(
          "a value that was spilled cannot be read back: " + failure.getMessage());
    }
    if (now == 0) {
      return null;
    }
    return Records.isSpilled(now) ? read(now) : (HeapData) DataForm.value(now);
  }

  /**
   * Brings the value of a stub back into memory, if there is room.
   *
   * @return the record that has it; the stub, if there is no room
   */
  long promote(long stub) {
    try {
      return bringBack(stub);
    } catch (OutOfNativeMemoryException e) {
      return stub;
    }
  }

  /**
   * Brings the value of a stub back into memory.
   *
   * @return the record that has it
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed
   */
  long bringBack(long stub) {
    byte[] payload = DataForm.payload(valueOften(stub));
    beginWrite.run();
    try {
      return table.promote(stub, payload, DataForm.offset(Records.valueForm(stub)));
    } finally {
      endWrite.run();
    }
  }

  /**
   * Lets the value of a record go, which is on the disk now.
   *
   * @param record found by a reader whose guard is still open
   * @return the stub that has its place; 0 if the record is no longer there
   * @throws OutOfNativeMemoryException if there is no memory for the stub; nothing has changed
   */
  long spill(long record, long handle) {
    if (successor.applyAsLong(record) != record || Records.isSpilled(record)) {
      return 0;
    }
    int length = Records.valueLength(record);
    beginWrite.run();
    try {
      long stub = table.spill(record, handle);
      add(1, length);
      return stub;
    } finally {
      endWrite.run();
    }
  }

  /** A stub is no longer in the table: see {@link io.keyvalueserve.store.Departures}. */
  void left(long handle, int length) {
    area().free(handle, length);
    add(-1, -length);
    if (!atHand.isEmpty()) {
      atHand.remove(handle);
    }
    if (handle == lastHandle) {
      forget();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
  private void add(int more, int moreBytes) {
    count += more;
    bytes += moreBytes;
  }

  private SpillArea area() {
    return readers().area();
  }

  private ValueReaders readers() {
    if (readers == null) {
      throw new IllegalStateException("the member has nowhere to spill values to");
    }
    return readers;
  }
}

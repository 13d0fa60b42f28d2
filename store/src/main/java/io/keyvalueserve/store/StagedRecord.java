package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.Pin;
import java.nio.ByteBuffer;

/**
 * Memory for a record whose value is still to come: it is received where it is to stay, and then
 * {@linkplain Table#putStaged put} into the table without being copied. Nobody finds it before.
 *
 * <p>One thread at a time; that it becomes a record or is discarded is for the same thread to see
 * to, once.
 */
public final class StagedRecord {
  private final Table table;
  private final Pin pin;
  private final long record;
  private final int valueOffset;
  private final int valueLength;
  private boolean isOver;

  /**
   * @param pin of its memory, that nobody has
   * @param valueOffset where in it the value is
   */
  StagedRecord(Table table, Pin pin, long record, int valueOffset, int valueLength) {
    this.table = table;
    this.pin = pin;
    this.record = record;
    this.valueOffset = valueOffset;
    this.valueLength = valueLength;
    pin.take();
  }

  /** Returns the length of the value, in bytes. */
  public int valueLength() {
    return valueLength;
  }

  /**
   * The room for the value, to be written to.
   *
   * @throws IllegalStateException if it is a record already, or was discarded
   */
  public ByteBuffer value() {
    if (isOver) {
      throw new IllegalStateException("it is a record already, or was discarded");
    }
    return Memory.buffer(record + valueOffset, valueLength);
  }

  /**
   * Keeps the memory, also if it is discarded meanwhile, for another thread that reads it: {@link
   * Pin#release} has to follow, by any thread.
   */
  public Pin hold() {
    if (isOver) {
      throw new IllegalStateException("it is a record already, or was discarded");
    }
    pin.take();
    return pin;
  }

  /**
   * Returns the address of the record, once it {@linkplain Table#complete has all} that a record
   * has.
   */
  public long address() {
    return record;
  }

  /** Gives the memory back, unless it is a record. Idempotent. */
  public void discard() {
    if (!isOver) {
      isOver = true;
      boolean _ = pin.abandon();
      pin.release();
    }
  }

  Table table() {
    return table;
  }

  int valueOffset() {
    return valueOffset;
  }

  boolean isOver() {
    return isOver;
  }

  /** Notes that it is a record of the table's, which frees it. */
  void becameRecord() {
    isOver = true;
    pin.release();
  }
}

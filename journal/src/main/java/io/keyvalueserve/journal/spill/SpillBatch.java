package io.keyvalueserve.journal.spill;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values to be written together. To be reused; for one thread, which leaves it alone while it is
 * being written.
 */
public final class SpillBatch {
  private long[] addresses = new long[16];
  private int[] lengths = new int[16];
  private long[] handles = new long[16];
  private int size;
  private @Nullable IOException failure;
  private @Nullable Throwable broken;
  private boolean written;

  /**
   * Adds a value.
   *
   * @param address where its bytes are, which have to stay until the batch was written
   * @param length 0 or more
   */
  public void add(long address, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length is 0 or more: " + length);
    }
    if (size == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
      handles = Arrays.copyOf(handles, 2 * size);
    }
    addresses[size] = address;
    lengths[size] = length;
    handles[size] = SpillHandle.NONE;
    size++;
  }

  /** Returns the number of values. */
  public int size() {
    return size;
  }

  /** A value's handle once it was written; 0 if it was not. */
  public long handle(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException("index=" + index + " size=" + size);
    }
    return handles[index];
  }

  /** Makes it empty. */
  public void clear() {
    size = 0;
    begin();
  }

  // ---- the writer

  void begin() {
    failure = null;
    broken = null;
    written = false;
  }

  long address(int index) {
    return addresses[index];
  }

  int length(int index) {
    return lengths[index];
  }

  void wrote(int index, long handle) {
    handles[index] = handle;
  }

  /** A value was not written. */
  @SuppressWarnings("ReferenceEquality") // one failure is told of many values
  void failed(IOException e) {
    if (failure == null) {
      failure = e;
    } else if (failure != e && failure.getSuppressed().length < 8) {
      failure.addSuppressed(e);
    }
  }

  /** The writer failed by a mistake of its own: nothing of the batch counts as written. */
  void broke(Throwable e) {
    broken = e;
    Arrays.fill(handles, SpillHandle.NONE);
  }

  void end() {
    written = true;
  }

  boolean isWritten() {
    return written;
  }

  void throwFailure() throws IOException {
    if (broken != null) {
      throw new IllegalStateException("the spill area's writer failed", broken);
    }
    if (failure != null) {
      throw failure;
    }
  }
}

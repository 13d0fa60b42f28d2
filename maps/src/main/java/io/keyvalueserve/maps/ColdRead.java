package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.journal.spill.SpillArea;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The read of one value that is on the disk: begun by the writer of its entries, carried out by a
 * reader, seen by the writer again. The handle tells the value from whatever may take its place.
 */
final class ColdRead {
  private final long handle;
  private final int form;
  private final int length;
  private @Nullable HeapData value;
  private @Nullable IOException failure;

  /** Creates a read that is not yet carried out. */
  ColdRead(long handle, int form, int length) {
    this.handle = handle;
    this.form = form;
    this.length = length;
  }

  long handle() {
    return handle;
  }

  int form() {
    return form;
  }

  /** The value's, in bytes. */
  int length() {
    return length;
  }

  /** Waits for the disk. */
  void carryOut(SpillArea area) {
    byte[] payload = DataForm.frame(form, length);
    try {
      area.read(handle, length, payload, DataForm.offset(form));
      value = new HeapData(payload);
    } catch (IOException e) {
      failure = e;
    }
  }

  /** Returns whether the read has ended, with a value or with a failure. */
  boolean isDone() {
    return value != null || failure != null;
  }

  /**
   * Returns the value that was read.
   *
   * @throws IOException if the disk does not have it
   */
  HeapData value() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (value == null) {
      throw new IllegalStateException("a value was asked for that nobody has read");
    }
    return value;
  }
}

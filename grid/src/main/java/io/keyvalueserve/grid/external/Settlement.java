package io.keyvalueserve.grid.external;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.maps.external.QueuedWrite;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of a write that waited for an external store.
 *
 * @param number the number of the write: nothing is done if another one waits by now
 * @param reason why the store has refused it, with {@link End#REFUSED}; else null
 * @param restored the write of the key that waited before, which comes back, with {@link
 *     End#UNDONE}; else null
 */
record Settlement(
    Data key, long number, End end, @Nullable String reason, @Nullable QueuedWrite restored) {
  Settlement(Data key, long number, End end, @Nullable String reason) {
    this(key, number, end, reason, null);
  }

  /** The end of a write. */
  enum End {
    /** The store has it: it leaves the queue. */
    DONE(0),
    /** The store will never take it: it stays in the queue as a dead letter. */
    REFUSED(1),
    /** It leaves the queue, and its entry leaves memory: what the store has holds. */
    UNDONE(2),
    /** A dead letter is tried again. Of a write that is none, nothing changes. */
    RETRIED(3),
    /** The same as {@link #UNDONE} for a dead letter. Of a write that is none, nothing changes. */
    DISCARDED(4);

    private final int number;

    End(int number) {
      this.number = number;
    }

    /** Returns whether its entry leaves memory. */
    boolean isTakenBack() {
      return this == UNDONE || this == DISCARDED;
    }

    /** Returns whether it is for dead letters alone. */
    boolean isOfDead() {
      return this == RETRIED || this == DISCARDED;
    }

    private static End of(int number) throws IOException {
      for (End each : values()) {
        if (each.number == number) {
          return each;
        }
      }
      throw new IOException("no such end of a write: " + number);
    }
  }

  void write(ObjectDataOutput out) throws IOException {
    IOUtil.writeData(out, key);
    out.writeLong(number);
    out.writeByte(end.number);
    out.writeString(reason);
    out.writeByteArray(restored == null ? null : restored.encode());
  }

  static Settlement read(ObjectDataInput in) throws IOException {
    Data key = Objects.requireNonNull(IOUtil.readData(in));
    long number = in.readLong();
    End end = End.of(in.readByte());
    String reason = in.readString();
    byte[] restored = in.readByteArray();
    return new Settlement(
        key, number, end, reason, restored == null ? null : QueuedWrite.decode(restored));
  }
}

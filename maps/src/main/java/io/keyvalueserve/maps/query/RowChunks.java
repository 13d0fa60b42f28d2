package io.keyvalueserve.maps.query;

import io.keyvalueserve.maps.gather.Gathering;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows as a client gets them, packed in few arrays: each key and value is a frame of Hazelcast's
 * client protocol. What they take is counted before it is taken. For one thread at a time.
 */
public final class RowChunks implements RowVisitor {
  /** The bytes of a frame besides its content: the length of all, little-endian, and flags. */
  static final int FRAME_HEAD = 6;

  private static final int FIRST_CHUNK = 1 << 10;
  private static final int MOST_CHUNK = 256 << 10;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * Bytes of rows.
   *
   * @param length how many of the bytes are rows'
   */
  public record Chunk(byte[] bytes, int length) {}

  private final RowKind kind;
  private final Gathering gathering;
  private final long most;
  private final List<Chunk> full = new ArrayList<>();
  private byte[] last = {};
  private int used;
  private long inFull;

  /**
   * @param gathering counts what is kept
   * @param most after so many bytes of rows it wants no more
   */
  public RowChunks(RowKind kind, Gathering gathering, long most) {
    this.kind = kind;
    this.gathering = gathering;
    this.most = most;
  }

  /**
   * Adds a row.
   *
   * @throws com.hazelcast.map.QueryResultSizeExceededException if the tenant has no heap for it
   */
  @Override
  public boolean visit(EntryRow row) {
    int key = kind.hasKeys() ? row.keySize() : 0;
    int value = kind.hasValues() ? row.valueSize() : 0;
    room(
        (kind.hasKeys() ? FRAME_HEAD + (long) key : 0)
            + (kind.hasValues() ? FRAME_HEAD + (long) value : 0));
    if (kind.hasKeys()) {
      row.copyKey(last, frame(key));
    }
    if (kind.hasValues()) {
      row.copyValue(last, frame(value));
    }
    return inFull + used < most;
  }

  private int frame(int length) {
    INT.set(last, used, FRAME_HEAD + length);
    last[used + 4] = 0;
    last[used + 5] = 0;
    int content = used + FRAME_HEAD;
    used = content + length;
    return content;
  }

  private void room(long bytes) {
    if (last.length - used >= bytes) {
      return;
    }
    long usual = Math.clamp(2L * last.length, FIRST_CHUNK, MOST_CHUNK);
    int size = (int) Math.max(bytes, Math.min(usual, most - length()));
    gathering.take(size);
    closeLast();
    last = new byte[size];
  }

  private void closeLast() {
    if (used > 0) {
      full.add(new Chunk(last, used));
      inFull += used;
      used = 0;
    }
  }

  /** Returns the number of bytes of all rows. */
  public long length() {
    return inFull + used;
  }

  /** Returns all rows; nothing is to be added any more. */
  public List<Chunk> chunks() {
    closeLast();
    last = new byte[0];
    return full;
  }
}

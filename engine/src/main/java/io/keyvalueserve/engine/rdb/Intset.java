package io.keyvalueserve.engine.rdb;

import static io.keyvalueserve.engine.rdb.BlobReader.require;

import io.keyvalueserve.engine.collection.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A set of integers in ascending order. The format is that of {@code intset.c} of Redis 7.0: bytes
 * of an integer (4 bytes), integers (4), the integers, all with the lowest byte first.
 */
final class Intset implements ElementSource {
  private final BlobReader in;
  private final int width;
  private long left;
  private long last;
  private boolean begun;

  Intset(byte[] bytes) throws RdbException {
    this.in = new BlobReader(bytes);
    long declared = in.little(Integer.BYTES);
    require(declared == Short.BYTES || declared == Integer.BYTES || declared == Long.BYTES);
    this.width = (int) declared;
    this.left = in.little(Integer.BYTES);
    require(left * width == in.left());
  }

  @Override
  public @Nullable Bytes next() throws RdbException {
    if (left == 0) {
      return null;
    }
    left--;
    int shift = Long.SIZE - width * Byte.SIZE;
    long value = in.little(width) << shift >> shift;
    require(!begun || value > last);
    begun = true;
    last = value;
    return BlobReader.text(value);
  }
}

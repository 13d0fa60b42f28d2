package io.keyvalueserve.engine.rdb;

import static io.keyvalueserve.engine.rdb.BlobReader.require;

import io.keyvalueserve.engine.collection.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A zipmap, as Redis had small hashes until 2.4. The format is that of {@code zipmap.c} of Redis
 * 7.0:
 *
 * <pre>
 *   fields or 254 (1 byte), fields, 0xff
 *   field: length, name, length, unused bytes (1 byte), value, unused bytes
 *   length: 1 byte below 254; or 254 and 4 bytes
 * </pre>
 */
final class Zipmap implements ElementSource {
  private static final int LONG = 254;

  private final BlobReader in;
  private final int declared;
  private int count;
  private boolean valueIsNext;

  Zipmap(byte[] bytes) throws RdbException {
    this.in = new BlobReader(bytes);
    this.declared = in.next();
  }

  @Override
  public @Nullable Bytes next() throws RdbException {
    if (valueIsNext) {
      valueIsNext = false;
      long length = length();
      int unused = in.next();
      Bytes value = in.range(length);
      in.skip(unused);
      return value;
    }
    if (in.peek() == BlobReader.TERMINATOR) {
      require(in.left() == 1 && (declared >= LONG || declared == count));
      return null;
    }
    count++;
    valueIsNext = true;
    return in.range(length());
  }

  private long length() throws RdbException {
    int first = in.next();
    require(first <= LONG);
    return first == LONG ? in.little(Integer.BYTES) : first;
  }
}

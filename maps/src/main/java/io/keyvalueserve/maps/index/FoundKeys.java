package io.keyvalueserve.maps.index;

import com.hazelcast.internal.serialization.Data;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keys that a query has found, packed: a reference and two bytes each. Owned by one query. */
final class FoundKeys {
  private static final int FIRST_CHUNK_BYTES = 256;
  private static final int MOST_CHUNK_BYTES = 256 << 10;
  private static final int LENGTH_BYTES = 2;

  private final List<byte[]> chunks = new ArrayList<>();
  private byte[] last = {};
  private int used;
  private int count;

  int count() {
    return count;
  }

  void add(byte[] array, int offset, int length) {
    if (last.length - used < length + LENGTH_BYTES) {
      grow(length + LENGTH_BYTES);
    }
    last[used] = (byte) (length >>> 8);
    last[used + 1] = (byte) length;
    System.arraycopy(array, offset, last, used + LENGTH_BYTES, length);
    used += LENGTH_BYTES + length;
    count++;
  }

  /** A way through them. */
  Walk walk() {
    return new Walk();
  }

  private void grow(int least) {
    if (used > 0) {
      chunks.add(Arrays.copyOf(last, used));
    }
    int size = Math.min(MOST_CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, 2 * last.length));
    last = new byte[Math.max(size, least)];
    used = 0;
  }

  /** A way through the keys. */
  final class Walk {
    private int chunk;
    private int at;
    private int seen;

    boolean hasNext() {
      return seen < count;
    }

    Data next() {
      byte[] array = chunk < chunks.size() ? chunks.get(chunk) : last;
      int length = ((array[at] & 0xFF) << 8) | (array[at + 1] & 0xFF);
      int from = at + LENGTH_BYTES;
      at = from + length;
      seen++;
      if (chunk < chunks.size() && at == array.length) {
        chunk++;
        at = 0;
      }
      return KeyReference.get(array, from, from + length);
    }
  }
}

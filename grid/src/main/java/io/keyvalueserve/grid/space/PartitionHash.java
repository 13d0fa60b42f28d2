package io.keyvalueserve.grid.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The partition of a string or of a byte array, without making Hazelcast's serialized object of it.
 * Clients of all languages reckon the same: MurmurHash3 x86 32 (A. Appleby, public domain) over the
 * length as four big-endian bytes and the bytes themselves.
 */
final class PartitionHash {
  private static final int SEED = 0x01000193;
  private static final int C1 = 0xcc9e2d51;
  private static final int C2 = 0x1b873593;
  private static final int PREFIX_BYTES = Integer.BYTES;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private PartitionHash() {}

  /** The partition of a key's bytes among so many. */
  static int partition(byte[] bytes, int offset, int length, int count) {
    int hash = of(bytes, offset, length);
    return hash == Integer.MIN_VALUE ? 0 : Math.abs(hash) % count;
  }

  private static int of(byte[] bytes, int offset, int length) {
    int h = block(SEED, Integer.reverseBytes(length));
    int i = offset;
    int end = offset + length;
    for (; i <= end - Integer.BYTES; i += Integer.BYTES) {
      h = block(h, (int) INT.get(bytes, i));
    }
    int tail = 0;
    for (int shift = 0; i < end; i++, shift += Byte.SIZE) {
      tail |= (bytes[i] & 0xff) << shift;
    }
    h ^= scramble(tail);
    return finish(h ^ (length + PREFIX_BYTES));
  }

  private static int block(int h, int block) {
    return Integer.rotateLeft(h ^ scramble(block), 13) * 5 + 0xe6546b64;
  }

  private static int scramble(int block) {
    return Integer.rotateLeft(block * C1, 15) * C2;
  }

  private static int finish(int hash) {
    int h = hash;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    return h ^ (h >>> 16);
  }
}

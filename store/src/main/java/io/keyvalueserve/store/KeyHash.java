package io.keyvalueserve.store;

import io.keyvalueserve.memory.Bytes;
import io.keyvalueserve.memory.Memory;

/**
 * A 64-bit hash of a key's bytes and form, the same for an array as for memory, and on every
 * machine of one byte order.
 *
 * <p>Folded 128-bit multiplication, eight bytes a step, as in wyhash (Wang Yi, 2019). Who does not
 * know the seed cannot make keys collide.
 */
final class KeyHash {
  private static final long A = 0xA0761D6478BD642FL;
  private static final long B = 0xE7037ED1A0B428DBL;
  private static final long C = 0x8EBC6AF09C88C6E3L;

  private KeyHash() {}

  /** The hash of a range of an array. */
  static long of(long seed, byte[] key, int offset, int length, int form) {
    long h = begin(seed, length, form);
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      h = fold(h ^ Bytes.getLong(key, offset + i), B);
    }
    long tail = 0;
    for (int shift = 0; i < length; i++, shift += Byte.SIZE) {
      tail |= (key[offset + i] & 0xFFL) << shift;
    }
    return end(h, tail);
  }

  /** The hash of bytes in memory. */
  static long of(long seed, long address, int length, int form) {
    long h = begin(seed, length, form);
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      h = fold(h ^ Memory.getLong(address + i), B);
    }
    long tail = 0;
    for (int shift = 0; i < length; i++, shift += Byte.SIZE) {
      tail |= (Memory.getByte(address + i) & 0xFFL) << shift;
    }
    return end(h, tail);
  }

  private static long begin(long seed, int length, int form) {
    return fold(seed ^ A, C ^ length ^ ((long) form << 32));
  }

  private static long end(long h, long tail) {
    return fold(fold(h ^ tail, B) ^ C, A);
  }

  private static long fold(long x, long y) {
    return (x * y) ^ Math.unsignedMultiplyHigh(x, y);
  }
}

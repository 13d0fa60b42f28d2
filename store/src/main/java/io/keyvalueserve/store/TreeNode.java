package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A node of a {@link ByteTree} that was read: a copy on the Java heap, good for any use while the
 * node itself may be retired. To be reused; owned by one thread.
 *
 * <pre>
 *   0        2       4         8
 *   +--------+-------+---------+-------------------+------------------+------------------
 *   | count  | level | length  | children, 8 each  | ends, 2 each     | keys, end to end
 *   +--------+-------+---------+-------------------+------------------+------------------
 *
 *   count    of keys
 *   level    0 for a leaf; then there are no children. Else there are count + 1 of them, and
 *            those of child i lie from key i - 1 on and before key i
 *   length   of all of it, in bytes; its block is that, rounded up
 *   ends     where each key ends, counted from where the first begins
 * </pre>
 *
 * <p>Numbers are in the byte order of the machine. A node never changes.
 */
final class TreeNode {
  static final int HEADER_BYTES = 8;
  static final int CHILD_BYTES = Long.BYTES;
  static final int END_BYTES = Short.BYTES;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private byte[] image;
  private long address;
  private int count;
  private int level;
  private int length;
  private int ends;
  private int keys;

  TreeNode() {
    image = new byte[ByteTree.NODE_BYTES];
  }

  /** Reads the node at an address, which must be readable until this returns. */
  void load(NativeHeap heap, long address) {
    length = Memory.getInt(address + 4);
    heap.requireLive(address, ByteTree.blockBytes(length));
    if (image.length < length) {
      image = new byte[Math.max(length, 2 * image.length)];
    }
    Memory.copy(address, image, 0, length);
    this.address = address;
    count = (short) SHORT.get(image, 0) & 0xFFFF;
    level = (short) SHORT.get(image, 2);
    ends = HEADER_BYTES + (level == 0 ? 0 : (count + 1) * CHILD_BYTES);
    keys = ends + count * END_BYTES;
  }

  /** Writes the header of an image. */
  static void putHeader(byte[] image, int count, int level, int length) {
    SHORT.set(image, 0, (short) count);
    SHORT.set(image, 2, (short) level);
    INT.set(image, 4, length);
  }

  static void putChild(byte[] image, int index, long child) {
    LONG.set(image, HEADER_BYTES + index * CHILD_BYTES, child);
  }

  /** Changes a child of a node in memory, which nobody may be reading. */
  static void putChild(long node, int index, long child) {
    Memory.putLong(node + HEADER_BYTES + (long) index * CHILD_BYTES, child);
  }

  static void putEnd(byte[] image, int at, int end) {
    SHORT.set(image, at, (short) end);
  }

  long address() {
    return address;
  }

  int length() {
    return length;
  }

  /** Returns the number of keys. */
  int count() {
    return count;
  }

  int level() {
    return level;
  }

  boolean isLeaf() {
    return level == 0;
  }

  /** Returns the number of children. */
  int children() {
    return isLeaf() ? 0 : count + 1;
  }

  long child(int index) {
    return (long) LONG.get(image, HEADER_BYTES + index * CHILD_BYTES);
  }

  /** Returns the array that holds the keys. It is not to be kept beyond the next load. */
  byte[] array() {
    return image;
  }

  /**
   * Returns the offset in the array at which a key begins; for the number of keys, the offset at
   * which the last one ends.
   */
  int from(int key) {
    return keys + (key == 0 ? 0 : end(key - 1));
  }

  /** Returns the offset in the array at which a key ends. */
  int to(int key) {
    return keys + end(key);
  }

  /** Returns the offset at which a key ends, counted from where the first begins. */
  private int end(int key) {
    return (short) SHORT.get(image, ends + key * END_BYTES) & 0xFFFF;
  }

  /** The number of keys before a given one. */
  int lowerBound(byte[] key, int offset, int end) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, key, offset, end) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The child that a key belongs to: the number of keys before it or the same. */
  int childFor(byte[] key, int offset, int end) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, key, offset, end) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Compares one of the keys here with another, byte by byte, unsigned. */
  int compare(int index, byte[] key, int offset, int end) {
    return Arrays.compareUnsigned(image, from(index), to(index), key, offset, end);
  }
}

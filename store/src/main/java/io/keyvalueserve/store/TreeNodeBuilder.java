package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import java.util.Arrays;

/**
 * A node of a {@link ByteTree} that is to be written: keys and children are appended in order. To
 * be reused; owned by one thread.
 */
final class TreeNodeBuilder {
  private int level;
  private int count;
  private int children;
  private int used;
  private int[] ends = new int[128];
  private long[] child = new long[128];
  private byte[] keys = new byte[2 * ByteTree.NODE_BYTES];
  private byte[] image = new byte[2 * ByteTree.NODE_BYTES];

  /** Begins anew. */
  TreeNodeBuilder begin(int level) {
    this.level = level;
    count = 0;
    children = 0;
    used = 0;
    return this;
  }

  int level() {
    return level;
  }

  /** Returns the number of keys. */
  int count() {
    return count;
  }

  int children() {
    return children;
  }

  long child(int index) {
    return child[index];
  }

  boolean isEmpty() {
    return level == 0 ? count == 0 : children == 0;
  }

  /** Its size in memory. */
  int length() {
    return TreeNode.HEADER_BYTES
        + children * TreeNode.CHILD_BYTES
        + count * TreeNode.END_BYTES
        + used;
  }

  /** Returns the array that holds the keys. */
  byte[] array() {
    return keys;
  }

  int from(int key) {
    return key == 0 ? 0 : ends[key - 1];
  }

  int to(int key) {
    return ends[key];
  }

  void addKey(byte[] key, int from, int to) {
    room(1, to - from);
    System.arraycopy(key, from, keys, used, to - from);
    used += to - from;
    ends[count++] = used;
  }

  void addChild(long address) {
    if (children == child.length) {
      child = Arrays.copyOf(child, 2 * children);
    }
    child[children++] = address;
  }

  /** Appends keys of a node. */
  void addKeys(TreeNode node, int first, int end) {
    if (first >= end) {
      return;
    }
    int from = node.from(first);
    int bytes = node.to(end - 1) - from;
    room(end - first, bytes);
    System.arraycopy(node.array(), from, keys, used, bytes);
    int shift = used - from;
    for (int i = first; i < end; i++) {
      ends[count++] = node.to(i) + shift;
    }
    used += bytes;
  }

  /** Appends children of a node. */
  void addChildren(TreeNode node, int first, int end) {
    for (int i = first; i < end; i++) {
      addChild(node.child(i));
    }
  }

  /** Appends keys of another builder. */
  void addKeys(TreeNodeBuilder other, int first, int end) {
    for (int i = first; i < end; i++) {
      addKey(other.keys, other.from(i), other.to(i));
    }
  }

  /** Appends children of another builder. */
  void addChildren(TreeNodeBuilder other, int first, int end) {
    for (int i = first; i < end; i++) {
      addChild(other.child[i]);
    }
  }

  /** Writes the node to a block of its length. */
  void write(long address) {
    int length = length();
    if (image.length < length) {
      image = new byte[Math.max(length, 2 * image.length)];
    }
    TreeNode.putHeader(image, count, level, length);
    for (int i = 0; i < children; i++) {
      TreeNode.putChild(image, i, child[i]);
    }
    int at = TreeNode.HEADER_BYTES + children * TreeNode.CHILD_BYTES;
    for (int i = 0; i < count; i++) {
      TreeNode.putEnd(image, at, ends[i]);
      at += TreeNode.END_BYTES;
    }
    System.arraycopy(keys, 0, image, at, used);
    Memory.copy(image, 0, address, length);
  }

  private void room(int moreKeys, int moreBytes) {
    if (count + moreKeys > ends.length) {
      ends = Arrays.copyOf(ends, Math.max(2 * ends.length, count + moreKeys));
    }
    if (used + moreBytes > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(2 * keys.length, used + moreBytes));
    }
  }
}

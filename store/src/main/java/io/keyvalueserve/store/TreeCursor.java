package io.keyvalueserve.store;

import static java.util.Objects.requireNonNull;

import io.keyvalueserve.memory.NativeHeap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a {@link ByteTree}, to walk from in either direction. It sees the set as it was when
 * {@link #open} was called, whatever the writer does meanwhile; between that call and the last
 * other one, a guard of the heap's has to be open. Then it may be opened again, on any tree. For
 * one thread.
 */
public final class TreeCursor {
  private final List<TreeNode> path = new ArrayList<>();
  private int[] position = new int[8];
  private @Nullable NativeHeap heap;
  private long root;
  private int leaf = -1;

  /** Looks at a set as it is now; stands nowhere. */
  public TreeCursor open(ByteTree tree) {
    heap = tree.heap();
    root = tree.root();
    leaf = -1;
    return this;
  }

  /**
   * Goes to the first string that is the given one or comes after it.
   *
   * @return whether there is one
   */
  public boolean seek(byte[] key, int offset, int length) {
    if (!descend(key, offset, offset + length)) {
      return false;
    }
    TreeNode node = path.get(leaf);
    position[leaf] = node.lowerBound(key, offset, offset + length);
    return position[leaf] < node.count() || nextLeaf();
  }

  /**
   * Goes to the last string that comes before the given one.
   *
   * @return whether there is one
   */
  public boolean seekBefore(byte[] key, int offset, int length) {
    if (!descend(key, offset, offset + length)) {
      return false;
    }
    position[leaf] = path.get(leaf).lowerBound(key, offset, offset + length);
    return previous();
  }

  /** Goes to the following string, if there is one; else it stands nowhere. */
  public boolean next() {
    return leaf >= 0 && (++position[leaf] < path.get(leaf).count() || nextLeaf());
  }

  /** Goes to the preceding string, if there is one; else it stands nowhere. */
  public boolean previous() {
    return leaf >= 0 && (--position[leaf] >= 0 || previousLeaf());
  }

  /**
   * Returns the array that holds the string that it stands at. Only that part may be read, and at
   * once.
   */
  public byte[] array() {
    return path.get(leaf).array();
  }

  /** Returns the offset in the array at which the string begins. */
  public int offset() {
    return path.get(leaf).from(position[leaf]);
  }

  /** Returns the number of bytes of the string. */
  public int length() {
    TreeNode node = path.get(leaf);
    return node.to(position[leaf]) - node.from(position[leaf]);
  }

  /** Compares the string that it stands at with another. */
  public int compare(byte[] key, int offset, int length) {
    return path.get(leaf).compare(position[leaf], key, offset, offset + length);
  }

  /** Returns the number of strings from one on and before another. Moves the cursor. */
  long count(byte[] from, byte[] before) {
    return count(from, before, Long.MAX_VALUE);
  }

  /**
   * Returns the number of strings from one on and before another, if it is not more than {@code
   * most}; else any larger number. Moves the cursor.
   */
  public long count(byte[] from, byte[] before, long most) {
    if (Arrays.compareUnsigned(from, before) >= 0 || !seek(from, 0, from.length)) {
      return 0;
    }
    long count = 0;
    while (leaf >= 0 && count <= most) {
      TreeNode node = path.get(leaf);
      int last = node.count() - 1;
      if (node.compare(last, before, 0, before.length) >= 0) {
        return count + node.lowerBound(before, 0, before.length) - position[leaf];
      }
      count += node.count() - position[leaf];
      position[leaf] = last;
      boolean _ = next();
    }
    return count;
  }

  private boolean descend(byte[] key, int offset, int end) {
    leaf = -1;
    if (root == 0) {
      return false;
    }
    long address = root;
    for (int depth = 0; ; depth++) {
      TreeNode node = load(depth, address);
      if (node.isLeaf()) {
        leaf = depth;
        return true;
      }
      position[depth] = node.childFor(key, offset, end);
      address = node.child(position[depth]);
    }
  }

  private boolean nextLeaf() {
    int depth = leaf - 1;
    while (depth >= 0 && position[depth] == path.get(depth).children() - 1) {
      depth--;
    }
    if (depth < 0) {
      leaf = -1;
      return false;
    }
    position[depth]++;
    for (; depth < leaf; depth++) {
      TreeNode node = path.get(depth);
      TreeNode _ = load(depth + 1, node.child(position[depth]));
      position[depth + 1] = 0;
    }
    return true;
  }

  private boolean previousLeaf() {
    int depth = leaf - 1;
    while (depth >= 0 && position[depth] == 0) {
      depth--;
    }
    if (depth < 0) {
      leaf = -1;
      return false;
    }
    position[depth]--;
    for (; depth < leaf; depth++) {
      TreeNode node = path.get(depth);
      TreeNode below = load(depth + 1, node.child(position[depth]));
      position[depth + 1] = (below.isLeaf() ? below.count() : below.children()) - 1;
    }
    return true;
  }

  private TreeNode load(int depth, long address) {
    if (depth == path.size()) {
      path.add(new TreeNode());
      if (depth == position.length) {
        position = Arrays.copyOf(position, 2 * depth);
      }
    }
    TreeNode node = path.get(depth);
    node.load(requireNonNull(heap), address);
    return node;
  }
}

package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An ordered set of byte strings outside the Java heap: what an index of a map is made of. The
 * order is that of their bytes, taken as unsigned; a string comes before those that it begins.
 *
 * <p><b>How.</b> A B+ tree whose nodes never change (R. Bayer, E. McCreight, "Organization and
 * maintenance of large ordered indexes", 1972; copying the path to a change: O. Rodeh, "B-trees,
 * shadowing, and clones", 2008). A change writes anew the nodes from the leaf to the root, and then
 * shows all of it to readers by one write of the root's address. So a reader, who takes the root
 * once, sees a set as it was at one moment for as long as it likes, takes no lock, and keeps the
 * writer from nothing. A node's block is hardly longer than the node, so there are no half-empty
 * ones: a node is split above {@value #NODE_BYTES} bytes, for the cost of copying it, and joined
 * with a neighbour below a quarter of that. Inner nodes keep of each key only what tells its
 * children apart.
 *
 * <p><b>The writer</b> is one thread at a time; who hands over has to see to it that the next sees
 * what the last has done. Its changes show at {@link #commit}, all or none; running out of memory
 * undoes all since the last one. <b>Readers</b> use a {@link TreeCursor}, within a guard of the
 * heap's.
 */
public final class ByteTree implements AutoCloseable {
  /** The longest string that can be kept. */
  public static final int MOST_KEY_BYTES = 8 << 10;

  /** Above this a node is split. */
  static final int NODE_BYTES = 1 << 10;

  private static final int BLOCK_STEP = 256;
  private static final int JOIN_BELOW = NODE_BYTES / 4;
  private static final int MOST_LEVELS = 24;

  private static final VarHandle ROOT;
  private static final VarHandle SIZE;
  private static final VarHandle BYTES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ROOT = lookup.findVarHandle(ByteTree.class, "root", long.class);
      SIZE = lookup.findVarHandle(ByteTree.class, "size", long.class);
      BYTES = lookup.findVarHandle(ByteTree.class, "bytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NativeHeap heap;
  private final int stripe;

  // What readers see.
  private long root;
  private long size;
  private long bytes;

  // What the writer makes of it.
  private long nextRoot;
  private long nextSize;
  private long nextBytes;
  private final Blocks fresh = new Blocks();
  private final Blocks stale = new Blocks();
  private final List<TreeNode> path = new ArrayList<>();
  private final int[] position = new int[MOST_LEVELS];
  private final TreeNode neighbour = new TreeNode();
  private TreeNodeBuilder changed = new TreeNodeBuilder();
  private TreeNodeBuilder parent = new TreeNodeBuilder();
  private final TreeNodeBuilder half = new TreeNodeBuilder();
  private byte[] separator = new byte[64];
  private int separatorLength;
  private boolean joinedLeft;
  private long rightHalf;

  /**
   * An empty set, which takes no memory.
   *
   * @param stripe tells writers apart, see {@link NativeHeap}
   */
  public ByteTree(NativeHeap heap, int stripe) {
    this.heap = heap;
    this.stripe = stripe;
  }

  // ---- any thread

  /** Returns the number of strings. */
  public long size() {
    return (long) SIZE.getOpaque(this);
  }

  /** The bytes of all nodes' blocks. */
  public long bytes() {
    return (long) BYTES.getOpaque(this);
  }

  /**
   * Returns the number of strings from one on and before another. To be called with a guard open.
   */
  public long count(byte[] from, byte[] before) {
    return new TreeCursor().open(this).count(from, before);
  }

  NativeHeap heap() {
    return heap;
  }

  long root() {
    return (long) ROOT.getAcquire(this);
  }

  // ---- the writer

  /**
   * Adds a string; shows at {@link #commit}.
   *
   * @return whether it was not there
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed since the commit
   * @throws IllegalArgumentException if it is longer than {@link #MOST_KEY_BYTES}
   */
  public boolean add(byte[] key, int offset, int length) {
    if (length > MOST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "a key has at most " + MOST_KEY_BYTES + " bytes: length=" + length);
    }
    int end = offset + length;
    if (nextRoot == 0) {
      changed.begin(0).addKey(key, offset, end);
      nextRoot = store(changed);
    } else {
      int leaf = descend(key, offset, end);
      TreeNode node = path.get(leaf);
      int at = node.lowerBound(key, offset, end);
      if (at < node.count() && node.compare(at, key, offset, end) == 0) {
        return false;
      }
      changed.begin(0).addKeys(node, 0, at);
      changed.addKey(key, offset, end);
      changed.addKeys(node, at, node.count());
      rebuild(leaf);
    }
    nextSize++;
    return true;
  }

  /**
   * Removes a string; shows at {@link #commit}.
   *
   * @return whether it was there
   * @throws OutOfNativeMemoryException if there is no room; nothing has changed since the commit
   */
  public boolean remove(byte[] key, int offset, int length) {
    if (nextRoot == 0) {
      return false;
    }
    int end = offset + length;
    int leaf = descend(key, offset, end);
    TreeNode node = path.get(leaf);
    int at = node.lowerBound(key, offset, end);
    if (at == node.count() || node.compare(at, key, offset, end) != 0) {
      return false;
    }
    changed.begin(0).addKeys(node, 0, at);
    changed.addKeys(node, at + 1, node.count());
    rebuild(leaf);
    nextSize--;
    return true;
  }

  /** Shows what was added and removed to readers, at once. */
  public void commit() {
    if (nextRoot == root) {
      return;
    }
    ROOT.setRelease(this, nextRoot);
    SIZE.setOpaque(this, nextSize);
    BYTES.setOpaque(this, nextBytes);
    for (int i = 0; i < stale.count; i++) {
      heap.retire(stripe, stale.address[i], blockBytes(stale.length[i]));
    }
    stale.count = 0;
    fresh.count = 0;
  }

  /** Forgets what was added and removed since the last commit. */
  public void rollback() {
    for (int i = 0; i < fresh.count; i++) {
      heap.free(stripe, fresh.address[i], blockBytes(fresh.length[i]));
    }
    fresh.count = 0;
    stale.count = 0;
    nextRoot = root;
    nextSize = size;
    nextBytes = bytes;
  }

  /** Removes all strings, at once. Allocates nothing. */
  public void clear() {
    rollback();
    long old = root;
    nextRoot = 0;
    nextSize = 0;
    nextBytes = 0;
    commit();
    if (old != 0) {
      retireAll(old, 0);
    }
  }

  /** Gives all memory back as soon as no reader is looking at it. Idempotent. */
  @Override
  public void close() {
    clear();
  }

  // ---- changing a path

  /** Reads the path to where a string belongs; returns the leaf's place in it. */
  private int descend(byte[] key, int offset, int end) {
    long address = nextRoot;
    for (int depth = 0; ; depth++) {
      TreeNode node = load(depth, address);
      if (node.isLeaf()) {
        return depth;
      }
      position[depth] = node.childFor(key, offset, end);
      address = node.child(position[depth]);
    }
  }

  private TreeNode load(int depth, long address) {
    if (depth == path.size()) {
      path.add(new TreeNode());
    }
    TreeNode node = path.get(depth);
    node.load(heap, address);
    return node;
  }

  /** Writes the changed node and all above it. */
  private void rebuild(int leaf) {
    for (int depth = leaf; ; depth--) {
      drop(path.get(depth));
      if (depth == 0) {
        nextRoot = storeRoot();
        return;
      }
      if (!isTooLong(changed) && changed.length() >= JOIN_BELOW) {
        relink(depth - 1, store(changed));
        return;
      }
      replaceInParent(path.get(depth - 1), position[depth - 1]);
      TreeNodeBuilder above = parent;
      parent = changed;
      changed = above;
    }
  }

  /** Puts a node in the place of another one, which has the same neighbours. */
  private void relink(int depth, long child) {
    long below = child;
    for (int i = depth; i >= 0; i--) {
      TreeNode node = path.get(i);
      if (fresh.has(node.address())) { // nobody sees it yet, and all above it is as new
        TreeNode.putChild(node.address(), position[i], below);
        return;
      }
      long copy = allocate(node.length());
      Memory.copy(node.address(), copy, node.length());
      TreeNode.putChild(copy, position[i], below);
      drop(node);
      below = copy;
    }
    nextRoot = below;
  }

  /** Makes the parent of the changed node: with it, with two of it, or with none. */
  private void replaceInParent(TreeNode old, int at) {
    int first = at;
    int end = at + 1;
    if (!changed.isEmpty() && changed.length() < JOIN_BELOW && joinNeighbour(old, at)) {
      first = joinedLeft ? at - 1 : at;
      end = first + 2;
    }
    parent.begin(old.level());
    parent.addChildren(old, 0, first);
    if (changed.isEmpty()) {
      int lost = first == 0 ? 0 : first - 1;
      parent.addKeys(old, 0, lost);
      parent.addKeys(old, lost + 1, old.count());
    } else {
      parent.addKeys(old, 0, first);
      if (isTooLong(changed)) {
        long left = storeHalves(changed);
        parent.addChild(left);
        parent.addKey(separator, 0, separatorLength);
        parent.addChild(rightHalf);
      } else {
        parent.addChild(store(changed));
      }
      parent.addKeys(old, end - 1, old.count());
    }
    parent.addChildren(old, end, old.children());
  }

  /** Joins the changed node with one beside it if both fit into one. */
  private boolean joinNeighbour(TreeNode old, int at) {
    if (old.children() < 2) {
      return false;
    }
    joinedLeft = at > 0;
    int key = joinedLeft ? at - 1 : at;
    neighbour.load(heap, old.child(joinedLeft ? at - 1 : at + 1));
    int separatorBytes =
        changed.level() == 0 ? 0 : old.to(key) - old.from(key) + TreeNode.END_BYTES;
    if (changed.length() + neighbour.length() + separatorBytes > NODE_BYTES) {
      return false;
    }
    half.begin(changed.level());
    if (joinedLeft) {
      half.addKeys(neighbour, 0, neighbour.count());
      half.addChildren(neighbour, 0, neighbour.children());
    } else {
      half.addKeys(changed, 0, changed.count());
      half.addChildren(changed, 0, changed.children());
    }
    if (changed.level() != 0) {
      half.addKey(old.array(), old.from(key), old.to(key));
    }
    if (joinedLeft) {
      half.addKeys(changed, 0, changed.count());
      half.addChildren(changed, 0, changed.children());
    } else {
      half.addKeys(neighbour, 0, neighbour.count());
      half.addChildren(neighbour, 0, neighbour.children());
    }
    drop(neighbour);
    changed.begin(half.level());
    changed.addKeys(half, 0, half.count());
    changed.addChildren(half, 0, half.children());
    return true;
  }

  private long storeRoot() {
    if (changed.isEmpty()) {
      return 0;
    }
    if (changed.level() > 0 && changed.children() == 1) {
      return changed.child(0);
    }
    if (!isTooLong(changed)) {
      return store(changed);
    }
    long left = storeHalves(changed);
    parent.begin(changed.level() + 1);
    parent.addChild(left);
    parent.addKey(separator, 0, separatorLength);
    parent.addChild(rightHalf);
    return store(parent);
  }

  private static boolean isTooLong(TreeNodeBuilder node) {
    return node.length() > NODE_BYTES && (node.level() == 0 ? node.count() > 1 : node.count() > 2);
  }

  /** Stores a node as two; returns the left one, and leaves the right one and what parts them. */
  private long storeHalves(TreeNodeBuilder whole) {
    int middle = middle(whole);
    half.begin(whole.level());
    half.addKeys(whole, 0, middle);
    if (whole.level() == 0) {
      separateLeaves(whole, middle);
    } else {
      half.addChildren(whole, 0, middle + 1);
      separate(whole.array(), whole.from(middle), whole.to(middle));
    }
    long left = store(half);
    half.begin(whole.level());
    if (whole.level() == 0) {
      half.addKeys(whole, middle, whole.count());
    } else {
      half.addKeys(whole, middle + 1, whole.count());
      half.addChildren(whole, middle + 1, whole.children());
    }
    rightHalf = store(half);
    return left;
  }

  /**
   * The key at which a node is cut, so that both sides are about as long and have what they need.
   */
  private static int middle(TreeNodeBuilder whole) {
    int total = whole.to(whole.count() - 1);
    int most = whole.level() == 0 ? whole.count() - 1 : whole.count() - 2;
    int middle = 1;
    while (middle < most && whole.to(middle) <= total / 2) {
      middle++;
    }
    return middle;
  }

  /** The shortest string that is after the last key on the left, and not after any on the right. */
  private void separateLeaves(TreeNodeBuilder whole, int middle) {
    byte[] keys = whole.array();
    int from = whole.from(middle);
    int to = whole.to(middle);
    int same = Arrays.mismatch(keys, whole.from(middle - 1), whole.to(middle - 1), keys, from, to);
    separate(keys, from, from + same + 1);
  }

  private void separate(byte[] key, int from, int to) {
    separatorLength = to - from;
    if (separator.length < separatorLength) {
      separator = new byte[separatorLength];
    }
    System.arraycopy(key, from, separator, 0, separatorLength);
  }

  private long store(TreeNodeBuilder node) {
    long address = allocate(node.length());
    node.write(address);
    return address;
  }

  private long allocate(int length) {
    long address;
    try {
      address = heap.allocate(stripe, blockBytes(length));
    } catch (OutOfNativeMemoryException e) {
      rollback();
      throw e;
    }
    fresh.add(address, length);
    nextBytes += blockBytes(length);
    return address;
  }

  /** A node is no longer part of what the writer makes. */
  private void drop(TreeNode node) {
    nextBytes -= blockBytes(node.length());
    if (fresh.remove(node.address())) {
      heap.free(stripe, node.address(), blockBytes(node.length()));
    } else {
      stale.add(node.address(), node.length());
    }
  }

  /**
   * Returns the length of a node's block. There are few lengths, so one block can be reused for
   * another node.
   */
  static int blockBytes(int length) {
    return (length + BLOCK_STEP - 1) & -BLOCK_STEP;
  }

  private void retireAll(long address, int depth) {
    TreeNode node = load(depth, address);
    for (int i = 0; i < node.children(); i++) {
      retireAll(node.child(i), depth + 1);
    }
    heap.retire(stripe, address, blockBytes(node.length()));
  }

  /** Blocks and their lengths. */
  private static final class Blocks {
    private long[] address = new long[16];
    private int[] length = new int[16];
    private int count;

    void add(long block, int bytes) {
      if (count == address.length) {
        address = Arrays.copyOf(address, 2 * count);
        length = Arrays.copyOf(length, 2 * count);
      }
      address[count] = block;
      length[count++] = bytes;
    }

    boolean has(long block) {
      for (int i = 0; i < count; i++) {
        if (address[i] == block) {
          return true;
        }
      }
      return false;
    }

    boolean remove(long block) {
      for (int i = count - 1; i >= 0; i--) {
        if (address[i] == block) {
          count--;
          address[i] = address[count];
          length[i] = length[count];
          return true;
        }
      }
      return false;
    }
  }
}

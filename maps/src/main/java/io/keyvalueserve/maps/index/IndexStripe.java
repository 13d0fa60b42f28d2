package io.keyvalueserve.maps.index;

import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.ByteTree;
import io.keyvalueserve.store.TreeCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The part of an index that the entries of some partitions are in: those that one thread writes, so
 * that its lock is hardly ever waited for.
 *
 * <p>What stands in its tree is the code of an attribute's value and the key's reference, end to
 * end. If memory runs out, a change is kept beside the tree, on the heap, until there is memory
 * again: an entry that has been written must be found. So many as {@value #MOST_PENDING} may wait;
 * removals always may.
 */
final class IndexStripe {
  /** Takes a string; answers whether to go on. */
  @FunctionalInterface
  interface Visitor {
    boolean visit(byte[] array, int offset, int length);
  }

  private static final int MOST_PENDING = 1 << 16;
  private static final int PORTION = 16;
  private static final NavigableMap<byte[], Boolean> NOTHING = Collections.emptyNavigableMap();

  /** The number of changes that are put off before it is tried again whether there is memory. */
  private static final int PATIENCE = 64;

  private final ByteTree tree;
  private final ReentrantLock lock = new ReentrantLock();

  /** Strings that are there although the tree has them not, or the other way. */
  private final NavigableMap<byte[], Boolean> pending =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  private volatile int pendingCount;

  // Of who holds the lock.
  final CodeWriter oldCodes = new CodeWriter();
  final CodeWriter newCodes = new CodeWriter();
  final int[] families;
  private int added;
  private int removed;
  private long countedBytes;
  private int patience;
  private @Nullable OutOfNativeMemoryException failure;

  IndexStripe(NativeHeap heap, int number, int components) {
    this.families = new int[components];
    this.tree = new ByteTree(heap, number);
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Returns the number of strings; approximate while memory is short. */
  long size() {
    return tree.size() + pendingCount;
  }

  /**
   * Returns the number of bytes by which the stripe has grown since the last call. The caller holds
   * the lock.
   */
  long takeGrowth() {
    long now = tree.bytes();
    long growth = now - countedBytes;
    countedBytes = now;
    return growth;
  }

  /** Returns the number of changes that wait for memory. */
  int pending() {
    return pendingCount;
  }

  /** Returns how many strings the last change added. */
  int added() {
    return added;
  }

  /** Returns how many strings the last change removed. */
  int removed() {
    return removed;
  }

  /** Nothing changes. With the lock. */
  void unchanged() {
    added = 0;
    removed = 0;
  }

  /** Moves a string. With the lock. */
  void move(byte[] from, int fromLength, byte[] to, int toLength) {
    unchanged();
    if (!isWaiting()) {
      try {
        removed = tree.remove(from, 0, fromLength) ? 1 : 0;
        added = tree.add(to, 0, toLength) ? 1 : 0;
        tree.commit();
        return;
      } catch (OutOfNativeMemoryException e) {
        beginToWait(e);
      }
    }
    putOff(
        Collections.singleton(Arrays.copyOf(from, fromLength)),
        Collections.singleton(Arrays.copyOf(to, toLength)));
  }

  /** Adds a string. With the lock. */
  void add(byte[] string, int length) {
    unchanged();
    if (!isWaiting()) {
      try {
        added = tree.add(string, 0, length) ? 1 : 0;
        tree.commit();
        return;
      } catch (OutOfNativeMemoryException e) {
        beginToWait(e);
      }
    }
    putOff(Collections.emptySet(), Collections.singleton(Arrays.copyOf(string, length)));
  }

  /** Removes a string. With the lock. */
  void remove(byte[] string, int length) {
    unchanged();
    if (!isWaiting()) {
      try {
        removed = tree.remove(string, 0, length) ? 1 : 0;
        tree.commit();
        return;
      } catch (OutOfNativeMemoryException e) {
        beginToWait(e);
      }
    }
    putOff(Collections.singleton(Arrays.copyOf(string, length)), Collections.emptySet());
  }

  /** Removes some strings and adds others, none of them the same. With the lock. */
  void change(Collection<byte[]> from, Collection<byte[]> to) {
    unchanged();
    if (!isWaiting()) {
      try {
        for (byte[] string : from) {
          removed += tree.remove(string, 0, string.length) ? 1 : 0;
        }
        for (byte[] string : to) {
          added += tree.add(string, 0, string.length) ? 1 : 0;
        }
        tree.commit();
        return;
      } catch (OutOfNativeMemoryException e) {
        beginToWait(e);
      }
    }
    putOff(from, to);
  }

  /** Removes everything. With the lock. */
  void clear() {
    tree.clear();
    pending.clear();
    pendingCount = 0;
    failure = null;
  }

  /** Takes changes that wait into the tree, if there is memory. With the lock. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
  void settle() {
    List<byte[]> portion = new ArrayList<>(PORTION);
    try {
      while (pendingCount > 0) {
        portion.clear();
        for (Map.Entry<byte[], Boolean> change : pending.entrySet()) {
          byte[] string = change.getKey();
          boolean _ =
              change.getValue()
                  ? tree.add(string, 0, string.length)
                  : tree.remove(string, 0, string.length);
          portion.add(string);
          if (portion.size() == PORTION) {
            break;
          }
        }
        tree.commit();
        portion.forEach(pending::remove); // after the tree has them: see View
        pendingCount -= portion.size();
      }
      failure = null;
    } catch (OutOfNativeMemoryException e) {
      beginToWait(e);
    }
  }

  /** Returns whether a change must wait behind others that wait, so that changes stay in order. */
  private boolean isWaiting() {
    if (failure == null) {
      return false;
    }
    if (--patience <= 0) {
      settle();
    }
    return failure != null;
  }

  private void beginToWait(OutOfNativeMemoryException why) {
    failure = why;
    patience = PATIENCE;
    unchanged();
  }

  private void putOff(Collection<byte[]> from, Collection<byte[]> to) {
    for (byte[] string : from) {
      removed += isThere(string) ? 1 : 0;
      putOff(string, false);
    }
    if (pendingCount >= MOST_PENDING && !to.isEmpty() && failure != null) {
      throw failure; // an entry that cannot be found is not found under its old value either
    }
    for (byte[] string : to) {
      added += isThere(string) ? 0 : 1;
      putOff(string, true);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
  private void putOff(byte[] string, boolean there) {
    if (pending.put(string, there) == null) {
      pendingCount++;
    }
  }

  private boolean isThere(byte[] string) {
    Boolean waiting = pending.get(string);
    if (waiting != null) {
      return waiting;
    }
    TreeCursor cursor = new TreeCursor().open(tree);
    return cursor.seek(string, 0, string.length) && cursor.compare(string, 0, string.length) == 0;
  }

  // ---- any thread

  /**
   * Returns a view of the present contents. The caller reads it within a guard of the heap, or
   * holds the lock.
   */
  View view(TreeCursor cursor) {
    return new View(cursor);
  }

  private NavigableMap<byte[], Boolean> copyOfPending() {
    lock.lock(); // no half of a move
    try {
      return new TreeMap<>(pending);
    } finally {
      lock.unlock();
    }
  }

  /** A moment of it, to be read within a guard of the heap. */
  final class View {
    private final NavigableMap<byte[], Boolean> waiting;
    private final TreeCursor cursor;

    /**
     * Creates a view. Copies the waiting changes before it opens the tree, because a waiting change
     * enters the tree before it stops waiting.
     */
    private View(TreeCursor cursor) {
      this.waiting = pendingCount == 0 ? NOTHING : copyOfPending();
      this.cursor = cursor.open(tree);
    }

    /** Visits what lies from one string on and before another, in either direction. */
    void scan(byte[] from, byte[] before, boolean descending, Visitor visitor) {
      if (Arrays.compareUnsigned(from, before) >= 0) {
        return;
      }
      if (waiting.isEmpty()) {
        boolean there = start(from, before, descending);
        while (there && isWithin(from, before, descending)) {
          if (!visitor.visit(cursor.array(), cursor.offset(), cursor.length())) {
            return;
          }
          there = descending ? cursor.previous() : cursor.next();
        }
        return;
      }
      merge(from, before, descending, visitor);
    }

    /** Returns whether {@link #count} is exact, as no change waits for memory. */
    boolean isWhole() {
      return waiting.isEmpty();
    }

    /** Returns about how many strings lie in a range; not exactly if it is more than so many. */
    long count(byte[] from, byte[] before, long most) {
      return waiting.size() + cursor.count(from, before, most);
    }

    private void merge(byte[] from, byte[] before, boolean descending, Visitor visitor) {
      NavigableMap<byte[], Boolean> near = waiting.subMap(from, true, before, false);
      Iterator<Map.Entry<byte[], Boolean>> beside =
          (descending ? near.descendingMap() : near).entrySet().iterator();
      Map.@Nullable Entry<byte[], Boolean> next = beside.hasNext() ? beside.next() : null;
      boolean there = start(from, before, descending) && isWithin(from, before, descending);
      while (there || next != null) {
        int order =
            !there ? 1 : next == null ? -1 : cursor.compare(next.getKey(), 0, next.getKey().length);
        if (order != 0 && there && next != null && descending) {
          order = -order;
        }
        boolean more =
            order < 0
                ? visitor.visit(cursor.array(), cursor.offset(), cursor.length())
                : next == null
                    || !next.getValue()
                    || visitor.visit(next.getKey(), 0, next.getKey().length);
        if (!more) {
          return;
        }
        if (order <= 0) {
          there =
              (descending ? cursor.previous() : cursor.next())
                  && isWithin(from, before, descending);
        }
        if (order >= 0) {
          next = beside.hasNext() ? beside.next() : null;
        }
      }
    }

    private boolean start(byte[] from, byte[] before, boolean descending) {
      return descending
          ? cursor.seekBefore(before, 0, before.length)
          : cursor.seek(from, 0, from.length);
    }

    private boolean isWithin(byte[] from, byte[] before, boolean descending) {
      return descending
          ? cursor.compare(from, 0, from.length) >= 0
          : cursor.compare(before, 0, before.length) < 0;
    }
  }
}

package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import io.keyvalueserve.engine.collection.PageWalk;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.PageKeys;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows the pages that the head of a collection leads to, and remembers those of the last one.
 * Reads the inner pages, and not the leaves.
 *
 * <p>Thread-safe.
 */
final class ReachablePages {
  private @Nullable Data lastKey;
  private byte[] lastHead = {};
  private Set<Long> lastPages = Set.of();

  /**
   * Returns whether a page is one of a collection's. By who has the partition.
   *
   * @param head null if the key has no such collection
   */
  synchronized boolean contains(
      Data key, @Nullable CollectionValue head, long page, NativeRecordStore pages) {
    if (head == null) {
      return false;
    }
    byte[] bytes = Arrays.copyOfRange(head.bytes(), head.offset(), head.offset() + head.length());
    if (!key.equals(lastKey) || !Arrays.equals(bytes, lastHead)) {
      lastPages = walk(key, head, pages);
      lastHead = bytes;
      lastKey = key;
    }
    return lastPages.contains(page);
  }

  /** Forgets what it remembers. */
  synchronized void forget() {
    lastKey = null;
    lastHead = new byte[0];
    lastPages = Set.of();
  }

  private static Set<Long> walk(Data key, CollectionValue head, NativeRecordStore pages) {
    Set<Long> found = new HashSet<>();
    Deque<Subtree> open = new ArrayDeque<>(LargeCollections.trees(head));
    while (!open.isEmpty()) {
      Subtree tree = open.pop();
      if (!found.add(tree.root()) || tree.height() == 0) {
        continue;
      }
      byte[] page = pages.readBytes(PageKeys.of(key, tree.root()));
      if (page != null) {
        for (long child : children(page)) {
          open.push(new Subtree(child, tree.height() - 1));
        }
      }
    }
    return found;
  }

  private static long[] children(byte[] page) {
    try {
      return PageWalk.children(page);
    } catch (CorruptCollectionException e) {
      return new long[0];
    }
  }
}

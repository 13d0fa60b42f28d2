package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges;
import io.keyvalueserve.engine.collection.PageChanges.Page;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.engine.collection.PageWalk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pages of one collection as a transaction sees them: those that it made, above those that are
 * stored. For one run of its body.
 */
final class TransactionPages implements PageSource {
  private final PageSource stored;
  private final Map<Long, byte[]> made = new LinkedHashMap<>();
  private final Set<Long> removed = new LinkedHashSet<>();
  private final List<Subtree> dropped = new ArrayList<>();
  private long madeBytes;

  TransactionPages(PageSource stored) {
    this.stored = stored;
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.keyvalueserve.engine.PageNeeded if it has to be read from where it is stored first
   */
  @Override
  public byte[] read(long number) {
    byte[] own = made.get(number);
    return own == null ? stored.read(number) : own;
  }

  /** Takes over what a command has done to the pages. */
  void take(PageChanges changes) {
    for (Page page : changes.written()) {
      made.put(page.number(), page.bytes());
      madeBytes += page.bytes().length;
    }
    for (long number : changes.removed()) {
      if (!forget(number)) {
        removed.add(number);
      }
    }
    changes.dropped().forEach(this::drop);
  }

  /** Forgets everything: the collection is removed, or another value stands in its place. */
  void clear() {
    made.clear();
    removed.clear();
    dropped.clear();
    madeBytes = 0;
  }

  private boolean forget(long number) {
    byte[] own = made.remove(number);
    if (own == null) {
      return false;
    }
    madeBytes -= own.length;
    return true;
  }

  /** Drops a tree: of what the transaction made nothing is left, and what is stored is noted. */
  private void drop(Subtree tree) {
    Deque<Subtree> open = new ArrayDeque<>();
    open.push(tree);
    while (!open.isEmpty()) {
      Subtree next = open.pop();
      byte[] own = made.get(next.root());
      if (own == null) {
        dropped.add(next);
        continue;
      }
      boolean _ = forget(next.root());
      if (next.height() > 0) {
        for (long child : PageWalk.children(own)) {
          open.push(new Subtree(child, next.height() - 1));
        }
      }
    }
  }

  /** Returns how many bytes the pages have that the transaction made and still needs. */
  long madeBytes() {
    return madeBytes;
  }

  /** Returns all that the transaction has done to the pages. */
  PageChanges changes() {
    if (made.isEmpty() && removed.isEmpty() && dropped.isEmpty()) {
      return PageChanges.NONE;
    }
    List<Page> written = new ArrayList<>(made.size());
    made.forEach((number, bytes) -> written.add(new Page(number, bytes)));
    return new PageChanges(written, List.copyOf(removed), List.copyOf(dropped));
  }

  /**
   * Returns whether a collection has pages that were stored before the transaction.
   *
   * @throws CorruptCollectionException if it is no head
   */
  boolean hasStored(CollectionValue head) {
    Deque<Subtree> open = new ArrayDeque<>(LargeCollections.trees(head));
    while (!open.isEmpty()) {
      Subtree next = open.pop();
      byte[] own = made.get(next.root());
      if (own == null) {
        return true;
      }
      if (next.height() > 0) {
        for (long child : PageWalk.children(own)) {
          open.push(new Subtree(child, next.height() - 1));
        }
      }
    }
    return false;
  }
}

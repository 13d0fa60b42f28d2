package io.keyvalueserve.engine;

import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.engine.collection.PageWalk;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pages of a collection in a map, by their numbers. */
public final class EntryPages {
  private EntryPages() {}

  /** Reads pages. */
  public static PageSource source(Map<Long, byte[]> pages) {
    return number -> {
      byte[] page = pages.get(number);
      if (page == null) {
        throw new CorruptCollectionException("there is no page " + number);
      }
      return page;
    };
  }

  /**
   * Returns the pages after a change.
   *
   * @param pages before
   * @param after what the entry is then; null if it is no collection
   * @throws IllegalStateException if the pages are not those of what the entry is then
   */
  public static Map<Long, byte[]> changed(
      Map<Long, byte[]> pages, @Nullable CollectionValue after, PageChanges changes) {
    if (after == null || (!after.isPaged() && pages.isEmpty() && changes.isNothing())) {
      return Map.of();
    }
    Map<Long, byte[]> changed = new HashMap<>(pages);
    for (PageChanges.Page page : changes.written()) {
      if (changed.put(page.number(), page.bytes()) != null) {
        throw new IllegalStateException("a page is written that is there");
      }
    }
    for (long number : changes.removed()) {
      if (changed.remove(number) == null) {
        throw new IllegalStateException("a page is removed that is not there");
      }
    }
    for (PageChanges.Subtree tree : changes.dropped()) {
      reached(changed, tree).forEach(number -> Objects.requireNonNull(changed.remove(number)));
    }
    Set<Long> needed = new HashSet<>();
    if (after.isPaged()) {
      LargeCollections.trees(after).forEach(tree -> needed.addAll(reached(changed, tree)));
    }
    if (!changed.keySet().equals(needed)) {
      throw new IllegalStateException(
          changed.size() + " pages are stored, and " + needed.size() + " needed");
    }
    return Map.copyOf(changed);
  }

  /** Returns the numbers of the pages of a tree. */
  private static Set<Long> reached(Map<Long, byte[]> pages, PageChanges.Subtree tree) {
    Set<Long> reached = new HashSet<>();
    reach(pages, tree.root(), reached);
    return reached;
  }

  private static void reach(Map<Long, byte[]> pages, long number, Set<Long> reached) {
    byte[] page = source(pages).read(number);
    if (!reached.add(number)) {
      throw new IllegalStateException("a page has two places in a tree");
    }
    for (long child : PageWalk.children(page)) {
      reach(pages, child, reached);
    }
  }
}

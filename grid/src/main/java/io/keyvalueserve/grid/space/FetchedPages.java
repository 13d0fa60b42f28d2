package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.PageNeeded;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.engine.collection.PageWalk;
import io.keyvalueserve.grid.space.TransactionOverlay.EntryKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages of large collections that a transaction has read from their owners. A page never
 * changes, and its number is never used again, so they serve all runs of the body.
 *
 * <p>With a page that the body asks for come those that follow it in the order of the elements:
 * twice as many each time. So a body that wants one element reads little, and one that wants all
 * runs few times.
 *
 * <p>For one transaction, on its thread.
 */
final class FetchedPages {
  /** The pages of what has none. */
  static final PageSource NONE =
      number -> {
        throw new CorruptCollectionException("there are no pages");
      };

  private static final int FIRST_PAGES = 4;
  private static final byte[] ABSENT = {};

  private final Map<EntryKey, Collection> collections = new HashMap<>();
  private @Nullable Missing missing;
  private long bytes;

  /** Reads pages where they are stored. */
  @FunctionalInterface
  interface Reader {
    /**
     * Reads pages of one collection, as many of the first as an answer takes, and one at least.
     *
     * @return the bytes of each; null for one that is not there
     */
    List<byte @Nullable []> read(EntryKey key, long[] numbers);
  }

  private record Missing(EntryKey key, long number) {}

  /** The pages of a collection that were read, by their numbers, and its head. */
  private static final class Collection {
    private final Map<Long, byte[]> pages = new HashMap<>();
    private CollectionValue head;
    private int next = FIRST_PAGES;

    Collection(CollectionValue head) {
      this.head = head;
    }

    /** The pages that are not read yet, in the order of the elements; none below one such. */
    private List<Long> unread() {
      List<Long> unread = new ArrayList<>();
      Deque<Subtree> open = new ArrayDeque<>();
      LargeCollections.trees(head).reversed().forEach(open::push);
      while (!open.isEmpty()) {
        Subtree tree = open.pop();
        byte[] page = pages.get(tree.root());
        if (page == null) {
          unread.add(tree.root());
        } else if (tree.height() > 0 && page.length > 0) {
          long[] children = PageWalk.children(page);
          for (int i = children.length - 1; i >= 0; i--) {
            open.push(new Subtree(children[i], tree.height() - 1));
          }
        }
      }
      return unread;
    }

    /** The page that is asked for, and those that are read with it. */
    private long[] wanted(long number, int most) {
      List<Long> unread = unread();
      int from = unread.indexOf(number);
      if (from < 0) {
        return new long[] {number};
      }
      long[] wanted = new long[Math.clamp(next, 1, Math.min(most, unread.size()))];
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = unread.get((from + i) % unread.size());
      }
      next = Math.min(2 * next, 1 << 20);
      return wanted;
    }
  }

  /**
   * Returns the pages of a collection. One that was not read ends the run by {@link PageNeeded}.
   *
   * @param head of the collection as it is stored now
   */
  PageSource under(EntryKey key, CollectionValue head) {
    Collection collection = collections.computeIfAbsent(key, any -> new Collection(head));
    collection.head = head;
    return number -> {
      byte[] page = collection.pages.get(number);
      if (page == null) {
        missing = new Missing(key, number);
        throw new PageNeeded();
      }
      if (page.length == 0) {
        throw new CorruptCollectionException("a page is missing");
      }
      return page;
    };
  }

  /** Returns how many bytes were read. */
  long bytes() {
    return bytes;
  }

  /**
   * Reads the page that the body has asked for, and some that follow it.
   *
   * @param most the most pages
   */
  void fetch(Reader reader, int most) {
    Missing wanted = missing;
    Collection collection = wanted == null ? null : collections.get(wanted.key());
    if (wanted == null || collection == null) {
      throw new IllegalStateException("no page is asked for");
    }
    missing = null;
    long[] numbers = collection.wanted(wanted.number(), most);
    List<byte @Nullable []> read = reader.read(wanted.key(), numbers);
    if (read.isEmpty()) {
      throw new IllegalStateException("no page was read");
    }
    for (int i = 0; i < read.size(); i++) {
      byte[] page = read.get(i);
      collection.pages.put(numbers[i], page == null ? ABSENT : page);
      bytes += page == null ? 0 : page.length;
    }
  }
}

package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Large collections for whoever stores them. Their elements are in pages; the value of the entry is
 * a small head.
 */
public final class LargeCollections {
  /** The largest collection that is kept in one piece, if pages can be had, in bytes. */
  public static final int MOST_PACKED_BYTES = 4 << 10;

  /** The largest collection that is packed to be handed out, in bytes. */
  public static final int MOST_EXPORTED_BYTES = 64 << 20;

  /** A collection in pages comes back into one piece when it is smaller than this, packed. */
  static final int FEWEST_PAGED_BYTES = 1 << 10;

  /** A new collection has no pages to read. */
  private static final PageSource NO_PAGES =
      number -> {
        throw new CorruptCollectionException("there are no pages");
      };

  private LargeCollections() {}

  /**
   * A collection as it is to be stored.
   *
   * @param head the value of the entry
   * @param pages the changes to its pages
   */
  public record Paged(CollectionValue head, PageChanges pages) {}

  /**
   * Packs a collection in pages into one piece.
   *
   * @param head its head
   * @param pages has its pages
   * @param nowMillis the time, in milliseconds since 1970: fields that have expired by then are
   *     left out; 0 to take all
   * @param mostBytes the longest that it may be
   * @return the collection, which may have no elements if all have expired
   * @throws CollectionTooLargeException if it would be longer
   * @throws CorruptCollectionException if the head or a page is damaged
   */
  public static CollectionValue packed(
      CollectionValue head, PageSource pages, long nowMillis, int mostBytes) {
    return PagedCollection.open(head.type(), head, pages, nowMillis).pack(mostBytes);
  }

  /**
   * Moves the elements of a packed collection into pages.
   *
   * @return null if it stays in one piece, as it is small
   * @throws CorruptCollectionException if the bytes are damaged
   */
  public static @Nullable Paged paged(CollectionValue packed) {
    if (packed.isPaged() || packed.length() <= MOST_PACKED_BYTES) {
      return null;
    }
    PagedCollection collection = PagedCollection.open(packed.type(), null, NO_PAGES, 0);
    collection.addAll(new PackedElements(packed));
    return collection.finish();
  }

  /**
   * Returns a packed collection as it is to be stored in place of a value: in pages if it is large.
   * The trees of the value before are dropped.
   *
   * @param before the value before, or null if there is none, or it is no collection
   * @param hasPages whether there may be pages
   * @throws CorruptCollectionException if the bytes are damaged
   */
  public static Paged replacing(
      @Nullable CollectionValue before, CollectionValue packed, boolean hasPages) {
    Paged paged = hasPages ? paged(packed) : null;
    return replacing(before, paged == null ? new Paged(packed, PageChanges.NONE) : paged);
  }

  /** Returns a collection with the trees of the value before among those that are dropped. */
  static Paged replacing(@Nullable CollectionValue before, Paged next) {
    if (before == null || !before.isPaged()) {
      return next;
    }
    PageChanges pages = next.pages();
    List<PageChanges.Subtree> dropped = new ArrayList<>(pages.dropped());
    try {
      dropped.addAll(trees(before));
    } catch (CorruptCollectionException e) {
      // what is damaged can be replaced, though its pages are not found any more
    }
    return new Paged(next.head(), new PageChanges(pages.written(), pages.removed(), dropped));
  }

  /**
   * Returns the trees of a collection in pages that have pages.
   *
   * @throws CorruptCollectionException if it is no such head
   */
  public static List<PageChanges.Subtree> trees(CollectionValue head) {
    return PagedHead.read(head).trees().stream()
        .filter(tree -> tree.size() > 0)
        .map(tree -> new PageChanges.Subtree(tree.root(), tree.height()))
        .toList();
  }

  /**
   * Returns the bytes of the elements of a collection in pages.
   *
   * @throws CorruptCollectionException if it is no such head
   */
  public static long bytes(CollectionValue head) {
    return PagedHead.read(head).trees().stream().mapToLong(ElementTree.State::bytes).sum();
  }

  /** Returns whether the bytes of a collection, of whatever type, are a head. */
  public static boolean isHead(byte[] bytes, int offset, int length) {
    return length > 0 && bytes[offset] == CollectionValue.PAGED;
  }
}

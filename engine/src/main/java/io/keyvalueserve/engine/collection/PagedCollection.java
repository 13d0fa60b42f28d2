package io.keyvalueserve.engine.collection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A collection whose elements are in pages. An operation reads the pages that it needs, and writes
 * those that it changes anew.
 */
abstract class PagedCollection implements StoredCollection {
  private final CollectionType type;
  private final PageDraft pages;
  private final boolean exists;
  private boolean changed;

  /**
   * @param head null for one that does not exist
   */
  PagedCollection(CollectionType type, PageDraft pages, @Nullable PagedHead head) {
    this.type = type;
    this.pages = pages;
    this.exists = head != null;
  }

  /**
   * A view of a collection in pages.
   *
   * @param head its head, or null for one that does not exist
   * @param nowMillis the time, in milliseconds since 1970
   * @throws CorruptCollectionException if it is no such head. What is damaged in the pages throws
   *     it later
   */
  static PagedCollection open(
      CollectionType type, @Nullable CollectionValue head, PageSource source, long nowMillis) {
    PageDraft pages = new PageDraft(source);
    PagedHead read = head == null ? null : PagedHead.read(head);
    return switch (type) {
      case HASH -> new PagedHash(pages, read, nowMillis);
      case LIST -> new PagedList(pages, read);
      case SET -> new PagedSet(pages, read);
      case SORTED_SET -> new PagedSortedSet(pages, read);
    };
  }

  @Override
  public final boolean exists() {
    return exists;
  }

  @Override
  public final boolean isChanged() {
    return changed;
  }

  /**
   * Opens a tree.
   *
   * @param head null for a collection that does not exist
   * @param number of the tree in the head
   */
  final ElementTree tree(@Nullable PagedHead head, int number) {
    boolean keyed = type != CollectionType.LIST;
    return head == null
        ? new ElementTree(pages, keyed)
        : new ElementTree(pages, keyed, head.trees().get(number));
  }

  /** Notes that it was changed. */
  final void changed() {
    changed = true;
  }

  /** Returns the trees of pages, in the order of the head. */
  abstract List<ElementTree> trees();

  /** Returns the order of names. */
  abstract NameHash hash();

  /** Adds all elements of a packed collection of this type. */
  abstract void addAll(PackedElements elements);

  /**
   * Packs it into one piece.
   *
   * @param mostBytes the longest that it may be
   * @throws CollectionTooLargeException if it would be longer
   */
  abstract CollectionValue pack(long mostBytes);

  @Override
  public final CollectionValue pack() {
    return pack(Long.MAX_VALUE);
  }

  /** Packs it into one piece if it is so small that it comes back into one; else returns null. */
  final @Nullable CollectionValue packedIfSmall() {
    if (size() > LargeCollections.FEWEST_PAGED_BYTES) {
      return null; // each element takes a byte
    }
    try {
      return pack(LargeCollections.FEWEST_PAGED_BYTES);
    } catch (CollectionTooLargeException e) {
      return null;
    }
  }

  /** Ends the work on it: the pages that were changed are written. */
  final LargeCollections.Paged finish() {
    List<ElementTree.State> states = trees().stream().map(ElementTree::finish).toList();
    CollectionValue head = new PagedHead(hash(), states).write(type);
    return new LargeCollections.Paged(head, pages.changes());
  }
}

package io.keyvalueserve.engine.collection;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Elements in an order, in pages. The elements have keys and are in the order of their unsigned
 * bytes, or they are a list. It is for one run of a command, on one thread.
 *
 * <p>The pages are a B+ tree that counts: an inner page has for each child how many elements are
 * under it, so that an index is found as quickly as a key. A stored page never changes. A change
 * copies the pages from the root to the element; within the run these copies, the drafts, change in
 * place. They are merged where they became small and written when the tree is finished, once.
 *
 * <p>Damaged pages throw {@link CorruptCollectionException}; the tree is of no use then, nor are
 * the changes.
 */
final class ElementTree {
  /**
   * The part of a tree that is kept beside its pages.
   *
   * @param root the number of its root; 0 if there are no elements
   * @param height 0 if the root is a leaf, else how many levels there are above the leaves
   * @param size the number of elements
   * @param bytes of all its pages
   */
  record State(long root, int height, long size, long bytes) {
    static final State EMPTY = new State(0, 0, 0, 0);
  }

  /** Looks at elements. It must not change the tree. */
  interface Visitor {
    /**
     * Visits an element.
     *
     * @param key empty in a list
     * @return whether to go on
     */
    boolean visit(Bytes key, Bytes value);
  }

  private final PageDraft pages;
  private final boolean keyed;

  /** The stored tree, if there is no draft of the root. */
  private State state;

  private @Nullable DraftPage root;
  private long size;
  private boolean changed;
  private boolean finished;

  /**
   * Is empty and has no pages.
   *
   * @param keyed whether the elements have keys
   */
  ElementTree(PageDraft pages, boolean keyed) {
    this(pages, keyed, State.EMPTY);
  }

  /**
   * Is stored.
   *
   * @param keyed whether the elements have keys
   */
  ElementTree(PageDraft pages, boolean keyed, State state) {
    if (state.height < 0 || state.height > TreePage.HIGHEST || state.size < 0) {
      throw new CorruptCollectionException("a tree has an impossible form");
    }
    if (state.root == 0 != (state.size == 0) || (state.root == 0 && state.height != 0)) {
      throw new CorruptCollectionException("a tree has elements without pages, or pages without");
    }
    this.pages = pages;
    this.keyed = keyed;
    this.state = state;
    this.size = state.size;
  }

  /** The number of elements. */
  long size() {
    return size;
  }

  /** Returns whether there was a change. */
  boolean isChanged() {
    return changed;
  }

  /** The value of a key. */
  @Nullable Bytes get(Bytes key) {
    return switch (root) {
      case DraftLeaf leaf -> leaf.get(key);
      case DraftInner inner -> inner.get(pages, key);
      case null ->
          state.root == 0
              ? null
              : StoredTree.get(pages, state.root, state.height, state.size, state.bytes, key);
    };
  }

  /**
   * Sets the value of a key.
   *
   * @return whether the key is new
   */
  boolean put(Bytes key, Bytes value) {
    Bytes old = get(key);
    if (old != null && old.equals(value)) {
      return false;
    }
    own().put(pages, key, value, old == null);
    if (old == null) {
      size++;
    }
    splitIfOver();
    return old == null;
  }

  /**
   * Removes the element of a key.
   *
   * @return whether there was one
   */
  boolean remove(Bytes key) {
    if (get(key) == null) {
      return false;
    }
    if (size == 1) {
      giveUp();
    } else {
      own().remove(pages, key);
      size--;
    }
    return true;
  }

  /**
   * Counts the elements whose key is below one.
   *
   * @param orAt whether to count the element of the key too
   */
  long rank(Bytes key, boolean orAt) {
    DraftPage page = root;
    if (page != null) {
      return page.rank(pages, key, orAt);
    }
    return state.root == 0
        ? 0
        : StoredTree.rank(pages, state.root, state.height, state.size, state.bytes, key, orAt);
  }

  /**
   * Visits elements in their order, until so many were visited or the visitor has enough.
   *
   * @param from the index of the first, from 0; there may be none
   */
  void visit(long from, long count, Visitor visitor) {
    Objects.checkIndex(from, Long.MAX_VALUE);
    if (from >= size || count <= 0) {
      return;
    }
    long to = count > size - from ? size : from + count;
    DraftPage page = root;
    if (page != null) {
      page.visit(pages, from, to, visitor);
    } else {
      StoredTree.visit(
          pages, keyed, state.root, state.height, state.size, state.bytes, from, to, visitor);
    }
  }

  /**
   * Inserts elements into a list.
   *
   * @param at the index of the first of them, up to the size
   */
  void insert(long at, List<Bytes> values) {
    Objects.checkIndex(at, size + 1);
    if (values.isEmpty()) {
      return;
    }
    own().insert(pages, at, values);
    size += values.size();
    splitIfOver();
  }

  /**
   * Removes the elements of a range. Pages whose elements are all in the range are not read.
   *
   * @param from the index of the first
   * @param count up to the size less {@code from}
   */
  void removeRange(long from, long count) {
    Objects.checkFromIndexSize(from, count, size);
    if (count == 0) {
      return;
    }
    if (count == size) {
      giveUp();
    } else {
      own().removeRange(pages, from, from + count);
      size -= count;
    }
  }

  /** Removes all elements. */
  void drop() {
    if (size > 0) {
      giveUp();
    }
  }

  /**
   * Writes the pages that changed. It must be called once, at the end.
   *
   * @return what is to be kept. An empty tree has no pages
   */
  State finish() {
    if (finished) {
      throw new IllegalStateException("a tree is finished already");
    }
    finished = true;
    DraftPage page = root;
    if (page == null) {
      return state;
    }
    page.settle(pages);
    while (page instanceof DraftInner inner && inner.children() == 1) {
      page = inner.draft(0);
      if (page == null) {
        return inner.storedChild(0);
      }
    }
    long number = page.write(pages);
    return new State(number, page.height(), size, page.bytes());
  }

  /** Makes the root a draft. */
  private DraftPage own() {
    changed = true;
    DraftPage page = root;
    if (page == null) {
      page =
          state.root == 0
              ? new DraftLeaf(keyed)
              : DraftPage.take(pages, keyed, state.root, state.height, state.size, state.bytes);
      root = page;
      state = State.EMPTY;
    }
    return page;
  }

  private void giveUp() {
    changed = true;
    DraftPage page = root;
    if (page != null) {
      page.discard(pages);
    } else {
      pages.drop(state.root, state.height);
    }
    root = null;
    state = State.EMPTY;
    size = 0;
  }

  private void splitIfOver() {
    DraftPage page = root;
    while (page != null && page.isOver()) {
      DraftPage.Growth grown = page.growth;
      DraftPage.Parts parts = page.split();
      page = new DraftInner(keyed, page.height() + 1, parts);
      page.growth = grown;
      root = page;
    }
  }
}

package io.keyvalueserve.maps.index;

import io.keyvalueserve.store.TreeCursor;
import java.util.List;

/** The keys that an index has in some ranges of its values. Thread-safe. */
public final class IndexRange {
  private static final int FIRST_KEY_BYTES = 64;

  private final IndexReader index;
  private final IndexContents contents;
  private final List<Selection.Range> ranges;

  /** Says that the index is of use only while all of its numbers are whole. */
  private final boolean wholeOnly;

  /** Takes keys. */
  @FunctionalInterface
  public interface KeyVisitor {
    /**
     * Takes a key as Hazelcast serializes it.
     *
     * @param payload with the key's bytes at its begin; good until this returns
     * @param length of the key, in bytes
     * @return whether to go on
     */
    boolean visit(byte[] payload, int length);
  }

  IndexRange(IndexReader index, IndexContents contents, List<Selection.Range> ranges) {
    this(index, contents, ranges, false);
  }

  private IndexRange(
      IndexReader index, IndexContents contents, List<Selection.Range> ranges, boolean wholeOnly) {
    this.index = index;
    this.contents = contents;
    this.ranges = List.copyOf(ranges);
    this.wholeOnly = wholeOnly;
  }

  /**
   * Returns this range for a question about whole numbers: fractions are cut off before they are
   * compared, and the index has them as they are. So it finds nothing once there are any.
   */
  public IndexRange wholeOnly() {
    return new IndexRange(index, contents, ranges, true);
  }

  /** Returns whether the index can answer: it is where it was, and has no fractions. */
  public boolean isGood() {
    return index.isThere() && !(wholeOnly && contents.isFractional());
  }

  /** Returns the index. */
  public IndexReader index() {
    return index;
  }

  /** Returns about how many keys there are, if not more than so many; else any larger number. */
  public long count(long most) {
    TreeCursor cursor = new TreeCursor();
    long count = 0;
    int guard = contents.heap().epochs().enter();
    try {
      for (IndexStripe stripe : contents.stripes()) {
        IndexStripe.View view = stripe.view(cursor);
        for (Selection.Range range : ranges) {
          count += view.count(range.from(), range.before(), most - count);
          if (count > most) {
            return count;
          }
        }
      }
    } finally {
      contents.heap().epochs().exit(guard);
    }
    return count;
  }

  /**
   * Returns how many values there are. Each part of the index that one thread writes is seen as it
   * is at one moment.
   *
   * @return -1 if that cannot be told now
   */
  public long exactCount() {
    contents.countQuery();
    TreeCursor cursor = new TreeCursor();
    long count = 0;
    int guard = contents.heap().epochs().enter();
    try {
      for (IndexStripe stripe : contents.stripes()) {
        IndexStripe.View view = stripe.view(cursor);
        if (!view.isWhole()) {
          return -1;
        }
        for (Selection.Range range : ranges) {
          count += view.count(range.from(), range.before(), Long.MAX_VALUE - count);
        }
      }
    } finally {
      contents.heap().epochs().exit(guard);
    }
    return isGood() && !contents.isMultiValued() ? count : -1;
  }

  /**
   * Visits the keys. Each part of the index that one thread writes is seen as it is at one moment:
   * an entry that is changed meanwhile is found under its value before or after. A key may come
   * more than once.
   *
   * @param visitor returns whether to go on
   * @return false if the index was not {@linkplain #isGood good} meanwhile, or the visitor has
   *     ended it: then keys may be missing
   */
  public boolean visit(KeyVisitor visitor) {
    contents.countQuery();
    IndexCode code = contents.code();
    CodeReader reader = new CodeReader();
    TreeCursor cursor = new TreeCursor();
    KeyFeed feed = new KeyFeed(visitor);
    int guard = contents.heap().epochs().enter();
    try {
      for (IndexStripe stripe : contents.stripes()) {
        IndexStripe.View view = stripe.view(cursor);
        for (Selection.Range range : ranges) {
          view.scan(
              range.from(),
              range.before(),
              false,
              (array, offset, length) ->
                  feed.take(array, code.end(array, offset, reader), offset + length));
          if (feed.ended) {
            return false;
          }
        }
      }
    } finally {
      contents.heap().epochs().exit(guard);
    }
    return isGood();
  }

  /** Makes keys of references, all in one array. */
  private static final class KeyFeed {
    private final KeyVisitor visitor;
    private byte[] payload = new byte[FIRST_KEY_BYTES];
    private boolean ended;

    KeyFeed(KeyVisitor visitor) {
      this.visitor = visitor;
    }

    boolean take(byte[] array, int from, int to) {
      int length = KeyReference.payloadLength(array, from, to);
      if (length > payload.length) {
        payload = new byte[Math.max(length, 2 * payload.length)];
      }
      ended = !visitor.visit(payload, KeyReference.copy(array, from, to, payload));
      return !ended;
    }
  }
}

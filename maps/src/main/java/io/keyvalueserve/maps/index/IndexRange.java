package io.keyvalueserve.maps.index;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.store.TreeCursor;
import java.util.List;
import java.util.function.Predicate;

/** The keys that an index has in some ranges of its values. Thread-safe. */
public final class IndexRange {
  private final IndexReader index;
  private final IndexContents contents;
  private final List<Selection.Range> ranges;

  IndexRange(IndexReader index, IndexContents contents, List<Selection.Range> ranges) {
    this.index = index;
    this.contents = contents;
    this.ranges = List.copyOf(ranges);
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
   * Visits the keys. Each part of the index that one thread writes is seen as it is at one moment:
   * an entry that is changed meanwhile is found under its value before or after. A key may come
   * more than once.
   *
   * @param visitor returns whether to go on
   * @return false if the index was moved meanwhile, or the visitor has ended it: then keys may be
   *     missing
   */
  public boolean visit(Predicate<Data> visitor) {
    contents.countQuery();
    IndexCode code = contents.code();
    CodeReader reader = new CodeReader();
    TreeCursor cursor = new TreeCursor();
    boolean[] goesOn = {true};
    int guard = contents.heap().epochs().enter();
    try {
      for (IndexStripe stripe : contents.stripes()) {
        IndexStripe.View view = stripe.view(cursor);
        for (Selection.Range range : ranges) {
          view.scan(
              range.from(),
              range.before(),
              false,
              (array, offset, length) -> {
                int key = code.end(array, offset, reader);
                goesOn[0] = visitor.test(KeyReference.get(array, key, offset + length));
                return goesOn[0];
              });
          if (!goesOn[0]) {
            return false;
          }
        }
      }
    } finally {
      contents.heap().epochs().exit(guard);
    }
    return index.isThere();
  }
}

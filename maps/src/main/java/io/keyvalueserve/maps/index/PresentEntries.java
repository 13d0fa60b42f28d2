package io.keyvalueserve.maps.index;

import com.hazelcast.query.impl.IndexKeyEntries;
import com.hazelcast.query.impl.OrderedIndexStore;
import com.hazelcast.query.impl.QueryableEntry;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that an index on the heap has found, with the values that the map has as the result
 * is walked through. Such an index keeps references to entries that may be gone, or have another
 * value, by then. These entries are left out: the result may have fewer entries than its size says,
 * and never any that should not be there.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class PresentEntries extends AbstractSet<QueryableEntry> {
  private final IndexContents index;
  private final Set<QueryableEntry> found;
  private final Predicate<Comparable> question;

  /**
   * @param found what the index on the heap has found
   * @param question whether a value, as such an index keeps it, is one of those that were asked for
   */
  PresentEntries(IndexContents index, Set<QueryableEntry> found, Predicate<Comparable> question) {
    this.index = index;
    this.found = found;
    this.question = question;
  }

  /** The same of entries in the order of what they are found under. */
  static Iterator<IndexKeyEntries> of(IndexContents index, Iterator<IndexKeyEntries> found) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return found.hasNext();
      }

      @Override
      public IndexKeyEntries next() {
        IndexKeyEntries next = found.next();
        Comparable value = next.getIndexKey();
        return new IndexKeyEntries(
            value,
            new Walk(
                index,
                next.getEntries(),
                kept -> OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(kept, value) == 0));
      }
    };
  }

  /** Returns whether an entry is in the result. The value of the entry decides, not its key. */
  @Override
  public boolean contains(@Nullable Object entry) {
    return entry instanceof QueryableEntry queryable && index.isOf(question, queryable);
  }

  @Override
  public int size() {
    return found.size();
  }

  @Override
  public Iterator<QueryableEntry> iterator() {
    return new Walk(index, found.iterator(), question);
  }

  /** A way through entries that are there and answer a question. */
  static final class Walk extends EntryWalk {
    private final IndexContents index;
    private final Iterator<QueryableEntry> found;
    private final Predicate<Comparable> question;

    Walk(IndexContents index, Iterator<QueryableEntry> found, Predicate<Comparable> question) {
      this.index = index;
      this.found = found;
      this.question = question;
    }

    @Override
    @Nullable QueryableEntry seek() {
      while (found.hasNext()) {
        QueryableEntry entry = index.map().read(found.next().getKeyData());
        if (entry != null && index.isOf(question, entry)) {
          return entry;
        }
      }
      return null;
    }
  }
}

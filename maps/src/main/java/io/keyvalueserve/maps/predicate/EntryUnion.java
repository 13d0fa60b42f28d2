package io.keyvalueserve.maps.predicate;

import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.predicates.PredicateUtils;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of several results of a query, each once. Entries are not kept: they come one after
 * the other, as the results have them. What is kept are the keys of all results but the largest,
 * packed.
 *
 * <p>Keys decide what is the same, and not the question: an entry may change while the results are
 * walked through, and answer another part of the question then. Owned by one query.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class EntryUnion extends AbstractSet<QueryableEntry> {
  private final List<Set<QueryableEntry>> results;

  EntryUnion(List<Set<QueryableEntry>> results) {
    this.results =
        results.stream().sorted(Comparator.comparingInt(PredicateUtils::estimatedSizeOf)).toList();
  }

  @Override
  public boolean contains(@Nullable Object entry) {
    for (Set<QueryableEntry> result : results) {
      if (result.contains(entry)) {
        return true;
      }
    }
    return false;
  }

  /** About how many there are, and no fewer than each result has. */
  @Override
  public int size() {
    long sum = 0;
    for (Set<QueryableEntry> result : results) {
      sum += PredicateUtils.estimatedSizeOf(result);
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  @Override
  public Iterator<QueryableEntry> iterator() {
    return new Walk();
  }

  private final class Walk implements Iterator<QueryableEntry> {
    private final SeenKeys seen = new SeenKeys();
    private final Iterator<Set<QueryableEntry>> left = results.iterator();
    private Iterator<QueryableEntry> entries = left.next().iterator();
    private @Nullable QueryableEntry next;

    @Override
    public boolean hasNext() {
      while (next == null) {
        if (entries.hasNext()) {
          QueryableEntry entry = entries.next();
          if (isFirst(entry)) {
            next = entry;
          }
        } else if (left.hasNext()) {
          entries = left.next().iterator();
        } else {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns whether an entry has not come yet. Keys of the last result are not stored, because
     * nothing follows it.
     */
    private boolean isFirst(QueryableEntry entry) {
      return left.hasNext() ? seen.add(entry.getKeyData()) : !seen.contains(entry.getKeyData());
    }

    @Override
    public QueryableEntry next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      QueryableEntry entry = next;
      next = null;
      return entry;
    }
  }
}

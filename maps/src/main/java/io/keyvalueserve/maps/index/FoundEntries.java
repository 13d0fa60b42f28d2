package io.keyvalueserve.maps.index;

import com.hazelcast.query.impl.QueryableEntry;
import java.util.AbstractSet;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The result of a query: keys that the index had at one moment, each with the value that the map
 * has as the result is walked through. Entries that are gone or no longer answer the question are
 * left out, so what comes may be less than the size; nothing comes that should not.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class FoundEntries extends AbstractSet<QueryableEntry> {
  private final IndexContents index;
  private final Selection selection;
  private final FoundKeys keys;
  private final CodeWriter codes = new CodeWriter();

  FoundEntries(IndexContents index, Selection selection, FoundKeys keys) {
    this.index = index;
    this.selection = selection;
    this.keys = keys;
  }

  /** Returns whether an entry is in the result. The value of the entry decides, not its key. */
  @Override
  public boolean contains(@Nullable Object entry) {
    return entry instanceof QueryableEntry queryable && index.isOf(selection, queryable, codes);
  }

  @Override
  public int size() {
    return keys.count();
  }

  @Override
  public Iterator<QueryableEntry> iterator() {
    return new Walk();
  }

  private final class Walk extends EntryWalk {
    private final FoundKeys.Walk walk = keys.walk();

    @Override
    @Nullable QueryableEntry seek() {
      while (walk.hasNext()) {
        QueryableEntry entry = index.map().read(walk.next());
        if (entry != null && index.isOf(selection, entry, codes)) {
          return entry;
        }
      }
      return null;
    }
  }
}

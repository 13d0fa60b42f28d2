package io.keyvalueserve.maps.index;

import static java.util.Objects.requireNonNull;

import com.hazelcast.query.impl.QueryableEntry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A way through entries of which some are left out. Owned by one query. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
abstract class EntryWalk implements Iterator<QueryableEntry> {
  private @Nullable QueryableEntry next;

  /** The next entry that is not left out; null if there is none. */
  abstract @Nullable QueryableEntry seek();

  @Override
  public final boolean hasNext() {
    if (next == null) {
      next = seek();
    }
    return next != null;
  }

  @Override
  public final QueryableEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    QueryableEntry entry = requireNonNull(next);
    next = null;
    return entry;
  }
}

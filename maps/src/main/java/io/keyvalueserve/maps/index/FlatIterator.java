package io.keyvalueserve.maps.index;

import com.hazelcast.query.impl.IndexKeyEntries;
import com.hazelcast.query.impl.QueryableEntry;
import java.util.Collections;
import java.util.Iterator;

/** The entries of several values, one after the other. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class FlatIterator implements Iterator<QueryableEntry> {
  private final Iterator<IndexKeyEntries> values;
  private Iterator<QueryableEntry> entries = Collections.emptyIterator();

  FlatIterator(Iterator<IndexKeyEntries> values) {
    this.values = values;
  }

  @Override
  public boolean hasNext() {
    while (!entries.hasNext() && values.hasNext()) {
      entries = values.next().getEntries();
    }
    return entries.hasNext();
  }

  @Override
  public QueryableEntry next() {
    boolean _ = hasNext();
    return entries.next();
  }
}

package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.record.Record;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Goes over all entries of a partition while they change: what is there from the beginning to the
 * end comes once, what comes or goes in between may come or not. It may be put aside and taken up
 * again, by another thread too (chunks of a migration do), as long as one thread at a time uses it.
 *
 * <p>Reads ahead the keys of one bucket, no values; an entry that is no longer there when its turn
 * comes is left out.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class NativeIterator implements Iterator<Map.Entry<Data, Record>> {
  private final NativeEntries entries;
  private final NativeRecord.Kind kind;
  private final Queue<Map.Entry<Data, Record>> ahead = new ArrayDeque<>();
  private long cursor;
  private long changes;

  NativeIterator(NativeEntries entries, NativeRecord.Kind kind) {
    this.entries = entries;
    this.kind = kind;
  }

  @Override
  public boolean hasNext() {
    return peek() != null;
  }

  @Override
  public Map.Entry<Data, Record> next() {
    Map.Entry<Data, Record> next = peek();
    if (next == null) {
      throw new NoSuchElementException();
    }
    ahead.remove();
    return next;
  }

  private Map.@Nullable Entry<Data, Record> peek() {
    while (true) {
      Map.Entry<Data, Record> next = ahead.peek();
      if (next == null) {
        if (cursor < 0) {
          return null;
        }
        read();
      } else if (isUnchanged() || entries.contains(next.getKey())) {
        return next;
      } else {
        ahead.remove();
      }
    }
  }

  private boolean isUnchanged() {
    return entries.changes() == changes && NativeEntries.isSettled(changes);
  }

  private void read() {
    int guard = entries.enter();
    try {
      changes = entries.changes();
      while (cursor >= 0 && ahead.isEmpty()) {
        cursor = entries.scan(cursor, this::add);
      }
    } finally {
      entries.exit(guard);
    }
  }

  private void add(long record) {
    Data key = DataForm.key(record);
    ahead.add(
        new SimpleImmutableEntry<>(key, new NativeRecord(kind, entries, key, record, changes)));
  }
}

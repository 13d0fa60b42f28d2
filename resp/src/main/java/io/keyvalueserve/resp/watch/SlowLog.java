package io.keyvalueserve.resp.watch;

import io.keyvalueserve.gates.heap.HeapLease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The slow requests of one tenant at one member, newest first. The oldest go when there are too
 * many, when they take too much memory, or when the tenant may use no more of the member's heap.
 * Thread-safe; its lock is taken for slow requests only, and when somebody looks.
 */
public final class SlowLog {
  /** The entries that it keeps unless told otherwise. */
  public static final int USUAL_ENTRIES = 128;

  /** The most entries that it can be told to keep. */
  public static final int MOST_ENTRIES = 1024;

  /** The most memory that the entries of a tenant take, in bytes. */
  static final int MOST_BYTES = 256 * 1024;

  private final HeapLease heap;
  private final ArrayDeque<SlowEntry> entries = new ArrayDeque<>(0);
  private int most = USUAL_ENTRIES;
  private long nextId;
  private int bytes;

  /** Creates an empty log whose entries count to this lease. */
  SlowLog(HeapLease heap) {
    this.heap = heap;
  }

  /** Returns the number of entries that it keeps at most. */
  public synchronized int most() {
    return most;
  }

  /** Keeps at most so many entries from here on: 0 to {@link #MOST_ENTRIES}. */
  public synchronized void keep(int count) {
    most = count;
    while (entries.size() > most) {
      dropOldest();
    }
  }

  /** Adds a request that was slow. */
  synchronized void add(
      long unixSeconds, long micros, List<byte[]> arguments, String address, String clientName) {
    SlowEntry entry = new SlowEntry(nextId++, unixSeconds, micros, arguments, address, clientName);
    int size = entry.bytes();
    if (most == 0 || size > MOST_BYTES) {
      return;
    }
    while (entries.size() >= most || bytes + size > MOST_BYTES) {
      dropOldest();
    }
    while (!heap.take(size)) {
      if (entries.isEmpty()) {
        return;
      }
      dropOldest();
    }
    bytes += size;
    entries.addFirst(entry);
  }

  private void dropOldest() {
    int size = entries.removeLast().bytes();
    bytes -= size;
    heap.give(size);
  }

  /** Returns the newest entries, newest first, at most so many. */
  public synchronized List<SlowEntry> newest(int count) {
    List<SlowEntry> found = new ArrayList<>(Math.min(count, entries.size()));
    for (SlowEntry entry : entries) {
      if (found.size() == count) {
        break;
      }
      found.add(entry);
    }
    return found;
  }

  /** Returns the number of entries. */
  public synchronized int size() {
    return entries.size();
  }

  /** Forgets all entries. Ids go on. */
  public synchronized void clear() {
    while (!entries.isEmpty()) {
      dropOldest();
    }
  }

  /** Forgets all, and keeps nothing from here on. */
  synchronized void close() {
    clear();
    most = 0;
  }
}

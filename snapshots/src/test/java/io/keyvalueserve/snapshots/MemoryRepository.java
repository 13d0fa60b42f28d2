package io.keyvalueserve.snapshots;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A repository in memory, with a clock that a test sets and a count of writes. */
public final class MemoryRepository implements Repository {
  private record Stored(byte[] bytes, Instant modified) {}

  private final TreeMap<String, Stored> objects = new TreeMap<>();
  private Instant now = Instant.parse("2026-01-31T12:00:00Z");
  private int writes;

  /** Returns the time of this repository. */
  public synchronized Instant now() {
    return now;
  }

  /** Sets the time of this repository. */
  public synchronized void setNow(Instant time) {
    now = time;
  }

  /** Returns how many writes there were. */
  public synchronized int writes() {
    return writes;
  }

  @Override
  public synchronized void write(String name, byte[] bytes) {
    objects.put(ObjectName.checked(name), new Stored(bytes.clone(), now));
    writes++;
  }

  @Override
  public synchronized @Nullable Item find(String name) {
    Stored stored = objects.get(ObjectName.checked(name));
    return stored == null ? null : new Item(name, stored.bytes().length, stored.modified());
  }

  @Override
  public synchronized byte[] read(String name) {
    Stored stored = objects.get(ObjectName.checked(name));
    if (stored == null) {
      throw new SnapshotException(SnapshotException.Kind.MISSING, name + " does not exist");
    }
    return stored.bytes().clone();
  }

  @Override
  public byte[] readStart(String name, int most) {
    byte[] bytes = read(name);
    return Arrays.copyOf(bytes, Math.min(most, bytes.length));
  }

  @Override
  public synchronized List<Item> list(String prefix) {
    List<Item> items = new ArrayList<>();
    objects
        .tailMap(ObjectName.checkedPrefix(prefix))
        .forEach(
            (name, stored) -> {
              if (name.startsWith(prefix)) {
                items.add(new Item(name, stored.bytes().length, stored.modified()));
              }
            });
    return items;
  }

  @Override
  public List<String> folders(String prefix) {
    TreeSet<String> folders = new TreeSet<>();
    for (Item item : list(prefix)) {
      int slash = item.name().indexOf('/', prefix.length());
      if (slash >= 0) {
        boolean _ = folders.add(item.name().substring(prefix.length(), slash));
      }
    }
    return List.copyOf(folders);
  }

  @Override
  public synchronized void delete(String name) {
    var _ = objects.remove(ObjectName.checked(name));
  }

  @Override
  public int sweep() {
    return 0;
  }

  @Override
  public void close() {}
}

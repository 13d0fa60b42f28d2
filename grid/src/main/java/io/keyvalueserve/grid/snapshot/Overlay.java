package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.snapshots.Change;
import io.keyvalueserve.snapshots.SnapshotEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes that come upon the entries of a snapshot: of each key the last one. For one thread.
 */
final class Overlay {
  private static final long ENTRY_BYTES = 160;

  private final long mostBytes;
  private final Map<String, OfMap> maps = new HashMap<>();
  private long bytes;

  /** The changes of a map. */
  private static final class OfMap {
    /** Has an entry with an empty value for a key that was removed. */
    private final Map<EntryBytes, Latest> entries = new HashMap<>();

    private final Set<Integer> cleared = new HashSet<>();
  }

  private record Latest(int partition, SnapshotEntry entry) {}

  /**
   * @param mostBytes about how many bytes of the Java heap the changes may take
   */
  Overlay(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Takes a change, which is later than all others of its key.
   *
   * @param entry as it is now; with an empty value if it was removed
   * @throws SnapshotFailure if that would be too many bytes
   */
  void put(String map, int partition, SnapshotEntry entry) {
    Latest before = of(map).entries.put(new EntryBytes(entry.key()), new Latest(partition, entry));
    bytes += bytes(entry) - (before == null ? 0 : bytes(before.entry()));
    if (bytes > mostBytes) {
      throw SnapshotFailure.lasting(
          "the changes after the snapshot take more than "
              + (mostBytes >> 20)
              + " MiB of the Java heap: restore to an earlier time, take snapshots more often, or"
              + " give the member a larger heap");
    }
  }

  /** Takes a change of an archive, which is later than all others of its key. */
  void take(Change change) {
    switch (change.kind()) {
      case PUT -> put(change.map(), change.partition(), entryOf(change));
      case REMOVE ->
          put(
              change.map(),
              change.partition(),
              new SnapshotEntry(keyOf(change), new byte[0], 0, 0, 0));
      case CLEAR -> clear(change.map(), change.partition());
    }
  }

  private static SnapshotEntry entryOf(Change change) {
    SnapshotEntry entry = change.entry();
    if (entry == null) {
      throw new IllegalArgumentException("a change puts nothing");
    }
    return entry;
  }

  private static byte[] keyOf(Change change) {
    byte[] key = change.key();
    if (key == null) {
      throw new IllegalArgumentException("a change removes nothing");
    }
    return key;
  }

  private void clear(String map, int partition) {
    OfMap changes = of(map);
    boolean _ =
        changes
            .entries
            .values()
            .removeIf(
                latest -> {
                  boolean gone = latest.partition() == partition;
                  bytes -= gone ? bytes(latest.entry()) : 0;
                  return gone;
                });
    boolean _ = changes.cleared.add(partition);
  }

  private OfMap of(String map) {
    return maps.computeIfAbsent(map, any -> new OfMap());
  }

  private static long bytes(SnapshotEntry entry) {
    return ENTRY_BYTES + entry.key().length + entry.value().length;
  }

  /** Returns the names of the maps that have changes. */
  Set<String> maps() {
    return Set.copyOf(maps.keySet());
  }

  /**
   * Returns whether an entry of the snapshot is as it was.
   *
   * @param partition of its key, in the cluster of the snapshot
   */
  boolean isUnchanged(String map, int partition, SnapshotEntry entry) {
    @Nullable OfMap changes = maps.get(map);
    return changes == null
        || (!changes.cleared.contains(partition)
            && !changes.entries.containsKey(new EntryBytes(entry.key())));
  }

  /** Returns the entries of a map that were put. */
  List<SnapshotEntry> put(String map) {
    @Nullable OfMap changes = maps.get(map);
    return changes == null
        ? List.of()
        : changes.entries.values().stream()
            .map(Latest::entry)
            .filter(entry -> entry.value().length > 0)
            .toList();
  }
}

package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.maps.MapChange;
import io.keyvalueserve.maps.StoredEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The last change of each key that was changed while the entries of maps were read. For one thread.
 */
final class LatestChanges {
  /** Orders the keys of a map by their partitions. */
  private record Place(int partition, EntryBytes key) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int order = Integer.compare(partition, other.partition);
      return order == 0 ? key.compareTo(other.key) : order;
    }
  }

  private final Map<String, TreeMap<Place, MapChange>> byMap = new TreeMap<>();
  private final Set<String> cleared = new HashSet<>();
  private long bytes;

  /** Takes a change in, which is later than all others of its key. */
  void take(MapChange change) {
    if (change.kind() == MapChange.Kind.CLEAR) {
      clear(change.map(), change.partition());
      boolean _ = cleared.add(change.map());
      return;
    }
    MapChange before =
        byMap
            .computeIfAbsent(change.map(), any -> new TreeMap<>())
            .put(new Place(change.partition(), new EntryBytes(change.key())), change);
    bytes += change.bytes() - (before == null ? 0 : before.bytes());
  }

  private void clear(String map, int partition) {
    TreeMap<Place, MapChange> changes = byMap.get(map);
    if (changes != null) {
      Collection<MapChange> gone =
          changes
              .subMap(
                  new Place(partition, EntryBytes.FIRST),
                  new Place(partition + 1, EntryBytes.FIRST))
              .values();
      gone.forEach(change -> bytes -= change.bytes());
      gone.clear();
    }
  }

  /** Returns the maps of which a partition was cleared since the last call. */
  List<String> takeCleared() {
    List<String> taken = new ArrayList<>(cleared);
    cleared.clear();
    return taken;
  }

  /** Returns about how many bytes of the Java heap the changes take. */
  long bytes() {
    return bytes;
  }

  /** Returns the maps that have changes, ordered by their names in the grid. */
  List<String> maps() {
    return List.copyOf(byMap.keySet());
  }

  /**
   * Shows the changes of a map with their partitions, in ascending order of these: what there is
   * now under a key, or an entry with an empty value if there is none.
   */
  void forEach(String map, BiConsumer<Integer, StoredEntry> visitor) {
    TreeMap<Place, MapChange> changes = byMap.get(map);
    if (changes != null) {
      changes.forEach((place, change) -> visitor.accept(place.partition(), entry(change)));
    }
  }

  private static StoredEntry entry(MapChange change) {
    @Nullable StoredEntry entry = change.entry();
    return entry == null
        ? new StoredEntry(change.position(), change.key(), new byte[0], 0, 0, 0)
        : entry;
  }
}

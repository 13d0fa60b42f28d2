package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a map.
 *
 * @param map its name in the grid
 * @param revision greater with each change; 0 if nothing was ever set
 * @param durability null for the members' usual one
 * @param overMemory null for the usual
 * @param chargedTo null for the usual
 * @param store the table behind the map; null if there is none
 * @param indexes by name
 */
public record MapSettings(
    String map,
    long revision,
    @Nullable Durability durability,
    @Nullable OverMemory overMemory,
    @Nullable ChargedTo chargedTo,
    @Nullable MapStoreSettings store,
    List<MapIndex> indexes) {
  public MapSettings {
    indexes = List.copyOf(indexes);
  }

  /** Returns the settings of a map for which nothing is set. */
  static MapSettings none(String map) {
    return none(map, 0);
  }

  private static MapSettings none(String map, long revision) {
    return new MapSettings(map, revision, null, null, null, null, List.of());
  }

  boolean isNothing() {
    return durability == null
        && overMemory == null
        && chargedTo == null
        && store == null
        && indexes.isEmpty();
  }

  boolean hasIndex(String name) {
    return indexes.stream().anyMatch(index -> index.name().equals(name));
  }

  MapSettings with(@Nullable Durability next) {
    return new MapSettings(map, revision, next, overMemory, chargedTo, store, indexes);
  }

  MapSettings with(@Nullable OverMemory next) {
    return new MapSettings(map, revision, durability, next, chargedTo, store, indexes);
  }

  MapSettings with(@Nullable ChargedTo next) {
    return new MapSettings(map, revision, durability, overMemory, next, store, indexes);
  }

  MapSettings with(@Nullable MapStoreSettings next) {
    return new MapSettings(map, revision, durability, overMemory, chargedTo, next, indexes);
  }

  /** The one that is there already stays if it has the same name. */
  MapSettings with(MapIndex index) {
    if (hasIndex(index.name())) {
      return this;
    }
    List<MapIndex> all = new ArrayList<>(indexes);
    all.add(index);
    return new MapSettings(map, revision, durability, overMemory, chargedTo, store, all);
  }

  MapSettings withoutIndexes() {
    return new MapSettings(map, revision, durability, overMemory, chargedTo, store, List.of());
  }

  MapSettings withoutAnything() {
    return none(map, revision);
  }

  /** The next revision. */
  MapSettings revised(long nowMillis) {
    return new MapSettings(
        map, Math.max(revision + 2, nowMillis), durability, overMemory, chargedTo, store, indexes);
  }

  /**
   * The revision of what is gone: the same on every member, whatever its clock says, and less than
   * that of anything that is set afterwards.
   */
  MapSettings gone() {
    return none(map, revision + 1);
  }
}

package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a map, or those of a tenant for all its maps: see {@link #ofTenant}.
 *
 * @param map its name in the grid
 * @param revision greater with each change; 0 if nothing was ever set
 * @param durability null for the members' usual one
 * @param overMemory null for the usual
 * @param chargedTo null for the usual
 * @param store the table behind the map; null if there is none
 * @param indexes by name
 * @param persistence the word for how it is kept
 * @param consent the last word of the tenant on that; null if it has said nothing
 */
public record MapSettings(
    String map,
    long revision,
    @Nullable Durability durability,
    @Nullable OverMemory overMemory,
    @Nullable ChargedTo chargedTo,
    @Nullable MapStoreSettings store,
    List<MapIndex> indexes,
    Persistence persistence,
    @Nullable Consent consent) {
  public MapSettings {
    indexes = List.copyOf(indexes);
  }

  /** Returns the settings of a map for which nothing is set. */
  static MapSettings none(String map) {
    return none(map, 0);
  }

  private static MapSettings none(String map, long revision) {
    return new MapSettings(
        map, revision, null, null, null, null, List.of(), Persistence.DEFAULT, null);
  }

  /**
   * Returns the name under which the settings of a tenant are that hold for all its maps: {@code
   * acme/}, which is no map's.
   */
  static String ofTenant(TenantName tenant) {
    return tenant.value() + '/';
  }

  /** Returns the name of the settings of the tenant of a map; null if no tenant has the map. */
  static @Nullable String tenantOf(String map) {
    return QualifiedName.ownerOf(map).map(MapSettings::ofTenant).orElse(null);
  }

  /** Returns whether these are the settings of a tenant and not of a map. */
  boolean isOfTenant() {
    return map.equals(tenantOf(map));
  }

  boolean isNothing() {
    return durability == null
        && overMemory == null
        && chargedTo == null
        && store == null
        && indexes.isEmpty()
        && persistence == Persistence.DEFAULT
        && consent == null;
  }

  boolean hasIndex(String name) {
    return indexes.stream().anyMatch(index -> index.name().equals(name));
  }

  MapSettings with(@Nullable Durability next) {
    return new MapSettings(
        map, revision, next, overMemory, chargedTo, store, indexes, persistence, consent);
  }

  MapSettings with(@Nullable OverMemory next) {
    return new MapSettings(
        map, revision, durability, next, chargedTo, store, indexes, persistence, consent);
  }

  MapSettings with(@Nullable ChargedTo next) {
    return new MapSettings(
        map, revision, durability, overMemory, next, store, indexes, persistence, consent);
  }

  MapSettings with(@Nullable MapStoreSettings next) {
    return new MapSettings(
        map, revision, durability, overMemory, chargedTo, next, indexes, persistence, consent);
  }

  MapSettings with(Persistence next) {
    return new MapSettings(
        map, revision, durability, overMemory, chargedTo, store, indexes, next, consent);
  }

  MapSettings with(@Nullable Consent next) {
    return new MapSettings(
        map, revision, durability, overMemory, chargedTo, store, indexes, persistence, next);
  }

  /** Returns these settings with what others say about how data is kept. */
  MapSettings keptAs(MapSettings other) {
    return with(other.durability)
        .with(other.overMemory)
        .with(other.persistence)
        .with(other.consent);
  }

  /** Returns whether others say the same about how data is kept. */
  boolean isKeptAs(MapSettings other) {
    return equals(keptAs(other));
  }

  /** The one that is there already stays if it has the same name. */
  MapSettings with(MapIndex index) {
    if (hasIndex(index.name())) {
      return this;
    }
    List<MapIndex> all = new ArrayList<>(indexes);
    all.add(index);
    return withIndexes(all);
  }

  MapSettings withoutIndexes() {
    return withIndexes(List.of());
  }

  private MapSettings withIndexes(List<MapIndex> next) {
    return new MapSettings(
        map, revision, durability, overMemory, chargedTo, store, next, persistence, consent);
  }

  /** The settings of a map that was destroyed, whose tenant has said whether it consents. */
  MapSettings withoutAllButConsent() {
    return new MapSettings(
        map, revision, null, null, null, null, List.of(), Persistence.DEFAULT, consent);
  }

  MapSettings withoutAnything() {
    return none(map, revision);
  }

  /** The next revision. */
  MapSettings revised(long nowMillis) {
    return new MapSettings(
        map,
        Math.max(revision + 2, nowMillis),
        durability,
        overMemory,
        chargedTo,
        store,
        indexes,
        persistence,
        consent);
  }

  /**
   * The revision of what is gone: the same on every member, whatever its clock says, and less than
   * that of anything that is set afterwards.
   */
  MapSettings gone() {
    return none(map, revision + 1);
  }
}

package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import org.jspecify.annotations.Nullable;

/**
 * A change of how a map is kept. The parts that are not named stay as they are.
 *
 * @param setsDurability whether the durability changes
 * @param durability null for what is usual
 * @param setsOverMemory whether the use of memory changes
 * @param overMemory null for what is usual
 * @param persistence null if the word stays
 */
public record KeepingChange(
    boolean setsDurability,
    @Nullable Durability durability,
    boolean setsOverMemory,
    @Nullable OverMemory overMemory,
    @Nullable Persistence persistence) {
  /** Changes nothing. */
  public static final KeepingChange NOTHING = new KeepingChange(false, null, false, null, null);

  /** Returns this change with a durability; null for what is usual. */
  public KeepingChange durability(@Nullable Durability next) {
    return new KeepingChange(true, next, setsOverMemory, overMemory, persistence);
  }

  /** Returns this change with a use of memory; null for what is usual. */
  public KeepingChange overMemory(@Nullable OverMemory next) {
    return new KeepingChange(setsDurability, durability, true, next, persistence);
  }

  /** Returns this change with a word. */
  public KeepingChange persistence(Persistence next) {
    return new KeepingChange(setsDurability, durability, setsOverMemory, overMemory, next);
  }

  /** Returns whether this change can make the restart log begin or cease to have the map. */
  boolean isOfLog() {
    return setsDurability || persistence != null;
  }

  /** Returns the setting that errors name, as the HTTP API names it. */
  String field() {
    return persistence == null ? "durability" : "persistence";
  }

  /** Returns whether members need a disk for what this change sets. */
  boolean needsDisk() {
    Durability meant = persistence == null ? Durability.NONE : Keeping.durabilityOf(persistence);
    return setsDurability || (meant != null && meant != Durability.NONE);
  }

  /**
   * Returns settings with this change.
   *
   * @throws MapSettingsException if they contradict each other then
   */
  MapSettings applyTo(MapSettings before) {
    MapSettings after = setsDurability ? before.with(durability) : before;
    after = setsOverMemory ? after.with(overMemory) : after;
    after = persistence == null ? after : after.with(persistence);
    Keeping.requireConsistent(after);
    return after;
  }
}

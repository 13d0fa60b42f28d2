package io.keyvalueserve.grid.settings;

import io.keyvalueserve.maps.OverMemory;
import org.jspecify.annotations.Nullable;

/** Is told what becomes of the entries of maps when memory is short. Thread-safe. */
public interface OverMemorySink {
  /**
   * Sets what holds for a map, or for all maps of a tenant for which nothing else is set.
   *
   * @param map the map, or {@code acme/} for a tenant
   * @param next null for what is usual
   */
  void set(String map, @Nullable OverMemory next);

  /** Forgets what was set: what is set for all maps of the tenant holds. */
  void unset(String map);
}

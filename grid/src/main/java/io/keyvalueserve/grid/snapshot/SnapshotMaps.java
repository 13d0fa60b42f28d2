package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;

/** The names of maps in snapshots: those of the grid without the tenant's name. */
final class SnapshotMaps {
  private static final char SEPARATOR = '/';

  private SnapshotMaps() {}

  /**
   * Returns whether a map may be in the snapshots of a tenant: its own maps, with the pages of
   * large collections. The settings of a map can exclude it: see {@link #isExcluded}.
   *
   * @param map its name in the grid
   */
  static boolean isIn(TenantName tenant, String map) {
    return QualifiedName.belongsTo(tenant, HiddenMaps.inFrontOf(map)) && !HiddenMaps.isQueue(map);
  }

  /**
   * Returns whether a map is in no snapshot at present, because a table is behind it, or because
   * nothing of it may be on a disk.
   *
   * @param map its name in the grid
   */
  static boolean isExcluded(String map, NativeMaps maps, HazelcastEngine engine) {
    String front = HiddenMaps.inFrontOf(map);
    return maps.external().of(front) != null || engine.isInMemoryAlone(front);
  }

  /** Returns the name that a map of the grid has in a snapshot. */
  static String nameOf(String gridName) {
    return gridName.substring(gridName.indexOf(SEPARATOR) + 1);
  }

  /** Returns the name in the grid of a map of a tenant that has a name in a snapshot. */
  static String gridName(TenantName tenant, String name) {
    return tenant.value() + SEPARATOR + name;
  }
}

package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;

/** The names of maps in snapshots: those of the grid without the tenant's name. */
final class SnapshotMaps {
  private static final char SEPARATOR = '/';

  private SnapshotMaps() {}

  /**
   * Returns whether a map is in the snapshots of a tenant: its own maps, with the pages of large
   * collections, but for those that have a table behind them.
   *
   * @param map its name in the grid
   */
  static boolean isIn(TenantName tenant, String map, NativeMaps maps) {
    String front = HiddenMaps.inFrontOf(map);
    return QualifiedName.belongsTo(tenant, front)
        && !HiddenMaps.isQueue(map)
        && maps.external().of(front) == null;
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

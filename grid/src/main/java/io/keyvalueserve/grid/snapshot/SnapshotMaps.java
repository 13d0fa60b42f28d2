package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.tenancy.TenantName;

/** The names of maps in snapshots: those of the grid without the tenant's name. */
final class SnapshotMaps {
  private static final char SEPARATOR = '/';

  private SnapshotMaps() {}

  /** Returns the name that a map of the grid has in a snapshot. */
  static String nameOf(String gridName) {
    return gridName.substring(gridName.indexOf(SEPARATOR) + 1);
  }

  /** Returns the name in the grid of a map of a tenant that has a name in a snapshot. */
  static String gridName(TenantName tenant, String name) {
    return tenant.value() + SEPARATOR + name;
  }
}

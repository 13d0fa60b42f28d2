package io.keyvalueserve.tenancy;

import java.util.Optional;

/**
 * The name of a tenant's map among all maps of the grid: {@code acme/orders}. Neither half can hold
 * a slash, so that no two pairs share a name.
 */
public record QualifiedName(TenantName tenant, MapName map) {
  private static final char SEPARATOR = '/';

  /** Joins partition key and name in the names of queues, lists and the like. */
  private static final char PARTITION_SEPARATOR = ':';

  /** The map that the grid knows by this name, if it is one that a tenant can name. */
  public static Optional<QualifiedName> parse(String gridName) {
    int slash = gridName.indexOf(SEPARATOR);
    if (slash < 0) {
      return Optional.empty();
    }
    String tenant = gridName.substring(0, slash);
    String map = gridName.substring(slash + 1);
    return TenantName.isValid(tenant) && MapName.isValid(map)
        ? Optional.of(new QualifiedName(new TenantName(tenant), new MapName(map)))
        : Optional.empty();
  }

  /**
   * Returns the tenant that a map of the grid belongs to, also if its name is none that {@link
   * #parse} takes; empty if it is no tenant's.
   */
  public static Optional<TenantName> ownerOf(String gridName) {
    int slash = gridName.indexOf(SEPARATOR);
    String tenant = gridName.substring(0, Math.max(0, slash));
    return TenantName.isValid(tenant) ? Optional.of(new TenantName(tenant)) : Optional.empty();
  }

  /** Returns whether an object of the grid, of whatever kind, belongs to this tenant. */
  public static boolean belongsTo(TenantName tenant, String gridName) {
    int end = tenant.value().length();
    if (gridName.length() <= end || !gridName.startsWith(tenant.value())) {
      return false;
    }
    char separator = gridName.charAt(end);
    return separator == SEPARATOR || separator == PARTITION_SEPARATOR;
  }

  /** The name as the grid knows it. */
  @Override
  public String toString() {
    return tenant.value() + SEPARATOR + map.value();
  }
}

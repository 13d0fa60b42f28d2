package io.keyvalueserve.hazelcast;

import io.keyvalueserve.hazelcast.Structure.Placement;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Optional;

/**
 * Turns the names that a tenant's clients use into the names that the grid uses, and back.
 * Immutable.
 *
 * <pre>
 *   placement  tenant acme says   the grid says         partition is that of
 *   BY_KEY     orders             acme/orders           each key
 *   BY_KEY     or@ders            acme/or@ders          each key
 *   BY_NAME    orders             acme/orders@orders    "orders"
 *   BY_NAME    orders@eu          acme:orders@eu        "eu"
 *   either     acme/orders        as orders
 *   either     globex/orders      refused: no grant
 * </pre>
 *
 * A client of any language reckons the partition of a queue, list or topic from the part of its
 * name behind the first at sign, or from the whole name (Hazelcast's StringPartitioningStrategy).
 * The grid's name therefore ends so that the grid reckons the same. The two separators keep {@code
 * orders} and an explicit {@code orders@orders} apart. A tenant's name holds none of the three
 * characters, so no two tenants' names can meet.
 */
final class ObjectNames {
  private static final char OWNER = '/';
  private static final char OWNER_WITH_PARTITION = ':';
  private static final char PARTITION = '@';
  private static final int MOST_CHARACTERS = 255;

  private final String tenant;

  ObjectNames(TenantName tenant) {
    this.tenant = tenant.value();
  }

  /**
   * The grid's name for what the tenant calls so.
   *
   * @throws InvalidNameException if it cannot be the name of an object
   * @throws RefusedException if it is qualified with another tenant's name
   */
  String toGrid(String said, Placement placement) {
    String name = unqualified(said);
    if (name.isEmpty() || name.length() > MOST_CHARACTERS || hasControlCharacter(name)) {
      throw new InvalidNameException(
          "object",
          said,
          "use 1 to " + MOST_CHARACTERS + " characters, without '/' and control characters");
    }
    if (placement == Placement.BY_KEY) {
      return tenant + OWNER + name;
    }
    return name.indexOf(PARTITION) < 0
        ? tenant + OWNER + name + PARTITION + name
        : tenant + OWNER_WITH_PARTITION + name;
  }

  /**
   * Returns the tenant's name for an object of the grid; empty if the object is not the tenant's.
   */
  Optional<String> toTenant(String gridName, Placement placement) {
    int end = tenant.length();
    if (gridName.length() <= end + 1 || !gridName.startsWith(tenant)) {
      return Optional.empty();
    }
    char separator = gridName.charAt(end);
    String name = gridName.substring(end + 1);
    if (separator == OWNER_WITH_PARTITION && placement == Placement.BY_NAME) {
      return Optional.of(name);
    }
    if (separator != OWNER) {
      return Optional.empty();
    }
    int at = name.indexOf(PARTITION);
    return Optional.of(placement == Placement.BY_KEY || at < 0 ? name : name.substring(0, at));
  }

  private static boolean hasControlCharacter(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private String unqualified(String said) {
    int slash = said.indexOf(OWNER);
    if (slash < 0) {
      return said;
    }
    if (slash == tenant.length() && said.startsWith(tenant) && said.indexOf(OWNER, slash + 1) < 0) {
      return said.substring(slash + 1);
    }
    throw new MessageRefusedException(
        "tenant '"
            + tenant
            + "' has no grant on '"
            + said
            + "': a name with a slash is TENANT/NAME; names of your own have none");
  }
}

package io.keyvalueserve.tenancy.fairness;

/**
 * How the time of a thread is cut. All in nanoseconds.
 *
 * @param alone the longest slice when no other tenant waits, and what one visit to each tenant
 *     takes together if these are not too many
 * @param most the longest slice when others wait: {@code least} to {@code alone}
 * @param least no slice is meant to be shorter, as each costs something: 1 or more
 * @param debtLasts for so long a tenant that has nothing to do keeps what it used too much: 0 or
 *     more
 */
public record Slicing(long alone, long most, long least, long debtLasts) {
  /** 200 us, 100 us, 20 us, 100 ms. */
  public static final Slicing DEFAULT = new Slicing(200_000, 100_000, 20_000, 100_000_000);

  /**
   * @throws IllegalArgumentException if a value is not in its range
   */
  public Slicing {
    if (least < 1 || most < least || alone < most || debtLasts < 0) {
      throw new IllegalArgumentException(
          "slices must be 1 <= least <= most <= alone, and debt lasts for 0 or more: alone="
              + alone
              + " most="
              + most
              + " least="
              + least
              + " debtLasts="
              + debtLasts);
    }
  }

  /** How long a visit to the tenant of the greatest weight is, when so many have work. */
  long visit(int tenants) {
    return Math.clamp(alone / tenants, least, most);
  }
}

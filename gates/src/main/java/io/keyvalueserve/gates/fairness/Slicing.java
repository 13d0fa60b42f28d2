package io.keyvalueserve.gates.fairness;

/**
 * The rules for cutting the time of a thread. All in nanoseconds.
 *
 * @param visits what one visit to each tenant takes together if these are not too many
 * @param most the longest slice: {@code least} to {@code visits}. As long waits who comes while
 *     another tenant is served, also if that one was alone until then
 * @param least no slice is meant to be shorter, as each costs something: 1 or more
 * @param debtLasts for so long a tenant that has nothing to do keeps what it used too much: 0 or
 *     more
 */
public record Slicing(long visits, long most, long least, long debtLasts) {
  /** 200 us, 50 us, 20 us, 100 ms. */
  public static final Slicing DEFAULT = new Slicing(200_000, 50_000, 20_000, 100_000_000);

  /**
   * @throws IllegalArgumentException if a value is not in its range
   */
  public Slicing {
    if (least < 1 || most < least || visits < most || debtLasts < 0) {
      throw new IllegalArgumentException(
          "slices must be 1 <= least <= most <= visits, and debt lasts for 0 or more: visits="
              + visits
              + " most="
              + most
              + " least="
              + least
              + " debtLasts="
              + debtLasts);
    }
  }

  /**
   * Returns the length of a visit to the tenant of the greatest weight, when so many tenants have
   * work.
   */
  long visit(int tenants) {
    return Math.clamp(visits / tenants, least, most);
  }
}

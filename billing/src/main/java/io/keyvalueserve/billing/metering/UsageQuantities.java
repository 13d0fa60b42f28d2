package io.keyvalueserve.billing.metering;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** The quantity of each measure: 0 or more of it. Immutable. */
public final class UsageQuantities {
  private final long[] quantities;

  private UsageQuantities(long[] quantities) {
    this.quantities = quantities;
  }

  /**
   * Measures that are not named are 0.
   *
   * @throws IllegalArgumentException if one is negative; the message names it
   */
  public static UsageQuantities of(Map<Measure, Long> quantities) {
    long[] all = new long[Measure.COUNT];
    quantities.forEach((measure, quantity) -> all[measure.index()] = quantity);
    return of(all);
  }

  /**
   * Wraps quantities in the order of {@link Measure#index}. The caller no longer uses the array.
   */
  static UsageQuantities of(long[] quantities) {
    for (int i = 0; i < quantities.length; i++) {
      if (quantities[i] < 0) {
        throw new IllegalArgumentException(
            "%s is 0 or more: %d".formatted(Measure.ofCode(i + 1).quantityLabel(), quantities[i]));
      }
    }
    return new UsageQuantities(quantities);
  }

  /** Flows as a number or in bytes, levels in unit-seconds. */
  public long of(Measure measure) {
    return quantities[measure.index()];
  }

  /** Returns whether nothing was used. */
  public boolean isEmpty() {
    for (long quantity : quantities) {
      if (quantity != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the quantities that are not 0, in their order. */
  public Map<Measure, Long> toMap() {
    EnumMap<Measure, Long> map = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      if (of(measure) != 0) {
        map.put(measure, of(measure));
      }
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UsageQuantities that && Arrays.equals(quantities, that.quantities);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(quantities);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}

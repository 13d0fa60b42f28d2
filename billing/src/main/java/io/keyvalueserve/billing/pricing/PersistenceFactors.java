package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The factors by which the price of storage is multiplied, by how maps are kept. What is kept as
 * the members' own options say has the factor 1. Immutable.
 *
 * <p>If all factors are 1, what is stored is charged together. Otherwise each persistence is
 * charged by itself.
 */
public final class PersistenceFactors {
  /** All factors are 1. */
  public static final PersistenceFactors NONE = new PersistenceFactors(Map.of());

  private static final BigDecimal MOST = BigDecimal.valueOf(1_000);

  /** The factors that are not 1. */
  private final Map<Persistence, BigDecimal> factors;

  /**
   * @param factors 0 to 1000, with up to 6 decimals; 1 for what is not named
   * @throws InvalidRateCardException if a factor is out of its range, or one of the default
   */
  public PersistenceFactors(Map<Persistence, BigDecimal> factors) {
    EnumMap<Persistence, BigDecimal> checked = new EnumMap<>(Persistence.class);
    factors.forEach(
        (persistence, factor) -> {
          String field = persistence.text();
          BigDecimal plain = Decimals.checked(field, factor, 6, 4);
          require(
              plain.compareTo(MOST) <= 0,
              field,
              plain.toPlainString(),
              "set 0 or more, up to 1000");
          require(
              persistence != Persistence.DEFAULT,
              field,
              plain.toPlainString(),
              "remove it: change the rates for what is kept as usual");
          if (plain.compareTo(BigDecimal.ONE) != 0) {
            checked.put(persistence, plain);
          }
        });
    this.factors = Collections.unmodifiableMap(checked);
  }

  /** Returns the factor of what is kept so. */
  public BigDecimal of(Persistence persistence) {
    return factors.getOrDefault(persistence, BigDecimal.ONE);
  }

  /** Returns the factors that are not 1. */
  public Map<Persistence, BigDecimal> toMap() {
    return factors;
  }

  /**
   * Returns those that are charged by themselves; the default alone if all are charged together.
   */
  public List<Persistence> charged() {
    return factors.isEmpty() ? List.of(Persistence.DEFAULT) : List.of(Persistence.values());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PersistenceFactors that && factors.equals(that.factors);
  }

  @Override
  public int hashCode() {
    return factors.hashCode();
  }

  @Override
  public String toString() {
    return "PersistenceFactors" + factors;
  }
}

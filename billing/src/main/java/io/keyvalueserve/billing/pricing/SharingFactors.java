package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import io.keyvalueserve.billing.metering.SharingLevel;
import java.math.BigDecimal;

/**
 * The factors by which usage is dearer that is shared with nobody. Shared usage has the factor 1.
 * (Seed 004, section 2.3: reservation costs more than sharing, and a machine more than a map.)
 *
 * @param reservedMap on a reserved map: more than 1
 * @param reservedMember on a reserved member: more than on a map, up to 1000; both have up to 6
 *     decimals
 */
public record SharingFactors(BigDecimal reservedMap, BigDecimal reservedMember) {
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000);

  /**
   * @throws InvalidRateCardException if a factor is out of its range
   */
  public SharingFactors {
    reservedMap = Decimals.checked("reservedMap", reservedMap, 6, 4);
    reservedMember = Decimals.checked("reservedMember", reservedMember, 6, 4);
    require(
        reservedMap.compareTo(BigDecimal.ONE) > 0,
        "reservedMap",
        reservedMap.toPlainString(),
        "set more than 1: a map of one's own is dearer than sharing");
    require(
        reservedMember.compareTo(reservedMap) > 0 && reservedMember.compareTo(MOST) <= 0,
        "reservedMember",
        reservedMember.toPlainString(),
        "set more than "
            + reservedMap.toPlainString()
            + ", up to 1000: a member of one's own is dearer than a map");
  }

  /** Returns the factor by which prices are multiplied at a sharing level. */
  public BigDecimal of(SharingLevel sharing) {
    return switch (sharing) {
      case SHARED -> BigDecimal.ONE;
      case RESERVED_MAP -> reservedMap;
      case RESERVED_MEMBER -> reservedMember;
    };
  }
}

package io.keyvalueserve.billing.spending;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.TimeBand;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RequestPricesTest {
  private static RateCard card(Rate... rates) {
    RateCard paper = RateCard.paper();
    return new RateCard(
        "c",
        paper.from(),
        null,
        paper.calendar(),
        paper.currency(),
        6,
        List.of(rates),
        paper.sharing(),
        BigDecimal.ZERO);
  }

  private static RequestPrices prices(TimeBand band, SharingLevel sharing, Rate... rates) {
    return new RequestPrices(card(rates), band, sharing);
  }

  @Test
  void aRequestCostsItsOperationsAndBytes() {
    Rate[] rates = {
      Rate.of(Measure.READS, Basis.AMOUNT, 1_000_000, "0.2", "0.1"),
      Rate.of(Measure.BYTES_IN, Basis.AMOUNT, 1_000_000_000, "0.5", "0.5"),
      Rate.of(Measure.READS, Basis.DURATION, 60, "9", "9"),
      Rate.of(Measure.RESIDENT_BYTES, Basis.AMOUNT, 1, "9", "9")
    };
    RequestPrices peak = prices(TimeBand.PEAK, SharingLevel.SHARED, rates);
    // 200 nano units for a read, 0.5 for a byte; each rounded up once
    assertThat(peak.request(Measure.READS, 2, 100, 1_000)).isBetween(450L, 452L);
    assertThat(peak.cost(Measure.BYTES_IN, 1)).isEqualTo(1);
    assertThat(peak.cost(Measure.WRITES, 1_000)).isZero();
    assertThat(peak.cost(Measure.RESIDENT_BYTES, 1_000)).isZero();
    assertThat(
            prices(TimeBand.OFF_PEAK, SharingLevel.RESERVED_MEMBER, rates).cost(Measure.READS, 2))
        .isBetween(400L, 401L);
  }

  @Test
  void costsThatDoNotFitStayAtTheTop() {
    RequestPrices dear =
        prices(
            TimeBand.PEAK,
            SharingLevel.SHARED,
            Rate.of(Measure.READS, Basis.AMOUNT, 1, "999999999", "1"),
            Rate.of(Measure.WRITES, Basis.AMOUNT, 1, "0.000000001", "0"));
    assertThat(dear.cost(Measure.READS, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(dear.request(Measure.READS, Long.MAX_VALUE, 1, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(dear.cost(Measure.WRITES, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(dear.cost(Measure.WRITES, 1L << 60)).isEqualTo(1L << 60);
  }

  /** Never less than the price, and above it by 3 nano units and a 2^32nd nano for each unit. */
  @Property(tries = 1_000)
  void costsAreRoundedUpByVeryLittle(@ForAll Random random) {
    long per = 1 + random.nextLong(1L << (1 + random.nextInt(50)));
    BigDecimal price = BigDecimal.valueOf(random.nextInt(1_000_000), random.nextInt(13));
    long units = random.nextLong(1L << (1 + random.nextInt(40)));
    Rate rate =
        Rate.of(Measure.READS, Basis.AMOUNT, per, price.toPlainString(), price.toPlainString());
    BigDecimal exact =
        price
            .movePointRight(9)
            .multiply(BigDecimal.valueOf(units))
            .divide(BigDecimal.valueOf(per), new MathContext(60, RoundingMode.HALF_EVEN));
    long cost = prices(TimeBand.PEAK, SharingLevel.SHARED, rate).cost(Measure.READS, units);
    if (cost < Long.MAX_VALUE) {
      BigDecimal most = exact.add(BigDecimal.valueOf(3 + (units >>> 32)));
      assertThat(BigDecimal.valueOf(cost)).isBetween(exact, most);
    }
  }

  @Test
  void moneyIsRoundedUpToNanoUnits() {
    assertThat(NanoMoney.ofAtLeast(new BigDecimal("1.0000000001"))).isEqualTo(1_000_000_001);
    assertThat(NanoMoney.ofAtLeast(new BigDecimal("1e10"))).isEqualTo(Long.MAX_VALUE);
    assertThat(NanoMoney.amount(1_000_000_001)).isEqualTo("1.000000001");
  }
}

package io.keyvalueserve.billing.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuoteTest {
  private static final Instant PEAK = Instant.parse("2026-03-03T19:59:59.999Z");
  private static final Instant OFF_PEAK = Instant.parse("2026-03-03T20:00:00Z");

  private static final RateCards CARDS =
      RateCards.of(
          new RateCard(
              "c",
              LocalDate.of(2026, 1, 1),
              LocalDate.of(2027, 1, 1),
              RateCard.paper().calendar(),
              RateCard.paper().currency(),
              6,
              List.of(
                  Rate.of(Measure.WRITES, Basis.AMOUNT, 1_000_000, "1.25", "0.5"),
                  Rate.of(Measure.WRITES, Basis.DURATION, 60, "0.06", "0.03"),
                  Rate.of(Measure.BYTES_IN, Basis.AMOUNT, 1_000_000_000, "0.09", "0.09"),
                  Rate.of(Measure.BYTES_OUT, Basis.AMOUNT, 3, "1", "0").weighing("0.5")),
              RateCard.paper().sharing(),
              BigDecimal.ZERO));

  private static Quote quote(
      SharingLevel sharing, Measure operation, long count, long in, long out, Instant at) {
    return Quote.of(CARDS, sharing, operation, count, in, out, at).orElseThrow();
  }

  @Test
  void aRequestCostsItsOperationsAndBytesByTheTimeOfDay() {
    Quote peak = quote(SharingLevel.SHARED, Measure.WRITES, 1, 1_000, 0, PEAK);
    assertThat(peak.band()).isEqualTo(TimeBand.PEAK);
    assertThat(peak.parts())
        .containsExactly(
            new Quote.Part(Measure.WRITES, 1, new BigDecimal("0.00000125")),
            new Quote.Part(Measure.BYTES_IN, 1_000, new BigDecimal("0.00000009").setScale(8)));
    assertThat(peak.amount()).isEqualByComparingTo("0.00000134");
    assertThat(peak.minute()).isEqualByComparingTo("0.001");
    Quote later = quote(SharingLevel.SHARED, Measure.WRITES, 1, 1_000, 0, OFF_PEAK);
    assertThat(later.amount()).isEqualByComparingTo("0.00000059");
    assertThat(later.minute()).isEqualByComparingTo("0.0005");
  }

  /** The paper's card prices memory: 0.08 and 0.065, and half as much of what is rarely used. */
  @Test
  void theStorageOfMapsIsQuotedByHowTheyAreKept() {
    RateCard paper = RateCard.paper();
    assertThat(storage(paper))
        .containsExactly("default amount 0.08 for 500000000", "default duration 0.065 for 60");
    RateCard apart =
        new RateCard(
            "c",
            paper.from(),
            null,
            paper.calendar(),
            paper.currency(),
            6,
            paper.rates().subList(0, 1),
            paper.sharing(),
            new PersistenceFactors(Map.of(Persistence.RARELY_USED, new BigDecimal("0.5"))),
            BigDecimal.ZERO);
    assertThat(storage(apart))
        .containsExactly(
            "default amount 0.08 for 500000000",
            "memory amount 0.08 for 500000000",
            "rarely-used amount 0.04 for 500000000",
            "consented amount 0.08 for 500000000",
            "durable amount 0.08 for 500000000");
  }

  private static List<String> storage(RateCard card) {
    return Quote.of(RateCards.of(card), SharingLevel.SHARED, Measure.READS, 1, 0, 0, PEAK)
        .orElseThrow()
        .storage()
        .stream()
        .map(
            price ->
                "%s %s %s for %d"
                    .formatted(
                        price.persistence().text(),
                        price.rate().basis().label(),
                        price.unitPrice().toPlainString(),
                        price.rate().per()))
        .toList();
  }

  @Test
  void whatIsReservedIsDearer() {
    assertThat(quote(SharingLevel.RESERVED_MAP, Measure.WRITES, 4, 0, 0, PEAK).amount())
        .isEqualByComparingTo("0.00000625");
    assertThat(quote(SharingLevel.RESERVED_MEMBER, Measure.WRITES, 4, 0, 0, PEAK).amount())
        .isEqualByComparingTo("0.00001");
  }

  @Test
  void whatHasNoPriceCostsNothing() {
    Quote quote = quote(SharingLevel.SHARED, Measure.READS, 5, 0, 0, PEAK);
    assertThat(quote.parts()).isEmpty();
    assertThat(quote.amount()).isZero();
    assertThat(quote.minute()).isZero();
  }

  @Test
  void partsAreRoundedTo18Decimals() {
    assertThat(quote(SharingLevel.SHARED, Measure.READS, 0, 0, 1, PEAK).amount())
        .isEqualTo("0.166666666666666667");
  }

  @Test
  void nothingIsQuotedWhereNoCardHolds() {
    assertThat(
            Quote.of(
                CARDS,
                SharingLevel.SHARED,
                Measure.READS,
                1,
                1,
                1,
                Instant.parse("2027-01-01T00:00:00Z")))
        .isEmpty();
  }

  @Test
  void onlyRequestsAreAskedFor() {
    for (Measure measure :
        List.of(Measure.BYTES_IN, Measure.RESIDENT_BYTES, Measure.REFUSED, Measure.THROTTLED)) {
      assertThatThrownBy(() -> quote(SharingLevel.SHARED, measure, 1, 0, 0, PEAK))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(measure.label());
    }
    assertThatThrownBy(() -> quote(SharingLevel.SHARED, Measure.READS, 1, -1, 0, PEAK))
        .hasMessageContaining("bytesIn");
  }
}

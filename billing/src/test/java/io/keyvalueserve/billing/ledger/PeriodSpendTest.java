package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.PersistenceFactors;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Goal: what is added up as the ledger grows is what the invoice of the whole ledger says. */
class PeriodSpendTest {
  private static final YearMonth MARCH = YearMonth.of(2026, 3);

  private static RateCards cards() {
    RateCard paper = RateCard.paper();
    List<Rate> rates = new ArrayList<>(paper.rates());
    rates.add(Rate.of(Measure.READS, Basis.AMOUNT, 7, "0.03", "0.01").freeOf("3"));
    rates.add(Rate.of(Measure.WRITES, Basis.DURATION, 1, "0.5", "0.25"));
    return RateCards.of(
        new RateCard(
            "test",
            paper.from(),
            null,
            paper.calendar(),
            paper.currency(),
            4,
            rates,
            paper.sharing(),
            new PersistenceFactors(Map.of(Persistence.DURABLE, new BigDecimal("1.5"))),
            new BigDecimal("1.5")));
  }

  @Property(tries = 200)
  void comesToTheInvoiceAfterEachEntry(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    Use use = new Use();
    PeriodSpend spend =
        new PeriodSpend(
            use.ledger.tenant(),
            use.ledger.tenantNumber(),
            new BillingPeriod(MARCH, cards().zone()),
            cards());
    Measure[] measures = {Measure.READS, Measure.WRITES, Measure.RESIDENT_BYTES, Measure.BYTES_IN};
    for (int round = 0; round < 5; round++) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        use.persistence = Persistence.ofCode(random.nextInt(5));
        use.hold(
            Instant.parse("2026-02-28T23:00:00Z")
                .plusSeconds(60L * random.nextInt(33 * 24 * 60))
                .toString(),
            1 + random.nextInt(3),
            measures[random.nextInt(measures.length)],
            1 + random.nextInt(1_000_000_000));
      }
      correct(use, random);
      spend.add(
          use.ledger.entries().stream().skip(spend.entries()).map(LedgerCodec::encode).toList());
      assertThat(spend.total())
          .isEqualByComparingTo(Invoices.compute(use.ledger, MARCH, cards()).total());
    }
    assertThat(spend.entries()).isEqualTo(use.ledger.entries().size());
    for (LedgerEntry entry : use.ledger.entries()) {
      entry
          .usage()
          .ifPresent(
              event ->
                  assertThat(spend.posted().get(event.identity().member()))
                      .isGreaterThanOrEqualTo(event.identity().interval()));
    }
  }

  private static void correct(Use use, Random random) {
    LedgerEntry entry = use.ledger.entries().get(random.nextInt(use.ledger.entries().size()));
    UsageEvent event = entry.usage().orElse(null);
    if (event != null) {
      Measure measure = event.quantities().toMap().keySet().iterator().next();
      var _ =
          use.ledger.correct(
              new Posting.Correction(
                  new UUID(random.nextLong(), random.nextLong()),
                  entry.number(),
                  Map.of(measure, random.nextBoolean() ? -1L : 5L),
                  "a test"),
              Instant.EPOCH);
    }
  }

  @Test
  void whatNoCardHoldsForIsSaid() throws Exception {
    RateCard paper = RateCard.paper();
    RateCards ended =
        RateCards.of(
            new RateCard(
                "ended",
                paper.from(),
                LocalDate.of(2026, 3, 2),
                paper.calendar(),
                paper.currency(),
                4,
                paper.rates(),
                paper.sharing(),
                BigDecimal.ZERO));
    Use use = new Use().hold("2026-03-05T09:00:00Z", 1, Measure.RESIDENT_BYTES, 5);
    PeriodSpend spend =
        new PeriodSpend(
            use.ledger.tenant(),
            use.ledger.tenantNumber(),
            new BillingPeriod(MARCH, ended.zone()),
            ended);
    spend.add(use.ledger.entries().stream().map(LedgerCodec::encode).toList());
    assertThatThrownBy(spend::total)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no rate card holds at 2026-03-05");
  }
}

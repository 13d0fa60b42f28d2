package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.PeakCalendar;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForecastTest {
  /** One unit of money for each read. */
  private static final RateCards CARDS =
      RateCards.of(
          new RateCard(
              "reads",
              LocalDate.parse("2020-01-01"),
              null,
              PeakCalendar.never(ZoneId.of("UTC")),
              Currency.getInstance("USD"),
              2,
              List.of(Rate.of(Measure.READS, Basis.AMOUNT, 1, "1", "1")),
              RateCard.paper().sharing(),
              BigDecimal.ZERO));

  private static final YearMonth MARCH = YearMonth.of(2026, 3);

  private final Use use = new Use();

  private void reads(String at, long count) {
    use.post(Use.minute(at), SharingLevel.SHARED, Map.of(Measure.READS, count));
  }

  private Forecast forecast(YearMonth month, String now) {
    return Forecast.of(use.ledger, month, CARDS, Instant.parse(now));
  }

  @Test
  void takesTheMeanOfSevenDaysForTheTimeThatIsLeft() {
    reads("2026-03-01T00:00:00Z", 1_000); // too long ago to say what comes
    reads("2026-03-18T12:00:00Z", 70);
    reads("2026-03-19T12:00:00Z", 70);
    Forecast forecast = forecast(MARCH, "2026-03-22T00:00:00Z");
    assertThat(forecast.total()).isEqualByComparingTo("1340"); // 20 a day, 10 days
    assertThat(forecast.since()).isEqualTo(Instant.parse("2026-03-15T00:00:00Z"));
    assertThat(forecast.basis()).contains("2026-03-15T00:00:00Z", "14400 minutes");
  }

  @Test
  void looksBackIntoTheMonthBefore() {
    reads("2026-02-27T00:00:00Z", 50);
    reads("2026-03-01T06:00:00Z", 20);
    assertThat(forecast(MARCH, "2026-03-02T00:00:00Z").total()) // 3 days, 30 left
        .isEqualByComparingTo(new BigDecimal("720"));
  }

  @Test
  void aTenantThatIsNewIsJudgedByItsOwnTime() {
    reads("2026-03-30T12:00:00Z", 24);
    assertThat(forecast(MARCH, "2026-03-31T00:00:00Z").total()).isEqualByComparingTo("72");
  }

  @Test
  void foretellsNothingOfWhatIsOverOrHasNotBegun() {
    assertThat(forecast(MARCH, "2026-03-31T00:00:00Z").total()).isEqualByComparingTo("0");
    reads("2026-03-30T12:00:00Z", 24);
    Forecast over = forecast(MARCH, "2026-04-01T00:00:00Z");
    assertThat(over.total()).isEqualByComparingTo("24");
    assertThat(over.since()).isNull();
    assertThat(forecast(MARCH, "2026-03-30T12:00:00Z").since()).isNull();
  }

  @Test
  void aMonthThatHasNotBegunIsOnlyForetold() {
    reads("2026-03-30T00:00:00Z", 24);
    assertThat(forecast(YearMonth.of(2026, 4), "2026-03-31T00:00:00Z").total())
        .isEqualByComparingTo("720");
  }
}

package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.PeakCalendar;
import io.keyvalueserve.billing.pricing.PeakWindow;
import io.keyvalueserve.billing.pricing.PersistenceFactors;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.TimeBand;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: a bill says what was used and what that costs. Method: examples worked out by hand. */
class InvoicesTest {
  private static final YearMonth MARCH = YearMonth.of(2026, 3);
  private static final long GB = 1_000_000_000;
  private static final RateCards PAPER = RateCards.of(RateCard.paper());
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static RateCard card(PeakCalendar calendar, String freeSpend, Rate... rates) {
    return card("c", "2026-01-01", null, calendar, freeSpend, rates);
  }

  private static RateCard card(
      String id,
      String from,
      @Nullable LocalDate to,
      PeakCalendar calendar,
      String freeSpend,
      Rate... rates) {
    return new RateCard(
        id,
        LocalDate.parse(from),
        to,
        calendar,
        RateCard.paper().currency(),
        4,
        List.of(rates),
        RateCard.paper().sharing(),
        new BigDecimal(freeSpend));
  }

  private static Invoice bill(Use use, RateCards cards) {
    return Invoices.compute(use.ledger, MARCH, cards);
  }

  private static Invoice bill(Use use, RateCard card) {
    return bill(use, RateCards.of(card));
  }

  // ---- the paper's example (seed 004, section 2.3)

  /** 1 GB for 3 hours at 0.08 per 500 MB and 0.065 an hour: 2 x 0.08 + 3 x 0.065. */
  @Test
  void thePapersExampleCosts355ThousandthsAtPeakHours() {
    Use use = new Use().hold("2026-03-03T09:00:00Z", 180, Measure.RESIDENT_BYTES, GB);
    Invoice invoice = bill(use, PAPER);
    assertThat(invoice.total()).isEqualTo("0.355000");
    assertThat(invoice.lines())
        .extracting(InvoiceLine::sku, line -> line.amount().toPlainString())
        .containsExactly(
            tuple("paper-2018/residentBytes/amount/shared/peak", "0.160000"),
            tuple("paper-2018/residentBytes/duration/shared/peak", "0.195000"));
    assertThat(invoice.lines().getFirst().quantity()).isEqualByComparingTo("1000000000");
    assertThat(invoice.lines().getLast().quantity()).isEqualByComparingTo("180");
  }

  /** At other hours only the 3 hours count: 3 x 0.065. */
  @Test
  void thePapersExampleCosts195ThousandthsAtOtherHours() {
    Use use = new Use().hold("2026-03-03T20:00:00Z", 180, Measure.RESIDENT_BYTES, GB);
    assertThat(bill(use, PAPER).total()).isEqualTo("0.195000");
    Use weekend = new Use().hold("2026-03-07T09:00:00Z", 180, Measure.RESIDENT_BYTES, GB);
    assertThat(bill(weekend, PAPER).total()).isEqualTo("0.195000");
  }

  /** The same gigabyte on several maps and members is one gigabyte for the same three hours. */
  @Test
  void mapsAndMembersCountTogether() {
    Use use = new Use();
    for (int i = 0; i < 4; i++) {
      use.hold("2026-03-03T09:00:00Z", 180, Measure.RESIDENT_BYTES, GB / 4);
    }
    assertThat(bill(use, PAPER).total()).isEqualTo("0.355000");
  }

  @Test
  void halfOfAnHourCanBePeak() {
    Use use = new Use().hold("2026-03-03T19:30:00Z", 60, Measure.RESIDENT_BYTES, GB);
    assertThat(bill(use, PAPER).lines())
        .extracting(InvoiceLine::band, line -> line.quantity().longValue())
        .containsExactly(
            tuple(TimeBand.PEAK, GB),
            tuple(TimeBand.OFF_PEAK, GB),
            tuple(TimeBand.PEAK, 30L),
            tuple(TimeBand.OFF_PEAK, 30L));
    assertThat(bill(use, PAPER).total()).isEqualTo("0.225000");
  }

  /** Each day's highest minute: 1 GB on the 3rd, 2 GB on the 4th, a byte rounded up on the 5th. */
  @Test
  void theAmountOfALevelIsTheMostOfEachDay() {
    Use use =
        new Use()
            .hold("2026-03-03T09:00:00Z", 2, Measure.RESIDENT_BYTES, GB)
            .hold("2026-03-03T15:00:00Z", 2, Measure.RESIDENT_BYTES, GB / 2)
            .hold("2026-03-04T09:00:00Z", 1, Measure.RESIDENT_BYTES, 2 * GB);
    use.post(
        Use.minute("2026-03-05T09:00:00Z"),
        SharingLevel.SHARED,
        Map.of(Measure.RESIDENT_BYTES, 1L));
    assertThat(bill(use, PAPER).lines().getFirst().quantity())
        .isEqualByComparingTo(BigDecimal.valueOf(3 * GB + 1));
  }

  // ---- how maps are kept

  private static final Rate GB_HOURS =
      Rate.of(Measure.RESIDENT_BYTES, Basis.VOLUME, 3_600 * GB, "1", "1");

  private static RateCard keeping(Map<Persistence, BigDecimal> factors, Rate... rates) {
    RateCard paper = RateCard.paper();
    return new RateCard(
        "c",
        paper.from(),
        null,
        paper.calendar(),
        paper.currency(),
        4,
        List.of(rates),
        paper.sharing(),
        new PersistenceFactors(factors),
        BigDecimal.ZERO);
  }

  /** A gigabyte for an hour of each kind, and 7 requests. */
  private static Use ofEachKind() {
    Use use = new Use();
    for (Persistence each : Persistence.values()) {
      use.persistence = each;
      use.hold("2026-03-03T09:00:00Z", 60, Measure.RESIDENT_BYTES, GB);
    }
    return use.count("2026-03-03T09:00:00Z", Measure.READS, 7);
  }

  /** 1 + 1 + 0.6 + 1.1 + 1.5 for the hours; requests cost the same on all maps. */
  @Test
  void storageIsPricedByHowMapsAreKept() {
    RateCard card =
        keeping(
            Map.of(
                Persistence.RARELY_USED, new BigDecimal("0.6"),
                Persistence.CONSENTED, new BigDecimal("1.1"),
                Persistence.DURABLE, new BigDecimal("1.5")),
            GB_HOURS,
            Rate.of(Measure.READS, Basis.AMOUNT, 1, "1", "1"));
    assertThat(bill(ofEachKind(), card).lines())
        .extracting(InvoiceLine::sku, line -> line.amount().toPlainString())
        .containsExactly(
            tuple("c/residentBytes/volume/shared/peak/durable", "1.5000"),
            tuple("c/residentBytes/volume/shared/peak/consented", "1.1000"),
            tuple("c/residentBytes/volume/shared/peak", "1.0000"),
            tuple("c/residentBytes/volume/shared/peak/memory", "1.0000"),
            tuple("c/residentBytes/volume/shared/peak/rarely-used", "0.6000"),
            tuple("c/reads/amount/shared/peak", "7.0000"));
    assertThat(bill(ofEachKind(), card).total()).isEqualTo("12.2000");
  }

  /**
   * A factor multiplies the price of a map. A free allowance is taken off the dearest map first.
   */
  @Test
  void factorsMultiplyAndFreeAllowancesSaveTheDearest() {
    RateCard card =
        keeping(Map.of(Persistence.DURABLE, new BigDecimal("1.5")), GB_HOURS.freeOf("1"));
    Use use = new Use();
    use.hold("2026-03-03T09:00:00Z", 60, Measure.RESIDENT_BYTES, GB);
    use.persistence = Persistence.DURABLE;
    use.hold("2026-03-03T09:00:00Z", 60, Measure.RESIDENT_BYTES, GB);
    assertThat(bill(use, card).total()).isEqualTo("1.0000");
    use.hold("2026-03-03T09:00:00Z", 60, SharingLevel.RESERVED_MAP, Measure.RESIDENT_BYTES, GB);
    assertThat(bill(use, card).lines().getFirst().unitPrice()).isEqualTo("1.875");
  }

  /** With factors of 1, and without any, a bill is what it was: all counts together. */
  @Test
  void withoutFactorsTheSumsAreThoseOfBefore() {
    Use alike = new Use();
    for (int i = 0; i < Persistence.values().length; i++) {
      alike.hold("2026-03-03T09:00:00Z", 60, Measure.RESIDENT_BYTES, GB);
    }
    alike.count("2026-03-03T09:00:00Z", Measure.READS, 7);
    Map<Persistence, BigDecimal> ones = Map.of(Persistence.DURABLE, new BigDecimal("1.0"));
    for (RateCard card :
        List.of(RateCard.paper(), keeping(Map.of(), GB_HOURS), keeping(ones, GB_HOURS))) {
      assertThat(bill(ofEachKind(), card).lines()).isEqualTo(bill(alike, card).lines());
      assertThat(bill(ofEachKind(), card).lines())
          .allMatch(line -> line.persistence() == Persistence.DEFAULT);
    }
  }

  // ---- daylight saving

  /** Berlin's 29 March has no hour from 2 to 3; its 25 October has it twice. */
  @Test
  void daysOf23And25HoursAreBilledAsSuch() {
    PeakCalendar nights =
        new PeakCalendar(
            ZoneId.of("Europe/Berlin"),
            List.of(PeakWindow.of(EnumSet.allOf(DayOfWeek.class), "02:00", "03:00")),
            Set.of());
    RateCards cards =
        RateCards.of(card(nights, "0", Rate.of(Measure.CONNECTIONS, Basis.DURATION, 60, "2", "1")));
    Use spring = new Use().hold("2026-03-28T23:00:00Z", 23 * 60, Measure.CONNECTIONS, 1);
    assertThat(Invoices.compute(spring.ledger, MARCH, cards).total()).isEqualTo("23.0000");
    Use autumn = new Use().hold("2026-10-24T22:00:00Z", 25 * 60, Measure.CONNECTIONS, 1);
    assertThat(Invoices.compute(autumn.ledger, YearMonth.of(2026, 10), cards).total())
        .isEqualTo("27.0000");
  }

  @Test
  void aMonthEndsAtLocalMidnight() {
    PeakCalendar tokyo = PeakCalendar.never(ZoneId.of("Asia/Tokyo"));
    RateCards cards =
        RateCards.of(card(tokyo, "0", Rate.of(Measure.READS, Basis.AMOUNT, 1, "1", "1")));
    Use use =
        new Use()
            .count("2026-02-28T14:59:00Z", Measure.READS, 1_000)
            .count("2026-02-28T15:00:00Z", Measure.READS, 1)
            .count("2026-03-31T14:59:00Z", Measure.READS, 10)
            .count("2026-03-31T15:00:00Z", Measure.READS, 100);
    assertThat(bill(use, cards).total()).isEqualTo("11.0000");
  }

  // ---- what the rest costs

  @Test
  void flowsCountAllAndVolumesCountLevelTimesTime() {
    RateCard card =
        card(
            PeakCalendar.never(UTC),
            "0",
            Rate.of(Measure.READS, Basis.AMOUNT, 1_000_000, "0.2", "0.2"),
            Rate.of(Measure.RESIDENT_BYTES, Basis.VOLUME, 3600 * GB, "0.02", "0.01")
                .weighing("0.5"));
    Use use =
        new Use()
            .count("2026-03-03T09:00:00Z", Measure.READS, 2_500_000)
            .count("2026-03-04T09:00:00Z", Measure.READS, 500_000)
            .hold("2026-03-03T09:00:00Z", 120, Measure.RESIDENT_BYTES, 100 * GB);
    // 3 million reads at 0.2, and 200 GB-hours at half of 0.01
    assertThat(bill(use, card).lines())
        .extracting(line -> line.amount().toPlainString())
        .containsExactly("0.6000", "1.0000");
  }

  @Test
  void whatIsReservedIsDearerAndKeepingItIsCharged() {
    Use use =
        new Use()
            .hold("2026-03-03T20:00:00Z", 60, SharingLevel.RESERVED_MAP, Measure.RESIDENT_BYTES, GB)
            .hold(
                "2026-03-03T20:00:00Z",
                60,
                SharingLevel.RESERVED_MEMBER,
                Measure.RESIDENT_BYTES,
                GB)
            .hold(
                "2026-03-03T20:00:00Z", 60, SharingLevel.RESERVED_MAP, Measure.MAP_RESERVATIONS, 2)
            .hold(
                "2026-03-03T20:00:00Z",
                60,
                SharingLevel.RESERVED_MEMBER,
                Measure.MEMBER_RESERVATIONS,
                1);
    // an hour at 0.065 x 1.25 and at 0.065 x 2; two maps at 0.01 and a member at 0.10
    assertThat(bill(use, PAPER).total()).isEqualTo("0.331250");
  }

  @Test
  void whatWasTurnedAwayCostsNothing() {
    Use use =
        new Use()
            .count("2026-03-03T09:00:00Z", Measure.REFUSED, 1_000_000)
            .count("2026-03-03T09:00:00Z", Measure.THROTTLED, 1_000_000);
    assertThat(bill(use, PAPER).lines()).isEmpty();
    assertThat(bill(use, PAPER).total()).isEqualTo("0.000000");
  }

  @Test
  void freeAllowancesAreUsedUpByPeakHoursFirst() {
    PeakCalendar mornings =
        new PeakCalendar(
            UTC,
            List.of(PeakWindow.of(EnumSet.allOf(DayOfWeek.class), "00:00", "12:00")),
            Set.of());
    RateCard card =
        card(mornings, "0", Rate.of(Measure.READS, Basis.AMOUNT, 10, "2", "1").freeOf("3"));
    Use use =
        new Use()
            .count("2026-03-03T15:00:00Z", Measure.READS, 100)
            .count("2026-03-03T09:00:00Z", Measure.READS, 20);
    assertThat(bill(use, card).lines())
        .extracting(line -> line.free().intValue(), line -> line.amount().toPlainString())
        .containsExactly(tuple(20, "0.0000"), tuple(10, "9.0000"));
  }

  @Test
  void freeSpendIsTakenOffAsFarAsItGoes() {
    Rate reads = Rate.of(Measure.READS, Basis.AMOUNT, 1, "1", "1");
    Use use = new Use().count("2026-03-03T15:00:00Z", Measure.READS, 5);
    Invoice some = bill(use, card(PeakCalendar.never(UTC), "1.5", reads));
    assertThat(some.credit()).isEqualTo("1.5000");
    assertThat(some.total()).isEqualTo("3.5000");
    Invoice all = bill(use, card(PeakCalendar.never(UTC), "9", reads));
    assertThat(all.credit()).isEqualTo("5.0000");
    assertThat(all.total()).isEqualTo("0.0000");
  }

  @Test
  void cardsThatChangeWithinAMonthEachPriceTheirDays() {
    Rate old = Rate.of(Measure.READS, Basis.AMOUNT, 1, "1", "1").freeOf("5");
    Rate dear = Rate.of(Measure.READS, Basis.AMOUNT, 1, "3", "3").freeOf("6");
    PeakCalendar never = PeakCalendar.never(UTC);
    RateCards cards =
        new RateCards(
            List.of(
                card("a", "2026-01-01", LocalDate.of(2026, 3, 10), never, "0", old),
                card("b", "2026-03-10", null, never, "0", dear)));
    Use use =
        new Use()
            .count("2026-03-09T23:59:00Z", Measure.READS, 7)
            .count("2026-03-10T00:00:00Z", Measure.READS, 11);
    // 2 at 1; of the 6 that are free in this month 5 are used up, so 10 at 3
    assertThat(bill(use, cards).lines())
        .extracting(InvoiceLine::card, line -> line.amount().toPlainString())
        .containsExactly(tuple("a", "2.0000"), tuple("b", "30.0000"));
  }

  @Test
  void amountsAreRoundedOnceHalfToEven() {
    PeakCalendar never = PeakCalendar.never(UTC);
    RateCard card =
        card(
            never,
            "0",
            Rate.of(Measure.READS, Basis.AMOUNT, 1, "0.00005", "0.00005"),
            Rate.of(Measure.WRITES, Basis.AMOUNT, 1, "0.00015", "0.00015"),
            Rate.of(Measure.DELETES, Basis.AMOUNT, 3, "1", "1"));
    Use use = new Use();
    use.post(
        Use.minute("2026-03-03T15:00:00Z"),
        SharingLevel.SHARED,
        Map.of(Measure.READS, 1L, Measure.WRITES, 1L, Measure.DELETES, 2L));
    assertThat(bill(use, card).lines())
        .extracting(line -> line.amount().toPlainString())
        .containsExactly("0.0000", "0.0002", "0.6667");
  }

  @Test
  void correctionsCountInTheMinuteOfWhatTheyCorrect() {
    Use use = new Use().hold("2026-03-03T09:00:00Z", 60, Measure.RESIDENT_BYTES, GB);
    use.ledger.correct(
        new Posting.Correction(
            new UUID(1, 1), 10, Map.of(Measure.RESIDENT_BYTES, -60 * GB), "counted in error"),
        Use.NOW);
    assertThat(bill(use, PAPER).lines().getLast().quantity()).isEqualByComparingTo("59");
  }

  @Test
  void sumsBeyond63BitsAreExact() {
    RateCard card =
        card(
            PeakCalendar.never(UTC),
            "0",
            Rate.of(Measure.BYTES_IN, Basis.AMOUNT, 1_000_000_000_000_000_000L, "1", "1"));
    Use use = new Use();
    for (int i = 0; i < 5; i++) {
      use.post(
          Use.minute("2026-03-03T15:00:00Z") + i,
          SharingLevel.SHARED,
          Map.of(Measure.BYTES_IN, Long.MAX_VALUE));
    }
    assertThat(bill(use, card).lines().getFirst().quantity())
        .isEqualTo(new BigDecimal("46116860184273879035"));
    assertThat(bill(use, card).total()).isEqualTo("46.1169");
  }

  @Test
  void moreThanALongInOneMinuteIsToldWithItsEvent() {
    Use use = new Use();
    for (int i = 0; i < 2; i++) {
      use.post(
          Use.minute("2026-03-03T15:00:00Z"),
          SharingLevel.SHARED,
          Map.of(Measure.BYTES_IN, Long.MAX_VALUE));
    }
    assertThatThrownBy(() -> bill(use, PAPER))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("bytesIn")
        .hasMessageContaining(use.told.getLast().identity().text());
  }

  @Test
  void usageWithoutACardIsToldWithItsTime() {
    RateCard april =
        card(
            "april",
            "2026-04-01",
            null,
            PeakCalendar.never(UTC),
            "0",
            Rate.of(Measure.READS, Basis.AMOUNT, 1, "1", "1"));
    Use use = new Use().count("2026-03-03T15:00:00Z", Measure.READS, 1);
    assertThatThrownBy(() -> bill(use, april))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2026-03-03T15:00:00Z")
        .hasMessageContaining("make a card");
  }

  /** In whatever order events come, and however often, the invoice's lines are the same. */
  @Property(tries = 30)
  void theOrderOfEventsDoesNotMatter(@ForAll Random random) {
    Use use = new Use();
    long start = Use.minute("2026-03-03T00:00:00Z");
    for (int i = 0; i < 200; i++) {
      use.post(
          start + random.nextInt(2_000),
          SharingLevel.ofCode(1 + random.nextInt(3)),
          Map.of(Measure.ofCode(1 + random.nextInt(14)), 1L + random.nextInt(1_000_000_000)));
    }
    List<UsageEvent> shuffled = new ArrayList<>(use.told);
    shuffled.addAll(use.told.subList(0, 50));
    Collections.shuffle(shuffled, random);
    Use other = new Use();
    shuffled.forEach(event -> other.ledger.post(event, Use.NOW));
    assertThat(other.ledger.entries()).hasSize(200);
    assertThat(bill(other, PAPER).lines()).isEqualTo(bill(use, PAPER).lines());
  }
}

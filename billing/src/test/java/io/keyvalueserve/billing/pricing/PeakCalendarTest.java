package io.keyvalueserve.billing.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeakCalendarTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Set<DayOfWeek> EVERY_DAY = EnumSet.allOf(DayOfWeek.class);

  private static PeakCalendar calendar(ZoneId zone, Set<DayOfWeek> days, String from, String to) {
    return new PeakCalendar(zone, List.of(PeakWindow.of(days, from, to)), Set.of());
  }

  private static long minute(String instant) {
    return Instant.parse(instant).getEpochSecond() / 60;
  }

  private static long peakMinutes(PeakCalendar calendar, String from, String to) {
    long count = 0;
    for (long minute = minute(from); minute < minute(to); minute++) {
      count += calendar.band(minute) == TimeBand.PEAK ? 1 : 0;
    }
    return count;
  }

  @Test
  void peakBeginsAndEndsWithinAnHour() {
    PeakCalendar calendar = calendar(BERLIN, Set.of(DayOfWeek.TUESDAY), "08:30", "08:45");
    // 3 March 2026 is a Tuesday, and Berlin is an hour before UTC.
    assertThat(calendar.band(minute("2026-03-03T07:29:00Z"))).isEqualTo(TimeBand.OFF_PEAK);
    assertThat(calendar.band(minute("2026-03-03T07:30:00Z"))).isEqualTo(TimeBand.PEAK);
    assertThat(calendar.band(minute("2026-03-03T07:44:00Z"))).isEqualTo(TimeBand.PEAK);
    assertThat(calendar.band(minute("2026-03-03T07:45:00Z"))).isEqualTo(TimeBand.OFF_PEAK);
    assertThat(peakMinutes(calendar, "2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z")).isEqualTo(15);
  }

  /** Clocks go from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on 25 October. */
  @Test
  void skippedHoursAreInNoMinuteAndRepeatedOnesArePeakTwice() {
    PeakCalendar calendar = calendar(BERLIN, EVERY_DAY, "01:30", "03:30");
    assertThat(peakMinutes(calendar, "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z")).isEqualTo(60);
    assertThat(peakMinutes(calendar, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z"))
        .isEqualTo(180);
    assertThat(peakMinutes(calendar, "2026-05-01T12:00:00Z", "2026-05-02T12:00:00Z"))
        .isEqualTo(120);
  }

  /** Lord Howe Island moves its clocks by half an hour. */
  @Test
  void halfAnHourCanBeSkipped() {
    PeakCalendar calendar = calendar(ZoneId.of("Australia/Lord_Howe"), EVERY_DAY, "02:00", "03:00");
    // from 02:00 to 02:30 on 4 October 2026, which is 15:30 UTC of the day before
    assertThat(peakMinutes(calendar, "2026-10-03T12:00:00Z", "2026-10-03T20:00:00Z")).isEqualTo(30);
  }

  @Test
  void holidaysAreWholeLocalDays() {
    PeakCalendar calendar =
        new PeakCalendar(
            ZoneId.of("Asia/Kathmandu"), // 5:45 ahead of UTC
            List.of(PeakWindow.of(EVERY_DAY, "00:00", "24:00")),
            Set.of(LocalDate.of(2026, 5, 1)));
    assertThat(calendar.band(minute("2026-04-30T18:14:00Z"))).isEqualTo(TimeBand.PEAK);
    assertThat(calendar.band(minute("2026-04-30T18:15:00Z"))).isEqualTo(TimeBand.OFF_PEAK);
    assertThat(calendar.band(minute("2026-05-01T18:14:00Z"))).isEqualTo(TimeBand.OFF_PEAK);
    assertThat(calendar.band(minute("2026-05-01T18:15:00Z"))).isEqualTo(TimeBand.PEAK);
  }

  @Test
  void tellsWhenItChanges() {
    PeakCalendar calendar = calendar(ZoneId.of("UTC"), Set.of(DayOfWeek.MONDAY), "08:00", "24:00");
    long monday = minute("2026-03-02T08:00:00Z");
    assertThat(calendar.nextChange(monday - 100)).isEqualTo(monday);
    assertThat(calendar.nextChange(monday)).isEqualTo(monday + 16 * 60);
    assertThat(calendar.nextChange(monday + 16 * 60)).isEqualTo(monday + 7 * 24 * 60);
    assertThat(PeakCalendar.never(BERLIN).nextChange(monday)).isEqualTo(Long.MAX_VALUE);
  }

  /** Goal: bits of a week say what java.time says. Method: random windows, zones and minutes. */
  @Property(tries = 300)
  void agreesWithLocalTimes(@ForAll Random random) {
    List<String> zones =
        List.of("Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "UTC", "Asia/Tehran");
    ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
    List<PeakWindow> windows = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      int from = random.nextInt(1440);
      windows.add(
          new PeakWindow(
              EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)), DayOfWeek.of(1 + random.nextInt(7))),
              from,
              from + 1 + random.nextInt(1440 - from)));
    }
    PeakCalendar calendar = new PeakCalendar(zone, windows, Set.of());
    for (int i = 0; i < 100; i++) {
      long minute = minute("2000-01-01T00:00:00Z") + random.nextInt(60 * 366 * 1440);
      ZonedDateTime local = Instant.ofEpochSecond(minute * 60).atZone(zone);
      int ofDay = local.toLocalTime().get(ChronoField.MINUTE_OF_DAY);
      boolean isPeak =
          windows.stream()
              .anyMatch(
                  each ->
                      each.days().contains(local.getDayOfWeek())
                          && ofDay >= each.fromMinute()
                          && ofDay < each.toMinute());
      assertThat(calendar.band(minute))
          .as("%s", local)
          .isEqualTo(isPeak ? TimeBand.PEAK : TimeBand.OFF_PEAK);
      assertThat(calendar.localDay(minute)).isEqualTo(local.toLocalDate().toEpochDay());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "08:00:30, 09:00, from", "24:00, 24:00, from", "8:00, 09:00, from", "08:60, 09:00, from",
    "08:00, 24:01, to", "08:00, 08:00, to", "22:00, 06:00, to", "08:00, x, to",
  })
  void windowsAreOfWholeMinutesWithinADay(String from, String to, String field) {
    assertThatThrownBy(() -> PeakWindow.of(EVERY_DAY, from, to))
        .isInstanceOf(InvalidRateCardException.class)
        .extracting("field")
        .isEqualTo(field);
  }

  @Test
  void offsetsAreNoZones() {
    assertThatThrownBy(() -> PeakCalendar.never(ZoneId.of("+01:00")))
        .isInstanceOf(InvalidRateCardException.class)
        .hasMessageContaining("zone")
        .hasMessageContaining("Europe/Berlin");
  }

  @Test
  void aMonthIsThatOfTheZone() {
    BillingPeriod march = new BillingPeriod(YearMonth.of(2026, 3), BERLIN);
    assertThat(march.start()).isEqualTo(Instant.parse("2026-02-28T23:00:00Z"));
    assertThat(march.end()).isEqualTo(Instant.parse("2026-03-31T22:00:00Z"));
    assertThat(march.endMinute() - march.startMinute()).isEqualTo(31 * 1440 - 60);
    assertThat(BillingPeriod.at(march.end(), BERLIN)).isEqualTo(march.next());
    assertThat(BillingPeriod.at(march.end().minusNanos(1), BERLIN)).isEqualTo(march);
  }
}

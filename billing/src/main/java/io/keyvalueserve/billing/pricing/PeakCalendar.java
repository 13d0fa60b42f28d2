package io.keyvalueserve.billing.pricing;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The calendar of peak hours, by the local time of a zone.
 *
 * <p>A minute is asked for by its instant and classed by the local time that clocks of the zone
 * show at that instant. Therefore an hour that daylight saving skips is in no minute, and an hour
 * that occurs twice is peak both times or neither. Offsets of all zones are whole minutes since
 * 1972, and cards begin after that, so a minute of UTC is one local minute.
 *
 * <p>Immutable.
 */
public final class PeakCalendar {
  private static final int DAYS_A_WEEK = 7;
  private static final int MINUTES_A_DAY = PeakWindow.MINUTES_A_DAY;
  private static final int MOST_WINDOWS = 100;
  private static final int MOST_HOLIDAYS = 10_000;

  /** The minutes that {@link #nextChange} looks ahead: longer than any run of holidays. */
  private static final int FAR_MINUTES = 400 * MINUTES_A_DAY;

  private final ZoneId zone;
  private final List<PeakWindow> windows;
  private final Set<LocalDate> holidays;

  /** The minutes of a week from Monday on. */
  private final BitSet week = new BitSet(DAYS_A_WEEK * MINUTES_A_DAY);

  /**
   * @param zone an IANA time zone
   * @param windows the peak hours; they may overlap; none for never
   * @param holidays local days that have no peak hours
   * @throws InvalidRateCardException if the zone is no IANA zone, or there are more than 100
   *     windows or 10,000 holidays
   */
  public PeakCalendar(ZoneId zone, List<PeakWindow> windows, Set<LocalDate> holidays) {
    InvalidRateCardException.require(
        ZoneId.getAvailableZoneIds().contains(zone.getId()),
        "zone",
        zone,
        "name an IANA time zone such as Europe/Berlin or UTC");
    InvalidRateCardException.require(
        windows.size() <= MOST_WINDOWS, "windows", windows.size(), "name 100 or fewer");
    InvalidRateCardException.require(
        holidays.size() <= MOST_HOLIDAYS, "holidays", holidays.size(), "name 10000 or fewer");
    this.zone = zone;
    this.windows = List.copyOf(windows);
    this.holidays = Collections.unmodifiableSet(new TreeSet<>(holidays));
    for (PeakWindow window : windows) {
      for (DayOfWeek day : window.days()) {
        int midnight = (day.getValue() - 1) * MINUTES_A_DAY;
        week.set(midnight + window.fromMinute(), midnight + window.toMinute());
      }
    }
  }

  /** Every minute is peak. */
  public static PeakCalendar always(ZoneId zone) {
    return new PeakCalendar(
        zone, List.of(PeakWindow.of(Set.of(DayOfWeek.values()), "00:00", "24:00")), Set.of());
  }

  /** No minute is peak. */
  public static PeakCalendar never(ZoneId zone) {
    return new PeakCalendar(zone, List.of(), Set.of());
  }

  /** Returns the time zone whose local time this calendar uses. */
  public ZoneId zone() {
    return zone;
  }

  /** The peak hours. */
  public List<PeakWindow> windows() {
    return windows;
  }

  /** The days without any, in their order. */
  public Set<LocalDate> holidays() {
    return holidays;
  }

  /**
   * Returns whether a minute is peak or off-peak.
   *
   * @param minute minutes since 1970, UTC
   */
  public TimeBand band(long minute) {
    long local = localMinute(minute);
    int ofWeek = (int) Math.floorMod(local + 3 * MINUTES_A_DAY, (long) DAYS_A_WEEK * MINUTES_A_DAY);
    boolean isPeak =
        week.get(ofWeek)
            && (holidays.isEmpty()
                || !holidays.contains(LocalDate.ofEpochDay(Math.floorDiv(local, MINUTES_A_DAY))));
    return isPeak ? TimeBand.PEAK : TimeBand.OFF_PEAK;
  }

  /** The local day that a minute is in, in days since 1970. */
  public long localDay(long minute) {
    return Math.floorDiv(localMinute(minute), MINUTES_A_DAY);
  }

  /**
   * The first minute after this one that is of the other band; {@link Long#MAX_VALUE} if there is
   * none for 400 days. Looks at every minute: some milliseconds at most.
   */
  public long nextChange(long minute) {
    TimeBand band = band(minute);
    for (long next = minute + 1; next <= minute + FAR_MINUTES; next++) {
      if (band(next) != band) {
        return next;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Minutes since 1970 as a clock on the wall counts them. (1970 began on a Thursday.) */
  private long localMinute(long minute) {
    ZoneOffset offset = zone.getRules().getOffset(Instant.ofEpochSecond(minute * 60));
    return minute + offset.getTotalSeconds() / 60;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PeakCalendar that
        && zone.equals(that.zone)
        && windows.equals(that.windows)
        && holidays.equals(that.holidays);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * zone.hashCode() + windows.hashCode()) + holidays.hashCode();
  }

  @Override
  public String toString() {
    return "PeakCalendar[" + zone + " " + windows + " without " + holidays + "]";
  }
}

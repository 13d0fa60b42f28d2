package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a tenant in a period, minute by minute. All members and maps are added up, and
 * corrections are counted. The sums do not depend on the order of entries.
 */
final class PeriodUsage {
  private static final int PERSISTENCES = Persistence.values().length;
  private static final Persistence[] UNDIVIDED = {Persistence.DEFAULT};
  private static final int SHARING_LEVELS = SharingLevel.values().length;
  private static final int SECONDS_A_MINUTE = 60;

  private final long start;
  private final int minutes;

  /** The first minute that does not count any more. */
  private final long until;

  /**
   * The quantities of each minute, by measure, sharing level and persistence; null where nothing
   * was used. What is no storage is not told apart by persistence.
   */
  private final long[][] series = new long[Measure.COUNT * SHARING_LEVELS * PERSISTENCES][];

  /** Says which minutes are meant. */
  interface Minutes {
    /** Returns whether a minute, counted since 1970, is meant. */
    boolean include(long minute);

    /** The local day that it is in. */
    long day(long minute);
  }

  private PeriodUsage(BillingPeriod period, long until) {
    start = period.startMinute();
    minutes = (int) (period.endMinute() - start);
    this.until = Math.min(until, end());
  }

  /** Adds up the entries of a ledger; those of other periods do not count. */
  static PeriodUsage of(BillingPeriod period, List<LedgerEntry> entries) {
    return of(period, entries, period.endMinute());
  }

  /**
   * Adds up what was used before a minute.
   *
   * @param until the first minute that does not count any more
   */
  static PeriodUsage of(BillingPeriod period, List<LedgerEntry> entries, long until) {
    PeriodUsage usage = new PeriodUsage(period, until);
    for (LedgerEntry entry : entries) {
      switch (entry.posting()) {
        case Posting.Usage used ->
            usage.add(used.event().identity(), used.event().quantities().toMap());
        case Posting.Correction correction ->
            usage.add(
                entries.get((int) correction.entry()).usage().orElseThrow().identity(),
                correction.changes());
      }
    }
    return usage;
  }

  /** Begins with nothing used. */
  static PeriodUsage empty(BillingPeriod period) {
    return new PeriodUsage(period, period.endMinute());
  }

  private void add(UsageIdentity event, Map<Measure, Long> quantities) {
    add(event.minute(), event.sharing(), event.persistence(), quantities, event::text);
  }

  /**
   * Adds what was used in a minute; in one of another period it does not count.
   *
   * @param event names the event, should there be more than can be
   */
  void add(
      long minute,
      SharingLevel sharing,
      Persistence persistence,
      Map<Measure, Long> quantities,
      Supplier<String> event) {
    long at = minute - start;
    if (at >= 0 && minute < until) {
      quantities.forEach(
          (measure, quantity) -> {
            long[] of = seriesToAddTo(measure, sharing, persistence);
            of[(int) at] = sum(of[(int) at], quantity, measure, event);
          });
    }
  }

  private static long sum(long before, long quantity, Measure measure, Supplier<String> event) {
    try {
      return Math.addExact(before, quantity);
    } catch (ArithmeticException e) {
      throw new ArithmeticException(
          "more than 2^63 - 1 %s in one minute, that of the event %s; correct the event"
              .formatted(measure.quantityLabel(), event.get()));
    }
  }

  private long[] seriesToAddTo(Measure measure, SharingLevel sharing, Persistence persistence) {
    int at = at(measure, sharing, persistence);
    long[] known = series[at];
    if (known == null) {
      known = new long[minutes];
      series[at] = known;
    }
    return known;
  }

  private static int at(Measure measure, SharingLevel sharing, Persistence persistence) {
    Persistence apart = measure.isStorage() ? persistence : Persistence.DEFAULT;
    return (measure.index() * SHARING_LEVELS + sharing.code() - 1) * PERSISTENCES + apart.code();
  }

  /** The first minute. */
  long start() {
    return start;
  }

  /** The first minute that is not in it any more. */
  long end() {
    return start + minutes;
  }

  /** Returns whether anything was used in a minute. */
  boolean isAny(long minute) {
    for (long[] each : series) {
      if (each != null && each[(int) (minute - start)] != 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the units of a measure in some of the minutes: {@link Basis#unit}. */
  BigInteger units(
      Measure measure, Basis basis, SharingLevel sharing, Persistence persistence, Minutes which) {
    return units(measure, basis, series[at(measure, sharing, persistence)], which);
  }

  /** Returns the units of a measure, however maps are kept; see {@link #units}. */
  BigInteger unitsOfAll(Measure measure, Basis basis, SharingLevel sharing, Minutes which) {
    long[] sums = null;
    for (Persistence persistence : measure.isStorage() ? Persistence.values() : UNDIVIDED) {
      long[] of = series[at(measure, sharing, persistence)];
      if (of != null) {
        sums = sums == null ? of : sumOf(sums, of, measure);
      }
    }
    return units(measure, basis, sums, which);
  }

  private long[] sumOf(long[] one, long[] other, Measure measure) {
    long[] sums = new long[minutes];
    for (int i = 0; i < minutes; i++) {
      long minute = start + i;
      sums[i] = sum(one[i], other[i], measure, () -> "of minute " + minute);
    }
    return sums;
  }

  private BigInteger units(Measure measure, Basis basis, long @Nullable [] of, Minutes which) {
    if (of == null) {
      return BigInteger.ZERO;
    }
    return switch (basis) {
      case DURATION -> duration(of, which);
      case VOLUME -> total(of, which);
      case AMOUNT -> measure.isLevel() ? highestOfDays(of, which) : total(of, which);
    };
  }

  private BigInteger duration(long[] of, Minutes which) {
    long count = 0;
    for (int i = 0; i < minutes; i++) {
      count += of[i] > 0 && which.include(start + i) ? 1 : 0;
    }
    return BigInteger.valueOf(count);
  }

  private BigInteger total(long[] of, Minutes which) {
    BigInteger total = BigInteger.ZERO;
    long part = 0;
    for (int i = 0; i < minutes; i++) {
      if (of[i] != 0 && which.include(start + i)) {
        if (part > Long.MAX_VALUE - of[i]) {
          total = total.add(BigInteger.valueOf(part));
          part = 0;
        }
        part += of[i];
      }
    }
    return total.add(BigInteger.valueOf(part));
  }

  /** The mean level of the highest minute of each day, rounded up to whole units. */
  private BigInteger highestOfDays(long[] of, Minutes which) {
    long firstDay = which.day(start);
    long[] highest = new long[(int) (which.day(start + minutes - 1) - firstDay) + 1];
    for (int i = 0; i < minutes; i++) {
      if (of[i] > 0 && which.include(start + i)) {
        int day = (int) (which.day(start + i) - firstDay);
        highest[day] = Math.max(highest[day], of[i]);
      }
    }
    BigInteger sum = BigInteger.ZERO;
    for (long unitSeconds : highest) {
      sum = sum.add(BigInteger.valueOf(Math.ceilDiv(unitSeconds, SECONDS_A_MINUTE)));
    }
    return sum;
  }
}

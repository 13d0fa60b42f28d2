package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import java.math.BigInteger;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Adds up what a ledger says was used, corrections counted. Stateless. */
public final class UsageSums {
  private UsageSums() {}

  /** The groups in which usage is added up. */
  public enum Grouping {
    /**
     * One group for each map; usage that belongs to no map is in a group named by the empty text.
     */
    MAP(0),
    MINUTE(1),
    HOUR(60),
    DAY(24 * 60),
    MONTH(28 * 24 * 60);

    private final int leastMinutes;

    Grouping(int leastMinutes) {
      this.leastMinutes = leastMinutes;
    }

    /**
     * Returns the most groups that so many minutes can have; 0 if that does not depend on the time.
     */
    public long groupsOf(long minutes) {
      return leastMinutes == 0 ? 0 : Math.ceilDiv(minutes, (long) leastMinutes) + 1;
    }

    /** The name of the group that an event is in. Names of times are in the order of time. */
    String group(UsageIdentity event, ZoneId zone) {
      ZonedDateTime time = Instant.ofEpochSecond(event.minute() * 60).atZone(zone);
      return switch (this) {
        case MAP -> event.map() == null ? "" : event.map().toString();
        case MINUTE -> time.toInstant().toString();
        case HOUR -> time.truncatedTo(ChronoUnit.HOURS).toInstant().toString();
        case DAY -> time.toLocalDate().toString();
        case MONTH -> YearMonth.from(time).toString();
      };
    }
  }

  /**
   * Adds up.
   *
   * @param from the first minute that counts, since 1970
   * @param to the first that does not count any more
   * @param zone whose hours, days and months are meant
   * @return by group; a group in which nothing was used is not there, nor is a measure
   */
  public static SortedMap<String, Map<Measure, BigInteger>> of(
      TenantLedger ledger, long from, long to, Grouping by, ZoneId zone) {
    SortedMap<String, Map<Measure, BigInteger>> sums = new TreeMap<>();
    for (LedgerEntry entry : ledger.entries(from, to)) {
      UsageEvent event = ledger.used(entry);
      Map<Measure, Long> quantities =
          entry.posting() instanceof Posting.Correction correction
              ? correction.changes()
              : event.quantities().toMap();
      add(sums, by.group(event.identity(), zone), quantities);
    }
    sums.values().forEach(sum -> sum.values().removeIf(quantity -> quantity.signum() == 0));
    sums.values().removeIf(Map::isEmpty);
    return Collections.unmodifiableSortedMap(sums);
  }

  private static void add(
      Map<String, Map<Measure, BigInteger>> sums, String group, Map<Measure, Long> quantities) {
    Map<Measure, BigInteger> sum = sums.computeIfAbsent(group, g -> new EnumMap<>(Measure.class));
    quantities.forEach(
        (measure, quantity) -> sum.merge(measure, BigInteger.valueOf(quantity), BigInteger::add));
  }
}

package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Currency;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All prices that hold for a time. Immutable.
 *
 * <p>A line of an invoice costs {@code units x price x weight x sharing factor x persistence factor
 * / per}, computed exactly and rounded once, to {@code lineScale} decimals, half to even ({@link
 * #ROUNDING}).
 *
 * @param id its name: 1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit
 *     first
 * @param from the first local day on which it holds: 2000-01-01 or later
 * @param to the first on which it does not hold any more; null while that is open
 * @param calendar when it is peak, and whose local time is meant
 * @param currency in which prices are
 * @param lineScale decimals of an invoice's line: 0 to 9
 * @param rates the prices: 1 to 100, no two of the same measure and basis
 * @param sharing how much dearer it is not to share
 * @param persistence how the price of storage depends on how maps are kept
 * @param freeSpend what is taken off an invoice, as far as it goes: 0 to 10^9
 */
public record RateCard(
    String id,
    LocalDate from,
    @Nullable LocalDate to,
    PeakCalendar calendar,
    Currency currency,
    int lineScale,
    List<Rate> rates,
    SharingFactors sharing,
    PersistenceFactors persistence,
    BigDecimal freeSpend) {
  /** The rounding of a line of an invoice. */
  public static final RoundingMode ROUNDING = RoundingMode.HALF_EVEN;

  /** Decimals of a line at most: spending is counted in 10^-9 of the currency's unit. */
  public static final int MOST_LINE_SCALE = 9;

  private static final int MOST_RATES = 100;
  private static final LocalDate FIRST_DAY = LocalDate.of(2000, 1, 1);
  private static final LocalDate LAST_DAY = LocalDate.of(9999, 1, 1);
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  /**
   * @throws InvalidRateCardException if a field is out of its range or does not fit another
   */
  public RateCard {
    require(
        ID.matcher(id).matches(),
        "id",
        id,
        "use 1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit first");
    require(
        !from.isBefore(FIRST_DAY) && from.isBefore(LAST_DAY),
        "from",
        from,
        "set a day from 2000-01-01 to 9998-12-31");
    if (to != null) {
      require(
          to.isAfter(from) && !to.isAfter(LAST_DAY),
          "to",
          to,
          "set a day after " + from + ", or leave it out while the end is open");
    }
    require(lineScale >= 0 && lineScale <= MOST_LINE_SCALE, "lineScale", lineScale, "set 0 to 9");
    rates = List.copyOf(rates);
    require(!rates.isEmpty() && rates.size() <= MOST_RATES, "rates", rates.size(), "name 1 to 100");
    requireDistinct(rates);
    requireOrderOfReservations(rates);
    freeSpend = Decimals.checked("freeSpend", freeSpend, lineScale, 9);
  }

  /** Creates a card by which storage costs the same, however maps are kept. */
  public RateCard(
      String id,
      LocalDate from,
      @Nullable LocalDate to,
      PeakCalendar calendar,
      Currency currency,
      int lineScale,
      List<Rate> rates,
      SharingFactors sharing,
      BigDecimal freeSpend) {
    this(
        id,
        from,
        to,
        calendar,
        currency,
        lineScale,
        rates,
        sharing,
        PersistenceFactors.NONE,
        freeSpend);
  }

  /**
   * The card that holds where no other was made. Its prices of memory are those of the paper's
   * example (seed 004, section 2.3): 0.08 for 500 MB at peak hours and 0.065 for an hour at any
   * time, in dollars. The paper names no prices of reservations and no peak hours; here they are
   * working days from 08:00 to 20:00 UTC, and a quarter and the whole of a price on top, with 0.01
   * and 0.10 for an hour of keeping a map and a member.
   */
  public static RateCard paper() {
    return new RateCard(
        "paper-2018",
        FIRST_DAY,
        null,
        new PeakCalendar(
            ZoneId.of("UTC"),
            List.of(
                PeakWindow.of(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), "08:00", "20:00")),
            Set.of()),
        Currency.getInstance("USD"),
        6,
        List.of(
            Rate.of(Measure.RESIDENT_BYTES, Basis.AMOUNT, 500_000_000, "0.08", "0"),
            Rate.of(Measure.RESIDENT_BYTES, Basis.DURATION, 60, "0.065", "0.065"),
            Rate.of(Measure.MAP_RESERVATIONS, Basis.VOLUME, 3600, "0.01", "0.01"),
            Rate.of(Measure.MEMBER_RESERVATIONS, Basis.VOLUME, 3600, "0.10", "0.10")),
        new SharingFactors(new BigDecimal("1.25"), new BigDecimal("2")),
        BigDecimal.ZERO);
  }

  /** Returns whether this card holds on a local day. */
  public boolean holdsOn(LocalDate day) {
    return !day.isBefore(from) && (to == null || day.isBefore(to));
  }

  /** The first minute, since 1970, in which it holds. */
  public long startMinute() {
    return from.atStartOfDay(calendar.zone()).toEpochSecond() / 60;
  }

  /** The first minute in which it does not hold any more; {@link Long#MAX_VALUE} for none. */
  public long endMinute() {
    return to == null ? Long.MAX_VALUE : to.atStartOfDay(calendar.zone()).toEpochSecond() / 60;
  }

  /** The price of a measure and basis. */
  public Optional<Rate> rate(Measure measure, Basis basis) {
    return rates.stream()
        .filter(rate -> rate.measure() == measure && rate.basis() == basis)
        .findFirst();
  }

  /**
   * The price for {@link Rate#per} units, with its weight and what it costs not to share. What is
   * paid for keeping a reservation is not dearer by being one.
   */
  public BigDecimal unitPrice(Rate rate, TimeBand band, SharingLevel level) {
    BigDecimal weighed = rate.price(band).multiply(rate.weight());
    BigDecimal price =
        rate.measure().isReservation() ? weighed : weighed.multiply(sharing.of(level));
    return price.signum() == 0 ? BigDecimal.ZERO : price.stripTrailingZeros();
  }

  /** Returns the {@link #unitPrice} of what maps hold that are kept in some way. */
  public BigDecimal unitPrice(Rate rate, TimeBand band, SharingLevel level, Persistence kept) {
    BigDecimal price = unitPrice(rate, band, level);
    if (!rate.measure().isStorage()) {
      return price;
    }
    BigDecimal ofKept = price.multiply(persistence.of(kept));
    return ofKept.signum() == 0 ? BigDecimal.ZERO : ofKept.stripTrailingZeros();
  }

  /**
   * Returns how maps can be kept whose usage of a measure has a line of its own; the default alone
   * if all have one together.
   */
  public List<Persistence> chargedApart(Measure measure) {
    return measure.isStorage() ? persistence.charged() : PersistenceFactors.NONE.charged();
  }

  private static void requireDistinct(List<Rate> rates) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < rates.size(); i++) {
      String sku = rates.get(i).sku();
      require(seen.add(sku), "rates[" + i + "]", sku, "remove it: there is a rate of it already");
    }
  }

  private static void requireOrderOfReservations(List<Rate> rates) {
    Rate map = null;
    Rate member = null;
    for (Rate rate : rates) {
      map = rate.measure() == Measure.MAP_RESERVATIONS ? rate : map;
      member = rate.measure() == Measure.MEMBER_RESERVATIONS ? rate : member;
    }
    if (map == null && member == null) {
      return;
    }
    if (map == null || member == null) {
      throw new InvalidRateCardException(
          "rates",
          map == null ? "memberReservations alone" : "mapReservations alone",
          "name rates of both mapReservations and memberReservations, or of neither");
    }
    for (TimeBand band : TimeBand.values()) {
      BigDecimal ofMap = costOfOne(map, band, member);
      BigDecimal ofMember = costOfOne(member, band, map);
      require(
          ofMap.signum() > 0 && ofMember.compareTo(ofMap) > 0,
          "rates",
          "mapReservations at "
              + map.price(band).toPlainString()
              + " and memberReservations at "
              + member.price(band).toPlainString()
              + " ("
              + band.label()
              + ")",
          "set a price above 0 for keeping a map, and a higher one for keeping a member");
    }
  }

  /**
   * Returns the cost of one unit, multiplied by both {@code per}. Two such costs can be compared.
   */
  private static BigDecimal costOfOne(Rate rate, TimeBand band, Rate other) {
    return rate.price(band).multiply(rate.weight()).multiply(BigDecimal.valueOf(other.per()));
  }
}

package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.PeakCalendar;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.TimeBand;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes invoices from a ledger and rate cards. The same entries and cards make the same invoice,
 * whoever computes it and in whatever order events came.
 *
 * <p>A free allowance is used up in the order of the lines: by card, then peak hours before others,
 * then what is reserved before what is shared, then what has the higher factor of persistence; so
 * the tenant saves what is dearer.
 */
public final class Invoices {
  private static final SharingLevel[] DEAREST_FIRST = {
    SharingLevel.RESERVED_MEMBER, SharingLevel.RESERVED_MAP, SharingLevel.SHARED
  };

  /** Digits of the head's hash in an invoice's id: sides of a split can have as many entries. */
  private static final int HASH_DIGITS = 12;

  private final RateCards cards;
  private final PeriodUsage usage;

  /** The used part of free allowances, by measure and basis. */
  private final Map<String, BigDecimal> freeUsed = new HashMap<>();

  private final List<InvoiceLine> lines = new ArrayList<>();

  private Invoices(RateCards cards, PeriodUsage usage) {
    this.cards = cards;
    this.usage = usage;
  }

  /**
   * The invoice for a month, as of all that the ledger has now.
   *
   * @throws IllegalArgumentException if something was used when no rate card holds; the message
   *     says when
   */
  public static Invoice compute(TenantLedger ledger, YearMonth month, RateCards cards) {
    return compute(
        ledger.tenant(),
        ledger.tenantNumber(),
        new BillingPeriod(month, cards.zone()),
        cards,
        ledger.entries(),
        ledger.head());
  }

  /**
   * Returns the total of an invoice for a month that counts only what was used before a minute.
   *
   * @param until the first minute, since 1970, that does not count any more
   * @throws IllegalArgumentException as {@link #compute(TenantLedger, YearMonth, RateCards)}
   */
  static BigDecimal spent(TenantLedger ledger, BillingPeriod period, RateCards cards, long until) {
    return compute(
            ledger.tenant(),
            ledger.tenantNumber(),
            period,
            cards,
            PeriodUsage.of(period, ledger.entries(), until),
            ledger.head())
        .total();
  }

  /** Returns the total of an invoice for a usage. */
  static BigDecimal total(
      TenantName tenant,
      int tenantNumber,
      BillingPeriod period,
      RateCards cards,
      PeriodUsage usage) {
    LedgerHead none = LedgerHead.beginning(tenant, tenantNumber);
    return compute(tenant, tenantNumber, period, cards, usage, none).total();
  }

  static Invoice compute(
      TenantName tenant,
      int tenantNumber,
      BillingPeriod period,
      RateCards cards,
      List<LedgerEntry> entries,
      LedgerHead head) {
    return compute(tenant, tenantNumber, period, cards, PeriodUsage.of(period, entries), head);
  }

  private static Invoice compute(
      TenantName tenant,
      int tenantNumber,
      BillingPeriod period,
      RateCards cards,
      PeriodUsage usage,
      LedgerHead head) {
    Invoices invoices = new Invoices(cards, usage);
    invoices.requireCards();
    BigDecimal freeSpend = BigDecimal.ZERO;
    for (RateCard card : cards.cards()) {
      long from = Math.max(period.startMinute(), card.startMinute());
      long to = Math.min(period.endMinute(), card.endMinute());
      if (from < to) {
        invoices.addLines(card, from, to);
        freeSpend = freeSpend.max(card.freeSpend());
      }
    }
    BigDecimal subtotal =
        invoices.lines.stream()
            .map(InvoiceLine::amount)
            .reduce(BigDecimal.ZERO.setScale(cards.lineScale()), BigDecimal::add);
    BigDecimal credit = subtotal.min(freeSpend).setScale(cards.lineScale());
    return new Invoice(
        "%d-%s-%d-%s"
            .formatted(
                tenantNumber,
                period.month(),
                head.entries(),
                head.hash().hex().substring(0, HASH_DIGITS)),
        tenant,
        tenantNumber,
        period,
        cards.currency(),
        invoices.lines,
        credit,
        subtotal.subtract(credit),
        head);
  }

  private void requireCards() {
    long first = cards.cards().getFirst().startMinute();
    long last = cards.cards().getLast().endMinute();
    for (long minute = usage.start(); minute < usage.end(); minute++) {
      if ((minute < first || minute >= last) && usage.isAny(minute)) {
        throw new IllegalArgumentException(
            "no rate card holds at "
                + instant(minute)
                + ", and something was used then; make a card for that time");
      }
    }
  }

  private void addLines(RateCard card, long from, long to) {
    BitSet peak = peakMinutes(card.calendar());
    for (Rate rate : card.rates()) {
      for (TimeBand band : TimeBand.values()) {
        Part part = new Part(card, from, to, band, peak);
        for (SharingLevel sharing : DEAREST_FIRST) {
          addLines(part, rate, sharing);
        }
      }
    }
  }

  private BitSet peakMinutes(PeakCalendar calendar) {
    BitSet peak = new BitSet();
    for (long minute = usage.start(); minute < usage.end(); minute++) {
      peak.set((int) (minute - usage.start()), calendar.band(minute) == TimeBand.PEAK);
    }
    return peak;
  }

  private void addLines(Part part, Rate rate, SharingLevel sharing) {
    List<Persistence> apart = part.card.chargedApart(rate.measure());
    if (apart.size() == 1) {
      addLine(
          part,
          rate,
          sharing,
          Persistence.DEFAULT,
          usage.unitsOfAll(rate.measure(), rate.basis(), sharing, part));
      return;
    }
    List<Persistence> dearestFirst =
        apart.stream()
            .sorted(Comparator.comparing(part.card.persistence()::of).reversed())
            .toList();
    for (Persistence kept : dearestFirst) {
      addLine(
          part,
          rate,
          sharing,
          kept,
          usage.units(rate.measure(), rate.basis(), sharing, kept, part));
    }
  }

  private void addLine(
      Part part, Rate rate, SharingLevel sharing, Persistence persistence, BigInteger units) {
    BigDecimal quantity = new BigDecimal(units);
    if (quantity.signum() == 0) {
      return;
    }
    BigDecimal free = takeFree(rate, quantity);
    BigDecimal unitPrice = part.card.unitPrice(rate, part.band, sharing, persistence);
    lines.add(
        new InvoiceLine(
            part.card.id(),
            instant(part.from),
            instant(part.to),
            rate.measure(),
            rate.basis(),
            sharing,
            persistence,
            part.band,
            quantity,
            free,
            rate.per(),
            unitPrice,
            amount(quantity, free, unitPrice, rate.per(), cards.lineScale())));
  }

  /** The one place where money is rounded. */
  static BigDecimal amount(
      BigDecimal quantity, BigDecimal free, BigDecimal unitPrice, long per, int scale) {
    return quantity
        .subtract(free)
        .multiply(unitPrice)
        .divide(BigDecimal.valueOf(per), scale, RateCard.ROUNDING);
  }

  private BigDecimal takeFree(Rate rate, BigDecimal quantity) {
    BigDecimal used = freeUsed.getOrDefault(rate.sku(), BigDecimal.ZERO);
    BigDecimal free =
        rate.freeUnits().subtract(used).max(BigDecimal.ZERO).min(quantity).stripTrailingZeros();
    freeUsed.put(rate.sku(), used.add(free));
    return free.signum() == 0 ? BigDecimal.ZERO : free;
  }

  private static Instant instant(long minute) {
    return Instant.ofEpochSecond(minute * 60);
  }

  /** The minutes of one card and band. */
  private final class Part implements PeriodUsage.Minutes {
    final RateCard card;
    final long from;
    final long to;
    final TimeBand band;
    private final BitSet peak;

    Part(RateCard card, long from, long to, TimeBand band, BitSet peak) {
      this.card = card;
      this.from = from;
      this.to = to;
      this.band = band;
      this.peak = peak;
    }

    @Override
    public boolean include(long minute) {
      return minute >= from
          && minute < to
          && peak.get((int) (minute - usage.start())) == (band == TimeBand.PEAK);
    }

    @Override
    public long day(long minute) {
      return card.calendar().localDay(minute);
    }
  }
}

package io.keyvalueserve.server;

import io.keyvalueserve.billing.ledger.BillOpenMetrics;
import io.keyvalueserve.billing.ledger.BrokenLedgerException;
import io.keyvalueserve.billing.ledger.Difference;
import io.keyvalueserve.billing.ledger.Forecast;
import io.keyvalueserve.billing.ledger.Invoice;
import io.keyvalueserve.billing.ledger.Invoices;
import io.keyvalueserve.billing.ledger.KeptBill;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.ledger.TenantLedger;
import io.keyvalueserve.billing.ledger.UsageSums;
import io.keyvalueserve.billing.ledger.UsageSums.Grouping;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.grid.ledger.GridLedger;
import io.keyvalueserve.grid.ledger.GridRates;
import io.keyvalueserve.grid.ledger.LedgerException;
import io.keyvalueserve.grid.ledger.LedgerOwner;
import io.keyvalueserve.grid.ledger.MergedUsage;
import io.keyvalueserve.resp.command.CommandCost;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.server.BillingException.Kind;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The usage, the bills and the rate cards, for operators and for the tenants themselves. They are
 * the same on every member.
 *
 * <p>Blocks; thread-safe. Methods that name a tenant throw {@link
 * io.keyvalueserve.tenancy.CatalogueException} if there is none, {@link BillingException}, and
 * {@link io.keyvalueserve.grid.ledger.LedgerException} if the ledger cannot be reached.
 */
public final class Billing {
  private static final Logger LOG = LoggerFactory.getLogger(Billing.class);
  private static final int MINUTE_SECONDS = 60;

  private final Catalogue catalogue;
  private final GridLedger ledger;
  private final GridRates rates;
  private final AuditTrails audit;
  private final InstantSource clock;
  private final UsageBook.Sharing sharing;

  /**
   * @param sharing what is shared, for quotes
   */
  Billing(
      Catalogue catalogue,
      GridLedger ledger,
      GridRates rates,
      AuditTrails audit,
      InstantSource clock,
      UsageBook.Sharing sharing) {
    this.catalogue = catalogue;
    this.ledger = ledger;
    this.rates = rates;
    this.audit = audit;
    this.clock = clock;
    this.sharing = sharing;
  }

  // ---- prices

  /** The prices that hold. */
  public RateCards rates() {
    return rates.cards();
  }

  /** Sets all prices. They hold on every member when it returns, also for what was used before. */
  public RateCards changeRates(RateCards cards, Actor by) {
    if (!RateCardsCodec.encode(cards).equals(RateCardsCodec.encode(rates.cards()))) {
      rates.set(cards);
      String names =
          cards.cards().stream()
              .map(card -> card.id() + " from " + card.from())
              .collect(Collectors.joining(", "));
      LOG.info("changed the rate cards: {}", names);
      audit.changed(Occurrence.ratesChanged(by, names));
    }
    return cards;
  }

  // ---- usage

  /**
   * Returns the beginning of the month that an instant is in, by the time zone of the rate cards.
   */
  public Instant startOfMonth(Instant instant) {
    return BillingPeriod.at(instant, rates.cards().zone()).start();
  }

  /**
   * Returns the usage of a tenant in a time, by group, as {@link UsageSums#of} adds it up.
   *
   * @param from the first instant; its minute counts as a whole
   * @param to the end; a minute in which it lies counts as a whole. Null for no end: then usage
   *     counts that a member with a fast clock has dated in the future
   */
  public SortedMap<String, Map<Measure, BigInteger>> usage(
      TenantName name, Instant from, @Nullable Instant to, Grouping by) {
    long first = Math.floorDiv(from.getEpochSecond(), MINUTE_SECONDS);
    long end = to == null ? Long.MAX_VALUE : Math.ceilDiv(to.getEpochSecond(), MINUTE_SECONDS);
    ZoneId zone = rates.cards().zone();
    return read(name, read -> UsageSums.of(read, first, end, by, zone));
  }

  // ---- bills

  /**
   * The bill of a tenant: what it owes for a month so far, and the forecast for the whole month.
   */
  public record Bill(Invoice invoice, Forecast forecast) {}

  /**
   * A tenant's bill.
   *
   * @param month null for this one
   */
  public Bill bill(TenantName name, @Nullable YearMonth month) {
    return bill(owner(name), month);
  }

  /** The bill of a tenant that may be deleted; see {@link #owner(TenantName, int)}. */
  public Bill bill(LedgerOwner owner, @Nullable YearMonth month) {
    RateCards cards = rates.cards();
    YearMonth wanted = month == null ? thisMonth(cards) : month;
    return read(
        owner,
        read ->
            priced(
                () ->
                    new Bill(
                        Invoices.compute(read, wanted, cards),
                        Forecast.of(read, wanted, cards, clock.instant()))));
  }

  private YearMonth thisMonth(RateCards cards) {
    return BillingPeriod.at(clock.instant(), cards.zone()).month();
  }

  /**
   * Reads all that is stored of a tenant's ledger, checks it, and computes a bill from it anew.
   *
   * @param month null for this one
   * @param kept what the tenant has of the bill; null for no more than that the ledger is whole
   * @return the first difference; empty if there is none
   */
  public Optional<Difference> verify(
      TenantName name, @Nullable YearMonth month, @Nullable KeptBill kept) {
    return verify(owner(name), month, kept);
  }

  /** Does the same for a tenant that may be deleted. */
  public Optional<Difference> verify(
      LedgerOwner owner, @Nullable YearMonth month, @Nullable KeptBill kept) {
    RateCards cards = rates.cards();
    YearMonth wanted = month == null ? thisMonth(cards) : month;
    List<byte[]> stored = ledger.entries(owner.number(), 0);
    return priced(
        () -> KeptBill.verify(owner.tenant(), owner.number(), stored, wanted, cards, kept));
  }

  /**
   * A line of the list of all bills.
   *
   * @param state null if the tenant was deleted
   * @param invoice null if there can be none
   * @param error why not
   */
  public record ListedBill(
      LedgerOwner owner,
      @Nullable TenantState state,
      @Nullable Invoice invoice,
      @Nullable String error) {}

  /**
   * The bills of all tenants that there are or that have a ledger, by name and number. Reads all
   * ledgers.
   *
   * @param month null for this one
   */
  public List<ListedBill> list(@Nullable YearMonth month) {
    Map<LedgerOwner, TenantState> present = new HashMap<>();
    catalogue.list().forEach(each -> present.put(owner(each), each.state()));
    Set<LedgerOwner> owners =
        new TreeSet<>(
            Comparator.comparing((LedgerOwner owner) -> owner.tenant().value())
                .thenComparingInt(LedgerOwner::number));
    owners.addAll(present.keySet());
    owners.addAll(ledger.owners());
    return owners.stream().map(owner -> listed(owner, present.get(owner), month)).toList();
  }

  /**
   * Returns the usage and the bills of tenants for this month, except for bills that cannot be made
   * now.
   */
  public List<BillOpenMetrics.Month> months(Set<TenantName> tenants) {
    List<BillOpenMetrics.Month> months = new ArrayList<>();
    for (TenantName name : tenants) {
      try {
        months.add(month(owner(catalogue.get(name)), null));
      } catch (CatalogueException | BillingException | LedgerException e) {
        LOG.debug("no bill of {} for metrics: {}", name, e.getMessage());
      }
    }
    return months;
  }

  /**
   * Returns the usage and the total of a tenant for a month.
   *
   * @param month null for this one
   */
  public BillOpenMetrics.Month month(LedgerOwner owner, @Nullable YearMonth month) {
    RateCards cards = rates.cards();
    BillingPeriod period =
        new BillingPeriod(month == null ? thisMonth(cards) : month, cards.zone());
    return read(
        owner,
        read -> {
          Invoice invoice = priced(() -> Invoices.compute(read, period.month(), cards));
          Map<Measure, BigInteger> usage =
              UsageSums.of(
                      read, period.startMinute(), period.endMinute(), Grouping.MONTH, period.zone())
                  .values()
                  .stream()
                  .findFirst()
                  .orElse(Map.of());
          return new BillOpenMetrics.Month(
              owner.tenant(), period.start(), invoice.currency(), invoice.total(), usage);
        });
  }

  private ListedBill listed(
      LedgerOwner owner, @Nullable TenantState state, @Nullable YearMonth month) {
    RateCards cards = rates.cards();
    YearMonth wanted = month == null ? thisMonth(cards) : month;
    try {
      Invoice invoice = read(owner, read -> priced(() -> Invoices.compute(read, wanted, cards)));
      return new ListedBill(owner, state, invoice, null);
    } catch (BillingException | LedgerException e) {
      return new ListedBill(owner, state, null, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the owner of the ledger for a name and a number. The number tells tenants of one name
   * apart.
   *
   * @return empty if no tenant of that name had the number, or it used nothing and is deleted
   */
  public Optional<LedgerOwner> owner(TenantName name, int number) {
    LedgerOwner wanted = new LedgerOwner(name, number);
    boolean isPresent = catalogue.list().stream().anyMatch(each -> owner(each).equals(wanted));
    return isPresent
        ? Optional.of(wanted)
        : ledger.owner(number).filter(owner -> owner.equals(wanted));
  }

  /** Returns the owner of the ledger that a tenant has now. */
  public LedgerOwner owner(TenantName name) {
    return owner(catalogue.get(name));
  }

  private static LedgerOwner owner(Tenant tenant) {
    return new LedgerOwner(tenant.name(), tenant.number());
  }

  /**
   * Returns the charge for a command of a Redis client now, on the map that clients begin with.
   *
   * @param arguments its name first
   * @throws CommandException if there is no such command, or it takes other arguments
   */
  public CommandCost cost(TenantName name, byte[][] arguments) {
    QualifiedName map = new QualifiedName(name, MapName.DEFAULT);
    SharingLevel level = sharing.of(catalogue.get(name).number(), map);
    return CommandCost.of(arguments, rates.cards(), level, clock.instant())
        .orElseThrow(
            () ->
                new BillingException(
                    Kind.NO_RATE_CARD, "no rate card holds at present; ask the operator", null));
  }

  // ---- the ledger

  /**
   * A tenant's entries of a month, and those that correct them.
   *
   * @param month null for all there are
   */
  public List<LedgerEntry> entries(TenantName name, @Nullable YearMonth month) {
    return entries(owner(name), month);
  }

  /** Does the same for a tenant that may be deleted. */
  public List<LedgerEntry> entries(LedgerOwner owner, @Nullable YearMonth month) {
    if (month == null) {
      return read(owner, read -> List.copyOf(read.entries()));
    }
    BillingPeriod period = new BillingPeriod(month, rates.cards().zone());
    return read(owner, read -> read.entries(period.startMinute(), period.endMinute()));
  }

  /**
   * Corrects what a tenant is charged for, once.
   *
   * @return as {@link TenantLedger#correct}
   */
  public TenantLedger.Result correct(TenantName name, Posting.Correction correction, Actor by) {
    Tenant tenant = catalogue.get(name);
    TenantLedger.Result result;
    try {
      result = ledger.correct(name, tenant.number(), correction);
    } catch (BrokenLedgerException e) {
      throw broken(name, e);
    }
    if (result instanceof TenantLedger.Result.Appended) {
      LOG.info("corrected entry {} of {}: {}", correction.entry(), name, correction.changes());
      audit.changed(
          Occurrence.ledgerCorrected(
              by,
              name,
              "entry " + correction.entry(),
              correction.changes() + ": " + correction.reason()));
    }
    return result;
  }

  /** Puts into the audit trail what a merge of two sides of a cluster has done to a ledger. */
  void merged(MergedUsage usage) {
    TenantName tenant = usage.owner().tenant();
    if (!usage.taken().isEmpty()) {
      String totals = MergedUsage.totals(usage.taken());
      LOG.info(
          "merged {} usage events into the ledger of {}: {}",
          usage.taken().size(),
          usage.owner(),
          totals);
      audit.changed(Occurrence.ledgerMerged(tenant, events(usage.taken()), totals));
    }
    if (!usage.lost().isEmpty()) {
      String totals = MergedUsage.totals(usage.lost());
      LOG.error("{} usage events of {} are lost: {}", usage.lost().size(), usage.owner(), totals);
      audit.changed(Occurrence.usageLost(tenant, events(usage.lost()), totals));
    }
    for (Posting.Correction each : usage.corrections()) {
      LOG.warn("a correction of the ledger of {} is lost: {}", usage.owner(), each);
      audit.changed(
          Occurrence.usageLost(
              tenant,
              "correction of entry " + each.entry(),
              each.changes() + ": " + each.reason()));
    }
  }

  private static String events(List<UsageEvent> events) {
    return events.size() + " events";
  }

  private <T> T read(TenantName name, Function<TenantLedger, T> question) {
    return read(owner(name), question);
  }

  private <T> T read(LedgerOwner owner, Function<TenantLedger, T> question) {
    try {
      return ledger.read(owner.tenant(), owner.number(), question);
    } catch (BrokenLedgerException e) {
      throw broken(owner.tenant(), e);
    }
  }

  private static BillingException broken(TenantName name, BrokenLedgerException e) {
    return new BillingException(
        Kind.BROKEN_LEDGER,
        "the ledger of tenant '" + name + "' was changed after it was written: " + e.getMessage(),
        e);
  }

  private static <T> T priced(Supplier<T> computation) {
    try {
      return computation.get();
    } catch (IllegalArgumentException e) {
      throw new BillingException(Kind.NO_RATE_CARD, String.valueOf(e.getMessage()), e);
    }
  }
}

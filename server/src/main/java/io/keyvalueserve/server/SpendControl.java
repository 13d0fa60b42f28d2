package io.keyvalueserve.server;

import io.keyvalueserve.billing.ledger.MalformedEntryException;
import io.keyvalueserve.billing.ledger.PeriodSpend;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.billing.spending.LedgerSpent;
import io.keyvalueserve.billing.spending.NanoMoney;
import io.keyvalueserve.billing.spending.SpendCaps;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.SpendWarning;
import io.keyvalueserve.billing.spending.Spendings;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.grid.ledger.GridLedger;
import io.keyvalueserve.server.config.WebhookRule;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this member's spend caps up to date, every second: with the prices that hold, and, on the
 * oldest member, with what the ledgers of tenants with caps say. Ledgers are read as often as usage
 * is told to them, each entry once. The oldest member warns, too.
 */
final class SpendControl implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpendControl.class);

  private final RepeatedWarning outdated =
      new RepeatedWarning(LOG, "spend caps are not up to date, it will be tried again");
  private final RepeatedWarning unknown =
      new RepeatedWarning(LOG, "what some tenants have spent is not known now");
  private static final long TICK_MILLIS = 1_000;

  private final Spendings spendings;
  private final Admissions admissions;
  private final SpendCaps caps;
  private final GridLedger ledger;
  private final Supplier<RateCards> rates;
  private final BooleanSupplier isOldest;
  private final AuditTrails audit;
  private final Webhooks webhooks;
  private final @Nullable Hook usualHook;
  private final InstantSource clock;
  private final long intervalMillis;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-spending").daemon().factory());

  // For the timer's thread alone.
  private final Map<Integer, Reading> readings = new HashMap<>();

  /** The progress of reading the ledger of a tenant. */
  private static final class Reading {
    final BillingPeriod period;
    final String cards;
    final PeriodSpend spend;
    long dueMillis;

    Reading(BillingPeriod period, String cards, PeriodSpend spend) {
      this.period = period;
      this.cards = cards;
      this.spend = spend;
    }
  }

  /**
   * @param isOldest whether this member is the one that adds up
   * @param usualHook is told of warnings where a cap has no hook of its own; null for nobody
   * @param webhookRule which hooks may be called
   * @param interval how often usage is told to the ledger
   */
  SpendControl(
      Admissions admissions,
      SpendCaps caps,
      GridLedger ledger,
      Supplier<RateCards> rates,
      BooleanSupplier isOldest,
      AuditTrails audit,
      @Nullable Hook usualHook,
      WebhookRule webhookRule,
      InstantSource clock,
      Duration interval) {
    this.usualHook = usualHook;
    this.admissions = admissions;
    this.spendings = admissions.spendings();
    this.caps = caps;
    this.ledger = ledger;
    this.rates = rates;
    this.isOldest = isOldest;
    this.audit = audit;
    this.clock = clock;
    this.intervalMillis = interval.toMillis();
    this.webhooks = new Webhooks(clock, webhookRule, caps::told);
  }

  /**
   * Begins, and waits until it is known what was spent, or for so long.
   *
   * @return whether it is known
   */
  boolean start(Duration patience) {
    spendings.setPrices(rates.get());
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    return Patience.until(spendings::hasHeardAll, patience);
  }

  private void tick() {
    try {
      RateCards cards = rates.get();
      spendings.setPrices(cards);
      if (isOldest.getAsBoolean()) {
        lead(cards);
      } else {
        readings.clear();
        spendings.adder().rest();
      }
    } catch (RuntimeException e) {
      outdated.because(e);
    }
  }

  private void lead(RateCards cards) {
    List<TenantCap> living = living();
    Set<Integer> numbers = new HashSet<>();
    living.forEach(cap -> numbers.add(cap.tenantNumber()));
    readings.keySet().retainAll(numbers);
    spendings.adder().retain(numbers);
    String text = living.isEmpty() ? "" : RateCardsCodec.encode(cards);
    Set<String> waiting = new HashSet<>();
    for (TenantCap cap : living) {
      try {
        read(cap, cards, text);
        warn(cap);
      } catch (RuntimeException e) {
        unknown.because(e);
      }
      tell(cap, waiting);
    }
    webhooks.retain(waiting);
  }

  /** The caps of tenants that are there; those of others are taken off. */
  private List<TenantCap> living() {
    if (spendings.caps().isEmpty()) {
      return List.of();
    }
    Map<TenantName, Tenant> known = new HashMap<>();
    admissions.tenants().forEach(tenant -> known.put(tenant.name(), tenant));
    List<TenantCap> living = new ArrayList<>();
    for (TenantCap cap : spendings.caps()) {
      Tenant tenant = known.get(cap.tenant());
      if (tenant == null) {
        continue;
      }
      if (tenant.state() == TenantState.DELETED || tenant.number() != cap.tenantNumber()) {
        var _ = caps.clear(cap.tenant(), cap.tenantNumber());
      } else {
        living.add(cap);
      }
    }
    return living;
  }

  // ---- what the ledger says

  private void read(TenantCap cap, RateCards cards, String text) {
    long now = clock.millis();
    int number = cap.tenantNumber();
    BillingPeriod period = BillingPeriod.at(clock.instant(), cards.zone());
    Reading reading = readings.get(number);
    if (reading == null || !reading.period.equals(period) || !reading.cards.equals(text)) {
      reading = new Reading(period, text, new PeriodSpend(cap.tenant(), number, period, cards));
      readings.put(number, reading);
    }
    if (now < reading.dueMillis && now >= reading.dueMillis - intervalMillis) {
      return; // not if the clock was set back
    }
    reading.dueMillis = now + intervalMillis;
    PeriodSpend spend = reading.spend;
    try {
      spend.add(ledger.entries(number, spend.entries()));
    } catch (MalformedEntryException e) {
      readings.remove(number);
      throw new IllegalStateException("its ledger was changed after it was written", e);
    }
    spendings
        .adder()
        .setLedger(
            number,
            new LedgerSpent(period.month(), NanoMoney.ofAtLeast(spend.total()), spend.posted()));
  }

  // ---- warnings

  private void warn(TenantCap cap) {
    SpendLimit limit = cap.limit();
    OptionalLong total = spendings.adder().total(cap.tenantNumber());
    Reading reading = readings.get(cap.tenantNumber());
    if (limit == null || total.isEmpty() || reading == null) {
      return;
    }
    for (int percent : limit.reached(total.getAsLong())) {
      if (!cap.hasWarned(reading.period.month(), percent)) {
        SpendWarning warning =
            new SpendWarning(
                reading.period, percent, NanoMoney.amount(total.getAsLong()), limit.cap());
        TenantCap.Warning noted = caps.warn(cap, warning, clock.millis(), hook(cap) == null);
        if (noted != null) {
          announce(cap, limit, warning);
        }
      }
    }
  }

  private void announce(TenantCap cap, SpendLimit limit, SpendWarning warning) {
    String spent =
        "spent %s of %s %s in %s"
            .formatted(
                warning.spent().stripTrailingZeros().toPlainString(),
                warning.cap().toPlainString(),
                limit.currency(),
                warning.period().month());
    LOG.warn(
        "tenant {} has {}, {} percent of its spend cap", cap.tenant(), spent, warning.percent());
    audit.changed(Occurrence.capSpent(Actor.Other.MEMBER, cap.tenant(), warning.percent(), spent));
  }

  private @Nullable Hook hook(TenantCap cap) {
    Hook own = cap.hook();
    return own == null ? usualHook : own;
  }

  private void tell(TenantCap cap, Set<String> waiting) {
    Hook hook = hook(cap);
    SpendLimit limit = cap.limit();
    if (hook == null || limit == null) {
      return;
    }
    for (TenantCap.Warning warning : cap.warnings()) {
      if (!warning.isTold()) {
        waiting.add(warning.id());
        webhooks.offer(cap.tenant(), limit, hook, warning);
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    webhooks.close();
  }
}

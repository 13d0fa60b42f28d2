package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.TimeBand;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The spend caps of all tenants, as one member holds to them. Fed with the records of the {@link
 * CapStore}, with prices, and with what all members have spent.
 *
 * <p>Thread-safe. What doors ask is a {@link Purse} and never waits; changes take turns.
 */
public final class Spendings {
  /**
   * The number of intervals told to the ledger that are remembered. If a ledger cannot be reached
   * for longer, what was spent before is missing from the total until it can.
   */
  public static final int MOST_MARKS = 32;

  private static final int ALL_EVERY = 10;

  private final InstantSource clock;
  private final SpendAdder adder = new SpendAdder();
  private final ConcurrentHashMap<Integer, Purse> purses = new ConcurrentHashMap<>();

  // Guarded by this.
  private final Map<TenantName, TenantCap> records = new HashMap<>();
  private final Map<Integer, Holding> holdings = new HashMap<>();
  private @Nullable RateCards cards;
  private @Nullable RateCard card;
  private @Nullable TimeBand band;
  private @Nullable RequestPrices prices;
  private @Nullable UUID life;
  private long reports;

  /** A cap that holds here. */
  private static final class Holding {
    SpendCap cap;
    boolean heard;
    final Deque<SpentHere.Mark> marks = new ArrayDeque<>();
    YearMonth month;
    SpentHere.@Nullable OfTenant reported;

    Holding(SpendCap cap, YearMonth month) {
      this.cap = cap;
      this.month = month;
    }
  }

  /** Creates spendings without any cap. */
  public Spendings(InstantSource clock) {
    this.clock = clock;
  }

  /** Adds up what members spend, if this member is the one that does. */
  public SpendAdder adder() {
    return adder;
  }

  /**
   * Returns the purse that doors ask for a tenant. It stays the same when the tenant's cap changes.
   */
  public Purse purse(int tenantNumber) {
    return purses.computeIfAbsent(tenantNumber, number -> new Purse(clock));
  }

  // ---- caps

  /** Takes a record in; one that is not newer than what is known changes nothing. */
  public synchronized void apply(TenantCap record) {
    TenantCap before = records.get(record.tenant());
    if (before != null && before.revision() >= record.revision()) {
      return;
    }
    records.put(record.tenant(), record);
    if (before != null && before.tenantNumber() != record.tenantNumber()) {
      drop(before.tenantNumber());
    }
    hold(record);
  }

  private void drop(int tenantNumber) {
    holdings.remove(tenantNumber);
    Purse purse = purses.get(tenantNumber);
    if (purse != null) {
      purse.put(null);
    }
  }

  /** Forgets a tenant that was deleted. */
  public synchronized void forget(int tenantNumber) {
    drop(tenantNumber);
    purses.remove(tenantNumber);
  }

  private void hold(TenantCap record) {
    SpendLimit limit = record.limit();
    RateCards known = cards;
    if (limit == null) {
      drop(record.tenantNumber());
    } else if (known != null) {
      Holding before = holdings.get(record.tenantNumber());
      if (before == null || !before.cap.limit().equals(limit) || !isIn(before.cap, known)) {
        hold(record.tenantNumber(), limit, before, known);
      }
    }
  }

  private boolean isIn(SpendCap cap, RateCards known) {
    return cap.period(clock.millis()).zone().equals(known.zone());
  }

  private void hold(int tenantNumber, SpendLimit limit, @Nullable Holding before, RateCards known) {
    long now = clock.millis();
    BillingPeriod period = BillingPeriod.at(Instant.ofEpochMilli(now), known.zone());
    long total = 0;
    long own = 0;
    if (before != null && before.cap.period(now).month().equals(period.month())) {
      own = before.cap.report(now).spentNanos();
      total = before.cap.knownNanos(now);
    }
    SpendCap cap = new SpendCap(limit, new SpendTotal(period, total, own, 1), 0);
    if (before == null) {
      holdings.put(tenantNumber, new Holding(cap, period.month()));
    } else {
      before.cap = cap;
    }
    purse(tenantNumber).put(new Purse.Content(cap, prices));
  }

  /** The records of all caps that hold. */
  public synchronized List<TenantCap> caps() {
    return records.values().stream().filter(record -> record.limit() != null).toList();
  }

  // ---- prices

  /** Takes in the prices that hold, and what time it is. To be called every second. */
  public synchronized void setPrices(RateCards next) {
    RateCards before = cards;
    cards = next;
    long minute = Math.floorDiv(clock.millis(), 60_000L);
    RateCard holds = next.at(minute).orElse(null);
    TimeBand now = holds == null ? null : holds.calendar().band(minute);
    boolean isOther = before == null || !Objects.equals(holds, card) || now != band;
    if (isOther) {
      card = holds;
      band = now;
      prices =
          holds == null || now == null ? null : new RequestPrices(holds, now, SharingLevel.SHARED);
      holdings.forEach((number, held) -> purse(number).put(new Purse.Content(held.cap, prices)));
    }
    if (before == null || !before.zone().equals(next.zone())) {
      records.values().forEach(this::hold);
    }
  }

  // ---- what is spent

  /**
   * Marks what was spent when usage was told to the ledger.
   *
   * @param events what is told, all of it of this member
   */
  public synchronized void telling(List<UsageEvent> events) {
    long interval = -1;
    for (UsageEvent event : events) {
      interval = Math.max(interval, event.identity().interval());
      life = event.identity().member();
    }
    if (interval < 0) {
      return;
    }
    long now = clock.millis();
    for (Holding held : holdings.values()) {
      SpendReport report = report(held, now);
      SpentHere.Mark last = held.marks.peekLast();
      if (last == null || last.interval() < interval) {
        held.marks.add(new SpentHere.Mark(interval, report.spentNanos()));
      }
      if (held.marks.size() > MOST_MARKS) {
        held.marks.removeFirst();
      }
    }
  }

  private static SpendReport report(Holding held, long now) {
    SpendReport report = held.cap.report(now);
    if (!report.period().month().equals(held.month)) {
      held.month = report.period().month();
      held.marks.clear();
    }
    return report;
  }

  /** Returns whether any cap holds on this member. */
  public synchronized boolean isAnyCapped() {
    return !holdings.isEmpty();
  }

  /**
   * Returns the report of what this member has spent, for the member that adds up. It contains the
   * tenants whose figures changed since the last report. Every {@value #ALL_EVERY} reports it
   * contains all, as a report may be lost.
   */
  public synchronized SpentHere report(UUID member) {
    long now = clock.millis();
    boolean isOfAll = reports++ % ALL_EVERY == 0;
    List<SpentHere.OfTenant> tenants = new ArrayList<>();
    holdings.forEach(
        (number, held) -> {
          SpendReport report = report(held, now);
          SpentHere.OfTenant spent =
              new SpentHere.OfTenant(
                  number, held.month, report.spentNanos(), List.copyOf(held.marks));
          if (isOfAll || !spent.equals(held.reported)) {
            held.reported = spent;
            tenants.add(spent);
          }
        });
    return new SpentHere(member, life, tenants);
  }

  /** Takes in what all have spent. */
  public synchronized void hear(SpentByAll said) {
    RateCards known = cards;
    if (known == null) {
      return;
    }
    long now = clock.millis();
    for (SpentByAll.OfTenant total : said.tenants()) {
      Holding held = holdings.get(total.tenantNumber());
      if (held != null
          && held.cap.hear(
              new SpendTotal(
                  new BillingPeriod(total.month(), known.zone()),
                  total.totalNanos(),
                  total.ownNanos(),
                  total.members()),
              now)) {
        held.heard = true;
      }
    }
  }

  /**
   * Returns whether this member has heard what all have spent for a tenant, or the tenant has no
   * cap here.
   */
  public synchronized boolean hasHeard(int tenantNumber) {
    Holding held = holdings.get(tenantNumber);
    return held == null || held.heard;
  }

  /**
   * Returns whether this member has heard for every cap what all have spent. Until then too much
   * may be spent.
   */
  public synchronized boolean hasHeardAll() {
    return cards != null && holdings.values().stream().allMatch(held -> held.heard);
  }

  /**
   * The state of a tenant's cap, as this member knows it.
   *
   * @param period the month
   * @param spentNanos what all have spent in it
   * @param waitMillis when it may spend anything again: 0 for now; {@link SpendCap#REFUSED} for not
   *     in this month
   */
  public record State(BillingPeriod period, long spentNanos, long waitMillis) {}

  /** Returns the state of a tenant's cap, or null if no cap holds here. */
  public synchronized @Nullable State state(int tenantNumber) {
    Holding held = holdings.get(tenantNumber);
    if (held == null) {
      return null;
    }
    long now = clock.millis();
    return new State(held.cap.period(now), held.cap.knownNanos(now), held.cap.waitMillis(1, now));
  }
}

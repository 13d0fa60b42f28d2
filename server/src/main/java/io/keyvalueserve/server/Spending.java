package io.keyvalueserve.server;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.InvalidRateCardException;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.billing.spending.InvalidSpendLimitException;
import io.keyvalueserve.billing.spending.NanoMoney;
import io.keyvalueserve.billing.spending.SpendAction;
import io.keyvalueserve.billing.spending.SpendCap;
import io.keyvalueserve.billing.spending.SpendCaps;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.Spendings;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.server.config.WebhookRule;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spend caps of tenants: what operators set, and what has been spent of them on all members.
 *
 * <p>Blocks; thread-safe. Methods that name a tenant throw {@link
 * io.keyvalueserve.tenancy.CatalogueException} if there is none.
 */
public final class Spending {
  private static final Logger LOG = LoggerFactory.getLogger(Spending.class);
  private static final Duration UNTIL_HEARD = Duration.ofSeconds(3);

  private final Catalogue catalogue;
  private final SpendCaps caps;
  private final Spendings spendings;
  private final Supplier<RateCards> rates;
  private final WebhookRule webhookRule;
  private final AuditTrails audit;
  private final InstantSource clock;

  /**
   * @param rates the prices that hold, asked of the grid
   * @param webhookRule which hooks may be set, and are called
   */
  Spending(
      Catalogue catalogue,
      SpendCaps caps,
      Spendings spendings,
      Supplier<RateCards> rates,
      WebhookRule webhookRule,
      AuditTrails audit,
      InstantSource clock) {
    this.catalogue = catalogue;
    this.caps = caps;
    this.spendings = spendings;
    this.rates = rates;
    this.webhookRule = webhookRule;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * A tenant's cap, and how it stands.
   *
   * @param hook who is told of warnings; null for nobody
   * @param hookMistake why the hook is not called, and the remedy; null if it is
   * @param period the month
   * @param spent what was spent in it
   * @param roomAt when it may spend again; null for now
   * @param warnings that were given in the month
   */
  public record View(
      TenantName tenant,
      SpendLimit limit,
      @Nullable Hook hook,
      @Nullable String hookMistake,
      BillingPeriod period,
      BigDecimal spent,
      @Nullable Instant roomAt,
      List<TenantCap.Warning> warnings) {
    public View {
      warnings = List.copyOf(warnings);
    }

    /** Returns the amount that is left: 0 or more. */
    public BigDecimal left() {
      return limit.cap().subtract(spent).max(BigDecimal.ZERO);
    }
  }

  /** A tenant's cap; empty if it has none. */
  public Optional<View> get(TenantName name) {
    Tenant tenant = catalogue.get(name);
    return caps.get(name, tenant.number()).map(this::view);
  }

  /** The caps of all tenants, by name. */
  public List<View> all() {
    return views(caps.all());
  }

  /** The caps that hold on this member, by name, without asking others. */
  public List<View> allHere() {
    return views(spendings.caps());
  }

  private List<View> views(List<TenantCap> of) {
    List<View> views = new ArrayList<>();
    of.stream()
        .filter(cap -> cap.limit() != null)
        .sorted(Comparator.comparing(TenantCap::tenant))
        .forEach(cap -> views.add(view(cap)));
    return views;
  }

  private View view(TenantCap cap) {
    SpendLimit limit = cap.limit();
    if (limit == null) {
      throw new IllegalArgumentException("no cap of " + cap.tenant());
    }
    Spendings.State state = spendings.state(cap.tenantNumber());
    BillingPeriod period =
        state == null ? BillingPeriod.at(clock.instant(), rates.get().zone()) : state.period();
    return new View(
        cap.tenant(),
        limit,
        cap.hook(),
        mistakeIn(cap.hook()),
        period,
        state == null ? BigDecimal.ZERO : NanoMoney.amount(state.spentNanos()),
        state == null ? null : roomAt(state),
        cap.warnings(period.month()));
  }

  private @Nullable String mistakeIn(@Nullable Hook hook) {
    return hook == null ? null : webhookRule.mistakeIn(hook.url()).orElse(null);
  }

  private @Nullable Instant roomAt(Spendings.State state) {
    if (state.waitMillis() == 0) {
      return null;
    }
    return state.waitMillis() == SpendCap.REFUSED
        ? state.period().end()
        : clock.instant().plusMillis(state.waitMillis());
  }

  /** Returns the currency of caps: that of the rate cards. */
  public Currency currency() {
    return rates.get().currency();
  }

  /**
   * Sets a tenant's cap. It holds on every member when it returns, and usually it is known by then
   * what was spent.
   *
   * @param hook who is told of warnings; null for nobody
   * @throws InvalidSpendLimitException if the hook may not be called
   */
  public View set(TenantName name, SpendLimit limit, @Nullable Hook hook, Actor by) {
    Tenant tenant = catalogue.get(name);
    String mistake = mistakeIn(hook);
    if (mistake != null) {
      throw new InvalidSpendLimitException("webhook.url", "webhook.url " + mistake);
    }
    SpendCaps.Change change = caps.set(name, tenant.number(), limit, hook);
    String text = text(change.before()) + " to " + text(change.after());
    LOG.info("changed the spend cap of tenant {}: {}", name, text);
    audit.changed(Occurrence.capChanged(by, name, text));
    boolean _ = Patience.until(() -> spendings.hasHeard(tenant.number()), UNTIL_HEARD);
    return view(change.after());
  }

  /**
   * Takes a tenant's cap off.
   *
   * @return whether it had one
   */
  public boolean clear(TenantName name, Actor by) {
    Tenant tenant = catalogue.get(name);
    SpendCaps.Change change = caps.clear(name, tenant.number());
    if (change.before() == null || change.after().limit() != null) {
      return false;
    }
    String text = text(change.before()) + " to none";
    LOG.info("changed the spend cap of tenant {}: {}", name, text);
    audit.changed(Occurrence.capChanged(by, name, text));
    return true;
  }

  private static String text(@Nullable TenantCap cap) {
    SpendLimit limit = cap == null ? null : cap.limit();
    if (cap == null || limit == null) {
      return "none";
    }
    return limit.cap().toPlainString()
        + " "
        + limit.currency()
        + " a month, "
        + limit.action().label()
        + (limit.action() == SpendAction.THROTTLE ? ", burst " + limit.burstPercent() + "%" : "")
        + ", warns at "
        + limit.warnPercents()
        + (cap.hook() == null ? "" : ", tells a webhook");
  }

  /**
   * Makes sure that caps are in the money of rate cards.
   *
   * @throws InvalidRateCardException if one is not
   */
  public void requireFits(RateCards cards) {
    for (TenantCap cap : caps.all()) {
      SpendLimit limit = cap.limit();
      if (limit != null && !limit.currency().equals(cards.currency())) {
        throw new InvalidRateCardException(
            "cards[0].currency",
            cards.currency(),
            "clear the spend cap of '" + cap.tenant() + "' first, which is in " + limit.currency());
      }
    }
  }
}

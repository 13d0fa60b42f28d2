package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import io.keyvalueserve.grid.hibernation.HibernationException;
import io.keyvalueserve.grid.hibernation.HibernationListener;
import io.keyvalueserve.grid.hibernation.Hibernator;
import io.keyvalueserve.server.config.Durations;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has tenants leave memory that nobody uses, and come back. What is done is in the audit trail.
 * Blocks; thread-safe.
 */
public final class Hibernating {
  private static final Logger LOG = LoggerFactory.getLogger(Hibernating.class);
  private static final Duration WAKE_PATIENCE = Duration.ofSeconds(60);

  private final Catalogue tenants;
  private final GridMember grid;
  private final Hibernator hibernator;
  private final Predicate<TenantName> isThere;
  private final HibernatedUsage usage;
  private final AuditTrails audit;
  private final LongAdder firstMillis = new LongAdder();
  private final LongAdder wakes = new LongAdder();
  private final AtomicLong longestMillis = new AtomicLong();

  /**
   * @param isThere whether a tenant exists, and is not being deleted
   */
  Hibernating(
      Catalogue tenants,
      GridMember grid,
      Hibernator hibernator,
      Predicate<TenantName> isThere,
      HibernatedUsage usage,
      AuditTrails audit) {
    this.isThere = isThere;
    this.usage = usage;
    this.tenants = tenants;
    this.grid = grid;
    this.hibernator = hibernator;
    this.audit = audit;
    hibernator.listen(new Trail());
  }

  /**
   * Where the data of a tenant is.
   *
   * @param usual how long after its last use a tenant leaves memory that has no setting; zero for
   *     never
   */
  public record View(
      TenantName tenant, Hibernation hibernation, Duration usual, Hibernator.Troubles troubles) {}

  /**
   * Figures of tenants that are not in memory.
   *
   * @param asleep the number of tenants of the cluster that are in a repository alone
   * @param asleepBytes the bytes that they have there
   * @param slept the number of tenants that this member has put to sleep since it started
   * @param woken the number of tenants that it has woken
   * @param firstMillis the sum of the times until what the first request needs was there
   * @param longestMillis the longest of these
   */
  public record Figures(
      long asleep,
      long asleepBytes,
      long slept,
      long woken,
      long firstMillis,
      long longestMillis) {}

  /** Notes what is done, and by whom. */
  private final class Trail implements HibernationListener {
    @Override
    public boolean isThere(TenantName tenant) {
      return isThere.test(tenant);
    }

    @Override
    public void slept(TenantName tenant, Image image) {
      noteAsleep(tenant, image, Actor.Other.MEMBER);
    }

    @Override
    public void woke(
        TenantName tenant,
        Image image,
        long sinceMillis,
        long entries,
        Duration first,
        Duration whole) {
      usage.woke(tenant, image.bytes(), sinceMillis);
      firstMillis.add(first.toMillis());
      wakes.increment();
      long _ = longestMillis.accumulateAndGet(first.toMillis(), Math::max);
      String words =
          entries
              + " entries; the first request waited "
              + first.toMillis()
              + " ms, all were there after "
              + whole.toMillis()
              + " ms";
      LOG.info("tenant {} is in memory again: {}", tenant, words);
      audit.changed(Occurrence.tenantWoken(Actor.Other.MEMBER, tenant, words));
    }

    @Override
    public void failed(TenantName tenant, String why) {
      audit.changed(Occurrence.tenantWakeFailed(Actor.Other.MEMBER, tenant, why));
    }
  }

  private void noteAsleep(TenantName tenant, Image image, Actor by) {
    String words =
        image.entries()
            + " entries, "
            + image.bytes()
            + " bytes in "
            + image.repository()
            + " snapshot "
            + image.snapshot();
    LOG.info("tenant {} is hibernated: {}", tenant, words);
    audit.changed(Occurrence.tenantHibernated(by, tenant, words));
  }

  /** Returns where the data of a tenant is. */
  public View of(TenantName tenant) {
    Tenant _ = tenants.get(tenant);
    return new View(tenant, hibernator.of(tenant), hibernator.usual(), hibernator.troubles(tenant));
  }

  /** Returns whether a tenant is in memory, as far as this member knows. Does not block. */
  public Phase phaseOf(TenantName tenant) {
    return grid.sleepingTenants().phaseOf(tenant.value());
  }

  /** Returns what this member has done. Does not block. */
  public Figures figures() {
    return new Figures(
        grid.sleepingTenants().asleep(),
        grid.sleepingTenants().asleepBytes(),
        hibernator.slept(),
        wakes.sum(),
        firstMillis.sum(),
        longestMillis.get());
  }

  /**
   * Sets how long after its last use a tenant leaves memory.
   *
   * @param after zero for never; null for what the members are set to
   * @throws Hibernation.InvalidException if the time is not possible
   */
  public View setAfter(TenantName tenant, @Nullable Duration after, Actor by) {
    Tenant _ = tenants.get(tenant);
    Duration before = hibernator.of(tenant).after();
    Hibernation _ = hibernator.setAfter(tenant, after);
    String words = "hibernate-after=" + inWords(after) + " (before: " + inWords(before) + ")";
    LOG.info("configured tenant {}: {}", tenant, words);
    audit.changed(Occurrence.tenantConfigured(by, tenant, words));
    return of(tenant);
  }

  /** Returns a setting in words: never, default, or a time. */
  public static String inWords(@Nullable Duration after) {
    return after == null ? "default" : after.isZero() ? "never" : Durations.text(after);
  }

  /**
   * Has a tenant leave memory now.
   *
   * @throws HibernationException if that is not possible: the message says why
   */
  public View hibernate(TenantName tenant, Actor by) {
    Tenant _ = tenants.get(tenant);
    Image image = hibernator.hibernate(tenant).image();
    if (image != null) {
      noteAsleep(tenant, image, by);
    }
    return of(tenant);
  }

  /**
   * Brings a tenant back into memory, if it is not there. Returns when all of it is.
   *
   * @throws HibernationException if that is not possible, or takes longer than a minute
   */
  public View wake(TenantName tenant) {
    Tenant _ = tenants.get(tenant);
    hibernator.wake(tenant, WAKE_PATIENCE);
    return of(tenant);
  }

  /**
   * Brings a tenant back into memory, if this member knows that it is not there: something is to be
   * done with all that it has.
   *
   * @throws HibernationException if that is not possible, or takes longer than a minute
   */
  void require(TenantName tenant) {
    if (phaseOf(tenant) != Phase.AWAKE) {
      hibernator.wake(tenant, WAKE_PATIENCE);
    }
  }

  /** Forgets a tenant that is deleted, and deletes its image. Before its key is destroyed. */
  void forget(TenantName tenant) {
    hibernator.forget(tenant);
  }
}

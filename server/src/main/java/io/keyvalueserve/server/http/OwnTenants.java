package io.keyvalueserve.server.http;

import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Ranking;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Chooses the tenants that have series of their own in the metrics: those that do most, then those
 * that keep most. A tenant keeps its series until others do clearly more. Not thread-safe.
 */
final class OwnTenants {
  /** The most tenants that have series of their own. */
  static final int MOST = 50;

  /** The tenant of the series of all others together. No tenant can be called so. */
  static final String REST = "(rest)";

  private static final long PAUSE_NANOS = 30_000_000_000L;

  /** A tenant leaves when so many times as many others do more. */
  private static final int RELUCTANCE = 2;

  private final Administration administration;
  private final LongSupplier nanoTime;
  private Set<TenantName> chosen = Set.of();
  private long dueNanos;

  /**
   * Chooses nobody yet.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  OwnTenants(Administration administration, LongSupplier nanoTime) {
    this.administration = administration;
    this.nanoTime = nanoTime;
    this.dueNanos = nanoTime.getAsLong();
  }

  /**
   * Returns the tenants that have series of their own now. They change every 30 seconds at most.
   */
  Set<TenantName> now() {
    long now = nanoTime.getAsLong();
    boolean isAll = administration.tenantCount() <= MOST;
    if (isAll) {
      chosen = new LinkedHashSet<>(administration.tenantNames(MOST));
    } else if (now - dueNanos >= 0 || chosen.size() < MOST) {
      dueNanos = now + PAUSE_NANOS;
      chosen =
          choose(
              chosen,
              ranked(Ranking.OPERATIONS),
              ranked(Ranking.MEMORY),
              administration.tenantNames(MOST));
    }
    return chosen;
  }

  private List<TenantName> ranked(Ranking ranking) {
    return administration.busiestHere(ranking, RELUCTANCE * MOST);
  }

  /**
   * Chooses {@link #MOST} tenants, if there are as many.
   *
   * @param before those that were chosen before
   * @param busiest those that do most, the first ones most: up to twice as many
   * @param largest those that keep most, likewise
   * @param any tenants to fill up with
   */
  static Set<TenantName> choose(
      Set<TenantName> before,
      List<TenantName> busiest,
      List<TenantName> largest,
      List<TenantName> any) {
    Set<TenantName> chosen = new LinkedHashSet<>();
    for (List<TenantName> ranked : List.of(busiest, largest, any)) {
      List<TenantName> inOrder = new ArrayList<>(ranked);
      inOrder.removeIf(name -> !before.contains(name));
      inOrder.addAll(ranked);
      inOrder.stream().takeWhile(name -> chosen.size() < MOST).forEach(chosen::add);
    }
    return chosen;
  }
}

package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.Optional;

/**
 * The plans of tenants' snapshots in a system map of the grid, each under its tenant's name. A plan
 * that is deleted leaves a record that says so. Thread-safe; blocks.
 */
public final class GridSnapshotPlans extends RecordMap<String, SnapshotPlan> {
  private static final String PLANS = "__kvs.snapshot-plans";

  /** The plans as this member reaches them. */
  public GridSnapshotPlans(HazelcastInstance instance, NodeEngine nodeEngine) {
    super(PLANS, instance, nodeEngine);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, PLANS, RecordMergePolicy.SnapshotPlans.class);
  }

  /** Returns the plan of a tenant; empty if there is none. */
  public Optional<SnapshotPlan> find(TenantName tenant) {
    return get(tenant.value()).filter(plan -> !plan.deleted());
  }

  /**
   * Sets the plan of a tenant.
   *
   * @throws SnapshotPlan.InvalidPlanException if a time is not possible
   */
  public SnapshotPlan set(
      TenantName tenant, String repository, Duration every, Duration keep, boolean archive) {
    while (true) {
      Optional<SnapshotPlan> before = get(tenant.value());
      SnapshotPlan next =
          new SnapshotPlan(
              tenant.value(),
              before.map(SnapshotPlan::revision).orElse(0L) + 1,
              false,
              repository,
              every,
              keep,
              archive);
      if (replace(before.orElse(null), next)) {
        return next;
      }
    }
  }

  /**
   * Deletes the plan of a tenant.
   *
   * @return false if there was none
   */
  public boolean delete(TenantName tenant) {
    while (true) {
      Optional<SnapshotPlan> before = find(tenant);
      if (before.isEmpty()) {
        return false;
      }
      if (replace(before.get(), before.get().gone())) {
        return true;
      }
    }
  }

  @Override
  String encode(SnapshotPlan plan) {
    return SnapshotPlanCodec.encode(plan);
  }

  @Override
  SnapshotPlan decode(String text) {
    return SnapshotPlanCodec.decode(text);
  }

  @Override
  String nameOf(SnapshotPlan plan) {
    return plan.tenant();
  }

  @Override
  long revisionOf(SnapshotPlan plan) {
    return plan.revision();
  }
}

package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of tenants is, in a system map of the grid, each record under its tenant's name.
 * Tenants that never left memory, and have no setting, have none. Thread-safe; blocks.
 */
public final class GridHibernations extends RecordMap<String, Hibernation> {
  private static final String HIBERNATIONS = "__kvs.hibernations";

  /** The records as this member reaches them. */
  public GridHibernations(HazelcastInstance instance, NodeEngine nodeEngine) {
    super(HIBERNATIONS, instance, nodeEngine);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, HIBERNATIONS, RecordMergePolicy.Hibernations.class);
  }

  /** Returns the record of a tenant. */
  public Hibernation of(TenantName tenant) {
    return get(tenant.value()).orElseGet(() -> Hibernation.none(tenant.value()));
  }

  /**
   * Changes the record of a tenant, unless it is no longer what it was.
   *
   * @return whether it was changed
   */
  public boolean change(Hibernation from, Hibernation to) {
    return replace(from.revision() == 0 ? null : from, to);
  }

  /**
   * Changes the record of a tenant.
   *
   * @param change returns what follows on a record; null to leave it
   * @return what follows; empty if it was left
   */
  public Optional<Hibernation> update(
      TenantName tenant, Function<Hibernation, @Nullable Hibernation> change) {
    while (true) {
      Hibernation before = of(tenant);
      Hibernation next = change.apply(before);
      if (next == null) {
        return Optional.empty();
      }
      if (change(before, next)) {
        return Optional.of(next);
      }
    }
  }

  @Override
  String encode(Hibernation hibernation) {
    return HibernationCodec.encode(hibernation);
  }

  @Override
  Hibernation decode(String text) {
    return HibernationCodec.decode(text);
  }

  @Override
  String nameOf(Hibernation hibernation) {
    return hibernation.tenant();
  }

  @Override
  long revisionOf(Hibernation hibernation) {
    return hibernation.revision();
  }
}

package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.billing.spending.CapCodec;
import io.keyvalueserve.billing.spending.CapStore;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.tenancy.TenantName;

/** Spend caps in a system map of the grid, each under its tenant's name. */
public final class GridCapStore extends RecordMap<TenantName, TenantCap> implements CapStore {
  private static final String CAPS = "__kvs.caps";

  /** The caps as this member reaches them. */
  public GridCapStore(HazelcastInstance instance, NodeEngine nodeEngine) {
    super(CAPS, instance, nodeEngine);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, CAPS, RecordMergePolicy.Caps.class);
  }

  @Override
  String encode(TenantCap cap) {
    return CapCodec.encode(cap);
  }

  @Override
  TenantCap decode(String text) {
    return CapCodec.decode(text);
  }

  @Override
  TenantName nameOf(TenantCap cap) {
    return cap.tenant();
  }

  @Override
  long revisionOf(TenantCap cap) {
    return cap.revision();
  }
}

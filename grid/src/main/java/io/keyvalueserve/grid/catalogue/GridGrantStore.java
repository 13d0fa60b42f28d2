package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.grant.GrantCodec;
import io.keyvalueserve.tenancy.grant.GrantStore;
import io.keyvalueserve.tenancy.grant.MapGrants;

/** Grants in a system map of the grid, all on one map under its qualified name. */
public final class GridGrantStore extends RecordMap<QualifiedName, MapGrants>
    implements GrantStore {
  private static final String GRANTS = "__kvs.grants";

  /** The grants as this member reaches them. */
  public GridGrantStore(HazelcastInstance instance, NodeEngine nodeEngine) {
    super(GRANTS, instance, nodeEngine);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, GRANTS, RecordMergePolicy.Grants.class);
  }

  @Override
  String encode(MapGrants grants) {
    return GrantCodec.encode(grants);
  }

  @Override
  MapGrants decode(String text) {
    return GrantCodec.decode(text);
  }

  @Override
  QualifiedName nameOf(MapGrants grants) {
    return grants.map();
  }

  @Override
  long revisionOf(MapGrants grants) {
    return grants.revision();
  }
}

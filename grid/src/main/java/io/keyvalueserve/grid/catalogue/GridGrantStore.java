package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.grant.GrantCodec;
import io.keyvalueserve.tenancy.grant.GrantStore;
import io.keyvalueserve.tenancy.grant.MapGrants;

/**
 * Grants in a system map of the grid, all on one map under its qualified name. Those on channels
 * are in a system map of their own.
 */
public final class GridGrantStore extends RecordMap<QualifiedName, MapGrants>
    implements GrantStore {
  private static final String GRANTS = "__kvs.grants";
  private static final String CHANNEL_GRANTS = "__kvs.channel-grants";

  private GridGrantStore(String mapName, HazelcastInstance instance, NodeEngine nodeEngine) {
    super(mapName, instance, nodeEngine);
  }

  /** The grants on maps as this member reaches them. */
  public static GridGrantStore ofMaps(HazelcastInstance instance, NodeEngine nodeEngine) {
    return new GridGrantStore(GRANTS, instance, nodeEngine);
  }

  /** The grants on channels as this member reaches them. */
  public static GridGrantStore ofChannels(HazelcastInstance instance, NodeEngine nodeEngine) {
    return new GridGrantStore(CHANNEL_GRANTS, instance, nodeEngine);
  }

  /** Sets up the system maps; before the member starts. */
  public static void configure(Config config) {
    configure(config, GRANTS, RecordMergePolicy.Grants.class);
    configure(config, CHANNEL_GRANTS, RecordMergePolicy.Grants.class);
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

package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;

/**
 * External stores in a system map of the grid, each under its name. A store that is deleted leaves
 * a record that says so.
 */
public final class GridStoreCatalogue extends RecordMap<String, ExternalStore> {
  private static final String STORES = "__kvs.stores";

  /** The stores as this member reaches them. */
  public GridStoreCatalogue(HazelcastInstance instance, NodeEngine nodeEngine) {
    super(STORES, instance, nodeEngine);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, STORES, RecordMergePolicy.Stores.class);
  }

  @Override
  String encode(ExternalStore store) {
    return ExternalStoreCodec.encode(store);
  }

  @Override
  ExternalStore decode(String text) {
    return ExternalStoreCodec.decode(text);
  }

  @Override
  String nameOf(ExternalStore store) {
    return store.name();
  }

  @Override
  long revisionOf(ExternalStore store) {
    return store.revision();
  }
}

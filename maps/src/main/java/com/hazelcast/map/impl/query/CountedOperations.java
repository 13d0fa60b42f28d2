package com.hazelcast.map.impl.query;

import com.hazelcast.map.impl.operation.DefaultMapOperationProvider;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.MapOperationProvider;
import com.hazelcast.map.impl.operation.MapOperationProviders;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.maps.gather.Gathering;

/**
 * Makes operations of maps as Hazelcast does; those of queries count what they gather, if a client
 * asks.
 */
public final class CountedOperations extends MapOperationProviders {
  private final MapOperationProvider provider = new Provider();

  /** Creates the providers of a member: one for all maps. */
  public CountedOperations() {}

  @Override
  public MapOperationProvider getOperationProvider(String mapName) {
    return provider;
  }

  private static final class Provider extends DefaultMapOperationProvider {
    @Override
    public Operation createQueryOperation(Query query) {
      Gathering request = Gathering.current();
      return request == null
          ? super.createQueryOperation(query)
          : new GatherOperation(query, request);
    }

    @Override
    public MapOperation createQueryPartitionOperation(Query query) {
      Gathering request = Gathering.current();
      return request == null
          ? super.createQueryPartitionOperation(query)
          : new GatherPartitionOperation(query, request);
    }
  }
}

package com.hazelcast.map.impl;

import com.hazelcast.map.impl.recordstore.DefaultRecordStore;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.space.MillisecondRecordStore;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast's map service with record stores of ours. Lives in Hazelcast's package because the
 * constructors of the context and of the factory are package-private.
 */
public final class KvsMapService {
  private KvsMapService() {}

  /** What a node extension returns for {@code createService(MapService.class)}. */
  public static MapService create(NodeEngine nodeEngine) {
    return new DefaultMapServiceFactory(nodeEngine, new Context(nodeEngine)).createMapService();
  }

  private static final class Context extends MapServiceContextImpl {
    private final NodeEngine nodeEngine;

    Context(NodeEngine nodeEngine) {
      super(nodeEngine);
      this.nodeEngine = nodeEngine;
    }

    @Override
    public MillisecondRecordStore createRecordStore(
        MapContainer mapContainer, int partitionId, @Nullable MapKeyLoader keyLoader) {
      return new MillisecondRecordStore(
          mapContainer, partitionId, keyLoader, nodeEngine.getLogger(DefaultRecordStore.class));
    }
  }
}

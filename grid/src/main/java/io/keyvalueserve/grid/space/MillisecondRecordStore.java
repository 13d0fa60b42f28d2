package io.keyvalueserve.grid.space;

import com.hazelcast.logging.ILogger;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapKeyLoader;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.recordstore.DefaultRecordStore;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.map.impl.recordstore.expiry.ExpirySystem;
import com.hazelcast.map.impl.recordstore.expiry.ExpirySystemImpl;
import org.jspecify.annotations.Nullable;

/** A partition of a map whose entries expire to the millisecond; Hazelcast's count in seconds. */
public final class MillisecondRecordStore extends DefaultRecordStore {
  /** As Hazelcast's. */
  public MillisecondRecordStore(
      MapContainer mapContainer,
      int partitionId,
      @Nullable MapKeyLoader keyLoader,
      ILogger logger) {
    super(mapContainer, partitionId, keyLoader, logger);
  }

  /** Runs inside the constructor of a superclass: uses no field of this class. */
  @Override
  protected ExpirySystem createExpirySystem(MapContainer mapContainer) {
    return new MillisecondExpirySystem(this, mapContainer, mapContainer.getMapServiceContext());
  }

  private static final class MillisecondExpirySystem extends ExpirySystemImpl {
    MillisecondExpirySystem(
        RecordStore<?> store, MapContainer mapContainer, MapServiceContext context) {
      super(store, mapContainer, context);
    }

    @Override
    protected ExpiryMetadata createExpiryMetadata(
        long ttlMillis, long maxIdleMillis, long expirationTime, long lastUpdateTime) {
      return new MillisecondExpiry()
          .setTtl(ttlMillis)
          .setMaxIdle(maxIdleMillis)
          .setExpirationTime(expirationTime)
          .setLastUpdateTime(lastUpdateTime);
    }
  }
}

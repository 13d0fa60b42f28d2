package io.keyvalueserve.maps;

import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.logging.ILogger;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.MapStoreWrapper;
import com.hazelcast.map.impl.mapstore.MapDataStore;
import com.hazelcast.map.impl.mapstore.MapStoreContext;
import com.hazelcast.map.impl.mapstore.MapStoreManager;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has Hazelcast's record stores of a map tell our {@link ExternalDataStore}s of their writes. A map
 * may get an external store, and lose it, at any time.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class ExternalStoreContext implements MapStoreContext, MapStoreManager {
  private final NativeMapContainer container;

  ExternalStoreContext(NativeMapContainer container) {
    this.container = container;
  }

  @Override
  public MapDataStore getMapDataStore(String mapName, int partitionId) {
    return new ExternalDataStore(container);
  }

  @Override
  public MapStoreManager getMapStoreManager() {
    return this;
  }

  @Override
  public void start() {
    // what writes is not the map's
  }

  @Override
  public void stop() {
    // what writes is not the map's
  }

  /** Returns null: there is no store that Hazelcast would call itself. */
  @Override
  public @Nullable MapStoreWrapper getMapStoreWrapper() {
    return null;
  }

  @Override
  public boolean isWriteBehindMapStoreEnabled() {
    return false;
  }

  @Override
  public SerializationService getSerializationService() {
    return getMapServiceContext().getNodeEngine().getSerializationService();
  }

  @Override
  public ILogger getLogger(Class type) {
    return getMapServiceContext().getNodeEngine().getLogger(type);
  }

  @Override
  public String getMapName() {
    return container.getName();
  }

  @Override
  public MapServiceContext getMapServiceContext() {
    return container.getMapServiceContext();
  }

  @Override
  public MapStoreConfig getMapStoreConfig() {
    return container.getMapConfig().getMapStoreConfig();
  }

  @Override
  public Iterable<Object> loadAllKeys() {
    return List.of();
  }

  @Override
  public boolean isMapLoader() {
    return false;
  }
}

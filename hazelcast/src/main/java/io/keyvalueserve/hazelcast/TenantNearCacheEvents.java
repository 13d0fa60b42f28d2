package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapAddNearCacheInvalidationListenerCodec;
import com.hazelcast.client.impl.protocol.task.map.MapAddNearCacheInvalidationListenerMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nearcache.impl.invalidation.AbstractBaseNearCacheInvalidationListener;
import com.hazelcast.internal.nearcache.impl.invalidation.Invalidation;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.nearcache.invalidation.InvalidationListener;
import java.util.List;
import java.util.UUID;

/**
 * Tells a client what its near caches are to forget. What it has written itself it knows by its own
 * id, and keeps; of others it hears no ids.
 */
final class TenantNearCacheEvents extends MapAddNearCacheInvalidationListenerMessageTask {
  TenantNearCacheEvents(ClientMessage message, Node node, Connection connection) {
    super(message, node, connection);
  }

  @Override
  protected Object newMapListener() {
    return new Listener(nodeEngine.getLocalMember().getUuid(), clientMessage.getCorrelationId());
  }

  private final class Listener extends AbstractBaseNearCacheInvalidationListener
      implements InvalidationListener {
    Listener(UUID member, long correlationId) {
      super(member, correlationId);
    }

    @Override
    public void onInvalidate(Invalidation invalidation) {
      if (endpoint.isAlive()) {
        sendInvalidation(invalidation);
      }
    }

    @Override
    protected ClientMessage encodeBatchInvalidation(
        String name,
        List<Data> keys,
        List<UUID> sources,
        List<UUID> partitions,
        List<Long> sequences) {
      List<UUID> told = sources.stream().map(source -> SaidId.told(source, endpoint)).toList();
      return MapAddNearCacheInvalidationListenerCodec.encodeIMapBatchInvalidationEvent(
          keys, told, partitions, sequences);
    }

    @Override
    protected ClientMessage encodeSingleInvalidation(
        String name, Data key, UUID source, UUID partition, long sequence) {
      return MapAddNearCacheInvalidationListenerCodec.encodeIMapInvalidationEvent(
          key, SaidId.told(source, endpoint), partition, sequence);
    }

    @Override
    protected void sendMessageWithOrderKey(ClientMessage message, Object orderKey) {
      sendClientMessage(orderKey, message);
    }

    @Override
    protected boolean canSendInvalidation(Invalidation invalidation) {
      return true;
    }
  }
}

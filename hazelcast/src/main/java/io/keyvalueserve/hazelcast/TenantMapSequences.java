package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapFetchNearCacheInvalidationMetadataCodec;
import com.hazelcast.client.impl.protocol.task.map.MapFetchNearCacheInvalidationMetadataTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.map.impl.operation.MapGetInvalidationMetaDataOperation.MetaDataResponse;
import io.keyvalueserve.hazelcast.Structure.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells a client's near caches how far the invalidations of its tenant's maps have come. The
 * request already carries the grid's names; the answer carries the tenant's.
 */
final class TenantMapSequences extends MapFetchNearCacheInvalidationMetadataTask {
  private final ObjectNames names;
  private final GrantedMaps granted;

  TenantMapSequences(ClientMessage message, Node node, Connection connection, DoorSession session) {
    super(message, node, connection);
    this.names = session.names();
    this.granted = session.granted();
  }

  @Override
  protected ClientMessage encodeResponse(Object response) {
    MetaDataResponse metadata = (MetaDataResponse) response;
    Map<String, List<Map.Entry<Integer, Long>>> own = new HashMap<>();
    metadata
        .getNamePartitionSequenceList()
        .forEach(
            (gridName, sequences) ->
                names
                    .toTenant(gridName, Placement.BY_KEY)
                    .or(() -> granted.nameOf(gridName))
                    .ifPresent(name -> own.put(name, sequences)));
    return MapFetchNearCacheInvalidationMetadataCodec.encodeResponse(
        own.entrySet(), metadata.getPartitionUuidList().entrySet());
  }
}

package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.client.DistributedObjectInfo;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientGetDistributedObjectsCodec;
import com.hazelcast.client.impl.protocol.task.GetDistributedObjectsMessageTask;
import com.hazelcast.core.DistributedObject;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists a tenant's objects, under the tenant's names for them, and nobody else's. */
final class TenantObjectList extends GetDistributedObjectsMessageTask {
  private final ObjectNames names;

  TenantObjectList(ClientMessage message, Node node, Connection connection, ObjectNames names) {
    super(message, node, connection);
    this.names = names;
  }

  @Override
  protected Object call() {
    List<DistributedObjectInfo> own = new ArrayList<>();
    for (DistributedObject object : clientEngine.getProxyService().getAllDistributedObjects()) {
      Optional<Structure> structure = Structure.ofService(object.getServiceName());
      structure
          .flatMap(kind -> names.toTenant(object.getName(), kind.placement()))
          .ifPresent(name -> own.add(new DistributedObjectInfo(object.getServiceName(), name)));
    }
    return own;
  }

  @Override
  protected ClientMessage encodeResponse(Object response) {
    @SuppressWarnings("unchecked") // what call() returned
    List<DistributedObjectInfo> own = (List<DistributedObjectInfo>) response;
    return ClientGetDistributedObjectsCodec.encodeResponse(own);
  }
}

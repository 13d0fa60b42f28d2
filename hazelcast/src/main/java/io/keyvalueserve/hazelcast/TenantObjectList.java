package io.keyvalueserve.hazelcast;

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
  private final GrantedMaps granted;

  TenantObjectList(ClientMessage message, Node node, Connection connection, DoorSession session) {
    super(message, node, connection);
    this.names = session.names();
    this.granted = session.granted();
  }

  @Override
  protected Object call() {
    List<DistributedObjectInfo> own = new ArrayList<>();
    for (DistributedObject object : clientEngine.getProxyService().getAllDistributedObjects()) {
      Optional<Structure> structure = Structure.ofService(object.getServiceName());
      structure
          .flatMap(kind -> nameOf(object.getName(), kind))
          .ifPresent(name -> own.add(new DistributedObjectInfo(object.getServiceName(), name)));
    }
    return own;
  }

  private Optional<String> nameOf(String gridName, Structure kind) {
    return names
        .toTenant(gridName, kind.placement())
        .or(() -> kind == Structure.MAP ? granted.nameOf(gridName) : Optional.empty());
  }

  @Override
  protected ClientMessage encodeResponse(Object response) {
    @SuppressWarnings("unchecked") // what call() returned
    List<DistributedObjectInfo> own = (List<DistributedObjectInfo>) response;
    return ClientGetDistributedObjectsCodec.encodeResponse(own);
  }
}

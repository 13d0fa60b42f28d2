package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.task.AddDistributedObjectListenerMessageTask;
import com.hazelcast.core.DistributedObjectEvent;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import java.util.UUID;
import java.util.function.Consumer;

/** Tells a client when its tenant's objects come and go, under the tenant's names for them. */
final class TenantObjectEvents extends AddDistributedObjectListenerMessageTask {
  private final ObjectNames names;

  TenantObjectEvents(ClientMessage message, Node node, Connection connection, ObjectNames names) {
    super(message, node, connection);
    this.names = names;
  }

  @Override
  public void distributedObjectCreated(DistributedObjectEvent event) {
    ifOwn(event, super::distributedObjectCreated);
  }

  @Override
  public void distributedObjectDestroyed(DistributedObjectEvent event) {
    ifOwn(event, super::distributedObjectDestroyed);
  }

  private void ifOwn(DistributedObjectEvent event, Consumer<DistributedObjectEvent> tell) {
    String gridName = String.valueOf(event.getObjectName());
    Structure.ofService(event.getServiceName())
        .flatMap(kind -> names.toTenant(gridName, kind.placement()))
        .ifPresent(
            name ->
                tell.accept(
                    new DistributedObjectEvent(
                        event.getEventType(),
                        event.getServiceName(),
                        name,
                        null, // only the name is told
                        (UUID) event.getSource())));
  }
}

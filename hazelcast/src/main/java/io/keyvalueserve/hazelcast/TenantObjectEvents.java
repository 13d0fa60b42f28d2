package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.task.AddDistributedObjectListenerMessageTask;
import com.hazelcast.core.DistributedObjectEvent;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Tells a client when its tenant's objects come and go, under the tenant's names for them. By whom
 * it is told only if it was the client itself.
 */
final class TenantObjectEvents extends AddDistributedObjectListenerMessageTask {
  private final ObjectNames names;
  private final GrantedMaps granted;

  TenantObjectEvents(ClientMessage message, Node node, Connection connection, DoorSession session) {
    super(message, node, connection);
    this.names = session.names();
    this.granted = session.granted();
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
        .flatMap(kind -> nameOf(gridName, kind))
        .ifPresent(
            name ->
                tell.accept(
                    new DistributedObjectEvent(
                        event.getEventType(),
                        event.getServiceName(),
                        name,
                        null, // only the name is told
                        SaidId.told((UUID) event.getSource(), endpoint))));
  }

  private Optional<String> nameOf(String gridName, Structure kind) {
    return names
        .toTenant(gridName, kind.placement())
        .or(() -> kind == Structure.MAP ? granted.nameOf(gridName) : Optional.empty());
  }
}

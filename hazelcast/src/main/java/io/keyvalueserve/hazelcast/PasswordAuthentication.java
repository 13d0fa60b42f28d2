package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.task.AuthenticationMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;

/** Authenticates by name and key; the client is known by the grid's id for it from then on. */
final class PasswordAuthentication extends AuthenticationMessageTask {
  PasswordAuthentication(ClientMessage message, Node node, Connection connection) {
    super(message, node, connection);
  }

  /** Called between the login and when the client's id is taken over. */
  @Override
  protected void setTpcTokenToEndpoint() {
    clientUuid = SaidId.inTheGrid(connection);
    DoorSession session = DoorSession.of(connection);
    if (session != null) {
      session.introduce(clientName, getClientType());
    }
  }
}

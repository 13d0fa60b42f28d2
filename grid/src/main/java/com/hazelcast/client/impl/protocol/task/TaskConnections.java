package com.hazelcast.client.impl.protocol.task;

import com.hazelcast.internal.nio.Connection;

/**
 * Tells the connection that a client's message came by. Lives in Hazelcast's package because a
 * task's connection is protected.
 */
public final class TaskConnections {
  private TaskConnections() {}

  /** The connection. */
  public static Connection of(AbstractMessageTask<?> task) {
    return task.connection;
  }
}

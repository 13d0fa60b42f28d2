package io.keyvalueserve.grid.turn;

import com.hazelcast.client.impl.protocol.task.AbstractPartitionMessageTask;
import com.hazelcast.client.impl.protocol.task.TaskConnections;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.spi.impl.operationexecutor.impl.TaskBatch;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumption;
import java.util.function.ToIntFunction;

/**
 * Which tenant a task of a partition thread belongs to: the one who asks where that is known, which
 * it is of a client's message; else the owner of the object. Thread-safe; makes no garbage.
 */
final class TaskTenants implements ToIntFunction<Object> {
  private final TenantNumbers numbers;
  private final ToIntFunction<Connection> callers;

  /**
   * @param callers the number of the tenant whose client has a connection; {@link
   *     TenantNumbers#UNKNOWN} if there is none
   */
  TaskTenants(TenantNumbers numbers, ToIntFunction<Connection> callers) {
    this.numbers = numbers;
    this.callers = callers;
  }

  @Override
  public int applyAsInt(Object task) {
    return switch (task) {
      case AbstractPartitionMessageTask<?> message -> {
        int tenant = callers.applyAsInt(TaskConnections.of(message));
        yield tenant == TenantNumbers.UNKNOWN ? TurnQueue.SYSTEM : tenant;
      }
      case Packet packet -> orSystem(OperationPacket.tenant(packet.toByteArray(), numbers));
      case Operation operation -> of(operation);
      case Resumption resumption -> of(resumption.operation());
      case TaskBatch _ -> TurnQueue.NOBODY;
      default -> TurnQueue.SYSTEM;
    };
  }

  private int of(Operation operation) {
    return operation instanceof NamedOperation named && operation.getReplicaIndex() == 0
        ? orSystem(numbers.ofObject(named.getName()))
        : TurnQueue.SYSTEM;
  }

  private static int orSystem(int tenant) {
    return tenant == TenantNumbers.UNKNOWN ? TurnQueue.SYSTEM : tenant;
  }
}

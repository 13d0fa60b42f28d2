package io.keyvalueserve.grid.turn;

import com.hazelcast.client.impl.protocol.task.AbstractPartitionMessageTask;
import com.hazelcast.client.impl.protocol.task.TaskConnections;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.spi.impl.operationexecutor.impl.RunningOperations;
import com.hazelcast.spi.impl.operationexecutor.impl.TaskBatch;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.OperationFactory;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumption;
import com.hazelcast.spi.impl.operationservice.impl.operations.PartitionAwareFactoryAccessor;
import com.hazelcast.spi.impl.operationservice.impl.operations.PartitionIteratingOperation;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tenant that a task of a partition thread belongs to. It is the tenant that asks where
 * that is known, as for a client's message; else the owner of the object. Thread-safe; makes no
 * garbage except for operations on many partitions.
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
      case TaskBatch _ -> ofParted(RunningOperations.here());
      default -> TurnQueue.SYSTEM;
    };
  }

  private int of(Operation operation) {
    return operation instanceof NamedOperation named && operation.getReplicaIndex() == 0
        ? orSystem(numbers.ofObject(named.getName()))
        : TurnQueue.SYSTEM;
  }

  /**
   * Returns the tenant of the steps into which an operation on many partitions is parted, if that
   * operation adds them. Later each step adds the next one, and {@link TurnQueue} knows the tenant
   * of that step.
   */
  private int ofParted(@Nullable Operation whole) {
    Operation named = whole instanceof PartitionIteratingOperation parted ? step(parted) : whole;
    int tenant =
        named instanceof NamedOperation known
            ? numbers.ofObject(known.getName())
            : TenantNumbers.UNKNOWN;
    return tenant == TenantNumbers.UNKNOWN ? TurnQueue.NOBODY : tenant;
  }

  /** One of its steps, to be asked for its name; null if none can be made without a partition. */
  private static @Nullable Operation step(PartitionIteratingOperation parted) {
    OperationFactory factory = parted.getOperationFactory();
    if (PartitionAwareFactoryAccessor.extractPartitionAware(factory) != null) {
      return null;
    }
    try {
      return factory.createOperation();
    } catch (RuntimeException e) { // a factory that makes none: nothing is known
      return null;
    }
  }

  private static int orSystem(int tenant) {
    return tenant == TenantNumbers.UNKNOWN ? TurnQueue.SYSTEM : tenant;
  }
}

package com.hazelcast.spi.impl.operationservice.impl;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import com.hazelcast.spi.impl.operationservice.impl.responses.NormalResponse;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends what a member waits for that has lost the majority of its cluster: those who asked are told
 * that a read was not done, and that nobody knows whether a write was.
 *
 * <p>Lives in Hazelcast's package because the registry of invocations is package-private.
 */
public final class PendingInvocations {
  /** The message for a client whose request cannot be served without a majority. */
  public static final String NO_MAJORITY =
      "the member cannot reach a majority of its cluster; try again, or another member";

  private static final String IN_DOUBT =
      "the member lost the majority of its cluster while it wrote: the write may or may not take"
          + " effect; read the key again";

  private static final String LOST_CONNECTION =
      "the connection to the owner was lost while it wrote: the write may or may not take effect;"
          + " read the key again";

  private static final List<String> PACKAGES_OF_DATA =
      List.of(
          "com.hazelcast.map.impl.",
          "com.hazelcast.multimap.impl.",
          "com.hazelcast.collection.impl.",
          "com.hazelcast.replicatedmap.impl.",
          "com.hazelcast.ringbuffer.impl.",
          "com.hazelcast.topic.impl.",
          "com.hazelcast.transaction.impl.",
          "com.hazelcast.spi.impl.operationservice.impl.operations.",
          "io.keyvalueserve.grid.space.");

  private static final ClassValue<Boolean> FOR_MANY =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return PACKAGES_OF_DATA.stream().anyMatch(type.getName()::startsWith);
        }
      };

  private static final String MOVES_OF_PARTITIONS = "com.hazelcast.internal.partition.operation.";

  private static final VarHandle CONNECTION;

  static {
    try {
      CONNECTION =
          MethodHandles.privateLookupIn(Invocation.class, MethodHandles.lookup())
              .findVarHandle(Invocation.class, "connection", Connection.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private PendingInvocations() {}

  /** Ends all operations on data that this member has sent and that are not answered. */
  public static void abandon(NodeEngine nodeEngine) {
    OperationServiceImpl operations = (OperationServiceImpl) nodeEngine.getOperationService();
    for (Invocation<?> invocation : operations.invocationRegistry) {
      if (GuardedPartitions.isOnData(invocation.op) || isForManyPartitions(invocation.op)) {
        abandon(invocation, IN_DOUBT);
      }
    }
  }

  /** Returns the number of the last operation that this member has sent. */
  public static long lastCall(NodeEngine nodeEngine) {
    return ((OperationServiceImpl) nodeEngine.getOperationService())
        .invocationRegistry.getLastCallId();
  }

  /**
   * Ends the operations that this member has sent to another one and that are not answered: reads
   * are tried again, of writes nobody knows.
   *
   * @param lastCall the number of the last operation to end
   */
  public static void abandon(NodeEngine nodeEngine, Address target, long lastCall) {
    OperationServiceImpl operations = (OperationServiceImpl) nodeEngine.getOperationService();
    for (Invocation<?> invocation : operations.invocationRegistry) {
      long call = invocation.op.getCallId();
      if (call > 0 && call <= lastCall && target.equals(invocation.getTargetAddress())) {
        abandonLost(invocation);
      }
    }
  }

  /**
   * Ends the operations that cannot be answered any more, as what carried them to another member is
   * closed, or never came about: Hazelcast keeps an operation for a member to which there is no
   * connection for a second and a half, and then drops it without a word. Else a partition that
   * moves would wait for minutes, and refuse all requests meanwhile. To be called regularly.
   *
   * @param doubted the numbers of the operations that this found out about the last time; replaced
   * @param graceMillis how long ago an operation was sent at least
   */
  public static void abandonLost(NodeEngine nodeEngine, Set<Long> doubted, long graceMillis) {
    OperationServiceImpl operations = (OperationServiceImpl) nodeEngine.getOperationService();
    long before = Clock.currentTimeMillis() - graceMillis;
    Set<Long> found = new HashSet<>();
    for (Invocation<?> invocation : operations.invocationRegistry) {
      long call = invocation.op.getCallId();
      if (call > 0
          && invocation.op.getInvocationTime() < before
          && InvocationConstant.VOID.equals(invocation.pendingResponse)
          && invocation.lastHeartbeatMillis == 0
          && isOnNoConnection(invocation)
          && found.add(call)
          && doubted.contains(call)) {
        abandonLost(invocation);
      }
    }
    doubted.clear();
    doubted.addAll(found);
  }

  private static boolean isOnNoConnection(Invocation<?> invocation) {
    Address target = invocation.getTargetAddress();
    if (target == null || target.equals(invocation.context.thisAddress)) {
      return false;
    }
    Connection connection = (Connection) CONNECTION.get(invocation);
    return connection == null || !connection.isAlive();
  }

  /** Moving a partition is tried again, also where it may have been done. */
  private static void abandonLost(Invocation<?> invocation) {
    if (invocation.op.getClass().getName().startsWith(MOVES_OF_PARTITIONS)) {
      invocation.completeExceptionally(new OperationTimeoutException(LOST_CONNECTION));
    } else {
      abandon(invocation, LOST_CONNECTION);
    }
  }

  /**
   * Returns whether an operation that is on no single partition carries operations on partitions,
   * or answers for many of them.
   */
  private static boolean isForManyPartitions(Operation operation) {
    return operation.getPartitionId() < 0 && FOR_MANY.get(operation.getClass());
  }

  private static void abandon(Invocation<?> invocation, String inDoubt) {
    Operation operation = invocation.op;
    if (operation instanceof ReadonlyOperation) {
      invocation.completeExceptionally(new RetryableHazelcastException(NO_MAJORITY));
    } else if (operation instanceof GuardedPartitions.Doubtful doubtful
        && invocation.pendingResponseReceivedMillis >= 0) {
      invocation.complete(doubtful.lapsed(answerOf(invocation)));
    } else {
      invocation.completeExceptionally(new IndeterminateOperationStateException(inDoubt));
    }
  }

  /**
   * Returns what the owner has answered to an operation whose backups have not confirmed it. That
   * of another member is still the packet in which it came.
   */
  static @Nullable Object answerOf(Invocation<?> invocation) {
    Object answer = invocation.pendingResponse;
    if (answer instanceof Packet packet) {
      answer = invocation.context.serializationService.toObject(packet);
    }
    if (answer instanceof NormalResponse response) {
      answer = response.getValue();
    }
    return answer instanceof Data data
        ? invocation.context.serializationService.toObject(data)
        : answer;
  }

  /** Returns what an operation is answered with that was carried out as the lease ended. */
  static Object lapsed(Operation operation, Object response) {
    if (operation instanceof GuardedPartitions.Doubtful doubtful) {
      return doubtful.lapsed(response);
    }
    return operation instanceof ReadonlyOperation
        ? new RetryableHazelcastException(NO_MAJORITY)
        : new IndeterminateOperationStateException(IN_DOUBT);
  }
}

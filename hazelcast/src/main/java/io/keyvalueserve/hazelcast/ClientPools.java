package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.CompositeMessageTaskFactory;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.MessageTaskFactory;
import com.hazelcast.client.impl.protocol.codec.MapAddNearCacheInvalidationListenerCodec;
import com.hazelcast.client.impl.protocol.task.AbstractPartitionMessageTask;
import com.hazelcast.client.impl.protocol.task.BlockingMessageTask;
import com.hazelcast.client.impl.protocol.task.MessageTask;
import com.hazelcast.client.impl.protocol.task.TransactionalMessageTask;
import com.hazelcast.client.impl.protocol.task.UrgentMessageTask;
import com.hazelcast.client.impl.protocol.task.map.AbstractMapQueryMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.util.RuntimeAvailableProcessors;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.executionservice.ExecutionService;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import com.hazelcast.sql.impl.client.SqlAbstractMessageTask;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.grid.turn.TurnPool;
import io.keyvalueserve.grid.turn.TurnQueue;
import io.keyvalueserve.maps.gather.Gathering;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Has clients' messages carried out: those on a partition by its thread, the others by Hazelcast's
 * pools for them, which tenants share in turns here. Which message goes where is as in {@code
 * ClientEngineImpl.accept}.
 *
 * <p>What a client has waiting in a pool is dropped when its connection has closed: it has not
 * waited for the answer. Thread-safe.
 */
final class ClientPools {
  private final Node node;
  private final MessageTaskFactory tasks;
  private final OperationServiceImpl operations;
  private final TurnPool queries;
  private final TurnPool blocking;
  private final TurnPool others;

  /**
   * Takes the pools over from Hazelcast's client engine, which has just made them.
   *
   * @throws IllegalStateException if they are of another kind than is known
   */
  ClientPools(NodeEngineImpl nodeEngine, PartitionTurns turns) {
    this.node = nodeEngine.getNode();
    this.tasks = new CompositeMessageTaskFactory(nodeEngine);
    this.operations = nodeEngine.getOperationService();
    ExecutionService pools = nodeEngine.getExecutionService();
    int processors = RuntimeAvailableProcessors.get();
    this.queries = turns.share(pool(pools, ExecutionService.CLIENT_QUERY_EXECUTOR), processors);
    this.blocking = turns.share(pool(pools, ExecutionService.CLIENT_BLOCKING_EXECUTOR), processors);
    // What these threads do waits for nobody: Hazelcast sees to that.
    this.others = turns.share(pool(pools, ExecutionService.CLIENT_EXECUTOR), 0);
  }

  private static ThreadPoolExecutor pool(ExecutionService pools, String name) {
    if (pools.getExecutor(name) instanceof ThreadPoolExecutor pool
        && pool.getCorePoolSize() == pool.getMaximumPoolSize()
        && pool.getPoolSize() == 0) {
      return pool;
    }
    throw new IllegalStateException("another kind of pool than is known: " + name);
  }

  /**
   * Has a message carried out. Does not block.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too much of the tenant's waits, or
   *     the member ends
   */
  void accept(ClientMessage message) {
    Connection connection = message.getConnection();
    MessageTask task = task(message, connection);
    switch (task) {
      case UrgentMessageTask urgent -> operations.execute(urgent);
      case AbstractPartitionMessageTask<?> onPartition -> operations.execute(onPartition);
      case AbstractMapQueryMessageTask<?, ?, ?, ?> _ ->
          execute(queries, rows(gathering(task, message), message), connection);
      case SqlAbstractMessageTask<?> _ -> execute(queries, gathering(task, message), connection);
      case TransactionalMessageTask _ -> execute(blocking, gathering(task, message), connection);
      case BlockingMessageTask _ -> execute(blocking, task, connection);
      default -> execute(others, task, connection);
    }
  }

  /** Has a request for rows answered with their bytes, where that can be. */
  private Runnable rows(Runnable stock, ClientMessage request) {
    DoorSession session = DoorSession.of(request.getConnection());
    return session != null && RowsRequest.is(request)
        ? new RowsTask(request, session, node, stock)
        : stock;
  }

  /** Counts what is gathered on this member, from when the task begins until it is answered. */
  private Runnable gathering(MessageTask task, ClientMessage request) {
    DoorSession session = DoorSession.of(request.getConnection());
    if (session == null) {
      return task;
    }
    WaitingRequests waiting = session.waiting();
    int tenant = session.identity().number();
    long correlation = request.getCorrelationId();
    return () -> {
      int members = node.getClusterService().getSize();
      Gathering result = Gathering.ofRequest(waiting.results(), tenant, members);
      waiting.hold(correlation, result);
      try {
        result.carryOut(task);
      } finally {
        result.release();
      }
    };
  }

  private MessageTask task(ClientMessage message, Connection connection) {
    return message.getMessageType() == MapAddNearCacheInvalidationListenerCodec.REQUEST_MESSAGE_TYPE
        ? new TenantNearCacheEvents(message, node, connection)
        : tasks.create(message, connection);
  }

  /**
   * Runs what may block for a client. Does not block itself.
   *
   * @throws java.util.concurrent.RejectedExecutionException as {@link #accept}
   */
  void runBlocking(Runnable task, Connection connection) {
    execute(blocking, task, connection);
  }

  private static void execute(TurnPool pool, Runnable task, Connection connection) {
    int tenant = ClientDoor.tenantOf(connection);
    pool.execute(tenant < 0 ? TurnQueue.SYSTEM : tenant, task, connection::isAlive);
  }
}

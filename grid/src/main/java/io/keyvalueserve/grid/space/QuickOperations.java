package io.keyvalueserve.grid.space;

import com.hazelcast.internal.networking.nio.NioThread;
import com.hazelcast.map.impl.operation.ContainsKeyOperation;
import com.hazelcast.map.impl.operation.DeleteOperation;
import com.hazelcast.map.impl.operation.GetOperation;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.PutIfAbsentOperation;
import com.hazelcast.map.impl.operation.PutIfAbsentWithExpiryOperation;
import com.hazelcast.map.impl.operation.PutOperation;
import com.hazelcast.map.impl.operation.PutWithExpiryOperation;
import com.hazelcast.map.impl.operation.RemoveIfSameOperation;
import com.hazelcast.map.impl.operation.RemoveOperation;
import com.hazelcast.map.impl.operation.ReplaceIfSameOperation;
import com.hazelcast.map.impl.operation.ReplaceOperation;
import com.hazelcast.map.impl.operation.SetOperation;
import com.hazelcast.map.impl.operation.SetWithExpiryOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.InlineInvocations;
import java.util.Set;

/**
 * Which operations run on the thread that invokes them: batches of the Redis door, and, on threads
 * that read what Hazelcast clients send, Hazelcast's own operations on one key. There the door has
 * seen to it that they are not longer than {@link #MOST_BYTES} and wait for nothing. Thread-safe.
 */
public final class QuickOperations implements InlineInvocations.Policy {
  /** How long the request of an operation may be, in bytes. */
  public static final int MOST_BYTES = 128 << 10;

  private static final Set<Class<?>> ON_ONE_KEY =
      Set.of(
          ContainsKeyOperation.class,
          DeleteOperation.class,
          GetOperation.class,
          PutIfAbsentOperation.class,
          PutIfAbsentWithExpiryOperation.class,
          PutOperation.class,
          PutWithExpiryOperation.class,
          RemoveIfSameOperation.class,
          RemoveOperation.class,
          ReplaceIfSameOperation.class,
          ReplaceOperation.class,
          SetOperation.class,
          SetWithExpiryOperation.class);

  @Override
  public boolean mayRun(Operation operation) {
    if (operation instanceof BatchOperation batch) {
      return batch.isQuick();
    }
    return Thread.currentThread() instanceof NioThread && ON_ONE_KEY.contains(operation.getClass());
  }

  @Override
  public boolean mayInvokeWhileReading(Operation operation) {
    return operation instanceof MapOperation;
  }
}

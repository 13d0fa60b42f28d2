package io.keyvalueserve.grid.space;

import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The partitions of the cluster, as one member reaches them. Thread-safe, never blocks. */
final class Partitions {
  private final NodeEngine nodeEngine;
  private final IPartitionService table;
  private final Executor patient;

  /**
   * @param patient runs what Hazelcast refuses to do on its own threads, on which answers arrive
   */
  Partitions(NodeEngine nodeEngine, Executor patient) {
    this.nodeEngine = nodeEngine;
    this.patient = patient;
    this.table = nodeEngine.getPartitionService();
  }

  int count() {
    return table.getPartitionCount();
  }

  int of(Data key) {
    return table.getPartitionId(key);
  }

  /**
   * Has an operation run by a partition's owner, wherever that is.
   *
   * @param whenDone gets the answer or the failure, on any thread
   */
  <T> void invoke(
      Operation operation,
      int partition,
      BiConsumer<? super @Nullable T, ? super @Nullable Throwable> whenDone) {
    CompletableFuture<T> _ =
        nodeEngine
            .getOperationService()
            .createInvocationBuilder(MapService.SERVICE_NAME, operation, partition)
            .setAsync()
            .<T>invoke()
            .whenCompleteAsync(whenDone, ConcurrencyUtil.CALLER_RUNS);
  }

  /**
   * Invokes an operation like {@link #invoke}, but fails where the operation would have to be sent
   * again: with a {@code RetryableException} if it has not run.
   */
  <T> void invokeOnce(
      Operation operation,
      int partition,
      BiConsumer<? super @Nullable T, ? super @Nullable Throwable> whenDone) {
    CompletableFuture<T> _ =
        nodeEngine
            .getOperationService()
            .createInvocationBuilder(MapService.SERVICE_NAME, operation, partition)
            .setTryCount(1)
            .setAsync()
            .<T>invoke()
            .whenCompleteAsync(whenDone, ConcurrencyUtil.CALLER_RUNS);
  }

  /** Invokes an operation like {@link #invoke}, and returns a future of the answer. */
  <T extends @Nullable Object> CompletableFuture<T> ask(Operation operation, int partition) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    this.<T>invoke(
        operation,
        partition,
        (value, failure) -> {
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
    return answer;
  }

  /** Returns the number of entries of a map in each partition. */
  CompletableFuture<int[]> sizes(String map) {
    return sizes(map, false);
  }

  /** Returns about how many entries of a map in each partition expire. */
  CompletableFuture<int[]> expiring(String map) {
    return sizes(map, true);
  }

  private CompletableFuture<int[]> sizes(String map, boolean onlyExpiring) {
    int[] sizes = new int[count()];
    for (int partition = 0; partition < sizes.length; partition++) {
      int size = sizeIfHere(map, partition, onlyExpiring);
      if (size < 0) {
        return ask(map, onlyExpiring, sizes);
      }
      sizes[partition] = size;
    }
    return CompletableFuture.completedFuture(sizes);
  }

  private CompletableFuture<int[]> ask(String map, boolean onlyExpiring, int[] sizes) {
    return CompletableFuture.completedFuture(map)
        .thenComposeAsync(name -> askAll(name, onlyExpiring), patient)
        .thenApply(
            byPartition -> {
              byPartition.forEach((partition, size) -> sizes[partition] = size);
              return sizes;
            });
  }

  private CompletableFuture<Map<Integer, Integer>> askAll(String map, boolean onlyExpiring) {
    return nodeEngine
        .getOperationService()
        .invokeOnAllPartitionsAsync(
            MapService.SERVICE_NAME, new PartitionSize.Factory(map, onlyExpiring));
  }

  /** Returns the number of entries of a partition, if it lives here and stays; else -1. */
  int sizeIfHere(String map, int partition) {
    return sizeIfHere(map, partition, false);
  }

  private int sizeIfHere(String map, int partition, boolean onlyExpiring) {
    IPartition assigned = table.getPartition(partition, false);
    if (!assigned.isLocal() || assigned.isMigrating()) {
      return -1;
    }
    MapService maps = nodeEngine.getService(MapService.SERVICE_NAME);
    return PartitionSize.of(
        maps.getMapServiceContext().getExistingRecordStore(partition, map), onlyExpiring);
  }
}

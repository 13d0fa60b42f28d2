package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.operation.EvictOperation;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import com.hazelcast.spi.impl.operationservice.OperationService;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.gates.fairness.CooperativeYield;
import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Deletes entries to make memory free, those worth least first. Each by Hazelcast's own operation,
 * so that locked ones stay, backups and listeners are told, and a backup has nothing that its owner
 * gave up. One thread at a time.
 */
final class EntryEvictions {
  private static final int MOST_AT_ONCE = 256;

  private final NativeMaps maps;
  private final OperationService operations;
  private final Runnable meanwhile;
  private final Epochs epochs;
  private final Victims victims = new Victims();
  private final CooperativeYield others = new CooperativeYield();
  private final List<Eviction> evictions = new ArrayList<>();
  private long freedBytes;
  private long freedRecords;
  private String obstacle = "";

  private record Eviction(InternalCompletableFuture<Boolean> answer, long bytes) {}

  private record Victim(Data key, long bytes) {}

  /**
   * One that deletes.
   *
   * @param meanwhile is run whenever some have been deleted
   */
  EntryEvictions(NativeMaps maps, OperationService operations, Runnable meanwhile) {
    this.maps = maps;
    this.operations = operations;
    this.meanwhile = meanwhile;
    this.epochs = maps.heap().epochs();
  }

  /**
   * Deletes entries of these partitions of maps that count for a tenant, until so many bytes are
   * free, or none is left.
   */
  Freed take(List<NativeRecordStore> stores, TenantHoldings tenant, long bytes) {
    freedBytes = 0;
    freedRecords = 0;
    obstacle = "";
    long before = -1;
    while (freedBytes < bytes && freedBytes > before && obstacle.isEmpty()) {
      before = freedBytes;
      long underWay = 0;
      for (NativeRecordStore store : stores) {
        if (maps.partitions().isPrimary(store.getPartitionId())) {
          underWay += evictSome(store, tenant);
          others.check();
          if (evictions.size() >= MOST_AT_ONCE || freedBytes + underWay >= bytes) {
            settle();
            underWay = 0;
          }
        }
        if (freedBytes >= bytes || Thread.currentThread().isInterrupted()) {
          break;
        }
      }
      settle();
    }
    return new Freed(freedBytes, freedRecords, obstacle);
  }

  private long evictSome(NativeRecordStore store, TenantHoldings tenant) {
    long bytes = 0;
    for (Victim victim : victimsOf(store, tenant)) {
      EvictOperation operation = new EvictOperation(store.getName(), victim.key(), false);
      evictions.add(
          new Eviction(
              operations.invokeOnPartitionAsync(
                  MapService.SERVICE_NAME, operation, store.getPartitionId()),
              victim.bytes()));
      bytes += victim.bytes();
    }
    return bytes;
  }

  private List<Victim> victimsOf(NativeRecordStore store, TenantHoldings tenant) {
    List<Victim> found = new ArrayList<>();
    int guard = epochs.enter();
    try {
      int count = victims.find(store.entries(), record -> store.countsFor(record, tenant));
      for (int i = 0; i < count; i++) {
        long record = victims.record(i);
        found.add(new Victim(DataForm.key(record), Records.bytes(record)));
      }
    } finally {
      epochs.exit(guard);
    }
    return found;
  }

  private void settle() {
    for (Eviction each : evictions) {
      try {
        if (Boolean.TRUE.equals(each.answer().join())) {
          freedBytes += each.bytes();
          freedRecords++;
        }
      } catch (HazelcastException | CompletionException | IllegalStateException e) {
        obstacle = "entries could not be evicted: " + e.getMessage();
      }
    }
    evictions.clear();
    meanwhile.run();
  }
}

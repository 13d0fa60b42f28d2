package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.OperationKeys;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumer;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumption;
import io.keyvalueserve.journal.spill.SpillArea;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of a partition that wait for values from the disk, so that the partition does not.
 *
 * <p>An operation on keys whose values are on the disk does not begin: its values are read ({@link
 * ValueReaders}), and then it runs with them at hand. What comes for a key that is waited for waits
 * behind, so that operations on one key run in the order in which they came:
 *
 * <pre>
 *   arrives --keys free, values in memory--> runs at once
 *   arrives --keys free, values on disk----> READING --all read--> runs, then who waited behind it
 *   arrives --a key is waited for----------> BEHIND  --its turn--> as if it arrived now
 * </pre>
 *
 * <p>Values are handed to the operation beside memory, so it needs no room there to get on: if
 * there is room, its use of them brings them back. A value that was replaced by another on the disk
 * meanwhile is read again, a few times; then the operation reads it as it runs.
 *
 * <p>By who uses the partition, unless said otherwise.
 */
final class DeferredOperations {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredOperations.class);
  private static final int MOST_TRIES = 3;
  private static final int MOST_VALUES = 1024;
  private static final long MOST_BYTES = 16 << 20;

  private final NativeMaps maps;
  private final int partition;
  private final Map<Key, Queue<Deferred>> queues = new HashMap<>();

  private record Key(String map, Data key) {}

  DeferredOperations(NativeMaps maps, int partition) {
    this.maps = maps;
    this.partition = partition;
  }

  /** See {@link com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Guard#defers}. */
  boolean defers(Operation operation, Resumer resumer) {
    ValueReaders readers = maps.spilling().readers();
    if (readers == null
        || !(operation instanceof MapOperation map)
        || operation instanceof BackupOperation) {
      return false;
    }
    NativeRecordStore store = store(map);
    if (queues.isEmpty() && (store == null || store.entries().spilled().isEmpty())) {
      return false;
    }
    if (!readers.isOpen()) {
      return false;
    }
    Collection<Data> keys = keys(map);
    if (keys.isEmpty() || !(isWaitedFor(map.getName(), keys) || isAnyOnDisk(store, map))) {
      return false;
    }
    Deferred deferred = new Deferred(readers, map, resumer, ownKeys(map.getName(), keys));
    resumer.defer(operation);
    readers.join(deferred);
    if (deferred.enqueue() || deferred.reads()) {
      return true;
    }
    deferred.runNow(new ArrayDeque<>()); // or it was ended; it has just come, so nobody is behind
    return true;
  }

  private @Nullable NativeRecordStore store(MapOperation operation) {
    NativeRecordStore store = maps.local().store(partition, operation.getName());
    return store == null || store.entries().isClosed() ? null : store;
  }

  private static Collection<Data> keys(MapOperation operation) {
    return operation instanceof KeyedCommands commands
        ? commands.keys()
        : OperationKeys.of(operation);
  }

  private static Collection<Data> keysOfValues(NativeRecordStore store, MapOperation operation) {
    boolean unobserved = store.isUnobserved();
    if (operation instanceof KeyedCommands commands) {
      return commands.keysOfValues(unobserved);
    }
    return OperationKeys.looksAtValues(operation, unobserved)
        ? OperationKeys.of(operation)
        : List.of();
  }

  private boolean isWaitedFor(String map, Collection<Data> keys) {
    if (!queues.isEmpty()) {
      for (Data key : keys) {
        if (queues.containsKey(new Key(map, key))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isAnyOnDisk(@Nullable NativeRecordStore store, MapOperation operation) {
    if (store != null && !store.entries().spilled().isEmpty()) {
      for (Data key : keysOfValues(store, operation)) {
        if (store.isOnDisk(key)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Some operations are given keys of other partitions as well. */
  private Set<Key> ownKeys(String map, Collection<Data> keys) {
    Set<Key> own = new LinkedHashSet<>();
    for (Data key : keys) {
      if (maps.partitions().of(key) == partition) {
        own.add(new Key(map, key));
      }
    }
    return own;
  }

  /** One operation. */
  private final class Deferred implements Resumption, ValueReaders.Waiting {
    private final ValueReaders readers;
    private final MapOperation operation;
    private final Resumer resumer;
    private final Set<Key> keys;
    private final AtomicBoolean taken = new AtomicBoolean();
    private int behind;
    private int tries;
    private ValueReaders.@Nullable Claim claim;

    Deferred(ValueReaders readers, MapOperation operation, Resumer resumer, Set<Key> keys) {
      this.readers = readers;
      this.operation = operation;
      this.resumer = resumer;
      this.keys = keys;
    }

    @Override
    public int getPartitionId() {
      return partition;
    }

    @Override
    public Operation operation() {
      return operation;
    }

    /** Queues up for its keys; returns whether there is anybody before it. */
    boolean enqueue() {
      for (Key key : keys) {
        Queue<Deferred> queue = queues.computeIfAbsent(key, each -> new ArrayDeque<>());
        if (!queue.isEmpty()) {
          behind++;
        }
        queue.add(this);
      }
      return behind > 0;
    }

    /** Has its values read that are on the disk; returns whether it has to wait for that. */
    boolean reads() {
      NativeRecordStore store = store(operation);
      if (tries == MOST_TRIES || store == null || !readers.isOpen()) {
        return false;
      }
      List<ColdRead> reads = coldReads(store);
      if (reads.isEmpty()) {
        return false;
      }
      tries++;
      reads.sort(Comparator.comparingLong(read -> SpillArea.place(read.handle())));
      claim = readers.read(tenant(operation), reads, this);
      if (claim == null) {
        end(new ColdReadsException());
        return false;
      }
      return true;
    }

    /** The same; whatever happens, it is run if it does not wait, as others are behind it. */
    private boolean readsMore() {
      try {
        return reads();
      } catch (RuntimeException e) {
        LOG.error("an operation runs without the values that it waited for", e);
        return false;
      }
    }

    private List<ColdRead> coldReads(NativeRecordStore store) {
      List<ColdRead> reads = new ArrayList<>();
      long bytes = 0;
      for (Data key : keysOfValues(store, operation)) {
        ColdRead read = store.entries().coldRead(key);
        if (read != null) {
          if (reads.size() == MOST_VALUES || bytes >= MOST_BYTES) {
            endEarly();
            break;
          }
          reads.add(read);
          bytes += read.length();
        }
      }
      return reads;
    }

    private void endEarly() {
      if (operation instanceof KeyedCommands commands) {
        commands.endEarly();
      }
    }

    /**
     * Submits this wait to its partition's thread, because the values were read. Called by a
     * reader.
     */
    @Override
    public void read() {
      maps.partitions().operations().execute(this);
    }

    /** Refuses the operation because the member shuts down. Any thread may call this. */
    @Override
    public void end() {
      end(new HazelcastInstanceNotActiveException("the member is shutting down"));
    }

    private void end(RuntimeException why) {
      if (taken.compareAndSet(false, true)) {
        resumer.refuse(operation, why);
      }
    }

    /** Its values were read: it runs, and those behind it whose turn it is. */
    @Override
    public void run() {
      NativeRecordStore store = store(operation);
      NativeEntries entries = store == null ? null : store.entries();
      ValueReaders.Claim read = claim;
      claim = null;
      if (entries != null && read != null) {
        entries.spilled().hand(read.reads());
      }
      try {
        Queue<Deferred> ready = new ArrayDeque<>();
        for (Deferred next = this; next != null; next = ready.poll()) {
          if (!next.readsMore()) {
            next.runNow(ready);
          }
        }
      } finally {
        if (entries != null) {
          entries.spilled().takeBack();
        }
        if (read != null) {
          read.end();
        }
      }
    }

    private void runNow(Queue<Deferred> ready) {
      try {
        if (taken.compareAndSet(false, true)) {
          resumer.resume(operation);
        }
      } finally {
        leave(ready);
      }
    }

    /** It waits no longer; those behind it whose turn it is now are added to those. */
    void leave(Queue<Deferred> ready) {
      readers.leave(this);
      for (Key key : keys) {
        Queue<Deferred> queue = queues.get(key);
        if (queue != null) {
          Deferred _ = queue.poll();
          Deferred next = queue.peek();
          if (next == null) {
            queues.remove(key);
          } else {
            next.behind--;
            if (next.behind == 0) {
              ready.add(next);
            }
          }
        }
      }
    }
  }

  /**
   * Returns the key of the turns in which the values are read: the usage of the map's tenant, or
   * this member's maps if it has none.
   */
  private Object tenant(MapOperation operation) {
    Object usage = maps.accounts().usageOf(operation.getName());
    return usage == null ? maps : usage;
  }
}

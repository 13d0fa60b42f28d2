package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.OperationKeys;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumer;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumption;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.maps.external.ExternalMap;
import io.keyvalueserve.maps.external.Loaded;
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
 * The operations of a partition that wait for values from the disk or from an external store, so
 * that the partition does not.
 *
 * <p>An operation on keys whose values are elsewhere does not begin: its values are read ({@link
 * ValueReaders}) or loaded ({@link ExternalMap}), and then it runs with them at hand. What comes
 * for a key that is waited for waits behind, so that operations on one key run in the order in
 * which they came:
 *
 * <pre>
 *   arrives --keys free, values in memory--> runs at once
 *   arrives --keys free, values on disk----> READING --all read----> runs, then who waited behind it
 *   arrives --keys free, not in memory-----> LOADING --all loaded--> runs, then who waited behind it
 *   arrives --a key is waited for----------> BEHIND  --its turn----> as if it arrived now
 *   has run, and an external store must have its writes first ----> WRITING --all written--> leaves
 * </pre>
 *
 * <p>Values are handed to the operation beside memory, so it needs no room there to get on: if
 * there is room, its use of them brings them back. A value that was replaced by another on the disk
 * meanwhile is read again, a few times; then the operation reads it as it runs. An entry that was
 * loaded is put into memory before the operation runs.
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
  private final Map<Key, Queue<Place>> queues = new HashMap<>();

  /** The deferred operation that runs; null if none does. */
  private @Nullable Deferred running;

  private record Key(String map, Data key) {}

  DeferredOperations(NativeMaps maps, int partition) {
    this.maps = maps;
    this.partition = partition;
  }

  /** See {@link com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Guard#defers}. */
  boolean defers(Operation operation, Resumer resumer) {
    boolean isBehind = // and is held in its turn, when it runs
        !queues.isEmpty()
            && !maps.heldTenants().isEmpty()
            && operation instanceof MapOperation map
            && !(operation instanceof BackupOperation)
            && isWaitedFor(map.getName(), keys(map));
    return isBehind
        ? awaitsValues(operation, resumer) || isHeld(operation, resumer)
        : isHeld(operation, resumer) || awaitsValues(operation, resumer);
  }

  /** Has an operation wait if its tenant is held; returns whether it does. */
  private boolean isHeld(Operation operation, Resumer resumer) {
    HeldTenants held = maps.heldTenants();
    return !held.isEmpty()
        && operation instanceof NamedOperation named
        && held.takes(
            operation,
            (NativeMapContainer) maps.partitions().container(named.getName()),
            resumer,
            this);
  }

  /** Has an operation wait for its values, if it needs some that are not in memory. */
  boolean awaitsValues(Operation operation, Resumer resumer) {
    ValueReaders readers = maps.spilling().readers();
    boolean asking = !maps.external().isEmpty();
    if ((readers == null && !asking)
        || !(operation instanceof MapOperation map)
        || operation instanceof BackupOperation) {
      return false;
    }
    ExternalMap external = asking ? maps.external().of(map.getName()) : null;
    NativeRecordStore store = external == null ? store(map) : madeStore(map);
    if (queues.isEmpty()
        && external == null
        && (store == null || store.entries().spilled().isEmpty())) {
      return false;
    }
    if (readers != null && !readers.isOpen()) {
      return false;
    }
    Collection<Data> keys = keys(map);
    if (keys.isEmpty()
        || !(isWaitedFor(map.getName(), keys)
            || isAnyOnDisk(store, map)
            || (external != null && isAnyToBeLoaded(store, map)))) {
      return false;
    }
    Deferred deferred = new Deferred(readers, map, resumer, ownKeys(map.getName(), keys));
    resumer.defer(operation);
    deferred.join();
    if (deferred.enqueue() || deferred.waits()) {
      return true;
    }
    try {
      deferred.runNow(new ArrayDeque<>()); // or it was ended; it has just come, so nobody is behind
    } finally {
      if (running == null) {
        deferred.forgetAnswers(); // those that the queue of writes has given
      }
    }
    return true;
  }

  /**
   * Refuses what a map with an external store cannot carry out, and all operations on tenants' maps
   * until it is known which have one.
   */
  void admit(Operation operation) {
    ExternalMaps external = maps.external();
    if ((external.isEmpty() && external.areKnown()) || !(operation instanceof MapOperation map)) {
      return;
    }
    if (!external.areKnown()
        && GuardedPartitions.isOnData(operation)
        && map.getName().indexOf('/') > 0) {
      throw new RetryableHazelcastException("the member is starting");
    }
    if (OperationKeys.runsProcessor(map) && external.of(map.getName()) != null) {
      throw ExternalStoreException.refused(
          "entry processors, and removals by a predicate, cannot be used on a map with an external"
              + " store; nothing was changed");
    }
  }

  private @Nullable NativeRecordStore store(MapOperation operation) {
    return open(maps.local().store(partition, operation.getName()));
  }

  /** Makes the store if there is none: the external store may have entries for it. */
  private @Nullable NativeRecordStore madeStore(MapOperation operation) {
    NativeRecordStore known = store(operation);
    if (known != null || !maps.partitions().isPrimary(partition)) {
      return known;
    }
    return open(
        NativeRecordStore.of(
            maps.partitions().context().getRecordStore(partition, operation.getName())));
  }

  private static @Nullable NativeRecordStore open(@Nullable NativeRecordStore store) {
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

  private static Collection<Data> keysOfEntries(MapOperation operation) {
    if (operation instanceof KeyedCommands commands) {
      return commands.keysOfEntries();
    }
    return OperationKeys.needsEntries(operation) ? OperationKeys.of(operation) : List.of();
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

  private boolean isAnyToBeLoaded(@Nullable NativeRecordStore store, MapOperation operation) {
    if (store != null) {
      long now = Clock.currentTimeMillis();
      for (Data key : keysOfEntries(operation)) {
        if (store.external().isToBeLoaded(key, now) && isHere(key)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isHere(Data key) {
    return maps.partitions().of(key) == partition;
  }

  /**
   * Has what comes for the keys of some writes wait until an external store has answered to these.
   *
   * @param operation that made the writes, and has run
   */
  void hold(@Nullable Operation operation, AwaitedWrites writes) {
    Deferred now = running;
    Place held = now != null && now.isOf(operation) ? now : placeOf(writes);
    held.writing = true;
    writes.whenDone(() -> maps.partitions().execute(partition, () -> written(held)));
  }

  private Place placeOf(AwaitedWrites writes) {
    Set<Key> keys = new LinkedHashSet<>();
    writes.writes().forEach(one -> keys.add(new Key(one.store().getName(), one.key())));
    Place place = new Place(keys);
    boolean _ = place.enqueue();
    return place;
  }

  private void written(Place place) {
    place.writing = false;
    Queue<Deferred> ready = new ArrayDeque<>();
    place.leave(ready);
    try {
      runAll(ready);
    } finally {
      for (Key key : place.keys) {
        NativeRecordStore store = open(maps.local().store(partition, key.map()));
        if (store != null && maps.external().of(key.map()) != null) {
          store.external().forgetAnswers();
        }
      }
    }
  }

  private void runAll(Queue<Deferred> ready) {
    for (Deferred next = ready.poll(); next != null; next = ready.poll()) {
      if (!next.waitsMore()) {
        next.runNow(ready);
      }
    }
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

  /** A place in the queues of some keys. */
  private class Place {
    final Set<Key> keys;
    int behind;

    /** Somebody waits until an external store has what was written. */
    boolean writing;

    Place(Set<Key> keys) {
      this.keys = keys;
    }

    /** Queues up for its keys; returns whether there is anybody before it. */
    boolean enqueue() {
      for (Key key : keys) {
        Queue<Place> queue = queues.computeIfAbsent(key, each -> new ArrayDeque<>());
        if (!queue.isEmpty()) {
          behind++;
        }
        queue.add(this);
      }
      return behind > 0;
    }

    /** It waits no longer; those behind it whose turn it is now are added to those. */
    void leave(Queue<Deferred> ready) {
      for (Key key : keys) {
        Queue<Place> queue = queues.get(key);
        if (queue != null) {
          leave(key, queue, ready);
        }
      }
    }

    @SuppressWarnings("ReferenceEquality") // it is the one
    private void leave(Key key, Queue<Place> queue, Queue<Deferred> ready) {
      boolean first = queue.peek() == this;
      boolean _ = queue.remove(this);
      Place next = queue.peek();
      if (next == null) {
        queues.remove(key);
      } else if (first && --next.behind == 0 && next instanceof Deferred deferred) {
        ready.add(deferred);
      }
    }
  }

  /** One operation. */
  private final class Deferred extends Place implements Resumption, ValueReaders.Waiting {
    private final @Nullable ValueReaders readers;
    private final MapOperation operation;
    private final Resumer resumer;
    private final AtomicBoolean taken = new AtomicBoolean();
    private int reads;
    private int loads;
    private ValueReaders.@Nullable Claim claim;
    private Set<Data> loading = Set.of();
    private int readings;
    private volatile @Nullable Loaded loaded;

    Deferred(
        @Nullable ValueReaders readers, MapOperation operation, Resumer resumer, Set<Key> keys) {
      super(keys);
      this.readers = readers;
      this.operation = operation;
      this.resumer = resumer;
    }

    @Override
    public int getPartitionId() {
      return partition;
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @SuppressWarnings("ReferenceEquality") // it is the one
    boolean isOf(@Nullable Operation other) {
      return operation == other;
    }

    void join() {
      if (readers != null) {
        readers.join(this);
      }
    }

    /** Has its values brought that are elsewhere; returns whether it has to wait for that. */
    boolean waits() {
      NativeRecordStore store = store(operation);
      return store != null && (reads(store) || loads(store));
    }

    private boolean reads(NativeRecordStore store) {
      if (readers == null || reads == MOST_TRIES || !readers.isOpen()) {
        return false;
      }
      List<ColdRead> cold = coldReads(store);
      if (cold.isEmpty()) {
        return false;
      }
      reads++;
      cold.sort(Comparator.comparingLong(read -> SpillArea.place(read.handle())));
      claim = readers.read(tenant(operation), cold, this);
      if (claim == null) {
        end(new ColdReadsException());
        return false;
      }
      return true;
    }

    /** Asks the external store for entries that are not here. */
    private boolean loads(NativeRecordStore store) {
      ExternalMap external = maps.external().of(operation.getName());
      if (external == null) {
        return false;
      }
      Set<Data> missing = missing(store, external);
      if (missing.isEmpty()) {
        return false;
      }
      if (loads == MOST_TRIES) {
        store
            .external()
            .failed(
                missing,
                ExternalStoreException.unreachable(
                    "there is no memory for entries of the map's external store; try again later"));
        return false;
      }
      loads++;
      loading = missing;
      readings = store.external().readings();
      external.load(
          missing,
          answer -> {
            loaded = answer;
            maps.partitions().operations().execute(this);
          });
      return true;
    }

    private Set<Data> missing(NativeRecordStore store, ExternalMap external) {
      Set<Data> missing = new LinkedHashSet<>();
      long now = Clock.currentTimeMillis();
      for (Data key : keysOfEntries(operation)) {
        if (isHere(key)
            && store.external().isToBeLoaded(key, now)
            && !store.external().takeQueued(key, external)) {
          if (missing.size() >= MOST_VALUES && endEarly()) {
            break;
          }
          boolean _ = missing.add(key);
        }
      }
      return missing;
    }

    /** The same; whatever happens, it is run if it does not wait, as others are behind it. */
    private boolean waitsMore() {
      try {
        return waits();
      } catch (RuntimeException e) {
        LOG.error("an operation runs without the values that it waited for", e);
        return false;
      }
    }

    private List<ColdRead> coldReads(NativeRecordStore store) {
      List<ColdRead> cold = new ArrayList<>();
      long bytes = 0;
      for (Data key : keysOfValues(store, operation)) {
        ColdRead read = store.entries().coldRead(key);
        if (read != null) {
          if (cold.size() == MOST_VALUES || bytes >= MOST_BYTES) {
            boolean _ = endEarly();
            break;
          }
          cold.add(read);
          bytes += read.length();
        }
      }
      return cold;
    }

    private boolean endEarly() {
      return operation instanceof KeyedCommands commands && commands.endEarly();
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

    /** Its values are at hand: it runs, and those behind it whose turn it is. */
    @Override
    public void run() {
      NativeRecordStore store = store(operation);
      NativeEntries entries = store == null ? null : store.entries();
      ValueReaders.Claim read = claim;
      claim = null;
      if (entries != null && read != null) {
        entries.spilled().hand(read.reads());
      }
      take(store);
      try {
        Queue<Deferred> ready = new ArrayDeque<>();
        ready.add(this);
        runAll(ready);
      } finally {
        if (entries != null) {
          entries.spilled().takeBack();
        }
        if (read != null) {
          read.end();
        }
        forgetAnswers();
      }
    }

    private void forgetAnswers() {
      NativeRecordStore store = store(operation);
      if (store != null && maps.external().of(operation.getName()) != null) {
        store.external().forgetAnswers();
      }
    }

    private void take(@Nullable NativeRecordStore store) {
      Loaded answer = loaded;
      loaded = null;
      ExternalMap external = answer == null ? null : maps.external().of(operation.getName());
      if (answer != null
          && external != null
          && store != null
          && readings == store.external().readings()) {
        store.external().take(loading, answer, external, Clock.currentTimeMillis());
      }
    }

    private void runNow(Queue<Deferred> ready) {
      Deferred outer = running;
      running = this;
      try {
        if (taken.compareAndSet(false, true) && !isHeld(operation, resumer)) {
          resumer.resume(operation);
        }
      } finally {
        running = outer;
        if (readers != null) {
          readers.leave(this);
        }
        if (!writing) {
          leave(ready);
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

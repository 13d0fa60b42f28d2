package io.keyvalueserve.maps;

import com.hazelcast.map.impl.operation.AddIndexOperation;
import com.hazelcast.map.impl.operation.MapPartitionDestroyOperation;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumer;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumption;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The tenants whose maps are not in memory, or not yet all of them. Operations on their maps wait
 * here, in the order in which they came, until their partition is served. Whatever reads or writes
 * without an operation declines meanwhile.
 *
 * <pre>
 *   (free) --hold--> HELD --serve some partitions--> PARTLY SERVED --release--> (free)
 *                    HELD <--------------hold------- PARTLY SERVED
 * </pre>
 *
 * <p>Thread-safe. Costs a look at one field while no tenant is held.
 */
public final class HeldTenants {
  private static final char SEPARATOR = '/';
  private static final BitSet NONE = new BitSet(0);

  /** Stands for all partitions. */
  public static final int ALL = -1;

  /** Is told that somebody waits for a tenant. */
  @FunctionalInterface
  public interface Demand {
    /**
     * Somebody waits for a partition, or for {@link #ALL} of them. May be told often. Must not
     * block.
     */
    void wanted(String tenant, int partition);
  }

  private final MemberPartitions partitions;
  private final Map<String, Hold> holds = new ConcurrentHashMap<>();
  private volatile boolean empty = true;
  private final AtomicInteger changes = new AtomicInteger();
  private volatile Demand demand = (tenant, partition) -> {};
  private volatile boolean ended;

  HeldTenants(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /** A tenant that is held. */
  static final class Hold {
    private final String tenant;

    /** The partitions that are served. Replaced, never changed. */
    private volatile BitSet served = NONE;

    /**
     * Operations that wait, by partition. A queue is used by who has its partition. Made when the
     * first waits: there may be very many holds.
     */
    private volatile Map<Integer, Queue<Parked>> waiting = Map.of();

    private volatile boolean released;

    /** Another hold has taken its place. */
    private volatile boolean replaced;

    Hold(String tenant) {
      this.tenant = tenant;
    }

    private void add(int partition, Parked parked) {
      synchronized (this) {
        if (!(waiting instanceof ConcurrentHashMap)) {
          waiting = new ConcurrentHashMap<>();
        }
      }
      boolean _ = waiting.computeIfAbsent(partition, any -> new ArrayDeque<>()).add(parked);
    }

    private @Nullable Queue<Parked> take(int partition) {
      return waiting.isEmpty() ? null : waiting.remove(partition);
    }

    /** Returns whether an operation may run: none waits that came before it. */
    private boolean isServed(int partition) {
      return served.get(partition) && !waiting.containsKey(partition);
    }
  }

  /** Sets who is told that somebody waits. */
  public void onDemand(Demand next) {
    demand = next;
  }

  /** Returns whether no tenant is held. */
  boolean isEmpty() {
    return empty;
  }

  /** Returns a number that moves on when a tenant is held or released. */
  int changes() {
    return changes.get();
  }

  /**
   * Returns whether a map's tenant is held.
   *
   * @param map its name in the grid
   */
  public boolean isHeld(String map) {
    return of(map) != null;
  }

  /** Returns the hold on a map's tenant; null if it is not held. */
  @Nullable Hold of(String map) {
    if (empty) {
      return null;
    }
    int end = map.indexOf(SEPARATOR);
    return end <= 0 ? null : holds.get(map.substring(0, end));
  }

  /**
   * Returns whether a map's tenant is held, and it is not known yet which maps it has. Tells that
   * somebody waits for it.
   */
  public boolean demandNames(String map) {
    Hold hold = of(map);
    if (hold == null || !hold.served.isEmpty()) {
      return false;
    }
    demand.wanted(hold.tenant, ALL);
    return true;
  }

  /**
   * Tells that somebody waits for all of a map, if its tenant is held.
   *
   * @return whether it is
   */
  public boolean demand(String map) {
    Hold hold = of(map);
    if (hold == null || hold.released) {
      return false;
    }
    demand.wanted(hold.tenant, ALL);
    return true;
  }

  /** Returns whether operations wait for a tenant on this member. */
  public boolean isAwaited(String tenant) {
    Hold hold = holds.get(tenant);
    return hold != null && !hold.waiting.isEmpty();
  }

  /**
   * Holds a tenant: nothing of it is served, whatever was before. Operations that waited for a
   * partition that was served wait on. Does not block; see {@link #awaitHeld}.
   */
  public synchronized void hold(String tenant) {
    Hold before = holds.get(tenant);
    if (before != null && !before.released && before.served.isEmpty()) {
      return;
    }
    Hold _ = replace(tenant, before);
  }

  /** Operations that wait at the hold before come to the new one. With the monitor. */
  private Hold replace(String tenant, @Nullable Hold before) {
    Hold next = new Hold(tenant);
    Hold _ = holds.put(tenant, next);
    changed();
    if (before != null) {
      before.replaced = true;
      before.waiting.keySet().forEach(partition -> resume(before, partition));
    }
    return next;
  }

  /**
   * Waits until nobody on this member reads or changes maps of tenants that are held, but for what
   * puts entries back. Blocks until those have ended that do.
   */
  public void awaitHeld() {
    for (int partition = 0; partition < partitions.count(); partition++) {
      partitions.exclusively(partition, () -> {});
    }
  }

  private void changed() {
    empty = holds.isEmpty();
    int _ = changes.incrementAndGet();
  }

  /**
   * Lets operations run in some partitions of a tenant, and in no others. If others were served
   * before, this member has missed that the tenant left memory again.
   */
  public void serve(String tenant, BitSet served) {
    Hold hold;
    synchronized (this) {
      hold = holds.get(tenant);
      if (hold == null || hold.released || !contains(served, hold.served)) {
        hold = replace(tenant, hold);
      }
      hold.served = (BitSet) served.clone();
    }
    for (int partition : hold.waiting.keySet()) {
      if (served.get(partition)) {
        resume(hold, partition);
      }
    }
  }

  private static boolean contains(BitSet all, BitSet some) {
    BitSet rest = (BitSet) some.clone();
    rest.andNot(all);
    return rest.isEmpty();
  }

  /** Holds a tenant no longer. Operations that wait run first. */
  public void release(String tenant) {
    Hold hold = holds.get(tenant);
    if (hold == null) {
      return;
    }
    BitSet all = new BitSet(partitions.count());
    all.set(0, partitions.count());
    hold.served = all;
    hold.released = true;
    hold.waiting.keySet().forEach(partition -> resume(hold, partition));
    removeIfDone(hold);
  }

  private void removeIfDone(Hold hold) {
    if (hold.released && hold.waiting.isEmpty()) {
      synchronized (this) {
        if (holds.remove(hold.tenant, hold)) {
          changed();
        }
      }
    }
  }

  /** Ends the operations that wait for a tenant: it cannot be had now. */
  public void refuse(String tenant, RuntimeException why) {
    Hold hold = holds.get(tenant);
    if (hold == null) {
      return;
    }
    for (int partition : hold.waiting.keySet()) {
      partitions.exclusively(partition, () -> refuse(hold, partition, why));
    }
  }

  private void refuse(Hold hold, int partition, RuntimeException why) {
    Queue<Parked> waiting = hold.take(partition);
    if (waiting != null) {
      waiting.forEach(parked -> parked.refuse(why));
    }
    removeIfDone(hold);
  }

  /** The member goes down: operations that wait are ended. */
  void end(RuntimeException why) {
    ended = true;
    holds.keySet().forEach(tenant -> refuse(tenant, why));
  }

  /**
   * Takes an operation, to run it later, if it is on a map of a tenant that is held. The caller has
   * the partition.
   *
   * @param container the map's, if it has one here
   * @return whether it was taken
   */
  boolean takes(
      Operation operation,
      @Nullable NativeMapContainer container,
      Resumer resumer,
      DeferredOperations deferred) {
    if (empty
        || ended
        || !(operation instanceof NamedOperation named)
        || isExempt(operation)
        || !GuardedPartitions.isOnData(operation)) {
      return false;
    }
    Hold hold = container == null ? of(named.getName()) : container.hold();
    int partition = operation.getPartitionId();
    if (hold == null || hold.isServed(partition)) {
      return false;
    }
    resumer.defer(operation);
    park(hold, operation, resumer, deferred);
    return true;
  }

  private void park(Hold hold, Operation operation, Resumer resumer, DeferredOperations deferred) {
    int partition = operation.getPartitionId();
    Parked parked = new Parked(hold, operation, resumer, deferred);
    hold.add(partition, parked);
    if (hold.served.get(partition) || hold.replaced) {
      partitions.operations().execute(parked);
    } else {
      demand.wanted(hold.tenant, partition);
    }
  }

  /** Returns whether an operation is needed to put entries back, or to let them go. */
  private static boolean isExempt(Operation operation) {
    return operation instanceof BackupOperation
        || operation instanceof RestoreEntries
        || operation instanceof AddIndexOperation
        || operation instanceof MapPartitionDestroyOperation;
  }

  /** Has the operations that wait for a partition run, each in its tenant's turn. */
  private void resume(Hold hold, int partition) {
    partitions.execute(
        partition,
        () -> {
          Queue<Parked> waiting = hold.waiting.get(partition);
          if (waiting != null) {
            waiting.forEach(partitions.operations()::execute);
          }
        });
  }

  /** An operation that waits. Used by who has its partition. */
  private final class Parked implements Resumption {
    private final Hold hold;
    private final Operation operation;
    private final Resumer resumer;
    private final DeferredOperations deferred;
    private final AtomicBoolean ended = new AtomicBoolean();

    Parked(Hold hold, Operation operation, Resumer resumer, DeferredOperations deferred) {
      this.hold = hold;
      this.operation = operation;
      this.resumer = resumer;
      this.deferred = deferred;
    }

    @Override
    public int getPartitionId() {
      return operation.getPartitionId();
    }

    @Override
    public Operation operation() {
      return operation;
    }

    /** Runs it, unless it has run or was refused: it may be submitted twice. */
    @Override
    @SuppressWarnings("ReferenceEquality") // holds are what they are
    public void run() {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      int partition = getPartitionId();
      Queue<Parked> waiting = hold.waiting.get(partition);
      if (waiting != null) {
        boolean _ = waiting.remove(this);
        if (waiting.isEmpty()) {
          Queue<Parked> _ = hold.take(partition);
        }
      }
      removeIfDone(hold);
      Hold now = holds.get(hold.tenant);
      if (now != null && now != hold && !now.isServed(partition)) {
        park(now, operation, resumer, deferred); // it is held again
      } else if (!deferred.awaitsValues(operation, resumer)) {
        resumer.resume(operation);
      }
    }

    void refuse(RuntimeException why) {
      if (ended.compareAndSet(false, true)) {
        resumer.refuse(operation, why);
      }
    }
  }
}

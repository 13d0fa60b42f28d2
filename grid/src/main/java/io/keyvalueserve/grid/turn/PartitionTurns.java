package io.keyvalueserve.grid.turn;

import com.hazelcast.internal.nio.Connection;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationexecutor.impl.PartitionQueues;
import io.keyvalueserve.gates.fairness.WaitMeters;
import io.keyvalueserve.gates.fairness.Waits;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;

/**
 * Has the partition threads of a member serve tenants in turn, those that read clients'
 * connections, and the pools for what clients ask of no partition. Thread-safe.
 */
public final class PartitionTurns {
  private final IntUnaryOperator weights;
  private final TenantNumbers numbers = new TenantNumbers();
  private final TaskTenants classes;
  private final WaitMeters meters = new WaitMeters();
  private final ReadingTurns reading;
  private final List<TurnQueue> queues = new CopyOnWriteArrayList<>();
  private final List<TurnPool> pools = new CopyOnWriteArrayList<>();

  /**
   * @param weights of tenants by their numbers
   * @param callers the number of the tenant whose client has a connection; -1 if there is none
   */
  public PartitionTurns(IntUnaryOperator weights, ToIntFunction<Connection> callers) {
    this.weights = weights;
    this.classes = new TaskTenants(numbers, callers);
    this.reading = new ReadingTurns(weights, meters);
  }

  /** Gives the member's partition threads their queues. To be called once, before they start. */
  public void install(NodeEngine nodeEngine) {
    PartitionQueues.install(nodeEngine, this::queue);
  }

  /** The weights of tenants by their numbers. */
  public IntUnaryOperator weights() {
    return weights;
  }

  /** Turns of the threads that read. */
  public ReadingTurns reading() {
    return reading;
  }

  /**
   * Has a pool serve tenants in turn, which nobody else uses from now on.
   *
   * @param spare how many threads it gets beyond those it has, for tenants of which nothing runs: 0
   *     or more. As many tasks of one tenant may wait as could of all together
   */
  public TurnPool share(ThreadPoolExecutor threads, int spare) {
    TurnPool pool =
        new TurnPool(
            threads,
            spare,
            threads.getQueue().remainingCapacity(),
            weights,
            meters,
            System::nanoTime);
    pools.add(pool);
    return pool;
  }

  private TurnQueue queue() {
    TurnQueue queue = new TurnQueue(classes, weights, meters, System::nanoTime);
    queues.add(queue);
    return queue;
  }

  /** Takes note of a tenant, or that it was deleted. */
  public void apply(Tenant tenant) {
    numbers.apply(tenant);
    if (tenant.state() == TenantState.DELETED) {
      drop(tenant.number());
    }
  }

  /**
   * Drops the accounts of a tenant that uses nothing at present; they are made again if it does.
   */
  public void drop(int tenant) {
    queues.forEach(queue -> queue.forget(tenant));
    pools.forEach(pool -> pool.forget(tenant));
    reading.forget(tenant);
  }

  /**
   * Returns how long each tenant has waited, and for which tenants: for partition threads, for
   * those that read and for those of pools, all of them together.
   */
  public Collection<Waits> waits() {
    return meters.readings(System.nanoTime());
  }
}

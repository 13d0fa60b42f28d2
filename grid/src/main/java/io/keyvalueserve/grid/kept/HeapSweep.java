package io.keyvalueserve.grid.kept;

import com.hazelcast.cluster.Member;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import io.keyvalueserve.gates.heap.HeapLedger;
import io.keyvalueserve.gates.heap.KeptReport;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.tenancy.Tenant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures several times a second how many bytes of the Java heap each tenant makes this member
 * keep in queues, lists, sets, multimaps, ring buffers, replicated maps, locks and names, and tells
 * the other members. Tenants are billed for what is in partitions that this member owns.
 *
 * <p>A thread of its own lists the containers. Each partition's thread measures those of its
 * partition, in slices of a millisecond or of one container. A container that has not changed is
 * not measured again, and measuring takes at most a twentieth of a partition thread's time.
 */
public final class HeapSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeapSweep.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long REST = 20;

  /** The thread rests for so many times as long as it worked, while nothing is reserved. */
  private static final long QUIET_REST = 500;

  private static final long MOST_QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A member that is alone rests for so long at least while nothing is kept or reserved. */
  private static final long EMPTY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long PATIENCE_SECONDS = 10;

  /**
   * The number of measurements that a reservation outlives where this member alone keeps anything.
   */
  private static final int GENERATIONS_ALONE = 2;

  /** The same where others do, whose figures take their time to come. */
  private static final int GENERATIONS_AMONG_OTHERS = 5;

  private final NodeEngine nodeEngine;
  private final HeapLedger ledger;
  private final Supplier<Collection<Tenant>> tenants;
  private final Consumer<KeptReport> others;
  private final KeptObjects objects;
  private final UUID self;
  private final Thread thread;
  private volatile boolean closed;
  private boolean toldSomething;

  /**
   * True if nothing is kept, and no other member can have let in what this one will keep: then it
   * is reserved here first.
   */
  private boolean quiet;

  private boolean failed;

  private HeapSweep(
      NodeEngine nodeEngine,
      HeapLedger ledger,
      Supplier<Collection<Tenant>> tenants,
      Consumer<KeptReport> others) {
    this.tenants = tenants;
    this.nodeEngine = nodeEngine;
    this.ledger = ledger;
    this.others = others;
    this.objects = new KeptObjects(nodeEngine);
    this.self = nodeEngine.getLocalMember().getUuid();
    this.thread = Thread.ofPlatform().name("kvs-kept-heap").daemon().unstarted(this::run);
  }

  /**
   * Begins to measure.
   *
   * @param tenants those that are known
   * @param others takes what is to be sent to every other member
   */
  public static HeapSweep start(
      NodeEngine nodeEngine,
      HeapLedger ledger,
      Supplier<Collection<Tenant>> tenants,
      Consumer<KeptReport> others) {
    HeapSweep sweep = new HeapSweep(nodeEngine, ledger, tenants, others);
    sweep.thread.start();
    return sweep;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    while (!closed) {
      long busiest = 0;
      long begun = System.nanoTime();
      try {
        busiest = sweep();
        failed = false;
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!closed && !failed) { // once, not several times a second
          LOG.error("what tenants keep on the heap is not measured", e);
        }
        failed = true;
      }
      try {
        rest(busiest, System.nanoTime() - begun);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * Waits until it is time to measure again. What requests reserve is to be measured soon; while
   * they reserve nothing, going through all names again and again takes little of a core.
   */
  private void rest(long busiest, long took) throws InterruptedException {
    long rest = Math.min(took * QUIET_REST, MOST_QUIET_NANOS);
    long end = System.nanoTime() + (quiet ? Math.max(rest, EMPTY_NANOS) : rest);
    TimeUnit.NANOSECONDS.sleep(Math.max(PAUSE_NANOS, busiest * REST));
    while (!ledger.isAnyReserved() && System.nanoTime() - end < 0 && !closed) {
      TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
    }
  }

  /** Returns for how long the thread of one partition has measured at most, in nanoseconds. */
  private long sweep() throws InterruptedException {
    Map<Integer, List<KeptObject>> byPartition = new HashMap<>();
    Collection<KeptObject> listed = objects.list();
    for (KeptObject object : listed) {
      byPartition.computeIfAbsent(object.partition(), absent -> new ArrayList<>()).add(object);
    }
    long busiest = measure(byPartition);
    KeptSums sums = new KeptSums();
    for (KeptObject object : listed) {
      sums.add(object.tenant(), object.bytes(), object.isOwned());
    }
    objects.addConstant(sums);
    objects.addLocks(names(), ledger.isAnyReserved(), sums);
    settle(sums.all());
    ledger.bill(sums.owned(), System.nanoTime());
    return busiest;
  }

  /**
   * Returns what finds tenants' names by their numbers. They are gathered when one is asked for.
   */
  private IntFunction<@Nullable String> names() {
    Map<Integer, String> names = new HashMap<>();
    return number -> {
      if (names.isEmpty()) {
        for (Tenant tenant : tenants.get()) {
          names.put(tenant.number(), tenant.name().value());
        }
      }
      return names.get(number);
    };
  }

  private void settle(Map<String, Long> bytes) {
    List<UUID> members = DataMembers.of(nodeEngine).stream().map(Member::getUuid).toList();
    boolean alone = members.size() <= 1;
    quiet = alone && bytes.isEmpty();
    ledger.settle(bytes, members, alone ? GENERATIONS_ALONE : GENERATIONS_AMONG_OTHERS);
    if (!alone && (!bytes.isEmpty() || toldSomething)) {
      others.accept(new KeptReport(self, bytes));
    }
    toldSomething = !bytes.isEmpty();
  }

  private long measure(Map<Integer, List<KeptObject>> byPartition) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(byPartition.size());
    AtomicLong busiest = new AtomicLong();
    OperationServiceImpl operations = (OperationServiceImpl) nodeEngine.getOperationService();
    byPartition.forEach(
        (partition, kept) ->
            operations.execute(
                new Slices(partition, new ArrayDeque<>(kept), operations, left, busiest)));
    if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      LOG.debug("some partitions have not measured what they keep within {} s", PATIENCE_SECONDS);
    }
    return busiest.get();
  }

  /** Measures what one partition keeps, a slice at a time. */
  private final class Slices implements PartitionSpecificRunnable {
    private final int partition;
    private final Queue<KeptObject> kept;
    private final OperationServiceImpl operations;
    private final CountDownLatch left;
    private final AtomicLong busiest;
    private long nanos;

    Slices(
        int partition,
        Queue<KeptObject> kept,
        OperationServiceImpl operations,
        CountDownLatch left,
        AtomicLong busiest) {
      this.partition = partition;
      this.kept = kept;
      this.operations = operations;
      this.left = left;
      this.busiest = busiest;
    }

    @Override
    public int getPartitionId() {
      return partition;
    }

    @Override
    public void run() {
      long began = System.nanoTime();
      boolean owned = nodeEngine.getPartitionService().getPartition(partition, false).isLocal();
      long now = began;
      while (!kept.isEmpty() && now - began < SLICE_NANOS) {
        measure(kept.remove(), owned);
        now = System.nanoTime();
      }
      nanos += now - began;
      if (!kept.isEmpty() && !closed) {
        operations.execute(this);
        return;
      }
      busiest.accumulateAndGet(nanos, Math::max);
      left.countDown();
    }

    private void measure(KeptObject object, boolean owned) {
      try {
        object.measureAs(owned);
      } catch (RuntimeException e) { // it keeps the figure that it had
        LOG.debug("a container was not measured: {}", e.toString());
      }
    }
  }
}

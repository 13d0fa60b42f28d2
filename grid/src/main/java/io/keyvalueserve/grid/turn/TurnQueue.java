package io.keyvalueserve.grid.turn;

import com.hazelcast.internal.util.collection.Int2ObjectHashMap;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationQueue;
import io.keyvalueserve.gates.fairness.Claim;
import io.keyvalueserve.gates.fairness.DeficitRoundRobin;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Queues tasks for a partition thread. Urgent tasks go first, as in Hazelcast's own queue. Tasks
 * that members do for each other come next, in the order they came. Tenants come last: they share
 * the thread by weight and by the time their tasks take.
 *
 * <p>A tenant's tasks keep their order, and so do the members' among themselves. Between two
 * classes there is no order. While tenants wait, at most {@link #MOST_SYSTEM_IN_A_ROW} tasks of
 * members run one after the other, so that neither can starve the other.
 *
 * <p><b>How.</b> A thread that adds a task pushes it onto a stack, as in Hazelcast's MPSCQueue. The
 * partition thread takes the whole stack with one exchange, and turns it into lists. Each node of
 * the stack knows whether all below it is of one tenant. While it is, and no other tenant waits,
 * nobody is scheduled and no clock is read. From when two tenants wait until no tenant has waited
 * for another for a while, {@link DeficitRoundRobin} decides, and the clock is read once for each
 * task.
 *
 * <p>Any thread may add and ask for sizes; one thread takes.
 */
public final class TurnQueue implements OperationQueue {
  /** The class of what members do for each other: replication, backups, migrations. */
  public static final int SYSTEM = -1;

  /**
   * The class of what tenants have asked for and nobody knows which: it is served as one tenant.
   */
  public static final int NOBODY = 0;

  /** The number of members' tasks that may go before a task of a tenant that waits. */
  static final int MOST_SYSTEM_IN_A_ROW = 8;

  /** The time for which the thread goes on keeping accounts after a tenant waited for another. */
  static final long CONTENTION_LASTS_NANOS = 100_000_000L;

  /** The slices of event loops, except that a tenant alone is looked after as often as others. */
  private static final Slicing SLICING = new Slicing(100_000, 100_000, 20_000, 100_000_000);

  /** The head of the stack while the thread is parked, or about to be. */
  private static final Node BLOCKED = new Node(TurnQueue.class, SYSTEM);

  private static final VarHandle INBOX;
  private static final VarHandle WAITING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      INBOX = lookup.findVarHandle(TurnQueue.class, "inbox", Node.class);
      WAITING = lookup.findVarHandle(TurnQueue.class, "waiting", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A task that waits: on the stack, and later in the list of its class. */
  private static final class Node {
    final Object task;
    final int tenant;
    @Nullable Node next;

    /** The number of nodes on the stack with this one on top. */
    int size = 1;

    /** True if the nodes from here down are of different classes. */
    boolean isMixed;

    Node(Object task, int tenant) {
      this.task = task;
      this.tenant = tenant;
    }
  }

  /** The tasks of one class that wait, in the order they came. Of the thread that takes. */
  private static final class Flow {
    final int tenant;
    final @Nullable Claim<Flow> claim;
    @Nullable Node first;
    @Nullable Node last;

    Flow(int tenant, @Nullable DeficitRoundRobin<Flow> scheduler) {
      this.tenant = tenant;
      this.claim = scheduler == null ? null : scheduler.enter(tenant, this);
    }

    boolean isEmpty() {
      return first == null;
    }

    void add(Node node) {
      node.next = null;
      Node before = last;
      if (before == null) {
        first = node;
      } else {
        before.next = node;
      }
      last = node;
    }

    @Nullable Node poll() {
      Node node = first;
      if (node != null) {
        first = node.next;
        if (first == null) {
          last = null;
        }
      }
      return node;
    }
  }

  /** A note in the queue that is not a task. */
  private enum Note {
    /** The tenant was deleted. */
    FORGET
  }

  private final ToIntFunction<Object> classes;
  private final LongSupplier nanoTime;
  private final DeficitRoundRobin<Flow> scheduler;
  private final Queue<Object> urgent = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("FieldMayBeFinal") // changed through the handle
  private volatile @Nullable Node inbox;

  /** The number of nodes in lists. Written by the thread that takes. */
  @SuppressWarnings("FieldMayBeFinal") // changed through the handle
  private volatile int waiting;

  private volatile @Nullable Thread consumer;

  // ---- of the thread that takes

  private final Flow system = new Flow(SYSTEM, null);
  private final Int2ObjectHashMap<Flow> flows = new Int2ObjectHashMap<>();

  /** The tenants that have tasks in their lists. */
  private int busy;

  /** The tenant served last. */
  private Flow present;

  /** The node that was taken last. Other threads may see any value. */
  private @Nullable Node taken;

  private int systemInARow;

  /** True while tenants are scheduled. */
  private boolean isContended;

  /** The time, if tenants are scheduled. */
  private long now;

  /** The time when a tenant last waited for another. */
  private long contendedNanos;

  // The turn that goes on, if tenants are scheduled.
  private boolean isTurn;
  private long turnEnds;
  private long notOfTurn;

  /**
   * True while a task runs that does not belong to the turn that goes on. {@link #otherSince} says
   * when it began.
   */
  private boolean isOther;

  private long otherSince;

  /**
   * @param classes the tenant's number that a task belongs to, or {@link #SYSTEM}; asked once for
   *     each task by who adds it, and not again if it is added by its own run. Never throws
   * @param weights of tenants by their numbers
   * @param meters take what tenants wait
   * @param nanoTime as {@link System#nanoTime}
   */
  TurnQueue(
      ToIntFunction<Object> classes,
      IntUnaryOperator weights,
      WaitMeters meters,
      LongSupplier nanoTime) {
    this.classes = classes;
    this.nanoTime = nanoTime;
    this.scheduler = new DeficitRoundRobin<>(SLICING, weights, meters);
    this.present = new Flow(NOBODY, scheduler);
    flows.put(NOBODY, present);
  }

  /** Says which thread takes, before it does: it is woken when something has come. */
  public void takenBy(Thread thread) {
    consumer = thread;
  }

  // ---- any thread

  @Override
  public void add(Object task, boolean priority) {
    if (priority) {
      urgent.add(task);
      wake();
    } else {
      Node again = running(task);
      push(new Node(task, again != null ? again.tenant : classes.applyAsInt(task)));
    }
  }

  /** Returns the node that the calling thread has taken, if it holds this very task. */
  @SuppressWarnings("ReferenceEquality") // tasks are who they are
  private @Nullable Node running(Object task) {
    Node last = taken;
    return last != null && last.task == task && Thread.currentThread() == consumer ? last : null;
  }

  /** Has the accounts of a tenant dropped that was deleted. */
  void forget(int tenant) {
    push(new Node(Note.FORGET, tenant));
  }

  private void push(Node node) {
    while (true) {
      Node head = inbox;
      if (head == null || head == BLOCKED) {
        node.next = null;
        node.size = 1;
        node.isMixed = false;
      } else {
        node.next = head;
        node.size = head.size + 1;
        node.isMixed = head.isMixed || head.tenant != node.tenant;
      }
      if (INBOX.compareAndSet(this, head, node)) {
        if (head == BLOCKED) {
          LockSupport.unpark(consumer);
        }
        return;
      }
    }
  }

  /** Wakes the thread if it is parked, or about to be. */
  private void wake() {
    if (inbox == BLOCKED && INBOX.compareAndSet(this, BLOCKED, null)) {
      LockSupport.unpark(consumer);
    }
  }

  @Override
  public int normalSize() {
    Node head = inbox;
    return waiting + (head == null || head == BLOCKED ? 0 : head.size);
  }

  @Override
  public int prioritySize() {
    return urgent.size();
  }

  @Override
  public int size() {
    return normalSize() + prioritySize();
  }

  @Override
  public boolean isEmpty() {
    return normalSize() == 0 && urgent.isEmpty();
  }

  // ---- the thread that takes

  @Override
  public Object take(boolean priorityOnly) throws InterruptedException {
    if (priorityOnly) {
      throw new UnsupportedOperationException("a partition thread takes all that there is");
    }
    while (true) {
      Object task = next();
      if (task != null) {
        return task;
      }
      await();
    }
  }

  /** Returns when something may have come, or for no reason. */
  private void await() throws InterruptedException {
    if (!INBOX.compareAndSet(this, null, BLOCKED)) {
      return;
    }
    // Who adds something urgent adds it first, and then looks whether the thread is parked.
    while (inbox == BLOCKED && urgent.isEmpty()) {
      if (Thread.interrupted()) {
        boolean _ = INBOX.compareAndSet(this, BLOCKED, null);
        throw new InterruptedException();
      }
      LockSupport.park(this);
    }
    boolean _ = INBOX.compareAndSet(this, BLOCKED, null);
  }

  @Override
  @SuppressWarnings("NullAway") // as Hazelcast's own: null if nothing waits
  public Object poll() {
    return next();
  }

  private @Nullable Object next() {
    if (isContended) {
      now = nanoTime.getAsLong();
    }
    if (isOther) {
      notOfTurn += now - otherSince;
      isOther = false;
    }
    Object task = urgent.poll();
    if (task == null) {
      return pollNormal();
    }
    taken = null;
    other();
    return task;
  }

  /** Notes that the task that runs now does not belong to the turn that goes on. */
  private void other() {
    if (isTurn) {
      isOther = true;
      otherSince = now;
    }
  }

  private @Nullable Object pollNormal() {
    if (isTurn) {
      if (now - turnEnds - notOfTurn >= 0 || present.isEmpty()) {
        drain();
        endTurn();
      }
    } else if (mustDrain()) {
      drain();
    }
    Node node = null;
    if (!system.isEmpty() && (busy == 0 || systemInARow < MOST_SYSTEM_IN_A_ROW)) {
      systemInARow++;
      other();
      node = system.poll();
    } else if (busy > 0) {
      systemInARow = 0;
      node = pollTenant();
    }
    taken = node;
    if (node == null) {
      return null;
    }
    WAITING.setOpaque(this, waiting - 1);
    return node.task;
  }

  /** Returns whether a task may have come that goes before the tenant that is served. */
  private boolean mustDrain() {
    Node head = inbox;
    return head != null
        && head != BLOCKED
        && (present.isEmpty() || head.isMixed || head.tenant != present.tenant);
  }

  private @Nullable Node pollTenant() {
    if (isContended && !isTurn) {
      Claim<Flow> claim = scheduler.next(now);
      if (claim == null) {
        throw new IllegalStateException("tenants wait that nobody schedules: " + busy);
      }
      present = claim.work();
      isTurn = true;
      notOfTurn = 0;
      turnEnds = now + scheduler.sliceNanos();
    }
    Node node = present.poll();
    if (present.isEmpty()) {
      busy--;
    }
    return node;
  }

  private void endTurn() {
    isTurn = false;
    if (busy > 1) {
      contendedNanos = now;
    }
    boolean hasMore = !present.isEmpty();
    boolean isOver = busy <= 1 && now - contendedNanos >= CONTENTION_LASTS_NANOS;
    scheduler.done(now, notOfTurn, hasMore && !isOver);
    if (isOver) {
      endContention();
    }
  }

  /**
   * Ends the scheduling of tenants, unless tasks of another tenant than the one served have come.
   * Called when at most one tenant has tasks.
   */
  private void endContention() {
    if (busy == 0 || !present.isEmpty()) {
      isContended = false;
    } else { // another one's have come: it stays scheduled until it is served
      contendedNanos = now;
    }
  }

  /** Takes all that has come into the lists. */
  private void drain() {
    Node node = (Node) INBOX.getAndSet(this, null);
    if (node == null || node == BLOCKED) {
      return;
    }
    int came = node.size;
    Node oldest = null;
    while (node != null) {
      Node next = node.next;
      node.next = oldest;
      oldest = node;
      node = next;
    }
    while (oldest != null) {
      Node next = oldest.next;
      if (oldest.task == Note.FORGET) {
        came--;
        drop(oldest.tenant);
      } else if (oldest.tenant == SYSTEM) {
        system.add(oldest);
      } else {
        arrive(oldest);
      }
      oldest = next;
    }
    WAITING.setOpaque(this, waiting + came);
  }

  private void arrive(Node node) {
    Flow flow = node.tenant == present.tenant ? present : flow(node.tenant);
    if (!flow.isEmpty()) {
      flow.add(node);
      return;
    }
    flow.add(node);
    busy++;
    if (isContended) {
      ready(flow);
    } else if (busy == 1) {
      present = flow;
    } else { // present is the one who waited alone
      isContended = true;
      now = nanoTime.getAsLong();
      contendedNanos = now;
      ready(present);
      ready(flow);
    }
  }

  private void ready(Flow flow) {
    Claim<Flow> claim = flow.claim;
    if (claim != null) {
      scheduler.ready(claim, now);
    }
  }

  private Flow flow(int tenant) {
    Flow known = flows.get(tenant);
    if (known == null) {
      known = new Flow(tenant, scheduler);
      flows.put(tenant, known);
    }
    return known;
  }

  private void drop(int tenant) {
    Flow flow = flows.get(tenant);
    if (flow == null || !flow.isEmpty() || tenant == NOBODY || (flow == present && isTurn)) {
      return;
    }
    if (flow == present) {
      present = flow(NOBODY);
    }
    Claim<Flow> claim = flow.claim;
    if (claim != null) {
      scheduler.leave(claim);
      scheduler.forget(tenant);
    }
    Flow _ = flows.remove(tenant);
  }
}

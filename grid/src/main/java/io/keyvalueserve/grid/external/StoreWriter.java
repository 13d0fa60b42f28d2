package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.grid.external.Settlement.End;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.maps.ExternalStoreException;
import io.keyvalueserve.maps.external.QueuedWrite;
import io.keyvalueserve.stores.Change;
import io.keyvalueserve.stores.Refusal;
import io.keyvalueserve.stores.StoreException;
import io.keyvalueserve.stores.StoreValueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what waits for the external store of a map, on this member's partitions, with one thread.
 * Writes that somebody waits for go first. Those of one batch are one transaction of the database.
 *
 * <pre>
 *   batch --written--------------> settled as DONE
 *   batch --one is refused-------> each by itself: DONE, REFUSED, or UNDONE if somebody waits
 *   batch --not reached----------> tried again after a pause that doubles, or UNDONE if somebody waits
 * </pre>
 */
final class StoreWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);
  private static final long LEAST_PAUSE_MILLIS = 5;
  private static final long MOST_SETTLING_MILLIS = 10_000;

  /** The values of a batch have about so many bytes at most. */
  private static final long MOST_BATCH_BYTES = 8 << 20;

  /** A batch waits for a connection, and for statements, for so many timeouts of the store. */
  private static final int GRACE_TIMEOUTS = 3;

  /** The clocks of members differ by less, and the times of ownership are off by less. */
  private static final long CLOCKS_MILLIS = 1_000;

  private static final long MOST_PAUSE_MILLIS = 1_000;
  private static final long FIRST_BACK_OFF_MILLIS = 100;
  private static final long MOST_BACK_OFF_MILLIS = 30_000;

  /** The states of PostgreSQL for: statement timeout, lock not available, no right on a row. */
  private static final Set<String> OF_ONE_ROW = Set.of("57014", "55P03", "42501");

  private static final int MOST_RESTING = 1_000;

  private final String map;
  private final MapStoreSettings settings;
  private final Duration timeout;
  private final TableSource table;
  private final Queues queues;
  private final StoreCounts counts;
  private final Queue<Item> urgent = new ConcurrentLinkedQueue<>();

  /** Urgent writes that a former owner may be writing still. Used by the writer's thread. */
  private final List<Item> held = new ArrayList<>();

  /** Rows that the database could not write by themselves, and until when they rest. */
  private final Map<Data, Long> resting = new HashMap<>();

  private final Thread thread;
  private @Nullable Thread former;
  private volatile boolean closed;
  private volatile boolean draining;
  private long backOffMillis;
  private long notBeforeNanos = System.nanoTime();
  private int nextPartition;

  /** The queues of this member's partitions. */
  interface Queues {
    /** Returns the number of partitions. */
    int partitions();

    /**
     * Visits the writes of a partition that this member has owned for a while.
     *
     * @return false if there are none to be visited yet
     */
    boolean visit(int partition, BiPredicate<Data, QueuedWrite> visitor);

    /**
     * Returns for how long this member has owned a partition, in milliseconds; -1 if it does not.
     */
    long ownedMillis(int partition);

    /** Ends writes of a partition. Does not block; what is done then is done in any case. */
    void settle(int partition, List<Settlement> settlements, Runnable whenDone);
  }

  /**
   * A write.
   *
   * @param whenWritten null if nobody waits
   */
  private record Item(
      int partition,
      Data key,
      QueuedWrite write,
      @Nullable QueuedWrite replaced,
      @Nullable Consumer<@Nullable RuntimeException> whenWritten) {
    Item(int partition, Data key, QueuedWrite write) {
      this(partition, key, write, null, null);
    }
  }

  StoreWriter(
      String map,
      MapStoreSettings settings,
      Duration timeout,
      TableSource table,
      Queues queues,
      StoreCounts counts) {
    this.map = map;
    this.settings = settings;
    this.timeout = timeout;
    this.table = table;
    this.queues = queues;
    this.counts = counts;
    this.thread = Thread.ofVirtual().name("kvs-store-writer").unstarted(this::run);
  }

  /**
   * Starts to write.
   *
   * @param before the writer of the same queues that this one takes the place of, and that is
   *     closed; null if there is none. It may be in the middle of a batch, which has to end first
   */
  void start(@Nullable StoreWriter before) {
    former = before == null ? null : before.thread;
    thread.start();
  }

  private void awaitFormer() {
    Thread ending = former;
    former = null;
    if (ending != null && ending.isAlive()) {
      try {
        boolean _ = ending.join(Duration.ofMillis(graceMillis()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns after how long a batch that another has begun has surely ended, in milliseconds. */
  private long graceMillis() {
    return GRACE_TIMEOUTS * timeout.toMillis() + CLOCKS_MILLIS;
  }

  /** Has a write carried out next. Does not block. */
  void write(
      int partition,
      Data key,
      QueuedWrite write,
      @Nullable QueuedWrite replaced,
      @Nullable Consumer<@Nullable RuntimeException> whenWritten) {
    urgent.add(new Item(partition, key, write, replaced, whenWritten));
    if (closed) {
      refuseUrgent();
    } else {
      LockSupport.unpark(thread);
    }
  }

  /** Has all that waits written at once, whatever its delay. Does not block. */
  void drain() {
    draining = true;
    LockSupport.unpark(thread);
  }

  /**
   * Waits until nothing waits, but for dead letters.
   *
   * @param endNanos until when, as {@link System#nanoTime}
   * @return how many writes wait still
   */
  long awaitDrained(long endNanos) {
    long left = left();
    while (left > 0 && System.nanoTime() - endNanos < 0) {
      LockSupport.unpark(thread);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LEAST_PAUSE_MILLIS));
      left = left();
    }
    return left;
  }

  private long left() {
    long[] left = new long[1];
    for (int partition = 0; partition < queues.partitions(); partition++) {
      if (queues.ownedMillis(partition) >= 0) {
        boolean _ =
            queues.visit(
                partition,
                (key, write) -> {
                  left[0] += write.isDead() ? 0 : 1;
                  return true;
                });
      }
    }
    return left[0];
  }

  /** Something waits in a queue. Does not block. */
  void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    awaitFormer();
    while (!closed) {
      long pause = MOST_PAUSE_MILLIS;
      try {
        pause = round();
      } catch (RuntimeException e) {
        StoreProblems.log(map, "the writer of an external store goes on after a failure", e);
      } catch (Error e) { // as without memory
        LOG.error("the writer of an external store goes on after an error: map={}", map, e);
      }
      if (!closed && pause > 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
      }
    }
    refuseUrgent();
  }

  /** Writes one batch; returns for how long to pause then, in milliseconds. */
  private long round() {
    List<Item> batch = takeUrgent();
    if (!batch.isEmpty()) {
      write(batch);
      return 0;
    }
    if (backOffMillis > 0 && !rest()) {
      return 0;
    }
    long heldBack = heldBackMillis();
    if (heldBack > 0) {
      return heldBack;
    }
    Found found = takeDue();
    if (found.batch().isEmpty()) {
      return found.waiting() || !held.isEmpty() ? pauseMillis() : MOST_PAUSE_MILLIS;
    }
    long begun = System.nanoTime();
    write(found.batch());
    if (settings.mostRate() > 0) {
      notBeforeNanos =
          begun + found.batch().size() * TimeUnit.SECONDS.toNanos(1) / settings.mostRate();
    }
    return 0;
  }

  /** Returns how long the next batch has to wait for the most rate that is set, in milliseconds. */
  private long heldBackMillis() {
    long left = notBeforeNanos - System.nanoTime();
    return settings.mostRate() == 0 || draining || left <= 0
        ? 0
        : Math.min(MOST_PAUSE_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1);
  }

  /** Waits until the database is tried again; returns false if something urgent came. */
  private boolean rest() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backOffMillis);
    while (!closed && System.nanoTime() - end < 0) {
      if (!urgent.isEmpty()) {
        return false;
      }
      LockSupport.parkNanos(Math.max(1, end - System.nanoTime()));
    }
    return true;
  }

  private long pauseMillis() {
    return Math.clamp(settings.delay().toMillis() / 4, LEAST_PAUSE_MILLIS, MOST_PAUSE_MILLIS / 4);
  }

  private List<Item> takeUrgent() {
    List<Item> batch = new ArrayList<>();
    for (Iterator<Item> each = held.iterator(); each.hasNext(); ) {
      Item item = each.next();
      if (batch.size() < settings.batch() && !mayBeWrittenByFormerOwner(item)) {
        batch.add(item);
        each.remove();
      }
    }
    while (batch.size() < settings.batch()) {
      Item next = urgent.poll();
      if (next == null) {
        break;
      }
      if (mayBeWrittenByFormerOwner(next)) {
        held.add(next);
      } else {
        batch.add(next);
      }
    }
    return batch;
  }

  private boolean mayBeWrittenByFormerOwner(Item item) {
    long owned = queues.ownedMillis(item.partition());
    return owned >= 0
        && owned < graceMillis()
        && item.write().sinceMillis() <= System.currentTimeMillis() - owned + CLOCKS_MILLIS;
  }

  /**
   * Writes to be written now.
   *
   * @param waiting whether others wait for their time
   */
  private record Found(List<Item> batch, boolean waiting) {}

  /**
   * Takes the writes whose time has come. What a former owner of the partition may be writing at
   * this moment waits until it has surely ended, or it could replace what is written here.
   */
  private Found takeDue() {
    long now = System.currentTimeMillis();
    List<Item> batch = new ArrayList<>();
    long[] seen = new long[3];
    long oldest = Long.MAX_VALUE;
    int partitions = queues.partitions();
    boolean complete = true;
    for (int i = 0; i < partitions; i++) {
      int partition = (nextPartition + i) % partitions;
      long owned = queues.ownedMillis(partition);
      if (owned < 0) {
        continue;
      }
      if (batch.size() >= settings.batch() || seen[2] >= MOST_BATCH_BYTES) {
        nextPartition = partition;
        complete = false;
        break;
      }
      long[] first = {Long.MAX_VALUE};
      long former = now - owned;
      boolean _ =
          queues.visit(
              partition,
              (key, write) -> {
                seen[0]++;
                if (write.isDead()) {
                  seen[1]++;
                  return true;
                }
                first[0] = Math.min(first[0], write.sinceMillis());
                if (isDue(write, now, former) && !isResting(key, now)) {
                  batch.add(new Item(partition, key, write));
                  Data value = write.value();
                  seen[2] += value == null ? 0 : value.totalSize();
                }
                return batch.size() < settings.batch() && seen[2] < MOST_BATCH_BYTES;
              });
      oldest = Math.min(oldest, first[0]);
    }
    if (complete && batch.size() < settings.batch() && seen[2] < MOST_BATCH_BYTES) {
      counts.waiting.set(seen[0]);
      counts.dead = seen[1];
      counts.oldestMillis = oldest == Long.MAX_VALUE ? 0 : oldest;
    } else if (counts.oldestMillis == 0) {
      counts.oldestMillis = oldest == Long.MAX_VALUE ? 0 : oldest;
    }
    return new Found(batch, seen[0] > seen[1]);
  }

  private boolean isResting(Data key, long now) {
    Long end = resting.get(key);
    if (end != null && end <= now) {
      resting.remove(key);
    }
    return end != null && end > now;
  }

  private boolean isDue(QueuedWrite write, long now, long former) {
    if (write.sinceMillis() <= former + CLOCKS_MILLIS && now - former < graceMillis()) {
      return false;
    }
    long delay =
        switch (settings.mode()) {
          case WRITE_BEHIND, READ_THROUGH -> settings.delay().toMillis();
          case WRITE_THROUGH -> 2 * timeout.toMillis(); // somebody waits for it, and it is urgent
        };
    return draining || now - write.sinceMillis() >= delay;
  }

  private void write(List<Item> taken) {
    List<Item> batch = owned(taken);
    if (batch.isEmpty()) {
      return;
    }
    IdentityHashMap<Item, @Nullable String> refused = new IdentityHashMap<>();
    try {
      writeRows(batch, refused);
    } catch (RuntimeException e) {
      notWritten(batch, e);
      return;
    } catch (Error e) { // as without memory
      backOff();
      undo(batch, StoreProblems.forClient(new IllegalStateException(e)));
      throw e;
    }
    backOffMillis = 0;
    counts.works();
    counts.written.add(batch.size() - (long) refused.size());
    settle(batch, refused);
  }

  private void notWritten(List<Item> batch, RuntimeException e) {
    if (batch.size() > 1 && mayBeOfOneRow(e)) {
      batch.forEach(item -> write(List.of(item))); // one row is not to stop the others
      return;
    }
    StoreProblems.log(map, "entries were not written to the external store", e);
    counts.failed(StoreProblems.forOperator(e));
    if (mayBeOfOneRow(e)) {
      rest(batch.getFirst());
    } else {
      table.failed(e);
      backOff();
    }
    undo(batch, StoreProblems.forClient(e));
  }

  /** Leaves out what other members have to write by now. */
  private List<Item> owned(List<Item> taken) {
    List<Item> owned = new ArrayList<>(taken.size());
    for (Item item : taken) {
      Consumer<@Nullable RuntimeException> told = item.whenWritten();
      if (queues.ownedMillis(item.partition()) >= 0) {
        owned.add(item);
      } else if (told != null) {
        told.accept(moved());
      }
    }
    return owned;
  }

  private static ExternalStoreException moved() {
    return ExternalStoreException.unreachable(
        "the key moved to another member during the write; the row may or may not be written; read"
            + " the key again");
  }

  /** Returns whether the database works, but for a row: it is locked, or takes too long. */
  private static boolean mayBeOfOneRow(RuntimeException failure) {
    String state = failure instanceof StoreException known ? known.sqlState() : null;
    return state != null && (OF_ONE_ROW.contains(state) || state.startsWith("40"));
  }

  private void rest(Item item) {
    if (resting.size() >= MOST_RESTING) {
      resting.clear();
    }
    Long _ = resting.put(item.key(), System.currentTimeMillis() + MOST_BACK_OFF_MILLIS / 3);
  }

  private void writeRows(List<Item> batch, IdentityHashMap<Item, @Nullable String> refused) {
    TableSource.Opened opened = table.open();
    List<Change> changes = new ArrayList<>(batch.size());
    IdentityHashMap<Change, Item> items = new IdentityHashMap<>();
    for (Item item : batch) {
      try {
        Change change = opened.rows().change(item.key(), item.write().value());
        changes.add(change);
        Item _ = items.put(change, item);
      } catch (StoreValueException | TableRows.UnfitException e) {
        String _ = refused.put(item, e.getMessage());
      }
    }
    try {
      opened.table().write(changes);
      return;
    } catch (StoreException e) {
      if (e.kind() != StoreException.Kind.REFUSED) {
        throw e;
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("two keys of the map are one of its table: map={}", map, e);
    }
    for (Refusal refusal : opened.table().writeEach(changes)) {
      Item item = items.get(refusal.change());
      if (item != null) {
        String _ = refused.put(item, refusal.message());
      }
    }
  }

  private void backOff() {
    long next = backOffMillis == 0 ? FIRST_BACK_OFF_MILLIS : 2 * backOffMillis;
    long bounded = Math.min(next, MOST_BACK_OFF_MILLIS);
    backOffMillis = bounded / 2 + ThreadLocalRandom.current().nextLong(bounded / 2 + 1);
  }

  private void settle(List<Item> batch, IdentityHashMap<Item, @Nullable String> refused) {
    Map<Integer, List<Settlement>> settlements = new HashMap<>();
    Map<Integer, List<Runnable>> after = new HashMap<>();
    for (Item item : batch) {
      Consumer<@Nullable RuntimeException> told = item.whenWritten();
      String reason = refused.get(item);
      boolean taken = !refused.containsKey(item);
      End end = taken ? End.DONE : told == null ? End.REFUSED : End.UNDONE;
      add(settlements, item, end, reason);
      if (told != null && taken) {
        told.accept(null);
      } else if (told != null) {
        after
            .computeIfAbsent(item.partition(), key -> new ArrayList<>())
            .add(() -> told.accept(refusal(reason)));
      }
    }
    CountDownLatch settled = send(settlements, after);
    if (batch.getFirst().whenWritten() == null) {
      await(settled); // or they would be found in their queues, and written once more
    }
  }

  private static void await(CountDownLatch settled) {
    try {
      boolean _ = settled.await(MOST_SETTLING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ExternalStoreException refusal(@Nullable String reason) {
    return ExternalStoreException.refused(
        "the external store of the map has refused the entry; nothing was changed: " + reason);
  }

  /** Those that somebody waits for are taken back; the others stay in their queues. */
  private void undo(List<Item> batch, ExternalStoreException why) {
    Map<Integer, List<Settlement>> settlements = new HashMap<>();
    Map<Integer, List<Runnable>> after = new HashMap<>();
    for (Item item : batch) {
      Consumer<@Nullable RuntimeException> told = item.whenWritten();
      if (told != null) {
        add(settlements, item, End.UNDONE, null);
        after
            .computeIfAbsent(item.partition(), key -> new ArrayList<>())
            .add(() -> told.accept(why));
      }
    }
    CountDownLatch _ = send(settlements, after);
  }

  private static void add(
      Map<Integer, List<Settlement>> settlements, Item item, End end, @Nullable String reason) {
    settlements
        .computeIfAbsent(item.partition(), key -> new ArrayList<>())
        .add(
            new Settlement(
                item.key(),
                item.write().number(),
                end,
                reason,
                end == End.UNDONE ? item.replaced() : null));
  }

  private CountDownLatch send(
      Map<Integer, List<Settlement>> settlements, Map<Integer, List<Runnable>> after) {
    CountDownLatch settled = new CountDownLatch(settlements.size());
    settlements.forEach(
        (partition, some) ->
            queues.settle(
                partition,
                some,
                () -> {
                  after.getOrDefault(partition, List.of()).forEach(Runnable::run);
                  settled.countDown();
                }));
    return settled;
  }

  @SuppressWarnings("ReferenceEquality") // threads are what they are
  private boolean isWriter() {
    return Thread.currentThread() == thread;
  }

  private void refuseUrgent() {
    ExternalStoreException why =
        ExternalStoreException.unreachable(
            "the map's external store changed during the write; the row may or may not be"
                + " written; read the key again");
    if (isWriter()) {
      urgent.addAll(held);
      held.clear();
    }
    for (Item next = urgent.poll(); next != null; next = urgent.poll()) {
      Consumer<@Nullable RuntimeException> told = next.whenWritten();
      if (told != null) {
        told.accept(why);
      }
    }
  }

  /** Ends the writer. What waits stays in its queues. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}

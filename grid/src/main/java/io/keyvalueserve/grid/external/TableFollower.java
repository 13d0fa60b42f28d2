package io.keyvalueserve.grid.external;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.stores.ChangeFeed;
import io.keyvalueserve.stores.Database;
import io.keyvalueserve.stores.StoreException;
import io.keyvalueserve.stores.StoreTable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a map follow the changes that others make in its table, with one thread. Of all members that
 * one follows which owns the partition of the map's name; the others look every second whether they
 * do. The database keeps what was not carried out yet in a replication slot, so nothing is missed
 * while the follower changes, or the database is away. Thread-safe.
 *
 * <pre>
 *   IDLE ----owns the partition----> FOLLOWING --owns it no longer--> IDLE
 *   FOLLOWING --the connection ends, or the slot is used--> a pause that doubles --> FOLLOWING
 * </pre>
 */
final class TableFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TableFollower.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long MOST_PAUSE_MILLIS = 1_000;
  private static final int MOST_DROPS = 100;
  private static final long DROP_PAUSE_MILLIS = 100;

  private final String map;
  private final MapStoreSettings settings;
  private final TableSource table;
  private final NodeEngine nodeEngine;
  private final String slot;
  private final LongAdder changes = new LongAdder();
  private final Thread thread;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile @Nullable ChangeFeed feed;
  private volatile @Nullable String problem;
  private volatile boolean following;
  private volatile boolean closed;
  private volatile long lagMillis;
  private long pauseMillis;

  TableFollower(String map, MapStoreSettings settings, TableSource table, NodeEngine nodeEngine) {
    this.map = map;
    this.settings = settings;
    this.table = table;
    this.nodeEngine = nodeEngine;
    this.slot = "kvs_" + map + "_" + nodeEngine.getConfig().getClusterName();
    this.thread = Thread.ofVirtual().name("kvs-store-follower").unstarted(this::run);
  }

  void start() {
    if (started.compareAndSet(false, true)) {
      thread.start();
    }
  }

  FollowStatus status() {
    return new FollowStatus(following, changes.sum(), lagMillis, problem);
  }

  private void run() {
    while (!closed) {
      if (isMine()) {
        follow();
      } else {
        problem = null;
        pause(LOOK_MILLIS);
      }
    }
  }

  private boolean isMine() {
    if (!nodeEngine.isRunning()) {
      return false;
    }
    int partition =
        nodeEngine
            .getPartitionService()
            .getPartitionId(nodeEngine.getSerializationService().toData(map));
    return nodeEngine.getPartitionService().getPartition(partition, false).isLocal();
  }

  private void follow() {
    try {
      Database database = table.database();
      ChangeFeed opened = ChangeFeed.open(database, table.spec(), slot);
      feed = opened;
      if (!closed) {
        opened.run(changes(database, opened));
      }
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      following = false;
      feed = null;
    }
    if (problem != null) {
      pause(pauseMillis);
    }
  }

  private FollowedChanges changes(Database database, ChangeFeed opened) {
    TableRows rows =
        new TableRows(opened.columns(), settings.format(), nodeEngine.getSerializationService());
    Supplier<StoreTable> whole = settings.eager() ? () -> database.table(table.spec()) : null;
    return new FollowedChanges(
        map,
        rows,
        opened.columns().getFirst().type(),
        whole,
        nodeEngine,
        changes::add,
        () -> goesOn(opened));
  }

  /** Called again and again while the table is followed. */
  private boolean goesOn(ChangeFeed opened) {
    if (!following) {
      LOG.info("a table is followed: map={} slot={}", map, opened.slot());
    }
    following = true;
    problem = null;
    pauseMillis = 0;
    lagMillis = opened.lagMillis();
    return !closed && isMine();
  }

  private void failed(RuntimeException failure) {
    if (closed || !isMine()) {
      return;
    }
    String words =
        failure instanceof FollowedChanges.UnansweredException
            ? String.valueOf(failure.getMessage())
            : StoreProblems.forOperator(failure);
    if (!words.equals(problem)) {
      StoreProblems.log(map, "the table of an external store is not followed", failure);
    }
    problem = words;
    pauseMillis = Math.clamp(2 * pauseMillis, FIRST_PAUSE_MILLIS, MOST_PAUSE_MILLIS);
  }

  private void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!closed && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(Math.max(1, end - System.nanoTime()));
    }
  }

  /** Ends following on this member. Another one, or this one later, goes on where it was. */
  @Override
  public void close() {
    closed = true;
    ChangeFeed opened = feed;
    if (opened != null) {
      opened.close();
    }
    LockSupport.unpark(thread);
  }

  /**
   * Ends following for good: the database keeps no changes for the map any more. To be called on
   * all members. Does not block.
   */
  void end() {
    close();
    if (isMine()) {
      Thread _ = Thread.ofVirtual().name("kvs-store-unfollow").start(this::drop);
    }
  }

  private void drop() {
    String why = "";
    for (int i = 0; i < MOST_DROPS; i++) {
      try {
        ChangeFeed.drop(table.database(), table.spec(), slot);
        return;
      } catch (StoreException | NoStoreException e) {
        why = String.valueOf(e.getMessage());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(DROP_PAUSE_MILLIS));
    }
    LOG.warn(
        "a replication slot was not dropped, and the database keeps changes for it until somebody"
            + " does: map={} slot={}: {}",
        map,
        slot,
        why);
  }
}

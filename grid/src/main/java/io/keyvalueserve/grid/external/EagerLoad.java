package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.stores.Row;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads all rows of a table into a map, with one thread: each member takes those of its own
 * partitions. Entries that are there already stay. A database that cannot be reached is asked
 * again.
 */
final class EagerLoad implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EagerLoad.class);
  private static final int ROWS_TOGETHER = 100;

  /** Rows that are on their way to partitions at most, in groups. */
  private static final int MOST_UNDER_WAY = 64;

  private static final long PAUSE_SECONDS = 5;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String map;
  private final TableSource table;
  private final StoreCounts counts;
  private final NativeMaps maps;
  private final NodeEngine nodeEngine;
  private final Semaphore underWay = new Semaphore(MOST_UNDER_WAY);
  private volatile boolean closed;

  EagerLoad(
      String map, TableSource table, StoreCounts counts, NativeMaps maps, NodeEngine nodeEngine) {
    this.map = map;
    this.table = table;
    this.counts = counts;
    this.maps = maps;
    this.nodeEngine = nodeEngine;
  }

  void start() {
    Thread _ = Thread.ofVirtual().name("kvs-store-eager").start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        loadAll();
        return;
      } catch (Ended e) {
        return;
      } catch (RuntimeException e) {
        StoreProblems.log(map, "the rows of the external store were not all loaded", e);
        counts.failed(StoreProblems.forOperator(e));
        table.failed(e);
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(PAUSE_SECONDS));
      }
    }
  }

  private void loadAll() {
    TableSource.Opened opened = table.open();
    Map<Integer, Map<Data, Data>> groups = new HashMap<>();
    long[] progress = {0, System.nanoTime()};
    opened.table().scan(row -> take(opened, row, groups, progress));
    groups.forEach(this::offer);
    LOG.info("the rows of the external store are loaded: map={} rows={}", map, progress[0]);
  }

  private void take(
      TableSource.Opened opened, Row row, Map<Integer, Map<Data, Data>> groups, long[] progress) {
    if (closed) {
      throw new Ended();
    }
    Data value = opened.rows().value(row);
    if (value == null) {
      return;
    }
    Data key = opened.rows().keyOf(row);
    int partition = nodeEngine.getPartitionService().getPartitionId(key);
    if (maps.ownedMillis(partition) >= 0) {
      Map<Data, Data> group = groups.computeIfAbsent(partition, each -> new HashMap<>());
      Data _ = group.put(key, value);
      if (group.size() >= ROWS_TOGETHER) {
        offer(partition, group);
        var _ = groups.remove(partition);
      }
    }
    progress[0]++;
    if (System.nanoTime() - progress[1] > PROGRESS_NANOS) {
      progress[1] = System.nanoTime();
      LOG.info("rows of the external store are being loaded: map={} rows={}", map, progress[0]);
    }
  }

  private void offer(int partition, Map<Data, Data> group) {
    counts.loaded.add(group.size());
    underWay.acquireUninterruptibly();
    maps.offerLoaded(map, partition, group, underWay::release);
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Ends a scan that nobody wants any more. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;

    Ended() {
      super("ended", null, false, false);
    }
  }
}

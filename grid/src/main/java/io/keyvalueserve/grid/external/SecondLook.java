package io.keyvalueserve.grid.external;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks once more at a table whose database did not work, and that nobody has needed since: nobody
 * else would find out that it works again. Thread-safe.
 */
final class SecondLook {
  private static final long PAUSE_MILLIS = 5_000;

  private final TableSource table;
  private final StoreCounts counts;
  private final AtomicBoolean looking = new AtomicBoolean();

  SecondLook(TableSource table, StoreCounts counts) {
    this.table = table;
    this.counts = counts;
  }

  /** Looks if the last trouble was met a while ago. Does not block. */
  void start() {
    long since = System.currentTimeMillis() - counts.problemMillis();
    if (counts.problem() != null && since > PAUSE_MILLIS && looking.compareAndSet(false, true)) {
      Thread _ = Thread.ofVirtual().name("kvs-store-look").start(this::look);
    }
  }

  private void look() {
    try {
      table.look();
      counts.works();
    } catch (RuntimeException e) {
      counts.failed(StoreProblems.forOperator(e));
    } finally {
      looking.set(false);
    }
  }
}

package io.keyvalueserve.grid.restart;

import com.hazelcast.core.IndeterminateOperationStateException;
import io.keyvalueserve.journal.DeadBytes;
import io.keyvalueserve.journal.DurabilityWaiter;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalException;
import io.keyvalueserve.journal.JournalFailedException;
import io.keyvalueserve.journal.JournalFullException;
import io.keyvalueserve.maps.EntryLog;
import io.keyvalueserve.maps.LoadingException;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.maps.UncertainRecords;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of all maps of a member that outlive it. Record stores can be made before it is open: by
 * the recovery itself, which writes nothing. Thread-safe.
 */
final class MemberLog implements EntryLog.Source {
  private static final String FAILED =
      "the write was carried out, but the member's disk has failed: it is not known whether the"
          + " write survives a restart; read the key again when the member has been restarted";

  private static final String FULL =
      "the write was carried out, but the member's disk has been full for 10 s: it is not known"
          + " whether the write survives a restart; free space on it, then write the key again";

  private static final String NOT_KEPT =
      "the write was carried out, but the member's disk does not take that the partition is the"
          + " member's: it is not known whether the write survives a restart; mend the disk, then"
          + " read the key again";

  private static final String GOES_DOWN =
      "the write was carried out, but the member goes down before its disk has that the partition"
          + " is the member's: it is not known whether the write survives a restart; read the key"
          + " again";

  private static final String NOT_CERTAIN =
      "the disk of a member has failed: it is not known whether the writes before survive a"
          + " restart; read the keys again when the member has been restarted";

  private static final Logger LOG = LoggerFactory.getLogger(MemberLog.class);

  private final MapDurability durability;
  private final PartitionTableKeeper table;
  private final IntUnaryOperator partitionVersion;
  private final IntPredicate owned;
  private final boolean refusesReading;
  private final ConcurrentHashMap<String, LongAdder> appended = new ConcurrentHashMap<>();
  private volatile @Nullable Journal journal;
  private volatile DeadBytes dead = (position, bytes) -> {};

  /**
   * @param partitionVersion of the table that holds at the moment
   * @param owned whether this member is the owner of a partition at the moment; asked by the
   *     partition's writer
   * @param refusesReading whether nobody is to wait for a record that is not loaded yet
   */
  MemberLog(
      MapDurability durability,
      PartitionTableKeeper table,
      IntUnaryOperator partitionVersion,
      IntPredicate owned,
      boolean refusesReading) {
    this.owned = owned;
    this.refusesReading = refusesReading;
    this.durability = durability;
    this.table = table;
    this.partitionVersion = partitionVersion;
  }

  @Override
  public EntryLog of(String map, int partition) {
    LongAdder bytes = appended.computeIfAbsent(map, name -> new LongAdder());
    return new PartitionLog(this, durability.of(map), map, partition, bytes);
  }

  /** Returns whether this member is the owner of a partition. Called by the partition's writer. */
  boolean owns(int partition) {
    return owned.test(partition);
  }

  /**
   * Returns the bytes of each map that were appended since the member started, while it was the
   * owner of their partitions; by the grid's names. Records that the compactor writes again are not
   * counted. Only grows.
   */
  Map<String, Long> appendedBytes() {
    Map<String, Long> sums = new HashMap<>();
    appended.forEach((map, bytes) -> sums.put(map, bytes.sum()));
    return sums;
  }

  /** While the log is read: what takes note of records that it need not keep. */
  void recovering(DeadBytes first) {
    dead = first;
  }

  /** The log takes changes from now on. */
  void opened(Journal opened) {
    dead = opened;
    journal = opened;
  }

  /** The log takes no changes any more. */
  void closing() {
    journal = null;
  }

  /** The journal. */
  Journal journal() {
    Journal open = journal;
    if (open == null) {
      throw new IllegalStateException("the restart log is not open");
    }
    return open;
  }

  /**
   * Returns whether the disk has refused a write or a sync. What the log has since then is not
   * known.
   */
  boolean hasFailed() {
    Journal open = journal;
    return open != null && open.failure() != null;
  }

  /** Returns the figures of the log; null if it is not open. */
  @Nullable LogFigures figures() {
    Journal open = journal;
    return open == null
        ? null
        : new LogFigures(
            open.statistics(), open.isDiskFull(), open.failure() != null, open.scrubFigures());
  }

  /**
   * Returns whether a record of {@code bytes} bytes becomes a file of its own. Any thread may call
   * this.
   */
  boolean isFile(int bytes) {
    Journal open = journal;
    return open != null && open.isFile(bytes);
  }

  boolean hasRoom(int partition, int bytes) {
    Journal open = journal;
    return open != null && table.hasAny() && open.hasRoom(partition, bytes);
  }

  /**
   * Refuses a change while the log takes nothing. Before the first, waits until it is certain whose
   * the partitions are: what is in a log without that could not be used.
   */
  void admit() {
    Journal open = journal();
    if (open.isDiskFull()) {
      throw LogRefusedException.diskFull();
    }
    requireSound(open);
  }

  /**
   * Does what {@link #admit} does, for a change that makes room.
   *
   * @param taken whether the journal would take it
   */
  void admitRemoval(boolean taken) {
    Journal open = journal();
    if (!taken && open.isDiskFull()) {
      throw LogRefusedException.makingRoom();
    }
    requireSound(open);
  }

  private void requireSound(Journal open) {
    JournalFailedException failure = open.failure();
    if (failure != null) {
      throw new LogRefusedException(
          "the restart log has failed: the write was not carried out; mend the disk and start the"
              + " member again: "
              + failure.getMessage());
    }
    if (!table.awaitFirst()) {
      throw new LogRefusedException(
          "the restart log cannot keep whose the partitions are: the write was not carried out;"
              + " see the member's log for the file");
    }
  }

  /** Returns whether it would be known after a crash that this member has the partition. */
  boolean isTold(int partition) {
    return table.isKept(partition, partitionVersion.applyAsInt(partition));
  }

  /**
   * Returns the message for a write whose record may or may not be on the disk: what is known, and
   * what to do.
   */
  static String inDoubt(JournalException e) {
    return e instanceof JournalFullException ? FULL : FAILED;
  }

  @Override
  public void awaitCertain() throws InterruptedException {
    try {
      journal().awaitCertain();
    } catch (JournalException e) {
      LOG.debug("writes before are in doubt", e);
      throw new IndeterminateOperationStateException(NOT_CERTAIN);
    }
  }

  @Override
  public UncertainRecords uncertain() {
    return new AwaitedRecords(this);
  }

  @Override
  public boolean holdsAnswers(String map) {
    return durability.of(map).now() == Durability.ALWAYS;
  }

  void requireReading() {
    if (refusesReading) {
      throw new LoadingException();
    }
  }

  void dead(long position, int bytes) {
    dead.dead(position, bytes);
  }

  @Override
  public boolean beforeGivingUp(int partition) {
    return table.awaitKept(partition, partitionVersion.applyAsInt(partition));
  }

  /** Certain is what is on the disk, of a partition whose owner is known there. */
  @Override
  public void whenCertain(int partition, long position, Runnable task, Consumer<Exception> failed) {
    journal().whenDurable(position, new Certain(partition, task, failed));
  }

  /**
   * A task that waits until something is certain. Exceptions of the task are caught and logged,
   * because the threads that run it also write the log and the table, and have to go on.
   */
  private final class Certain extends DurabilityWaiter implements Runnable {
    private final int partition;
    private final Runnable task;
    private final Consumer<Exception> failed;

    Certain(int partition, Runnable task, Consumer<Exception> failed) {
      this.partition = partition;
      this.task = task;
      this.failed = failed;
    }

    @Override
    protected void durable() {
      table.whenKept(
          partition,
          partitionVersion.applyAsInt(partition),
          this,
          () -> failed(table.isEnding() ? GOES_DOWN : NOT_KEPT));
    }

    @Override
    protected void failed(JournalException e) {
      LOG.debug("a write is in doubt: partition={}", partition, e);
      failed(inDoubt(e));
    }

    /** It is certain. */
    @Override
    public void run() {
      try {
        task.run();
      } catch (RuntimeException e) {
        notTold(e);
      }
    }

    private void failed(String why) {
      try {
        failed.accept(new IndeterminateOperationStateException(why));
      } catch (RuntimeException e) {
        notTold(e);
      }
    }

    private void notTold(RuntimeException e) {
      LOG.error("who waited for the log could not be told: partition={}", partition, e);
    }
  }
}

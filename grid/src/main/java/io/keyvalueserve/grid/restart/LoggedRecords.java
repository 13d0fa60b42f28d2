package io.keyvalueserve.grid.restart;

import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.journal.Damage;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecordOwner;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.RenewedRecords;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Lookahead;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a member's maps, as the log's compactor needs to know them: as long as the member
 * serves. When it goes down its maps lose their records, and the log must not take them for
 * removed. For the compactor's thread.
 */
final class LoggedRecords implements RecordOwner {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedRecords.class);

  /** A disk that goes bad may have damage in thousands of files. */
  private static final LogLimit FOUND = LogLimit.aMinute(10);

  private static final LogLimit WAITS = LogLimit.aMinute(1);
  private static final LogLimit MENDED = LogLimit.aMinute(10);

  private final NativeMaps maps;
  private final BooleanSupplier serving;
  private final ToLongFunction<List<RenewedRecords.Unreadable>> unreadable;
  private final Lookahead lookahead = new Lookahead();

  /**
   * @param serving false from before the member takes the first record away because it goes down
   * @param unreadable brings from other copies what is neither in the log nor in memory; returns
   *     how many records are lost
   */
  LoggedRecords(
      NativeMaps maps,
      BooleanSupplier serving,
      ToLongFunction<List<RenewedRecords.Unreadable>> unreadable) {
    this.unreadable = unreadable;
    this.maps = maps;
    this.serving = serving;
  }

  @Override
  public void exclusively(int partition, Runnable slice) throws InterruptedException {
    requireServing();
    maps.exclusively(
        partition,
        () -> {
          try {
            slice.run();
          } finally {
            lookahead.fetchKeys(); // what it was told of is good only within
          }
        });
    requireServing(); // or what the slice has found may be of a member that is going down
  }

  private void requireServing() throws InterruptedException {
    if (!serving.getAsBoolean()) {
      throw new InterruptedException("the member is going down");
    }
  }

  @Override
  public void anticipate(Frame frame) {
    if (lookahead.isFull()) {
      lookahead.fetchKeys();
    }
    maps.logPositions()
        .anticipate(
            lookahead,
            frame.partition(),
            frame.mapName(),
            frame.keyAddress(),
            frame.keyBytes(),
            frame.keyForm());
  }

  @Override
  public long positionOf(Frame frame) {
    lookahead.fetchKeys();
    return maps.logPositions()
        .get(
            frame.partition(),
            frame.mapName(),
            frame.keyAddress(),
            frame.keyBytes(),
            frame.keyForm());
  }

  @Override
  public void compactionStands(IOException why) {
    LOG.error(
        "the restart log is not compacted, and takes more and more space, until its disk opens and"
            + " removes files again; it is tried each second",
        why);
  }

  @Override
  public void compactionGoesOn() {
    LOG.info("the restart log is compacted again");
  }

  @Override
  public Renewed renew(LongPredicate lost) throws InterruptedException {
    RenewedRecords renewed = maps.renewed(lost);
    boolean complete = true;
    for (int partition = 0; complete && partition < maps.partitionCount(); partition++) {
      complete = renewed.renew(partition, this::requireServing);
    }
    requireServing();
    List<RenewedRecords.Unreadable> missing = renewed.unreadable();
    long gone = 0;
    try {
      gone = complete && !missing.isEmpty() ? unreadable.applyAsLong(missing) : 0;
    } catch (OutOfNativeMemoryException | HazelcastException e) { // or the log takes nothing
      complete = false;
    }
    if (!complete && WAITS.take() >= 0) {
      LOG.warn(
          "what the restart log has lost cannot be written anew at the moment: there is no room on"
              + " the disk or in memory; it is tried again every ten seconds");
    }
    return new Renewed(renewed.records(), renewed.bytes(), gone, complete);
  }

  @Override
  public void damageFound(Damage first, int places) {
    long before = FOUND.take();
    if (before >= 0) {
      LOG.warn(
          "the restart log was damaged while the member runs, and is being repaired from memory:"
              + " {} ({} places in this file; {} files were not told before); test the disk",
          first,
          places,
          before);
    }
  }

  @Override
  public void damageMended(String file) {
    if (MENDED.take() >= 0) {
      LOG.info("the restart log has what it lacked in a damaged file: file={}", file);
    }
  }

  @Override
  public void moved(Frame frame, long position) {
    maps.logPositions()
        .set(
            frame.partition(),
            frame.mapName(),
            frame.keyAddress(),
            frame.keyBytes(),
            frame.keyForm(),
            position);
  }
}

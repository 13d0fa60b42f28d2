package io.keyvalueserve.grid.restart;

import io.keyvalueserve.grid.hd.NativeMaps;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecordOwner;
import io.keyvalueserve.store.Lookahead;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a member's maps, as the log's compactor needs to know them: as long as the member
 * serves. When it goes down its maps lose their records, and the log must not take them for
 * removed. For the compactor's thread.
 */
final class LoggedRecords implements RecordOwner {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedRecords.class);

  private final NativeMaps maps;
  private final BooleanSupplier serving;
  private final Lookahead lookahead = new Lookahead();

  /**
   * @param serving false from before the member takes the first record away because it goes down
   */
  LoggedRecords(NativeMaps maps, BooleanSupplier serving) {
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

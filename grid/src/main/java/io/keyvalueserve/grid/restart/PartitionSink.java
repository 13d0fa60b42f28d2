package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.FrameBatch;
import io.keyvalueserve.journal.RecoverySink;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.RestoredLookahead;
import io.keyvalueserve.maps.RestoredPartition;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Gives what a log has to the maps: looks ahead at all frames of a batch, then gives those of one
 * partition with its lock taken once. Each partition is fed by one thread.
 */
abstract class PartitionSink implements RecoverySink {
  private final NativeMaps maps;
  private final AtomicReferenceArray<@Nullable RestoredPartition> partitions;
  private final ThreadLocal<RestoredLookahead> lookaheads;

  PartitionSink(NativeMaps maps, int partitionCount) {
    this.maps = maps;
    partitions = new AtomicReferenceArray<>(partitionCount);
    lookaheads = ThreadLocal.withInitial(maps::restoredLookahead);
  }

  final RestoredPartition of(Frame frame) {
    int partition = frame.partition();
    RestoredPartition known = partitions.get(partition);
    if (known == null) {
      known = maps.restore(partition);
      partitions.set(partition, known);
    }
    return known;
  }

  /** Has memory fetch what the frames of a batch will look at, all at once. */
  final void lookAhead(FrameBatch batch) {
    RestoredLookahead lookahead = lookaheads.get();
    lookahead.fetch(() -> anticipate(batch, lookahead));
  }

  @Override
  public void take(FrameBatch batch) {
    lookAhead(batch);
    int end;
    for (int from = 0; from < batch.count(); from = end) {
      end = batch.endOfPartition(from);
      give(batch, from, end);
    }
  }

  private void anticipate(FrameBatch batch, RestoredLookahead lookahead) {
    for (int i = 0; i < batch.count(); i++) {
      if (batch.hasKey(i)) {
        Frame frame = batch.frame(i);
        of(frame)
            .anticipate(
                lookahead,
                frame.map(),
                frame.mapName(),
                frame.keyAddress(),
                frame.keyBytes(),
                frame.keyForm(),
                batch.isPut(i) && frame.payloadAddress() != 0);
      }
    }
  }

  /** Gives frames of one partition; goes on with the one for which there was no room. */
  final void give(FrameBatch batch, int from, int end) {
    RestoredPartition partition = of(batch.frame(from));
    int[] next = {from};
    maps.pending()
        .load(
            () ->
                partition.exclusively(
                    () -> {
                      for (; next[0] < end; next[0]++) {
                        batch.give(next[0], this);
                      }
                    }));
  }
}

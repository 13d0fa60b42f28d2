package io.keyvalueserve.grid.restart;

import io.keyvalueserve.grid.hd.NativeMaps;
import io.keyvalueserve.grid.hd.RestoredPartition;
import io.keyvalueserve.journal.DeadBytes;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecoveryProgress;
import io.keyvalueserve.journal.RecoverySink;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts what the log holds into the maps, but for maps that are no longer to outlive the member. */
final class Restorer implements RecoverySink {
  private final NativeMaps maps;
  private final AtomicReferenceArray<@Nullable RestoredPartition> partitions;
  private final MemberLog log;
  private final Consumer<RecoveryProgress> progress;
  private final Set<Dropped> dropped = ConcurrentHashMap.newKeySet();
  private volatile DeadBytes dead = (position, bytes) -> {};

  /** Of what the log had records that were not put back. */
  record Dropped(int partition, String map) {}

  /**
   * @param log is told what takes note of records that it need not keep
   * @param progress told how far it has come
   */
  Restorer(
      NativeMaps maps, int partitionCount, MemberLog log, Consumer<RecoveryProgress> progress) {
    this.maps = maps;
    this.partitions = new AtomicReferenceArray<>(partitionCount);
    this.log = log;
    this.progress = progress;
  }

  /** What the log is to be told never to bring back, once it is open. */
  Set<Dropped> dropped() {
    return dropped;
  }

  @Override
  public void begin(DeadBytes first) {
    dead = first;
    log.recovering(first);
  }

  @Override
  public void put(Frame frame) {
    if (!take(frame)) {
      dead.dead(frame.position(), frame.payloadBytes());
      boolean _ = dropped.add(new Dropped(frame.partition(), frame.mapName()));
    }
  }

  private boolean take(Frame frame) {
    RestoredPartition partition = of(frame);
    boolean[] taken = new boolean[1];
    maps.load(() -> taken[0] = take(frame, partition));
    return taken[0];
  }

  private static boolean take(Frame frame, RestoredPartition partition) {
    return frame.payloadAddress() == 0
        ? partition.putKey(
            frame.map(),
            frame.mapName(),
            frame.keyAddress(),
            frame.keyBytes(),
            frame.keyForm(),
            frame.payloadBytes(),
            frame.position())
        : partition.put(
            frame.map(),
            frame.mapName(),
            frame.payloadAddress(),
            frame.payloadBytes(),
            frame.position());
  }

  @Override
  public void remove(Frame frame) {
    of(frame)
        .remove(
            frame.map(), frame.mapName(), frame.keyAddress(), frame.keyBytes(), frame.keyForm());
  }

  @Override
  public void clear(Frame frame) {
    of(frame).clear(frame.mapName(), frame.before());
  }

  @Override
  public void drop(Frame frame) {
    of(frame).drop(frame.before());
  }

  private RestoredPartition of(Frame frame) {
    int partition = frame.partition();
    RestoredPartition known = partitions.get(partition);
    if (known == null) {
      known = maps.restore(partition);
      partitions.set(partition, known);
    }
    return known;
  }

  @Override
  public void progress(RecoveryProgress reached) {
    progress.accept(reached);
  }
}

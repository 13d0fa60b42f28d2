package io.keyvalueserve.grid.restart;

import io.keyvalueserve.grid.hd.NativeMaps;
import io.keyvalueserve.grid.hd.RestoredPartition;
import io.keyvalueserve.journal.DeadBytes;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecoveryProgress;
import io.keyvalueserve.journal.RecoverySink;
import java.util.function.Consumer;

/** Puts what the log holds into the maps, but for maps that are no longer to outlive the member. */
final class Restorer implements RecoverySink {
  private final NativeMaps maps;
  private final MapDurability durability;
  private final MemberLog log;
  private final Consumer<RecoveryProgress> progress;
  private volatile DeadBytes dead = (position, bytes) -> {};

  /**
   * @param log is told what takes note of records that it need not keep
   * @param progress told how far it has come
   */
  Restorer(
      NativeMaps maps,
      MapDurability durability,
      MemberLog log,
      Consumer<RecoveryProgress> progress) {
    this.maps = maps;
    this.durability = durability;
    this.log = log;
    this.progress = progress;
  }

  @Override
  public void begin(DeadBytes first) {
    dead = first;
    log.recovering(first);
  }

  @Override
  public void put(Frame frame) {
    if (durability.of(frame.mapName()).now() == Durability.NONE) {
      dead.dead(frame.position(), frame.payloadBytes());
      return;
    }
    try (RestoredPartition partition = maps.restore(frame.partition())) {
      partition.put(
          frame.mapName(), frame.payloadAddress(), frame.payloadBytes(), frame.position());
    }
  }

  @Override
  public void remove(Frame frame) {
    try (RestoredPartition partition = maps.restore(frame.partition())) {
      partition.remove(frame.mapName(), frame.keyAddress(), frame.keyBytes(), frame.keyForm());
    }
  }

  @Override
  public void clear(Frame frame) {
    try (RestoredPartition partition = maps.restore(frame.partition())) {
      partition.clear(frame.mapName(), frame.before());
    }
  }

  @Override
  public void drop(Frame frame) {
    try (RestoredPartition partition = maps.restore(frame.partition())) {
      partition.drop(frame.before());
    }
  }

  @Override
  public void progress(RecoveryProgress reached) {
    progress.accept(reached);
  }
}

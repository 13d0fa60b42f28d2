package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.DeadBytes;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.FrameBatch;
import io.keyvalueserve.journal.RecoveryProgress;
import io.keyvalueserve.journal.RecoverySink;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.PendingEntries;
import io.keyvalueserve.maps.RestoredPartition;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts what the log holds into the maps, but for maps that are no longer to outlive the member. */
final class Restorer extends PartitionSink {
  /** The shares of the log that are read when it is estimated how large tables become. */
  private static final double[] KNOWN_SHARES = {0.05, 0.2, 0.5};

  /** The share of each estimate that is believed. */
  private static final double[] BELIEVED = {0.6, 0.8, 0.9};

  /** Less of the log than this tells nothing of the rest. */
  private static final double LEAST_SHARE = 0.05;

  private static final int FREE_PART = 4;

  private final NativeMaps maps;
  private final MemberLog log;
  private final Consumer<RecoveryProgress> progress;
  private final AtomicInteger estimates = new AtomicInteger();
  private final Set<Dropped> dropped = ConcurrentHashMap.newKeySet();
  private double known; // guarded by this
  private volatile DeadBytes dead = (position, bytes) -> {};

  /** The partition of a map for which the log had records that were not put back. */
  record Dropped(int partition, String map) {}

  /**
   * @param log is told what takes note of records that it need not keep
   * @param progress told how far it has come
   */
  Restorer(
      NativeMaps maps, int partitionCount, MemberLog log, Consumer<RecoveryProgress> progress) {
    super(maps, partitionCount);
    this.maps = maps;
    this.log = log;
    this.progress = progress;
  }

  /** Returns what the log is to be told never to bring back, once it is open. */
  Set<Dropped> dropped() {
    return dropped;
  }

  @Override
  public void begin(DeadBytes first) {
    dead = first;
    log.recovering(first);
  }

  /** Puts back what the log has of one partition, for those who have it already. */
  Within within() {
    return new Within();
  }

  /** The part of the recovery for one partition. The caller holds the partition's lock. */
  final class Within extends OnceSink {
    private PendingEntries.@Nullable Takers takers;

    /** Begins the recovery of the partition anew. */
    RecoverySink to(PendingEntries.Takers these) {
      takers = these;
      begin();
      return this;
    }

    @Override
    public void take(FrameBatch batch) {
      lookAhead(batch);
      super.take(batch);
    }

    private boolean isTaken(Frame frame) {
      PendingEntries.Takers present = takers;
      return present != null && present.take(frame.mapName());
    }

    private boolean isVoid(Frame frame) {
      PendingEntries.Takers present = takers;
      return present != null && present.isVoid(frame.mapName());
    }

    @Override
    void putOnce(Frame frame) {
      if (isTaken(frame)) {
        Restorer.this.put(frame);
      } else if (isVoid(frame)) {
        dead.dead(frame.position(), frame.payloadBytes());
      }
    }

    @Override
    void removeOnce(Frame frame) {
      if (isTaken(frame)) {
        Restorer.this.remove(frame);
      }
    }

    @Override
    void clearOnce(Frame frame) {
      if (isTaken(frame)) {
        Restorer.this.clear(frame);
      }
    }

    @Override
    void dropOnce(Frame frame) {
      Restorer.this.drop(frame);
    }
  }

  @Override
  public void put(Frame frame) {
    if (!take(frame, of(frame))) {
      dead.dead(frame.position(), frame.payloadBytes());
      boolean _ = dropped.add(new Dropped(frame.partition(), frame.mapName()));
    }
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

  @Override
  public void progress(RecoveryProgress reached) {
    progress.accept(reached);
    double share = (double) reached.bytes() / Math.max(1, reached.totalBytes());
    int made = estimates.get();
    if (made < KNOWN_SHARES.length
        && share >= KNOWN_SHARES[made]
        && estimates.compareAndSet(made, made + 1)) {
      expect(share, BELIEVED[made]);
    }
  }

  /**
   * Tables that grow with each key move it several times. What came since the estimate before tells
   * how large they become, but too much where keys come again later, so it is not believed in full,
   * and the first one least; and it is let be where memory may be short.
   */
  private synchronized void expect(double share, double believed) {
    double since = share - known;
    if (since >= LEAST_SHARE) {
      maps.pending()
          .expect(
              (1 - share) / since * believed,
              () -> maps.freeBytes() > maps.capacityBytes() / FREE_PART);
      known = share;
    }
  }
}

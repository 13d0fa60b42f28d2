package io.keyvalueserve.maps;

import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.journal.spill.SpillConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Has values of all maps of a member leave memory all the time, however small, so that whatever is
 * done to a map meets some that are on the disk, on their way there, or on their way back.
 */
public final class ConstantSpilling implements AutoCloseable {
  private static final long AREA_BYTES = 512L << 20;
  private static final long BYTES_AT_ONCE = 32 << 10;
  private static final long PAUSE_NANOS = 1_000_000;

  private final NativeMaps maps;
  private final ValueSpiller spiller;
  private final Compaction compaction;
  private final Thread thread;
  private volatile long spilled;
  private volatile boolean stopped;

  /** Gives maps somewhere to spill to; before their member starts. */
  public static void prepare(NativeMaps maps) {
    try {
      Path directory = Files.createTempDirectory("kvs-spill-");
      directory.toFile().deleteOnExit();
      maps.spillTo(SpillArea.open(FileDisk.at(directory), "values", SpillConfig.of(AREA_BYTES)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins; the member has started. */
  public ConstantSpilling(NativeMaps maps) {
    SpillArea area = maps.spillArea();
    if (area == null) {
      throw new IllegalArgumentException("maps: prepare them first");
    }
    this.maps = maps;
    this.compaction = new Compaction(maps);
    this.spiller = new ValueSpiller(maps, area, () -> {}, 1);
    this.thread = Thread.ofPlatform().daemon().name("constant-spilling").start(this::run);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one thread
  private void run() {
    while (!stopped) {
      List<NativeRecordStore> stores = new ArrayList<>();
      maps.partitions().forEachStore(stores::add);
      Freed freed = spiller.take(stores, null, BYTES_AT_ONCE);
      if (!freed.obstacle().isEmpty()) {
        throw new IllegalStateException(freed.obstacle());
      }
      spilled += freed.records();
      long _ = compaction.run();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** How many values have left memory. */
  long spilled() {
    return spilled;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Damage;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.FrameBatch;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.RecoveryProgress;
import io.keyvalueserve.journal.RecoveryReport;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.PendingEntries;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the records of which only the keys were read at the start, while the member serves: first
 * those of some maps, then all. The log's chunks are read from front to back as at a start; what is
 * still missing then (blobs, what was damaged) is read one by one.
 */
final class PendingLoad {
  private static final Logger LOG = LoggerFactory.getLogger(PendingLoad.class);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long MOST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_GIB = 1L << 30;

  private final Journal journal;
  private final NativeMaps maps;
  private final Predicate<String> first;
  private final long begunNanos = System.nanoTime();
  private final @Nullable LaterKeys later;
  private final int threads;
  private final Consumer<List<Healing.Unreadable>> unreadable;
  private volatile PendingEntries.Amount total;
  private volatile boolean knowsKeys;

  /** The amount that was left to load when keys began to be read; null at all other times. */
  private volatile PendingEntries.@Nullable Amount leftWhenBegun;

  private volatile long nextReportNanos = begunNanos + REPORT_NANOS;
  private volatile long tookNanos;
  private volatile boolean stopped;

  /**
   * @param first which maps come first
   * @param later keys that are not known yet either; null if all are
   * @param threads how many put these back
   * @param unreadable brings what the log does not give back, or gives it up. Blocks
   */
  PendingLoad(
      Journal journal,
      NativeMaps maps,
      Predicate<String> first,
      @Nullable LaterKeys later,
      int threads,
      Consumer<List<Healing.Unreadable>> unreadable) {
    this.unreadable = unreadable;
    this.journal = journal;
    this.maps = maps;
    this.first = first;
    this.later = later;
    this.threads = threads;
    total = maps.pending().amount();
    knowsKeys = later == null;
  }

  /** Loads; returns whether all is there, not if it was stopped. Blocks. */
  boolean run() {
    if (total.records() > 0) {
      LOG.info(
          "serving; {} records, {} MiB, are being loaded meanwhile{}",
          total.records(),
          total.bytes() >> 20,
          knowsKeys ? "" : ", those that were replaced among them");
    }
    int attempts = 0;
    long pauseNanos = FIRST_PAUSE_NANOS;
    for (boolean done = false; !done; ) {
      try {
        maps.pending().load(maps.pending()::reserve);
        boolean fresh = !replayFirst() && attempts++ == 0;
        if (later != null && !knowsKeys) {
          letOthersStart();
          readKeys(later);
          maps.pending().load(maps.pending()::reserve);
        }
        replayAll(fresh);
        loadEach();
        done = true;
      } catch (OutOfNativeMemoryException e) {
        LOG.error(
            "entries are served from the disk, as there is no memory for them: capacity={} bytes;"
                + " give the member more with --memory, or remove entries",
            maps.capacityBytes());
      } catch (IOException e) {
        LOG.error("entries cannot be loaded from the restart log, it will be tried again", e);
      } catch (CancellationException e) {
        return false;
      } catch (RuntimeException e) { // without the rest nothing moves, and nothing is compacted
        LOG.error("entries cannot be loaded, it will be tried again", e);
      }
      if (!done) {
        pause(pauseNanos);
        pauseNanos = Math.min(MOST_PAUSE_NANOS, 2 * pauseNanos); // what it looks at may be much
      }
      if (stopped) {
        return false;
      }
    }
    tookNanos = System.nanoTime() - begunNanos;
    PendingEntries.Amount loaded = total;
    if (loaded.records() > 0) {
      double seconds = tookNanos / NANOS_PER_SECOND;
      LOG.info(
          "loaded {} records, {} bytes, in {} s ({} GiB/s)",
          loaded.records(),
          loaded.bytes(),
          String.format(Locale.ROOT, "%.3f", seconds),
          String.format(Locale.ROOT, "%.2f", loaded.bytes() / BYTES_PER_GIB / seconds));
    }
    return true;
  }

  private void loadEach() {
    List<Healing.Unreadable> missing = new ArrayList<>();
    maps.pending()
        .load(
            () -> {
              missing.clear();
              missing.addAll(loadReadable(maps, map -> true));
            });
    if (!missing.isEmpty()) {
      unreadable.accept(missing);
    }
  }

  /**
   * Reads the records of some maps one by one that are not loaded yet.
   *
   * @return those that cannot be read, and still wait
   */
  static List<Healing.Unreadable> loadReadable(NativeMaps maps, Predicate<String> which) {
    List<Healing.Unreadable> missing = new ArrayList<>();
    maps.pending()
        .loadReadable(
            which,
            (partition, key, position, why) -> {
              LOG.warn("the restart log: {}", why.getMessage());
              missing.add(new Healing.Unreadable(partition, key, position));
            });
    return missing;
  }

  /** Reads the chunks of the maps that come first; returns whether there were any. */
  private boolean replayFirst() throws IOException {
    Set<Long> urgent = chunksOf(first);
    if (!urgent.isEmpty()) {
      replay(urgent::contains, new Sink(first));
    }
    return !urgent.isEmpty();
  }

  /**
   * Waits until doors are open: the rest of the start has the processors for itself until then.
   * Keys that are asked for do not wait for this.
   */
  private void letOthersStart() {
    pause(begunNanos + HEAD_START_NANOS - System.nanoTime());
  }

  /** Waits for {@code nanos} nanoseconds, or until the load is stopped. */
  private void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    while (!stopped && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(Math.min(STEP_NANOS, end - System.nanoTime()));
    }
  }

  /** Has all keys known; what turns out to have been replaced since is not to be loaded. */
  private void readKeys(LaterKeys keys) {
    PendingEntries.Amount before = maps.pending().amount();
    leftWhenBegun = before;
    long begun = System.nanoTime();
    keys.read(threads, () -> stopped);
    PendingEntries.Amount left = maps.pending().amount();
    total = total.less(before.less(left));
    knowsKeys = true;
    leftWhenBegun = null;
    LOG.info(
        "{} keys are known, of {} in the log, after {} s",
        left.records(),
        before.records(),
        String.format(Locale.ROOT, "%.3f", (System.nanoTime() - begun) / NANOS_PER_SECOND));
  }

  /**
   * Reads all chunks of which anything is missing.
   *
   * @param fresh whether nothing has been loaded yet: then what the log needs is what is missing,
   *     and no stub has to be looked at to find out which chunks have it
   */
  private void replayAll(boolean fresh) throws IOException {
    if (maps.pending().amount().records() > 0) {
      replay(fresh ? chunk -> true : chunksOf(map -> true)::contains, new Sink(null));
    }
  }

  /** The chunks that have what is not loaded yet of some maps. */
  private Set<Long> chunksOf(Predicate<String> which) {
    Set<Long> chunks = new HashSet<>();
    long[] last = {-1};
    maps.pending()
        .forEach(
            which,
            (position, bytes) -> {
              long chunk = Journal.chunkOf(position);
              if (chunk != last[0]) {
                boolean _ = chunks.add(chunk);
                last[0] = chunk;
              }
            });
    return chunks;
  }

  private void replay(LongPredicate chunks, Sink sink) throws IOException {
    RecoveryReport report = journal.replayPayloads(chunks, sink);
    for (Damage damage : report.damage()) {
      LOG.warn("the restart log: {}", damage);
    }
  }

  /** Ends it soon. Any thread. */
  void stop() {
    stopped = true;
  }

  /** Returns how far the load has come. Any thread may call this. */
  LoadProgress progress() {
    long took = tookNanos;
    boolean done = took != 0;
    PendingEntries.Amount all = total;
    PendingEntries.Amount begun = leftWhenBegun;
    PendingEntries.Amount left = begun == null ? maps.pending().amount() : begun;
    return new LoadProgress(
        Math.max(0, all.records() - left.records()),
        all.records(),
        Math.max(0, all.bytes() - left.bytes()),
        all.bytes(),
        done ? took : System.nanoTime() - begunNanos,
        done);
  }

  private final class Sink extends PartitionSink {
    private final @Nullable Predicate<String> which;

    /** Takes records of some maps; null for all maps. */
    Sink(@Nullable Predicate<String> which) {
      super(maps, maps.partitionCount());
      this.which = which;
    }

    @Override
    public void take(FrameBatch batch) {
      if (stopped) {
        throw new CancellationException("the member is going down");
      }
      maps.pressure().await();
      if (which == null) {
        super.take(batch);
        return;
      }
      for (int i = 0; i < batch.count(); i++) {
        if (which.test(batch.frame(i).mapName())) { // without the lock: it is somebody else's
          give(batch, i, i + 1);
        }
      }
    }

    @Override
    public void put(Frame frame) {
      of(frame)
          .loaded(
              frame.map(),
              frame.mapName(),
              frame.payloadAddress(),
              frame.payloadBytes(),
              frame.position());
    }

    @Override
    public void remove(Frame frame) {}

    @Override
    public void clear(Frame frame) {}

    @Override
    public void drop(Frame frame) {}

    @Override
    public void progress(RecoveryProgress reached) {
      long now = System.nanoTime();
      if (now - nextReportNanos >= 0) {
        nextReportNanos = now + REPORT_NANOS;
        LoadProgress all = PendingLoad.this.progress();
        LOG.info(
            "loading: {} of {} MiB, {} MiB/s, {} s left",
            all.bytes() >> 20,
            all.totalBytes() >> 20,
            Math.round(all.bytesPerSecond() / (1 << 20)),
            Math.round(all.secondsLeft()));
      }
    }
  }
}

package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.CompactionPolicy;
import io.keyvalueserve.journal.Damage;
import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.HeldKeys;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalConfig;
import io.keyvalueserve.journal.JournalException;
import io.keyvalueserve.journal.KeysLater;
import io.keyvalueserve.journal.LogCheck;
import io.keyvalueserve.journal.RecoveryProgress;
import io.keyvalueserve.journal.RecoveryReport;
import io.keyvalueserve.journal.Subdirectory;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.RenewedRecords;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member's log on its disk: read into the maps once, and then written. By one thread. */
final class LogRecovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);
  private static final String LOG_DIRECTORY = "log";

  /** Each stream is a file to be synced: more of them cost more than who appends to one of them. */
  private static final int PROCESSORS_PER_STREAM = 4;

  private static final int BLOCKS = 16;
  private static final int BLOCK_BYTES = 1 << 20;

  /** The number of chunks of each stream that must fit on the disk, because some are spare. */
  private static final int LEAST_CHUNKS = 32;

  /** While one hands over what it has read, the disk has the other's. */
  private static final int READERS = 2;

  private static final int MOST_LOADERS = 8;

  /** Keys may take as much memory beside the entries' own, until they are put back. */
  private static final int KEYS_PART = 8;

  /**
   * The divisor that gives the part of the free memory kept for what records take in memory beyond
   * what they take in the log.
   */
  private static final int SPARE_PART = 8;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_GIB = 1L << 30;
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final boolean logs;
  private final RestartConfig config;
  private final DataDirectory directory;
  private final NativeMaps maps;
  private final MemberLog log;
  private final LossesFile losses;
  private volatile long nextReportNanos = System.nanoTime() + REPORT_NANOS;
  private @Nullable Journal journal;
  private @Nullable LaterKeys laterKeys;
  private volatile @Nullable PendingLoad pendingLoad;

  /** The records that were loaded before the member served, if that was all of them. */
  private volatile @Nullable LoadProgress loadedBefore;

  private @Nullable Thread loader;
  private volatile LogFaults faults = LogFaults.NONE;
  private volatile boolean damaged;

  /**
   * @param losses says at the next start that the log was gone at this one
   * @param logs whether the member has a log: a witness has none
   */
  LogRecovery(
      RestartConfig config,
      DataDirectory directory,
      NativeMaps maps,
      MemberLog log,
      LossesFile losses,
      boolean logs) {
    this.losses = losses;
    this.logs = logs;
    this.config = config;
    this.directory = directory;
    this.maps = maps;
    this.log = log;
  }

  /**
   * Opens the log and puts what it has into the maps; nothing if that was done before. Blocks.
   *
   * @param had whether the member had anything: then a log that is not there is damage
   * @throws RestartException if it cannot be read, or does not fit into memory
   */
  void load(boolean had) {
    if (journal != null || !logs) {
      return;
    }
    Restorer restorer = new Restorer(maps, directory.member().partitions(), log, this::report);
    try {
      boolean gone = losses.isLogGone() || (had && !isLogThere());
      losses.setLogGone(gone);
      Journal opened =
          config.whileLoading() == WhileLoading.CLOSED
              ? Journal.open(journalConfig(), disk(), restorer)
              : Journal.openKeys(journalConfig(), disk(), restorer, keysLater());
      journal = opened;
      forget(restorer.dropped(), opened);
      log.opened(opened);
      HeldKeys held = opened.heldKeys();
      if (held != null) {
        LaterKeys later = new LaterKeys(held, restorer, maps, mostKeyBytes());
        forget(later.announce(), opened);
        laterKeys = later;
      }
      report(opened.report());
      faults = LogFaults.of(gone, opened.damagedRecords(), opened.suspect());
      damaged = faults.isUnsure();
      if (config.whileLoading() == WhileLoading.CLOSED) {
        loadedBefore = all(opened.report());
      }
      maps.pending().expectNoMore();
      requireRoom();
      maps.restored();
    } catch (IOException e) {
      throw new RestartException("the restart log cannot be read: " + e.getMessage(), e);
    } catch (OutOfNativeMemoryException e) {
      throw doesNotFit(e);
    }
  }

  /**
   * Reads what {@link #load} has not read of the log, to find damage before others rely on what is
   * here. Blocks for as long as the disk takes to read the log.
   *
   * @throws RestartException if a file cannot be opened
   */
  void check() {
    Journal open = journal;
    if (open == null || config.whileLoading() == WhileLoading.CLOSED) {
      return;
    }
    LOG.info("the log of a member is damaged: this member reads its own whole before all begin");
    long begun = System.nanoTime();
    try {
      LogCheck rest = open.check();
      warn(rest.damage());
      faults = faults.and(rest);
      damaged = faults.isUnsure();
      LOG.info(
          "the restart log was read whole in {} s: {}",
          String.format(Locale.ROOT, "%.3f", (System.nanoTime() - begun) / NANOS_PER_SECOND),
          damaged ? "it is damaged" : "nothing is damaged");
    } catch (IOException e) {
      throw new RestartException("the restart log cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * The member serves before it knows the keys of a large log, as far as it can tell that there is
   * memory for all of them and their records.
   */
  private KeysLater keysLater() {
    return new KeysLater(
        map -> !MapDurability.isSystem(map) && !config.first().test(map),
        config.keysFirstBelowBytes(),
        mostKeyBytes(),
        maps.freeBytes() - maps.freeBytes() / SPARE_PART);
  }

  private long mostKeyBytes() {
    return maps.capacityBytes() / KEYS_PART;
  }

  /**
   * Clears maps that were not put back from the log, so that their records do not return if the
   * maps become durable again.
   */
  private static void forget(Set<Restorer.Dropped> dropped, Journal opened) {
    try {
      for (Restorer.Dropped each : dropped) {
        long _ = opened.clear(each.partition(), opened.map(each.map()));
      }
    } catch (JournalException e) {
      LOG.warn("the restart log still has records of maps that are not durable", e);
    }
  }

  /**
   * Checks that the entries to load fit into memory. Not needed if values can go to the disk again.
   */
  private void requireRoom() {
    if (maps.spillArea() == null && maps.pending().amount().bytes() > maps.freeBytes()) {
      throw doesNotFit(null);
    }
  }

  private RestartException doesNotFit(@Nullable OutOfNativeMemoryException cause) {
    return new RestartException(
        "what the restart log has does not fit into memory: capacity="
            + maps.capacityBytes()
            + " bytes; give the member more with --memory"
            + (cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }

  /**
   * Loads the rest of what the member itself needs to serve: there is little of it. Blocks.
   *
   * @param unreadable brings what the log does not give back
   */
  void loadSystemMaps(Consumer<List<Healing.Unreadable>> unreadable) {
    List<Healing.Unreadable> missing = PendingLoad.loadReadable(maps, MapDurability::isSystem);
    if (!missing.isEmpty()) {
      unreadable.accept(missing);
    }
  }

  /**
   * Loads what only the keys are known of, while the member serves.
   *
   * @param unreadable brings what the log does not give back
   * @param then done when all is there
   */
  void loadRest(Consumer<List<Healing.Unreadable>> unreadable, Runnable then) {
    Journal open = journal;
    if (open == null || config.whileLoading() == WhileLoading.CLOSED) {
      then.run();
      return;
    }
    PendingLoad load =
        new PendingLoad(open, maps, config.first(), laterKeys, loaders(), unreadable);
    pendingLoad = load;
    loader =
        Thread.ofPlatform()
            .name("kvs-load")
            .daemon()
            .start(
                () -> {
                  if (load.run()) {
                    maps.restored();
                    then.run();
                  }
                });
  }

  /** Returns how far the loading has come; null if there is nothing to load. */
  @Nullable LoadProgress progress() {
    PendingLoad load = pendingLoad;
    return load == null ? loadedBefore : load.progress();
  }

  private static @Nullable LoadProgress all(RecoveryReport found) {
    long records = found.records();
    long bytes = found.bytes();
    return records == 0
        ? null
        : new LoadProgress(records, records, bytes, bytes, found.nanos(), true);
  }

  private JournalConfig journalConfig() {
    MemberFile.Contents member = directory.member();
    int processors = Runtime.getRuntime().availableProcessors();
    int streams = Math.max(1, processors / PROCESSORS_PER_STREAM);
    return JournalConfig.of(
            member.cluster(), member.uuid().toString(), PartitionLog.FORMAT, streams)
        .withSizes(BLOCKS, BLOCK_BYTES, chunkBytes(streams))
        .withThreads(READERS, loaders());
  }

  /** Returns the length of a chunk: as configured, or less on a small disk. */
  private long chunkBytes(int streams) {
    long diskBytes;
    try {
      diskBytes = Files.getFileStore(config.directory()).getTotalSpace();
    } catch (IOException e) {
      return config.chunkBytes(); // the log will tell
    }
    long share = diskBytes / ((long) LEAST_CHUNKS * streams) / BLOCK_BYTES * BLOCK_BYTES;
    long fitted = Math.min(config.chunkBytes(), Math.max(BLOCK_BYTES, share));
    if (fitted < config.chunkBytes()) {
      LOG.info(
          "the disk is small, so chunks of the restart log are shorter: chunkMib={} diskMib={}",
          fitted / BLOCK_BYTES,
          diskBytes / BLOCK_BYTES);
    }
    return fitted;
  }

  private static int loaders() {
    return Math.min(Runtime.getRuntime().availableProcessors(), MOST_LOADERS);
  }

  boolean hasLog() throws IOException {
    return DataDisk.at(config.directory()).exists(LOG_DIRECTORY);
  }

  private Disk disk() throws IOException {
    return Subdirectory.of(DataDisk.at(config.directory()), LOG_DIRECTORY);
  }

  /**
   * Makes sure that nothing is given up.
   *
   * @throws RestartException if the log has anything
   */
  void requireEmpty() throws IOException {
    if (journal == null && hasLog()) {
      load(true);
      readKeys();
      if (maps.usage().stream().anyMatch(map -> map.primaryEntries() + map.backupEntries() > 0)) {
        throw new RestartException(
            "the member cannot start: its log has data, but which partitions are its own is not"
                + " known: the file "
                + config.directory().resolve("partitions")
                + " is missing or names nobody; bring it back, or give an empty data directory");
      }
    }
  }

  private boolean isLogThere() throws IOException {
    return hasLog() && Journal.isThere(disk());
  }

  /** Returns what the log may lack of what it had when it was opened. */
  LogFaults faults() {
    return faults;
  }

  /**
   * Returns whether the log is damaged, or was gone, and not everything has been written again yet.
   */
  boolean isDamaged() {
    return damaged;
  }

  /**
   * Returns whether damage was found while the member runs, and the lost records are being written
   * again.
   */
  boolean isRepaired() {
    Journal open = journal;
    return open != null && open.scrubFigures().open() > 0;
  }

  /** All that the member has is in the log, which is to be trusted from now on. Blocks. */
  void trust() throws IOException, InterruptedException {
    Journal open = journal;
    if (open != null && !open.hasDamagedFiles()) {
      open.awaitCertain();
      open.trust();
      losses.setLogGone(false);
      damaged = false;
      LOG.info("the restart log is whole again: it has all that this member has");
    }
  }

  private void readKeys() {
    LaterKeys later = laterKeys;
    if (later != null) {
      later.read(loaders(), () -> false);
    }
  }

  /** Gives up what the log has. */
  void forget() throws IOException {
    if (journal != null) {
      BitSet all = new BitSet();
      all.set(0, directory.member().partitions());
      maps.disown(all);
    } else if (hasLog()) {
      Journal.erase(disk());
    }
  }

  /** Removes the log. After {@link #close}. */
  void erase() throws IOException {
    if (hasLog()) {
      Journal.erase(disk());
    }
  }

  /**
   * Has the log kept small from now on.
   *
   * @param serving see {@link LoggedRecords}
   * @param unreadable see there
   */
  void compact(
      BooleanSupplier serving, ToLongFunction<List<RenewedRecords.Unreadable>> unreadable) {
    Journal open = journal;
    if (open != null) {
      open.compact(
          new LoggedRecords(maps, serving, unreadable),
          CompactionPolicy.DEFAULT,
          config.scrubEach());
    }
  }

  /** Has the log read whole from now on, to find damage. Returns at once. */
  void scrub() {
    Journal open = journal;
    if (open != null) {
      open.scrub();
    }
  }

  private void report(RecoveryProgress reached) {
    long now = System.nanoTime();
    if (now - nextReportNanos < 0 || reached.totalBytes() == 0) {
      return;
    }
    nextReportNanos = now + REPORT_NANOS;
    double left = (reached.totalBytes() - reached.bytes()) / Math.max(1, reached.bytesPerSecond());
    LOG.info(
        "restoring: {} of {} MiB, {} records, {} MiB/s, {} s left",
        reached.bytes() >> 20,
        reached.totalBytes() >> 20,
        reached.records(),
        Math.round(reached.bytesPerSecond() / (1 << 20)),
        Math.round(left));
  }

  private static void warn(List<Damage> found) {
    for (Damage damage : found) {
      LOG.warn("the restart log: {}", damage);
    }
  }

  private void report(RecoveryReport found) {
    warn(found.damage());
    if (found.records() > 0) {
      double seconds = found.nanos() / NANOS_PER_SECOND;
      LOG.info(
          "restored {} records, {} bytes of log, in {} s ({} GiB/s)",
          found.records(),
          found.bytes(),
          String.format(Locale.ROOT, "%.3f", seconds),
          String.format(
              Locale.ROOT, "%.2f", found.bytes() / BYTES_PER_GIB / Math.max(seconds, 1e-9)));
    }
  }

  private void stopLoading() {
    PendingLoad load = pendingLoad;
    Thread running = loader;
    if (load != null && running != null) {
      load.stop();
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    Journal open = journal;
    if (open == null) {
      return;
    }
    stopLoading();
    log.closing();
    try {
      open.close();
    } catch (IOException e) {
      throw new RestartException(
          "the restart log did not close in order, what was written last may be lost: "
              + e.getMessage(),
          e);
    }
  }
}

package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Looks at a log while no member uses it. Nothing but {@link #compact} changes anything in it.
 *
 * <p>What is alive is found by replaying the keys into a table outside the Java heap, 43 to 86
 * bytes for each.
 */
public final class JournalInspection {
  private static final int IDLE_MILLIS = 2_000;
  private static final int TURNS_PER_PROGRESS = 1_000;

  private JournalInspection() {}

  /**
   * Reads all of a log, checks every frame, blob and index, and tells what is in it; the damage is
   * in the report.
   *
   * @throws DirectoryRefusedException if there is no log, or a process uses it
   */
  public static JournalContents verify(Disk disk, InspectionProgress progress) throws IOException {
    return look(disk, false, progress);
  }

  /**
   * Tells what is in a log, reading no more than that takes: the index of a chunk, where it has
   * one.
   *
   * @throws DirectoryRefusedException if there is no log, or a process uses it
   */
  public static JournalContents inspect(Disk disk, InspectionProgress progress) throws IOException {
    return look(disk, true, progress);
  }

  /**
   * Writes what is needed of a log anew and removes the rest; an identity that was lost is written
   * anew, if all chunks say the same.
   *
   * @throws DirectoryRefusedException if there is no log, or a process uses it
   * @throws JournalException if the disk fails or is full; the log is what it was or smaller
   */
  public static JournalCompaction compact(Disk disk, InspectionProgress progress)
      throws IOException, InterruptedException {
    Whose whose = Whose.log(disk);
    if (whose.damage().isPresent()) {
      Closeable lock = disk.lock(LogFiles.LOCK);
      try (lock) {
        LogIdentity.write(disk, whose.identity());
      }
    }
    JournalConfig config = config(disk, whose.identity());
    try (LiveKeys keys = new LiveKeys(progress)) {
      Journal journal = Journal.open(config, disk, JournalClock.SYSTEM, keys, true);
      JournalStatistics before;
      try (journal) {
        keys.settle();
        keys.setDead(journal);
        before = journal.statistics();
        compact(journal, journal.compactor(keys, CompactionPolicy.ALL), progress);
      }
      RecoveryReport report = journal.report().with(journal.damageFoundSince());
      return new JournalCompaction(before, journal.statistics(), whose.addedTo(report));
    }
  }

  private static void compact(Journal journal, Compactor compactor, InspectionProgress progress)
      throws IOException, InterruptedException {
    long total = journal.oldBytes();
    int idle = 0;
    for (int turn = 0; compactor.isBusy() && idle < IDLE_MILLIS; turn++) {
      journal.turn();
      if (compactor.turn()) {
        idle = 0;
      } else {
        idle++; // the ring is full, or a sync is due; if nothing comes of it, it is done
        Thread.sleep(1);
      }
      if (turn % TURNS_PER_PROGRESS == 0) {
        progress.compacting(total - journal.oldBytes(), total);
      }
      rethrow(journal, compactor);
    }
    progress.compacting(total - journal.oldBytes(), total);
    if (compactor.isBusy() && !journal.isDiskFull()) {
      throw new IOException("compaction came to no end; what was done so far holds");
    } else if (compactor.isBusy()) {
      throw new JournalFullException(
          "the disk has no room for another chunk: free %d bytes and compact again; what was done so far holds"
              .formatted(journal.chunkBytes()),
          null);
    }
  }

  private static void rethrow(Journal journal, Compactor compactor) throws IOException {
    IOException unreadable = compactor.failure();
    if (unreadable != null) {
      throw unreadable;
    }
    JournalFailedException failure = journal.failure();
    if (failure != null) {
      throw failure;
    }
  }

  private static JournalContents look(Disk disk, boolean keysOnly, InspectionProgress progress)
      throws IOException {
    Whose whose = Whose.log(disk);
    Closeable lock = lock(disk);
    try (lock;
        LiveKeys keys = new LiveKeys(progress)) {
      JournalConfig config = config(disk, whose.identity());
      Recovery recovery = new Recovery(disk, config, JournalClock.SYSTEM);
      try {
        RecoveryReport report = whose.addedTo(recovery.replay(keysOnly, KeysLater.NONE, keys));
        keys.settle();
        if (!keysOnly) {
          report = report.with(damagedIndexes(disk, recovery));
        }
        return contents(disk, whose.identity(), recovery, keys, report);
      } finally {
        recovery.chunks.release();
      }
    }
  }

  private static JournalContents contents(
      Disk disk, LogIdentity identity, Recovery recovery, LiveKeys keys, RecoveryReport report)
      throws IOException {
    return new JournalContents(
        identity.cluster(),
        identity.member(),
        identity.payloadFormat(),
        chunks(disk, recovery, keys.recordsOfChunks()),
        List.copyOf(keys.maps().values()),
        recovery.blobs.count(),
        disk.list(LogFiles.QUARANTINE).size(),
        JournalStatistics.of(recovery.chunks.all(), recovery.blobs.liveBytes(), 0, 0),
        report);
  }

  private static List<JournalContents.ChunkFigures> chunks(
      Disk disk, Recovery recovery, Map<Long, Long> records) {
    List<JournalContents.ChunkFigures> chunks = new ArrayList<>();
    for (Chunk chunk : recovery.chunks.all()) {
      chunks.add(
          new JournalContents.ChunkFigures(
              chunk.id,
              chunk.stream,
              disk.path(LogFiles.chunk(chunk.id)),
              recovery.isSealed(chunk.id),
              chunk.fileBytes(),
              chunk.liveBytes(),
              chunk.tombstoneBytes(),
              chunk.frames(),
              records.getOrDefault(chunk.id, 0L),
              chunk.isDamaged()));
    }
    return chunks;
  }

  private static List<Damage> damagedIndexes(Disk disk, Recovery recovery) throws IOException {
    List<Damage> damage = new ArrayList<>();
    for (Chunk chunk : recovery.chunks.all()) {
      try (ChunkFile file = ChunkFile.open(disk, chunk.id)) {
        ChunkTrailer trailer = file.trailer(chunk.id).orElse(null);
        if (trailer == null) {
          continue;
        }
        AlignedMemory area = file.area(trailer).orElse(null);
        if (area != null) {
          area.close();
        } else {
          damage.add(
              new Damage(
                  Damage.Kind.BAD_TRAILER,
                  disk.path(LogFiles.chunk(chunk.id)),
                  trailer.end(),
                  trailer.areaBytes(),
                  "the index is not what was written; frames do not depend on it"));
        }
      }
    }
    return damage;
  }

  /** A disk that cannot be written needs no lock: nobody else can write it either. */
  private static Closeable lock(Disk disk) throws IOException {
    try {
      return disk.lock(LogFiles.LOCK);
    } catch (DirectoryRefusedException e) {
      if (e.reason() == DirectoryRefusedException.Reason.READ_ONLY) {
        return () -> {};
      }
      throw e;
    }
  }

  /** Returns the configuration to open a log with, with the sizes that its newest chunk has. */
  private static JournalConfig config(Disk disk, LogIdentity identity) throws IOException {
    JournalConfig config =
        JournalConfig.of(identity.cluster(), identity.member(), identity.payloadFormat(), 1);
    List<String> names = disk.list(LogFiles.CHUNKS);
    for (int i = names.size() - 1; i >= 0; i--) {
      OptionalLong id = LogFiles.chunkOf(names.get(i));
      if (id.isPresent()) {
        try (ChunkFile file = ChunkFile.open(disk, id.getAsLong())) {
          ChunkHeader header = file.header().orElse(null);
          if (header != null) {
            return config.withSizes(config.blocks(), header.blockBytes(), header.chunkBytes());
          }
        }
      }
    }
    return config;
  }
}

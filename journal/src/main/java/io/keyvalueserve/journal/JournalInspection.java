package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Looks at a log while no member uses it. Nothing but {@link #compact} changes anything in it.
 *
 * <p>What is alive is found by replaying the keys into a table on the Java heap, up to 90 bytes for
 * each.
 */
public final class JournalInspection {
  private JournalInspection() {}

  /**
   * Reads all of a log, checks every frame, blob and index, and tells what is in it; the damage is
   * in the report.
   *
   * @throws DirectoryRefusedException if there is no log, or a process uses it
   */
  public static JournalContents verify(Disk disk) throws IOException {
    return look(disk, false);
  }

  /**
   * Tells what is in a log, reading no more than that takes.
   *
   * @throws DirectoryRefusedException if there is no log, or a process uses it
   */
  public static JournalContents inspect(Disk disk) throws IOException {
    return look(disk, true);
  }

  /**
   * Writes what is needed of a log anew and removes the rest.
   *
   * @return the figures afterwards
   * @throws DirectoryRefusedException if there is no log, or a process uses it
   * @throws JournalException if the disk fails or is full; the log is what it was or smaller
   */
  public static JournalStatistics compact(Disk disk) throws IOException, InterruptedException {
    JournalConfig config = config(disk);
    LiveKeys keys = new LiveKeys();
    try (Journal journal = Journal.open(config, disk, JournalClock.SYSTEM, keys, true)) {
      keys.setDead(journal);
      Compactor compactor = journal.compactor(keys, CompactionPolicy.ALL);
      long idle = 0;
      while (compactor.isBusy() && idle < 2_000) { // two seconds without progress: it is done
        journal.turn();
        if (compactor.turn()) {
          idle = 0;
        } else {
          idle++;
          Thread.sleep(1);
        }
        rethrow(journal, compactor);
      }
    }
    return inspect(disk).statistics();
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

  private static JournalContents look(Disk disk, boolean keysOnly) throws IOException {
    JournalConfig config = config(disk);
    Closeable lock = lock(disk);
    try (lock) {
      Recovery recovery = new Recovery(disk, config, JournalClock.SYSTEM);
      LiveKeys keys = new LiveKeys();
      RecoveryReport report = recovery.replay(keysOnly, keys);
      if (!keysOnly) {
        report = withIndexes(disk, recovery, report);
      }
      List<JournalContents.ChunkFigures> chunks = new ArrayList<>();
      for (Chunk chunk : recovery.chunks.all()) {
        chunks.add(
            new JournalContents.ChunkFigures(
                chunk.id,
                chunk.stream,
                disk.path(LogFiles.chunk(chunk.id)),
                chunk.fileBytes(),
                chunk.liveBytes(),
                chunk.tombstoneBytes(),
                chunk.isDamaged()));
      }
      return new JournalContents(
          config.cluster(),
          config.member(),
          config.payloadFormat(),
          chunks,
          List.copyOf(keys.maps().values()),
          JournalStatistics.of(recovery.chunks.all(), recovery.blobs.liveBytes(), 0),
          report);
    }
  }

  private static RecoveryReport withIndexes(Disk disk, Recovery recovery, RecoveryReport report)
      throws IOException {
    List<Damage> damage = new ArrayList<>(report.damage());
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
    return new RecoveryReport(
        report.chunks(), report.records(), report.bytes(), report.nanos(), damage);
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

  /** Whose log it is, with the sizes that its newest chunk has. */
  private static JournalConfig config(Disk disk) throws IOException {
    Identity identity = Identity.read(disk);
    JournalConfig config =
        JournalConfig.of(identity.cluster(), identity.member(), identity.payloadFormat(), 1)
            .withThreads(0, 1);
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

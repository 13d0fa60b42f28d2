package io.keyvalueserve.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings a log back: looks at it, replays it, and then has the directory say what was decided, so
 * that it is decided once. Nothing in the directory changes before all has been replayed.
 */
final class Recovery {
  /** The least number of bytes that {@link #check} reads at a time. */
  private static final int CHECKED_BYTES = 2 << 20;

  private final Disk disk;
  private final JournalConfig config;
  private final JournalClock clock;
  private final Survey survey;
  private final TreeSet<Long> blobFiles = new TreeSet<>();
  private final List<Damage> damage = new ArrayList<>();
  private Map<Long, Set<Long>> blobsSeen = Map.of(); // with the chunks whose frames refer to them
  private Set<Long> badBlobs = Set.of();
  private @Nullable HeldKeys held;

  /** True if only keys were given even for chunks without an index. */
  private boolean allByKeys;

  final Manifest manifest;
  final MapNames names = new MapNames();
  final Blobs blobs;
  final ChunkSource chunks;

  Recovery(Disk disk, JournalConfig config, JournalClock clock) throws IOException {
    this.disk = disk;
    this.config = config;
    this.clock = clock;
    LogIdentity identity =
        new LogIdentity(config.cluster(), config.member(), config.payloadFormat());
    survey = Survey.of(disk, identity, config);
    manifest = survey.manifest;
    blobs = new Blobs(disk, manifest);
    manifest.numbersFrom(highestChunk() + 1, highestBlob() + 1);
    long run = manifest.nextChunk();
    chunks = new ChunkSource(disk, manifest, config, clock, run);
    damage.addAll(survey.damage);
  }

  private long highestChunk() throws IOException {
    long highest = 0;
    for (String name : disk.list(LogFiles.CHUNKS)) {
      highest = Math.max(highest, LogFiles.chunkOf(name).orElse(0));
    }
    return highest;
  }

  private long highestBlob() throws IOException {
    for (String name : disk.list(LogFiles.BLOBS)) {
      LogFiles.blobOf(name).ifPresent(blobFiles::add);
    }
    return blobFiles.isEmpty() ? 0 : blobFiles.last();
  }

  /**
   * Replays the log into a sink.
   *
   * @param later which keys are kept back, if only keys are read: then {@link #takeHeld} has them
   */
  RecoveryReport replay(boolean keysOnly, KeysLater later, RecoverySink sink) throws IOException {
    List<ChunkPlan> plans = List.copyOf(survey.plans.values());
    for (ChunkPlan plan : plans) {
      Chunk chunk = new Chunk(plan.chunk(), plan.entry().stream(), plan.end());
      chunk.seal(plan.trailer().map(ChunkTrailer::fileBytes).orElse(plan.end()));
      chunks.add(chunk);
    }
    boolean holds = keysOnly && mayHold(plans, later);
    LoaderState state =
        state(
            keysOnly ? LoaderState.What.KEYS : LoaderState.What.RECORDS,
            holds ? later.maps() : map -> false);
    sink.begin(state);
    Replay replay =
        new Replay(disk, plans, config, clock, sink, state, holds, later.mostKeyBytes());
    replay.run();
    held = replay.held();
    allByKeys = holds;
    giveBlobs(replay, sink);
    damage.addAll(replay.damage());
    HeldKeys keys = held;
    if (keys != null) {
      damage.addAll(keys.takeDamage());
    }
    markDamaged(plans, damage);
    blobsSeen = state.blobsSeen();
    badBlobs = state.badBlobs();
    return new RecoveryReport(
        plans.size(),
        replay.records(),
        replay.bytes(),
        replay.nanos(),
        damage.stream().distinct().toList());
  }

  private boolean mayHold(List<ChunkPlan> plans, KeysLater later) {
    long log = 0;
    long unindexed = 0;
    long keys = 0;
    long records = 0;
    for (ChunkPlan plan : plans) {
      Optional<ChunkTrailer> index = plan.trailer().filter(ChunkTrailer::hasIndex);
      log += plan.end();
      unindexed += index.isEmpty() ? plan.end() : 0;
      keys += index.map(Recovery::heldBytes).orElse(2 * plan.end());
      records += index.map(ChunkTrailer::recordBytes).orElse(plan.end());
    }
    return later.isFor(log, unindexed, keys, records, config.chunkBytes());
  }

  /**
   * About what the keys of a chunk take: some room beside, and where each of them is; those that
   * can be read by partition are left on the disk.
   */
  private static long heldBytes(ChunkTrailer index) {
    if (index.hasDirectory()) {
      return index.directory().bytes();
    }
    return index.areaBytes() + index.areaBytes() / 4L + (long) index.frames() * Integer.BYTES;
  }

  /**
   * Partitions with files of their own are not waited with: which files are needed is to be known
   * before any is removed.
   */
  private void giveBlobs(Replay replay, RecoverySink sink) throws IOException {
    HeldKeys keys = held;
    if (keys != null) {
      try {
        replay.heldWithBlobs().stream().forEach(partition -> keys.give(partition, sink));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  /**
   * Returns the keys that were kept back, to be closed by the caller, or null if there are none.
   */
  @Nullable HeldKeys takeHeld() {
    HeldKeys keys = held;
    held = null;
    return keys;
  }

  /**
   * Gives what was put to a sink again, from those chunks of which only the keys were read, if
   * anything in them is still needed. The chunks must all still be there.
   */
  RecoveryReport replayPayloads(LongPredicate wanted, RecoverySink sink) throws IOException {
    List<ChunkPlan> plans =
        survey.plans.values().stream()
            .filter(plan -> allByKeys || plan.trailer().map(ChunkTrailer::hasIndex).orElse(false))
            .filter(plan -> wanted.test(plan.chunk()) && hasLiveRecords(plan.chunk()))
            .toList();
    LoaderState state = state(LoaderState.What.PAYLOADS, map -> false);
    Replay replay = new Replay(disk, plans, config, clock, sink, state, false, 0);
    replay.run();
    List<Damage> found = replay.damage();
    markDamaged(plans, found);
    return new RecoveryReport(
        plans.size(), replay.records(), replay.bytes(), replay.nanos(), found);
  }

  /**
   * Reads the chunks of which only the indexes have been read, if anything in them is still needed,
   * and the blobs that are in use.
   */
  LogCheck check() throws IOException {
    Set<String> read = // in the place of a damaged index
        damage.stream()
            .filter(each -> each.kind() == Damage.Kind.BAD_TRAILER)
            .map(Damage::file)
            .collect(Collectors.toSet());
    List<ChunkPlan> plans =
        survey.plans.values().stream()
            .filter(plan -> plan.trailer().map(ChunkTrailer::hasIndex).orElse(false))
            .filter(plan -> !read.contains(disk.path(LogFiles.chunk(plan.chunk()))))
            .filter(plan -> hasLiveRecords(plan.chunk()))
            .toList();
    int block = plans.stream().mapToInt(ChunkPlan::blockBytes).max().orElse(0);
    try (IndexedCheck check =
        new IndexedCheck(disk, chunks, blobs, Math.max(CHECKED_BYTES, block))) {
      for (ChunkPlan plan : plans) {
        Chunk chunk = chunks.get(plan.chunk());
        if (chunk != null) {
          check.check(chunk);
        }
      }
      return check.result();
    }
  }

  private boolean hasLiveRecords(long id) {
    Chunk chunk = chunks.get(id);
    return chunk != null && chunk.hasLiveRecords();
  }

  private LoaderState state(LoaderState.What what, Predicate<String> later) {
    return new LoaderState(
        disk, manifest, names, blobs, chunks, blobFiles, what, clock.currentTimeMillis(), later);
  }

  /** Returns whether a chunk has its trailer. */
  boolean isSealed(long chunk) {
    ChunkPlan plan = survey.plans.get(chunk);
    return plan != null && plan.trailer().isPresent();
  }

  private void markDamaged(List<ChunkPlan> plans, List<Damage> found) {
    Set<String> files =
        found.stream().filter(Damage::concernsFrames).map(Damage::file).collect(Collectors.toSet());
    for (ChunkPlan plan : plans) {
      if (plan.damaged() || files.contains(disk.path(LogFiles.chunk(plan.chunk())))) {
        Chunk chunk = chunks.get(plan.chunk());
        if (chunk != null) {
          chunk.markDamaged();
        }
      }
    }
  }

  /**
   * Makes certain what was found, writes down what was decided, then removes what nobody needs.
   * What was found and never synced was not certain before, but is from now on: records may be
   * built on it.
   */
  void settle() throws IOException {
    for (ChunkPlan plan : survey.plans.values()) {
      if (plan.trailer().isEmpty()) {
        cut(plan);
      }
    }
    Set<Long> present = new HashSet<>(blobsSeen.keySet());
    present.retainAll(blobFiles);
    present.removeAll(badBlobs);
    present.removeIf(manifest::isBlobNever);
    for (long id : present) {
      if (!manifest.hasBlob(id)) {
        sync(LogFiles.blob(id));
      }
    }
    disk.syncDirectory(LogFiles.CHUNKS);
    disk.syncDirectory(LogFiles.BLOBS);
    Set<Long> lostBlobs =
        badBlobs.stream().filter(manifest::hasBlob).collect(Collectors.toCollection(HashSet::new));
    // A number that a frame has must not be given again, even if its blob is not there.
    manifest.numbersFrom(0, blobsSeen.keySet().stream().mapToLong(id -> id + 1).max().orElse(0));
    Set<Long> removed = removedChunks();
    manifest.rewrite(
        suspect(),
        survey.plans.values().stream().map(ChunkPlan::entry).toList(),
        removed,
        present,
        goneBlobs(),
        neverBlobs());
    remove(lostBlobs);
    disk.syncDirectory(LogFiles.CHUNKS);
    disk.syncDirectory(LogFiles.BLOBS);
    removed.forEach(manifest::forgetChunk);
  }

  /** Returns the least number of places that were damaged since the log was last trusted. */
  private long suspect() {
    long found = damage.stream().distinct().filter(Damage::mayMissRecords).count();
    return Math.max(manifest.suspect(), found); // of both some may be the same
  }

  /**
   * Has nobody use a log with files that are no part of one: they may be such a part, under a name
   * that is not known.
   */
  void requireKnownFiles() throws DirectoryRefusedException {
    for (Damage each : damage) {
      if (each.kind() == Damage.Kind.STRANGE_FILE) {
        throw new DirectoryRefusedException(
            DirectoryRefusedException.Reason.STRANGE_FILE,
            "the log has a file that is no part of a log: %s; move it elsewhere, or bring back the name that it had"
                .formatted(each.file()),
            null);
      }
    }
  }

  /** Gives back the space behind a torn tail; no byte before it is written. */
  private void cut(ChunkPlan plan) throws IOException {
    long whole = (plan.end() + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES;
    try (DiskFile file = disk.open(LogFiles.chunk(plan.chunk()), Disk.Access.WRITE)) {
      if (file.size() > whole) {
        file.truncate(whole);
      }
      file.sync();
    }
  }

  private void sync(String name) throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.WRITE)) {
      file.sync();
    }
  }

  private Set<Long> removedChunks() {
    Set<Long> removed = new HashSet<>();
    for (String name : survey.toRemove) {
      LogFiles.chunkOf(name.substring(name.indexOf('/') + 1)).ifPresent(removed::add);
    }
    return removed;
  }

  /** Blobs that frames refer to and that were certain once. */
  private Map<Long, Set<Long>> goneBlobs() {
    return seen(
        id -> {
          boolean lost = badBlobs.contains(id) && manifest.hasBlob(id);
          return lost || (!blobFiles.contains(id) && manifest.isBlobGone(id));
        });
  }

  /** Blobs that frames refer to and that never were certain; this is decided once. */
  private Map<Long, Set<Long>> neverBlobs() {
    return seen(id -> manifest.isBlobNever(id) || (badBlobs.contains(id) && !manifest.hasBlob(id)));
  }

  private Map<Long, Set<Long>> seen(Predicate<Long> which) {
    return blobsSeen.entrySet().stream()
        .filter(each -> which.test(each.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private void remove(Set<Long> lostBlobs) throws IOException {
    for (String name : survey.toRemove) {
      disk.delete(name);
    }
    for (String name : survey.toSetAside) {
      ChunkSource.setAside(disk, name);
    }
    // A blob that no frame refers to is of no use, unless the frame is what was lost; nor is a bad
    // one that never was certain, unless it is the disk that does not read it.
    boolean loss = damage.stream().anyMatch(Damage::isLoss);
    for (long id : blobFiles) {
      boolean orphan = !blobsSeen.containsKey(id);
      boolean bad = badBlobs.contains(id);
      if (lostBlobs.contains(id) || ((orphan || bad) && loss)) {
        ChunkSource.setAside(disk, LogFiles.blob(id));
      } else if (orphan || bad || manifest.isBlobNever(id)) {
        disk.delete(LogFiles.blob(id));
      }
    }
  }
}

package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * All chunks of an open log: where new ones come from, and where they end. A chunk's line in the
 * manifest is certain before its first frame is written, and its end there before its file goes.
 * Thread-safe.
 */
final class ChunkSource {
  private static final int LATEST = 1024;

  private final Disk disk;
  private final Manifest manifest;
  private final JournalConfig config;
  private final JournalClock clock;
  private final long run;
  private final ConcurrentNavigableMap<Long, Chunk> chunks = new ConcurrentSkipListMap<>();

  /**
   * The latest chunks, for look-ups without a search. The place of a chunk is its number modulo the
   * array's length; a chunk replaces the one that was entered there before.
   */
  private final AtomicReferenceArray<@Nullable Chunk> latest = new AtomicReferenceArray<>(LATEST);

  /**
   * The chunks of a run.
   *
   * @param run the first number that its chunks can have
   */
  ChunkSource(Disk disk, Manifest manifest, JournalConfig config, JournalClock clock, long run) {
    this.disk = disk;
    this.manifest = manifest;
    this.config = config;
    this.clock = clock;
    this.run = run;
  }

  /** The first number of this run: chunks with smaller ones were found when the log was opened. */
  long run() {
    return run;
  }

  /** Enters a chunk, as one that recovery found. */
  void add(Chunk chunk) {
    chunks.put(chunk.id, chunk);
    latest.set(place(chunk.id), chunk);
  }

  /** Makes a chunk for a stream. */
  ChunkWriter create(int stream) throws IOException {
    long id = manifest.nextChunk();
    ChunkHeader header =
        new ChunkHeader(
            id,
            run,
            stream,
            config.blockBytes(),
            config.chunkBytes(),
            config.payloadFormat(),
            clock.currentTimeMillis(),
            config.cluster(),
            config.member());
    ChunkWriter writer = ChunkWriter.create(disk, header);
    try {
      manifest.addChunk(
          new Manifest.Entry(id, run, stream, config.blockBytes(), config.chunkBytes(), -1));
    } catch (IOException e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(writer::close);
      if (e instanceof NoSpaceException) {
        ending.step(() -> disk.delete(writer.name));
      } // else its line may be there or not: so its file stays, and has no frames
      throw e;
    }
    var _ = writer.chunk.makeDeadFrames();
    add(writer.chunk);
    return writer;
  }

  /**
   * A chunk was sealed: takes note of where its frames end. On a full disk that is not known then,
   * as it is not of a chunk that is being written.
   */
  void sealed(ChunkWriter writer) throws IOException {
    try {
      manifest.sealChunk(writer.chunk.id, writer.written());
    } catch (NoSpaceException e) {
      // its trailer says the same, while it is whole
    }
  }

  /**
   * Ends a chunk that nobody needs; a damaged one is kept aside. If that fails and the chunk is
   * still known, it may be tried again; not if the sync has failed, after which the manifest says
   * that the chunk is gone until the log is opened anew.
   */
  void remove(Chunk chunk) throws IOException {
    if (!manifest.isChunkGone(chunk.id)) {
      removeFromManifest(chunk);
    }
    String name = LogFiles.chunk(chunk.id);
    if (!chunk.isDamaged()) {
      disk.delete(name);
    } else if (disk.exists(name)) {
      setAside(disk, name);
    }
    try {
      disk.syncDirectory(LogFiles.CHUNKS);
      manifest.forgetChunk(chunk.id);
    } finally {
      chunks.remove(chunk.id);
      boolean _ = latest.compareAndSet(place(chunk.id), chunk, null);
      chunk.release();
    }
  }

  private void removeFromManifest(Chunk chunk) throws IOException {
    try {
      manifest.removeChunk(chunk.id);
    } catch (NoSpaceException e) {
      if (!giveUpIndex(chunk)) {
        throw e;
      }
      manifest.removeChunk(chunk.id);
    }
  }

  /**
   * Takes a chunk's index and trailer from its file, so that a disk without a byte has room for the
   * line that the chunk is gone. Until then it is one that was sealed while the disk was full.
   *
   * @return false if it has none, or is to be kept as it is
   */
  private boolean giveUpIndex(Chunk chunk) throws IOException {
    if (chunk.isDamaged()) {
      return false;
    }
    ChunkTrailer trailer;
    try (ChunkFile file = ChunkFile.open(disk, chunk.id)) {
      trailer = file.trailer(chunk.id).orElse(null);
    }
    if (trailer == null) {
      return false;
    }
    try (DiskFile file = disk.open(LogFiles.chunk(chunk.id), Disk.Access.WRITE)) {
      file.truncate(trailer.end());
    }
    chunk.seal(trailer.end());
    return true;
  }

  /** Moves a file to the quarantine, under a name that is free there. */
  static String setAside(Disk disk, String name) throws IOException {
    disk.makeDirectory(LogFiles.QUARANTINE);
    disk.syncDirectory("");
    String base = LogFiles.QUARANTINE + name.substring(name.indexOf('/'));
    String to = base;
    for (int i = 1; disk.exists(to); i++) {
      to = base + "." + i;
    }
    disk.rename(name, to);
    disk.syncDirectory(LogFiles.QUARANTINE);
    return to;
  }

  @Nullable Chunk get(long id) {
    Chunk chunk = latest.get(place(id));
    return chunk != null && chunk.id == id ? chunk : chunks.get(id);
  }

  private static int place(long id) {
    return (int) id & (LATEST - 1);
  }

  /** Gives back the memory of all chunks; when nobody appends any more. */
  void release() {
    chunks.values().forEach(Chunk::release);
  }

  /** Counts a record's frame that is not needed any more; of a blob's only the reference counts. */
  void dead(long position, int payloadBytes) {
    Chunk chunk = get(Position.chunk(position));
    if (chunk != null) {
      int bytes = payloadBytes;
      if (Position.isBlob(position)) {
        bytes = Frames.BLOB_REFERENCE_BYTES;
      } else {
        chunk.markDead(Position.offset(position));
      }
      chunk.dead(Frames.aligned(Frames.HEADER_BYTES + bytes));
    }
  }

  /** Has the processor fetch what {@link #dead} will change; the result means nothing. */
  long look(long position) {
    Chunk chunk = get(Position.chunk(position));
    return chunk == null ? 0 : chunk.look(Position.offset(position));
  }

  /** The first chunk with a greater number; null if there is none. */
  @Nullable Chunk after(long id) {
    Map.Entry<Long, Chunk> next = chunks.higherEntry(id);
    return next == null ? null : next.getValue();
  }

  /**
   * The layout of a chunk's file, known without a look at it.
   *
   * @param end where its frames end; -1 if that is not known
   */
  record Layout(int blockBytes, long end) {
    long endOr(long other) {
      return end < 0 ? other : end;
    }

    /** Returns whether a file of so many bytes has a trailer, if its frames end there. */
    boolean hasTrailer(long fileBytes) {
      long frames = (end + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES;
      return end >= 0 && fileBytes - frames >= ChunkTrailer.BYTES;
    }
  }

  Layout layout(long id) {
    Manifest.Entry entry = manifest.chunk(id);
    return entry == null
        ? new Layout(config.blockBytes(), -1)
        : new Layout(entry.blockBytes(), entry.end());
  }

  /** Returns the damage to report for a chunk whose file is missing. */
  Damage missing(Chunk chunk) {
    return new Damage(
        Damage.Kind.MISSING_CHUNK,
        disk.path(LogFiles.chunk(chunk.id)),
        0,
        chunk.fileBytes(),
        "its file is gone; its records are written anew");
  }

  /** Oldest first. */
  Collection<Chunk> all() {
    return chunks.values();
  }

  /** Returns the number of sealed chunks of a stream. */
  int sealedOf(int stream) {
    int count = 0;
    for (Chunk chunk : chunks.values()) {
      if (chunk.stream == stream && chunk.isSealed()) {
        count++;
      }
    }
    return count;
  }

  /** Returns the bytes of all chunks with smaller numbers. */
  long bytesBefore(long id) {
    return chunks.headMap(id).values().stream().mapToLong(Chunk::fileBytes).sum();
  }

  /** Returns whether a chunk older than this one may have records of a partition. */
  boolean isPartitionIn(int partition, long before) {
    for (Chunk chunk : chunks.headMap(before).values()) {
      if (chunk.hasRecordsOf(partition)) {
        return true;
      }
    }
    return false;
  }
}

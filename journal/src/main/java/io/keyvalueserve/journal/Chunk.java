package io.keyvalueserve.journal;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a chunk while the log is open: its bytes by kind of frame, and how many of them
 * are dead. Frames are counted by one thread at a time; figures are read by all.
 */
final class Chunk {
  final long id;
  final int stream;

  private final BitSet partitions = new BitSet(); // guarded by itself
  private final AtomicLong deadBytes = new AtomicLong();
  private volatile long recordBytes;
  private volatile long tombstoneBytes;
  private volatile long fileBytes;
  private volatile int frames;
  private volatile boolean sealed;
  private volatile boolean damaged;
  private volatile @Nullable DeadFrames deadFrames;
  private boolean gone;

  Chunk(long id, int stream, long fileBytes) {
    this.id = id;
    this.stream = stream;
    this.fileBytes = fileBytes;
  }

  /** Counts frames that were appended. */
  synchronized void count(FrameTally frames) {
    this.frames = this.frames + frames.frames();
    recordBytes = recordBytes + frames.recordBytes();
    tombstoneBytes = tombstoneBytes + frames.tombstoneBytes();
    synchronized (partitions) {
      partitions.or(frames.partitions());
    }
  }

  /** Counts what a trailer says instead of the frames themselves. */
  synchronized void countAll(ChunkTrailer trailer, BitSet partitions) {
    frames = trailer.frames();
    recordBytes = trailer.recordBytes();
    tombstoneBytes = trailer.tombstoneBytes();
    synchronized (this.partitions) {
      this.partitions.or(partitions);
    }
  }

  /** Counts frames that hold nothing any more. */
  void dead(long bytes) {
    deadBytes.addAndGet(bytes);
  }

  /** Takes note that the record at an offset is not needed any more. */
  void markDead(long offset) {
    DeadFrames frames = deadFrames;
    if (frames == null) {
      frames = makeDeadFrames();
    }
    if (frames != null) {
      frames.mark(offset);
    }
  }

  /** Has the processor fetch what {@link #markDead} will change; the result means nothing. */
  long look(long offset) {
    DeadFrames frames = deadFrames;
    return frames == null ? 0 : frames.look(offset);
  }

  /**
   * Returns whether the record at an offset is known to be dead. A record that is not marked may be
   * dead too.
   */
  boolean isMarkedDead(long offset) {
    DeadFrames frames = deadFrames;
    return frames != null && frames.isMarked(offset);
  }

  /** Has memory for such notes, before they come. */
  synchronized @Nullable DeadFrames makeDeadFrames() {
    if (deadFrames == null && !gone) {
      deadFrames = new DeadFrames(fileBytes);
    }
    return deadFrames;
  }

  /** Gives back its memory: the chunk, or the log, is closed. */
  synchronized void release() {
    gone = true;
    DeadFrames frames = deadFrames;
    if (frames != null) {
      deadFrames = null;
      frames.close();
    }
  }

  void seal(long bytes) {
    fileBytes = bytes;
    sealed = true;
  }

  /** Its file is to be kept when its good records have been written anew. */
  void markDamaged() {
    damaged = true;
  }

  boolean isSealed() {
    return sealed;
  }

  boolean isDamaged() {
    return damaged;
  }

  /** Returns whether the chunk has a put of a partition, dead or alive. */
  boolean hasRecordsOf(int partition) {
    synchronized (partitions) {
      return partitions.get(partition);
    }
  }

  byte[] partitionSet() {
    synchronized (partitions) {
      return partitions.toByteArray();
    }
  }

  /** Estimates the bytes that would have to be written again before the chunk could be removed. */
  long liveBytes() {
    return Math.max(0, recordBytes + tombstoneBytes - deadBytes.get());
  }

  /** Estimates the bytes of its frames that are not needed any more. */
  long deadBytes() {
    return Math.min(deadBytes.get(), recordBytes + tombstoneBytes);
  }

  /** Returns whether a record of the chunk may still be needed. */
  boolean hasLiveRecords() {
    return recordBytes > deadBytes.get();
  }

  long recordBytes() {
    return recordBytes;
  }

  long tombstoneBytes() {
    return tombstoneBytes;
  }

  long fileBytes() {
    return fileBytes;
  }

  int frames() {
    return frames;
  }
}

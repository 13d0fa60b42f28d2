package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads sealed chunks, and the blobs that their frames refer to, one after the other, and hands
 * what is not as it was written to {@link Repairs}. It reads one part at a time, at a pace, and
 * nothing while the disk is behind.
 *
 * <p>By the compactor's thread, so no chunk goes while its parts are read; figures are read by all.
 */
final class Scrubber implements AutoCloseable {
  private final Disk disk;
  private final JournalClock clock;
  private final ChunkSource chunks;
  private final Blobs blobs;
  private final Repairs repairs;
  private final ScrubPace pace;
  private final BooleanSupplier behind;
  private final int partBytes;

  private final Deque<BlobCheck.Expected> toCheck = new ArrayDeque<>();
  private @Nullable AlignedMemory memory; // during a pass
  private @Nullable ChunkCheck chunk;
  private @Nullable BlobCheck blob;
  private boolean passing;
  private boolean hurries;
  private long reached; // the last chunk that was looked at
  private long last; // the pass ends behind this one

  private volatile boolean asked;
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong passes = new AtomicLong();
  private volatile long lastPassMillis;

  /**
   * @param behind whether appends wait for the disk
   * @param partBytes how much is read at a time, at least
   */
  Scrubber(
      Disk disk,
      JournalClock clock,
      ChunkSource chunks,
      Blobs blobs,
      Repairs repairs,
      ScrubPace pace,
      BooleanSupplier behind,
      int partBytes) {
    this.disk = disk;
    this.clock = clock;
    this.chunks = chunks;
    this.blobs = blobs;
    this.repairs = repairs;
    this.pace = pace;
    this.behind = behind;
    this.partBytes = partBytes;
  }

  /** Has a pass begin now that reads as fast as the disk does. Any thread. */
  void ask() {
    asked = true;
  }

  /** Reads a part if it is time for it; returns whether it did. */
  boolean turn() {
    if (asked) {
      asked = false;
      endPass();
      beginPass(true);
    } else if (!passing) {
      if (!pace.isDue()) {
        return false;
      }
      beginPass(false);
    }
    if (!hurries && (behind.getAsBoolean() || !pace.mayRead())) {
      return false;
    }
    long read = step();
    long _ = bytesRead.addAndGet(read);
    pace.read(read);
    return true;
  }

  /** Reads the whole log once. */
  void pass() {
    ask();
    do {
      boolean _ = turn();
    } while (passing);
  }

  private void beginPass(boolean hurry) {
    long bytes = blobs.liveBytes();
    last = 0;
    for (Chunk each : chunks.all()) {
      bytes += each.fileBytes();
      last = each.id;
    }
    pace.begin(bytes);
    hurries = hurry;
    reached = 0;
    passing = true;
  }

  /** Reads the next part; returns how many bytes that were. */
  private long step() {
    if (blob != null || !toCheck.isEmpty()) {
      return stepBlob();
    }
    ChunkCheck open = chunk;
    if (open == null) {
      return openNext();
    }
    int read = open.step(toCheck::add);
    if (read == 0) {
      endChunk(open);
    }
    return read;
  }

  private long openNext() {
    Chunk next = chunks.after(reached);
    if (next == null || next.id > last) {
      lastPassMillis = clock.currentTimeMillis();
      long _ = passes.incrementAndGet();
      endPass();
      return 0;
    }
    reached = next.id;
    if (!next.isSealed() || next.isDamaged()) {
      return 0; // what is being written is a later pass's; what is damaged is being written anew
    }
    try {
      ChunkSource.Layout layout = chunks.layout(next.id);
      chunk = ChunkCheck.open(disk, next, layout, memory(layout.blockBytes()));
    } catch (NoSuchFileException e) {
      repairs.broken(next, List.of(chunks.missing(next)));
    } catch (IOException e) {
      return 0; // too many open files, and the like, say nothing of the chunk: the next pass looks
    }
    return ChunkHeader.BYTES;
  }

  private void endChunk(ChunkCheck checked) {
    chunk = null;
    close(checked);
    boolean isThere = chunks.get(checked.chunk.id) != null; // or it was compacted meanwhile
    if (isThere && !checked.damage().isEmpty()) {
      repairs.broken(checked.chunk, checked.damage());
    }
  }

  private long stepBlob() {
    BlobCheck open = blob;
    if (open == null) {
      open = new BlobCheck(disk, toCheck.removeFirst());
      blob = open;
    }
    long before = open.read();
    Damage found = null;
    boolean ends;
    try {
      found = blobs.isInUse(open.expected.id()) ? open.step(memory(partBytes)) : null;
      ends = found != null || open.isDone() || !blobs.isInUse(open.expected.id());
    } catch (IOException e) {
      ends = true; // as with a chunk
    }
    if (ends) {
      blob = null;
      close(open);
    }
    if (found != null && blobs.isInUse(open.expected.id())) {
      repairs.badBlob(open.expected.id(), found);
    }
    return open.read() - before;
  }

  private AlignedMemory memory(int least) {
    AlignedMemory held = memory;
    if (held != null && held.bytes() >= least) {
      return held;
    }
    if (held != null) {
      held.close();
    }
    AlignedMemory made = AlignedMemory.allocate(Math.max(partBytes, least));
    memory = made;
    return made;
  }

  private void endPass() {
    passing = false;
    hurries = false;
    toCheck.clear();
    close(chunk);
    chunk = null;
    close(blob);
    blob = null;
    AlignedMemory held = memory;
    if (held != null) {
      memory = null;
      held.close();
    }
  }

  private static void close(@Nullable Closeable file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // it was only read
    }
  }

  /** Returns the results of scrubbing and of the repairs. Any thread. */
  ScrubFigures figures() {
    return new ScrubFigures(
        bytesRead.get(),
        repairs.damaged(),
        repairs.renewed(),
        repairs.lost(),
        passes.get(),
        lastPassMillis,
        repairs.open());
  }

  @Override
  public void close() {
    endPass();
  }
}

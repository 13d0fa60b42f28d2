package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a stream's frames from memory to its chunks. Its methods are the writer thread's, but for
 * what the sync thread asks: which files, and how far.
 */
final class StreamWriter {
  private static final int LOOK_AHEAD_BYTES = 16 << 10;

  /** Shorter frames follow each other so closely that the processor looks ahead itself. */
  private static final int LEAST_LOOKED_AT_BYTES = 512;

  final Stream stream;
  final GroupCommit waiters = new GroupCommit();

  private final int diskBlockBytes;
  private final Appender appender;
  private final ChunkWriter[] chunkOfBlock;
  private final List<ChunkWriter> unsealed = new CopyOnWriteArrayList<>();
  private final Queue<ChunkWriter> spares = new ConcurrentLinkedQueue<>();
  private final BooleanSupplier full;
  private volatile int reserved; // spares that are taken only on a full disk

  private @Nullable ChunkWriter filling; // whose blocks are being opened
  private long opened; // the number of the next block to be opened
  private long drained; // the number of the block that is being drained
  private int published; // up to where its frames are whole
  private int written; // up to where it is on its way to the disk
  private long markBegin; // the last mark that nothing followed when it was made
  private volatile long markEnd;
  private long flushTo;
  private volatile long writtenPosition;
  private volatile long certainPosition;
  private long appended;
  private volatile long appendedBytes;

  @SuppressWarnings("UnusedVariable") // so that looking at memory is no dead code
  private long seen;

  /**
   * A writer.
   *
   * @param full whether the disk has no room for another chunk
   */
  StreamWriter(Stream stream, int diskBlockBytes, int streams, BooleanSupplier full) {
    this.stream = stream;
    this.full = full;
    this.diskBlockBytes = diskBlockBytes;
    appender = new Appender(streams);
    chunkOfBlock = new ChunkWriter[stream.blocks()];
  }

  // ---- the writer thread

  /** Asks that whatever was appended until now is written, though its block is not full. */
  void flush() {
    flushTo = stream.fillUp(appender, diskBlockBytes, certainPosition);
  }

  /** Opens blocks and writes what there is to write; returns whether there was anything. */
  boolean drain() throws IOException {
    boolean worked = openBlocks();
    while (drained < opened) {
      findPublished();
      boolean full = published == stream.blockBytes;
      int to = full ? stream.blockBytes : flushOffset();
      if (to > written && published >= to) {
        chunk(drained).write(stream.slice(drained, written, to));
        written = to;
        writtenPosition = stream.base(drained) + to;
        worked = true;
      }
      if (!full) {
        break;
      }
      recycle();
    }
    return worked;
  }

  /** Up to where the block has to be written before it is full. */
  private int flushOffset() {
    return flushTo >>> 32 == drained ? (int) flushTo : written;
  }

  private void findPublished() {
    long block = stream.blockAddress(drained);
    ChunkWriter chunk = chunk(drained);
    int base = (int) Position.offset(stream.base(drained));
    int before = published;
    int looked = published;
    while (published < stream.blockBytes && stream.isPublished(drained, published)) {
      if (published >= looked && Frames.space(block + published) >= LEAST_LOOKED_AT_BYTES) {
        looked = published + LOOK_AHEAD_BYTES;
        seen = stream.look(drained, published, looked);
      }
      chunk.note(block + published, base + published);
      published += Frames.space(block + published);
    }
    if (published > before) {
      chunk.countNoted();
      appended += published - before;
      appendedBytes = appended;
    }
  }

  private void recycle() {
    stream.clear(drained);
    drained++;
    enterBlock();
    openBlocks();
  }

  /** A chunk's first block begins behind the header. */
  private void enterBlock() {
    published = drained < opened && isFirst(drained) ? ChunkHeader.BYTES : 0;
    written = published;
    if (drained < opened) {
      writtenPosition = stream.base(drained) + written;
    }
  }

  private boolean isFirst(long block) {
    return Position.offset(stream.base(block)) == 0;
  }

  private boolean openBlocks() {
    boolean worked = false;
    while (opened < drained + stream.blocks()) {
      ChunkWriter chunk = filling;
      long offset = chunk == null ? -1 : chunk.nextBlock(stream.blockBytes);
      if (chunk == null || offset < 0) {
        filling = spares.size() > reserved || full.getAsBoolean() ? spares.poll() : null;
        if (filling == null) {
          break;
        }
        unsealed.add(filling);
        continue;
      }
      chunkOfBlock[(int) opened & (stream.blocks() - 1)] = chunk;
      stream.open(opened, Position.of(chunk.chunk.id, offset), offset == 0 ? ChunkHeader.BYTES : 0);
      opened++;
      if (opened == drained + 1) {
        enterBlock();
      }
      worked = true;
    }
    return worked;
  }

  private ChunkWriter chunk(long block) {
    return chunkOfBlock[(int) block & (stream.blocks() - 1)];
  }

  /** Returns whether everything that was asked to be flushed has been written. */
  boolean isFlushed() {
    return flushTo >>> 32 < drained || (flushTo >>> 32 == drained && (int) flushTo <= written);
  }

  /** Returns whether something was appended that has not been written. */
  boolean hasUnwritten() {
    return stream.tailPosition() > writtenPosition;
  }

  /** Returns whether something was written that a crash could take, marks aside. */
  boolean hasUncertainData() {
    return writtenPosition > Math.max(certainPosition, markEnd);
  }

  /**
   * Marks in the log that all is certain, if nothing was appended since it became so. Without that
   * mark a crash could not be told from damage. The mark itself need not be certain.
   */
  void markCertain() {
    long certain = certainPosition;
    if (certain <= markEnd) {
      return;
    }
    long filled = stream.mark(appender, diskBlockBytes, certain);
    if (filled != Stream.NO_MARK) {
      flushTo = filled;
      markBegin = certain;
      markEnd = stream.base(filled >>> 32) + (int) filled; // something may follow it by now
    }
  }

  /** The end of what was appended; a mark is not, and may stay uncertain for ever. Any thread. */
  long appendedPosition() {
    long tail = stream.tailPosition();
    return tail == markEnd ? markBegin : tail;
  }

  /** Returns the bytes that were appended since the stream was opened. */
  long appendedBytes() {
    return appendedBytes;
  }

  // ---- the sync thread

  /** Sets the number of spare chunks that are kept for a full disk. */
  void reserve(int chunks) {
    reserved = chunks;
  }

  /** Returns the number of spare chunks that are missing. Any thread. */
  int missingSpares() {
    return Math.max(0, reserved + 1 - spares.size());
  }

  void giveSpare(ChunkWriter chunk) {
    stream.supplied(chunk.chunk.id, chunk.chunkBytes);
    spares.add(chunk);
  }

  @Nullable ChunkWriter takeSpare() {
    return spares.poll();
  }

  /** The chunks that are not sealed, oldest first. */
  List<ChunkWriter> unsealed() {
    return unsealed;
  }

  void sealed(ChunkWriter chunk) {
    unsealed.remove(chunk);
  }

  /** Up to where the log is in files. */
  long writtenPosition() {
    return writtenPosition;
  }

  /** Up to where the log survives a crash. */
  long certainPosition() {
    return certainPosition;
  }

  void setCertain(long position) {
    certainPosition = position;
  }

  /** Returns the bytes that were written and are not certain. */
  long uncertainBytes() {
    long bytes = 0;
    for (ChunkWriter chunk : unsealed) {
      bytes += chunk.uncertainBytes();
    }
    return bytes;
  }
}

package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A chunk that is being written. The writer thread writes its blocks, from front to back and each
 * part once; the sync thread makes them certain and, when the last one is, seals the file.
 */
final class ChunkWriter implements Closeable {
  /** The index may take a quarter of what it is an index of. */
  private static final int INDEX_SHARE = 4;

  /** Parts that are this short are many, and each is synced. */
  private static final int SHORT_BYTES = 64 << 10;

  private static final MemorySegment ZEROS =
      Arena.global().allocate(256 << 10, AlignedMemory.ALIGNMENT);

  final Chunk chunk;
  final String name;
  final long chunkBytes;

  private final DiskFile file;
  private final ChunkIndex index;
  private final FrameTally noted = new FrameTally(); // the writer thread's
  private volatile long written = ChunkHeader.BYTES;
  private volatile boolean complete;
  private volatile long certain = ChunkHeader.BYTES; // the sync thread's
  private int opened; // blocks handed to the stream; the writer thread's
  private long zeroed; // up to where there may be zeros; the writer thread's

  private ChunkWriter(Chunk chunk, String name, long chunkBytes, DiskFile file) {
    this.chunk = chunk;
    this.name = name;
    this.chunkBytes = chunkBytes;
    this.file = file;
    index = new ChunkIndex(chunkBytes, INDEX_SHARE);
  }

  /**
   * Makes a chunk's file, with its header, all of it certain.
   *
   * @throws NoSpaceException if there is no room; no file is left
   */
  static ChunkWriter create(Disk disk, ChunkHeader header) throws IOException {
    String name = LogFiles.chunk(header.chunk());
    DiskFile file = disk.create(name, header.chunkBytes());
    try (AlignedMemory memory = AlignedMemory.allocate(ChunkHeader.BYTES)) {
      header.write(memory.buffer());
      file.write(0, memory.slice(0, ChunkHeader.BYTES));
      file.sync();
      disk.syncDirectory(LogFiles.CHUNKS);
      Chunk chunk = new Chunk(header.chunk(), header.stream(), header.chunkBytes());
      return new ChunkWriter(chunk, name, header.chunkBytes(), file);
    } catch (IOException | RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(file::close);
      ending.step(() -> disk.delete(name));
      throw e;
    }
  }

  // ---- the writer thread

  /** Opens the next block of the chunk and returns its offset, or -1 if there are no more. */
  long nextBlock(int blockBytes) {
    long offset = (long) opened * blockBytes;
    if (offset >= chunkBytes) {
      return -1;
    }
    opened++;
    return offset;
  }

  /** Notes a frame that is going to be written; {@link #countNoted} has to follow. */
  void note(long frame, int offset) {
    noted.add(frame);
    index.add(frame, offset);
  }

  /** Counts the frames that were noted since this was called last. */
  void countNoted() {
    chunk.count(noted);
    noted.clear();
  }

  /** Writes a part of a block, right behind what was written before. */
  void write(MemorySegment bytes) throws IOException {
    long offset = written;
    try {
      file.write(offset, bytes);
    } catch (NoSpaceException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("write file=%s offset=%d: %s".formatted(name, offset, e), e);
    }
    written = offset + bytes.byteSize();
    if (written == chunkBytes) {
      complete = true;
    } else if (bytes.byteSize() <= SHORT_BYTES && written >= zeroed) {
      writeZeros();
    }
  }

  /**
   * Writes zeros where zeros are. A file system that has only set space aside for a file takes note
   * of each part that is written there for the first time, and a sync waits for that note as well:
   * so that is done for many short parts at once.
   */
  private void writeZeros() throws IOException {
    long bytes = Math.min(ZEROS.byteSize(), chunkBytes - written);
    zeroed = written + bytes;
    try {
      file.write(written, ZEROS.asSlice(0, bytes));
    } catch (NoSpaceException e) {
      zeroed = chunkBytes; // nothing was set aside, so nothing is gained either
    }
  }

  long written() {
    return written;
  }

  /** Nothing more will be written. */
  void end() {
    complete = true;
  }

  // ---- the sync thread

  boolean isDirty() {
    return written > certain;
  }

  /** Estimates the bytes that a crash could take. */
  long uncertainBytes() {
    return written - certain;
  }

  /** Makes certain what was written when it was called. */
  void sync() throws IOException {
    long upTo = written;
    if (upTo > certain) {
      try {
        file.sync();
      } catch (IOException e) {
        throw new IOException("sync file=%s offset=%d: %s".formatted(name, certain, e), e);
      }
      certain = upTo;
    }
  }

  boolean isComplete() {
    return complete;
  }

  boolean isReadyToSeal() {
    return complete && certain == written;
  }

  boolean isEmpty() {
    return written == ChunkHeader.BYTES;
  }

  /**
   * Writes the index and the trailer behind the last frame. If the disk is full, it has neither.
   */
  void seal() throws IOException {
    byte[] partitions = chunk.partitionSet();
    int partitionBytes = Frames.aligned(partitions.length);
    boolean indexed = !index.isGivenUp();
    long most = partitionBytes + (indexed ? SortedIndex.mostBytes(index) : 0) + ChunkTrailer.BYTES;
    try (AlignedMemory memory = AlignedMemory.allocate(most + ChunkTrailer.BYTES)) {
      Memory.copy(partitions, 0, memory.address(), partitions.length);
      SortedIndex sorted =
          indexed ? SortedIndex.write(index, memory, partitionBytes) : SortedIndex.NONE;
      int area = partitionBytes + Math.max(0, sorted.bytes());
      int whole = (area + ChunkTrailer.BYTES - 1) & -ChunkTrailer.BYTES;
      ByteBuffer buffer = memory.buffer();
      int crc = new FrameCrc(memory.buffer()).of(0, area);
      ChunkTrailer trailer =
          new ChunkTrailer(
              chunk.id,
              written,
              partitionBytes,
              sorted.bytes(),
              crc,
              chunk.frames(),
              chunk.recordBytes(),
              chunk.tombstoneBytes(),
              sorted.directory());
      trailer.write(buffer.slice(whole, ChunkTrailer.BYTES).order(ByteOrder.nativeOrder()));
      file.truncate(written);
      file.write(written, memory.slice(0, whole + ChunkTrailer.BYTES));
      file.sync();
      chunk.seal(trailer.fileBytes());
    } catch (NoSpaceException e) {
      file.truncate(written);
      chunk.seal(written);
    } catch (IOException e) {
      throw new IOException("seal file=%s offset=%d: %s".formatted(name, written, e), e);
    }
    close();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      index.close();
    }
  }
}

package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.memory.Memory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Values that left memory, on a disk. A value that was written is read back with one read of the
 * disk, and is what was written or an error. The area is empty when it is opened, and nothing is
 * ever made certain on the disk: what has to survive is in the journal.
 *
 * <p>A value is the caller's until a write has returned its handle: whatever the disk does until
 * then, memory has it.
 *
 * <p>Writers that meet are served together: one of them writes what all brought, the others wait
 * for it. Reads and {@link #free} wait for no write. Thread-safe; every method but {@code free}
 * waits for the disk.
 */
public final class SpillArea implements Closeable {
  private static final String LOCK = "lock";

  private final SpillConfig config;
  private final Closeable lock;
  private final SpillSpace space;
  private final SpillFiles files;
  private final SpillWriter writer;
  private final BufferPool buffers = new BufferPool();
  private final Queue<SpillBatch> arrived = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final LongAdder valuesRead = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private volatile boolean closed;

  private SpillArea(Disk disk, String directory, SpillConfig config, Closeable lock)
      throws IOException {
    this.config = config;
    this.lock = lock;
    this.space = new SpillSpace(config.pagesPerFile());
    this.files = new SpillFiles(disk, directory, config, space);
    this.writer = new SpillWriter(files, space);
  }

  /**
   * Opens an area, empty.
   *
   * @param directory of the disk, for this area alone
   * @throws io.keyvalueserve.journal.DirectoryRefusedException if another process has it
   * @throws IOException if the directory cannot be made, or emptied of what was left there
   */
  public static SpillArea open(Disk disk, String directory, SpillConfig config) throws IOException {
    if (SpillSpace.PAGE_BYTES % disk.blockBytes() != 0) {
      throw new IllegalArgumentException(
          "the blocks of a spill area's disk divide %d bytes: %d"
              .formatted(SpillSpace.PAGE_BYTES, disk.blockBytes()));
    }
    disk.makeDirectory(directory);
    Closeable lock = disk.lock(directory + "/" + LOCK);
    try {
      return new SpillArea(disk, directory, config, lock);
    } catch (IOException | RuntimeException | Error e) {
      try (lock) {
        throw e;
      }
    }
  }

  // ---- writing

  /**
   * Writes a value.
   *
   * @param address where its bytes are, which have to stay until this returns
   * @param length 0 or more
   * @return its handle, not 0
   * @throws SpillFullException if there is no room; nothing has changed
   * @throws IOException if the disk refuses it; its place is not used again
   */
  public long write(long address, int length) throws IOException {
    SpillBatch batch = new SpillBatch();
    batch.add(address, length);
    write(batch);
    return batch.handle(0);
  }

  /**
   * Writes many values, which costs much less than to write them one by one. If some cannot be
   * written, the others are: {@link SpillBatch#handle} tells which.
   *
   * @throws SpillFullException if there is no room for one of them
   * @throws IOException if the disk refuses one of them
   * @throws IllegalArgumentException if one is too long; nothing was written
   */
  public void write(SpillBatch batch) throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      files.requireFits(batch.length(i));
    }
    batch.begin();
    arrived.add(batch);
    writing.lock();
    try {
      if (!batch.isWritten()) {
        writeAll();
      }
    } finally {
      writing.unlock();
    }
    batch.throwFailure();
  }

  private void writeAll() {
    List<SpillBatch> batches = new ArrayList<>();
    for (SpillBatch each = arrived.poll(); each != null; each = arrived.poll()) {
      batches.add(each);
    }
    try {
      if (closed) {
        batches.forEach(each -> each.failed(closedException()));
      } else {
        writer.write(batches);
      }
    } catch (RuntimeException | Error e) {
      batches.forEach(each -> each.broke(e));
      throw e;
    } finally {
      batches.forEach(SpillBatch::end);
    }
  }

  // ---- reading

  /**
   * Reads a value with one read of the disk.
   *
   * @param length the value's
   * @param to where it is copied to; untouched if this throws
   * @throws SpillDamageException if the value is not what was written, or its handle was freed
   * @throws IOException if the disk cannot read it, or the area is closed
   */
  public void read(long handle, int length, long to) throws IOException {
    AlignedMemory buffer = buffers.take(bytesToRead(handle, length));
    try {
      Memory.copy(load(handle, length, buffer), to, length);
    } finally {
      buffers.give(buffer);
    }
  }

  /** Reads a value into a part of an array. */
  public void read(long handle, int length, byte[] to, int offset) throws IOException {
    Objects.checkFromIndexSize(offset, length, to.length);
    AlignedMemory buffer = buffers.take(bytesToRead(handle, length));
    try {
      Memory.copy(load(handle, length, buffer), to, offset, length);
    } finally {
      buffers.give(buffer);
    }
  }

  /** Orders values as they lie on the disk. */
  public static long place(long handle) {
    return SpillHandle.page(handle) << SpillHandle.SLOT_BITS | SpillHandle.slot(handle);
  }

  /** Returns the bytes from the first page to the last that the frame touches. */
  private int bytesToRead(long handle, int length) {
    int offset = slotOffset(handle, length);
    int from = offset / SpillSpace.PAGE_BYTES;
    return (SpillSpace.pagesOf(offset + SpillFrame.bytes(length)) - from) * SpillSpace.PAGE_BYTES;
  }

  /** Reads and checks a value; returns where it is. */
  private long load(long handle, int length, AlignedMemory buffer) throws IOException {
    if (closed) {
      throw closedException();
    }
    int offset = slotOffset(handle, length);
    int skipped = offset / SpillSpace.PAGE_BYTES;
    int at = offset - skipped * SpillSpace.PAGE_BYTES;
    long page = SpillHandle.page(handle) + skipped;
    int bytes = bytesToRead(handle, length);
    int read = files.read(page, buffer.slice(0, bytes));
    String fault =
        read < bytes
            ? "expected bytes=%d found bytes=%d".formatted(bytes, read)
            : SpillFrame.fault(buffer, at, handle, length);
    if (!fault.isEmpty()) {
      throw new SpillDamageException(files.path(page), files.offset(page) + at, fault);
    }
    valuesRead.increment();
    bytesRead.add(bytes);
    return buffer.address() + at + SpillFrame.HEADER_BYTES;
  }

  /** Returns the offset of a frame in its block, or its run. */
  private int slotOffset(long handle, int length) {
    if (!SpillHandle.isOne(handle) || length < 0) {
      throw new IllegalArgumentException(
          "no such value: handle=%016x length=%d".formatted(handle, length));
    }
    files.requireFits(length);
    long frameBytes = SpillFrame.bytes(length);
    if (frameBytes > SlotClass.MOST_BYTES) {
      return 0;
    }
    int number = SlotClass.numberFor(frameBytes);
    int slotBytes = SlotClass.slotBytes(number);
    int offset = SpillHandle.slot(handle) * slotBytes;
    if (offset + slotBytes > SlotClass.blockPages(number) * SpillSpace.PAGE_BYTES) {
      throw new IllegalArgumentException(
          "no value of this length: handle=%016x length=%d".formatted(handle, length));
    }
    return offset;
  }

  /**
   * Frees a value's place. To be called once for each value, by whoever has taken its handle out of
   * reach of new readers.
   *
   * @param length the value's
   * @throws IllegalStateException if no value of this length is there, as far as that is known
   */
  public void free(long handle, int length) {
    space.give(handle & SpillHandle.PLACE_MASK, SpillFrame.bytes(length));
  }

  // ---- figures

  /** Returns the bytes that values take on the disk, with the free space among them. */
  public long usedBytes() {
    return space.usedBytes();
  }

  /** Returns the bytes that they may take at most. */
  public long capacityBytes() {
    return (long) config.mostFiles() * config.fileBytes();
  }

  /** Figures for operators. */
  public SpillStatistics statistics() {
    return new SpillStatistics(
        space.values(),
        space.usedBytes(),
        capacityBytes(),
        space.lostBytes(),
        writer.valuesWritten.sum(),
        writer.writes.sum(),
        writer.bytesWritten.sum(),
        writer.blocksReread.sum(),
        valuesRead.sum(),
        bytesRead.sum());
  }

  /** Removes all files. Reads and writes that come later fail. Idempotent. */
  @Override
  public void close() throws IOException {
    writing.lock();
    try (lock) {
      if (!closed) {
        closed = true;
        writer.close();
        files.close();
        buffers.close();
      }
    } finally {
      writing.unlock();
    }
  }

  private static IOException closedException() {
    return new IOException("the spill area is closed");
  }
}

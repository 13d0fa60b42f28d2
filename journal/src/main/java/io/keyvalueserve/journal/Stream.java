package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.Closeable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The memory in front of one file: a ring of blocks that many threads append to and one thread
 * writes to the disk.
 *
 * <pre>
 *     written            drained from here         appended to             may be opened next
 *   +----------+----------+----------+----------+----------+----------+----------+----------+
 *   | block  9 | block 10 | block  3 | block  4 | block  5 | block  6 | block  7 | block  8 |
 *   +----------+----------+----------+----------+----------+----------+----------+----------+
 *     tails[slot] = number of the block, how far it is claimed     bases[slot] = its position
 * </pre>
 *
 * <p><b>Appending.</b> A thread claims by a compare-and-set of the block's tail, which has the
 * block's number in it, so that a claim can never land in a block that took the place of the one
 * looked at. It copies its payload, and publishes by a mark beside the block, written last and with
 * release: there is one for every 32 bytes, and no two frames begin within the same. The drainer
 * reads marks with acquire and stops at the first that is missing; a block has none before it is
 * opened. A frame never crosses a block: who finds too little room fills the block up, and turns to
 * the next one if the drainer has opened it. If it has not, the disk is behind, and the ring is
 * full.
 *
 * <p>This is the scheme of Aeron's term buffers (tail with a term's id, published last, padding at
 * the end), with a compare-and-set in the place of an add: then a refusal leaves nothing behind.
 * And with marks in the place of the frames' lengths: then only these are cleared before a block is
 * used again, a thirty-second of it.
 *
 * <p><b>Names.</b> A chunk says the name of each map it has frames of, before the first of them.
 * The claim is of one block, and so of one chunk, that was known before: name and frame are claimed
 * together.
 */
final class Stream implements Closeable {
  static final int NO_MAP = -1;
  static final long NO_MARK = -1;

  private static final int LIKELY_NAME_BYTES = 128;
  private static final long NOTHING_KEPT = -1;
  private static final int MARK_SHIFT = 5; // frames have 32 bytes, or are the last before such
  private static final int LOOK_BYTES = Long.BYTES << MARK_SHIFT; // what eight marks are of
  private static final int LINE_BYTES = 64;

  final int index;
  final int blockBytes;

  private final int blocks;
  private final AlignedMemory memory;
  private final AlignedMemory marks;
  private final AtomicLongArray tails;
  private final long[] bases;
  private final MapNames names;
  private final AtomicLong current = new AtomicLong();
  private final Runnable onBlockFull;
  private volatile Supply supply = new Supply(0, new long[0], new long[0]);
  private volatile long kept = NOTHING_KEPT; // for the chunk that is being compacted
  private volatile long[] stated = new long[0]; // by map: the chunk that says its name already

  /**
   * A stream without an open block.
   *
   * @param blocks a power of two
   * @param blockBytes a power of two, at least 8192
   * @param onBlockFull called by whoever fills a block
   */
  Stream(int index, int blocks, int blockBytes, MapNames names, Runnable onBlockFull) {
    this.index = index;
    this.blocks = blocks;
    this.blockBytes = blockBytes;
    this.names = names;
    this.onBlockFull = onBlockFull;
    memory = AlignedMemory.allocateLasting((long) blocks * blockBytes);
    marks = AlignedMemory.allocate(((long) blocks * blockBytes) >>> MARK_SHIFT);
    tails = new AtomicLongArray(blocks);
    bases = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      tails.set(i, -1L << 32); // no block has this number
    }
  }

  // ---- appending: any thread

  /**
   * Claims room for a frame, and says the map's name if this chunk has not.
   *
   * @param bytes the frame's, a multiple of 8, far less than a block
   * @param map its map, or {@link #NO_MAP}
   * @return false if the ring is full; nothing was claimed
   */
  boolean claim(Appender to, int bytes, int map) {
    while (true) {
      long number = current.get();
      int slot = slot(number);
      long tail = tails.get(slot);
      if (tail >>> 32 != number) {
        if (isUnopened(tail, number)) {
          return false;
        }
        continue; // the others went on
      }
      int offset = (int) tail;
      long base = bases[slot];
      byte[] name = map == NO_MAP || isStated(map, base) ? null : names.bytes(map);
      int naming = name == null ? 0 : Frames.aligned(Frames.HEADER_BYTES + name.length);
      if (offset + naming + bytes <= blockBytes) {
        if (tails.compareAndSet(slot, tail, tail + naming + bytes)) {
          if (name != null) {
            place(to, slot, base, offset);
            writeName(to, map, name);
            state(map, base);
          }
          place(to, slot, base, offset + naming);
          clearEnd(to.address, bytes);
          return true;
        }
      } else if (offset < blockBytes) {
        if (tails.compareAndSet(slot, tail, (number << 32) | blockBytes)) {
          place(to, slot, base, offset);
          writeFiller(to, Frames.PAD, blockBytes - offset, 0);
        }
      } else if (!turn(number)) {
        return false;
      }
    }
  }

  /**
   * Returns whether a claim of so many bytes would be granted now, unless other threads are faster.
   * It includes room for the name of a map, which may have to be appended before.
   */
  boolean hasRoom(int bytes) {
    long number = current.get();
    long tail = tails.get(slot(number));
    if (tail >>> 32 != number) {
      return !isUnopened(tail, number); // the others went on a moment ago
    }
    return (int) tail + LIKELY_NAME_BYTES + bytes <= blockBytes
        || tails.get(slot(number + 1)) >>> 32 == number + 1;
  }

  /** Adds a chunk behind all others. By one thread. */
  void supplied(long chunk, long bytes) {
    supply = supply.with(chunk, bytes, tailPosition());
  }

  /** Keeps room from removes for the rest of a chunk that is being compacted. */
  void keep(long bytes) {
    kept = bytes;
  }

  /** Ends what {@link #keep} began. */
  void keepNothing() {
    kept = NOTHING_KEPT;
  }

  /**
   * Returns whether the present chunks have room for a frame and for the compactor.
   *
   * @param left the bytes that the compactor needs while it has begun no chunk
   */
  boolean hasReserve(int bytes, long left) {
    long begun = kept;
    return room() >= bytes + LIKELY_NAME_BYTES + (begun == NOTHING_KEPT ? left : begun);
  }

  /** Returns how many bytes can be appended before another chunk is made. Any thread. */
  long room() {
    long tail = tailPosition();
    return tail == Position.NONE ? 0 : supply.behind(tail);
  }

  /**
   * The chunks from the tail on, oldest first.
   *
   * @param begins for each chunk the bytes of all chunks before it, also of those left out
   */
  private record Supply(long bytes, long[] chunks, long[] begins) {
    Supply with(long chunk, long added, long tail) {
      int first = 0;
      while (tail != Position.NONE
          && first < chunks.length
          && chunks[first] < Position.chunk(tail)) {
        first++;
      }
      int kept = chunks.length - first;
      long[] ids = Arrays.copyOfRange(chunks, first, chunks.length + 1);
      long[] sums = Arrays.copyOfRange(begins, first, chunks.length + 1);
      ids[kept] = chunk;
      sums[kept] = bytes;
      return new Supply(bytes + added, ids, sums);
    }

    long behind(long tail) {
      for (int i = 0; i < chunks.length; i++) {
        if (chunks[i] == Position.chunk(tail)) {
          return bytes - begins[i] - Position.offset(tail);
        }
      }
      return 0;
    }
  }

  /** Writes the checksum over a frame that is otherwise whole, and lets the drainer see it. */
  void publish(Appender at, int length) {
    int crc = at.crc(this).of(at.index + Frames.CRC_FROM, at.index + length);
    finish(at, length, crc);
  }

  private void finish(Appender at, int length, int crc) {
    Frames.complete(at.address, length, at.position, crc);
    Memory.putByteRelease(marks.address() + (at.index >>> MARK_SHIFT), (byte) 1);
  }

  /** Clears the bytes that fill a frame up to a multiple of 8. */
  private static void clearEnd(long frame, int bytes) {
    Memory.putLong(frame + bytes - Long.BYTES, 0);
  }

  /** The end of what was claimed so far; everything appended before has a smaller position. */
  long tailPosition() {
    while (true) {
      long number = current.get();
      int slot = slot(number);
      long base = bases[slot];
      long tail = tails.get(slot);
      if (tail >>> 32 == number) {
        return base + (int) tail;
      }
      if (isUnopened(tail, number)) {
        return Position.NONE;
      }
    }
  }

  /**
   * The first block of all was not opened yet: the only one that {@link #current} runs ahead of.
   */
  private static boolean isUnopened(long tail, long number) {
    return number == 0 && tail < 0;
  }

  private boolean turn(long number) {
    long next = number + 1;
    if (tails.get(slot(next)) >>> 32 != next) {
      return false;
    }
    if (current.compareAndSet(number, next)) {
      onBlockFull.run();
    }
    return true;
  }

  private void place(Appender to, int slot, long base, int offset) {
    to.index = slot * blockBytes + offset;
    to.address = memory.address() + to.index;
    to.position = base + offset;
  }

  private boolean isStated(int map, long base) {
    long[] chunks = stated;
    return map < chunks.length && chunks[map] == Position.chunk(base);
  }

  private void state(int map, long base) {
    if (map >= stated.length) {
      synchronized (this) {
        if (map >= stated.length) {
          stated = Arrays.copyOf(stated, Math.max(16, 2 * (map + 1)));
        }
      }
    }
    stated[map] = Position.chunk(base); // if lost in a copy, the name is said once more
  }

  private void writeName(Appender at, int map, byte[] name) {
    clearEnd(at.address, Frames.aligned(Frames.HEADER_BYTES + name.length));
    Frames.putHeader(at.address, Frames.MAP, 0, 0, 0, 0, map, name.length);
    Memory.copy(name, 0, at.address + Frames.HEADER_BYTES, name.length);
    publish(at, Frames.HEADER_BYTES + name.length);
  }

  private void writeFiller(Appender at, int type, int length, long instant) {
    Memory.fill(at.address, length, (byte) 0);
    if (length >= Frames.HEADER_BYTES) {
      Frames.putHeader(at.address, type, 0, 0, 0, instant, 0, 0);
    }
    finish(
        at,
        length,
        at.crc(this).of(at.index + Frames.CRC_FROM, at.index + Frames.crcTo(type, length)));
  }

  // ---- draining: one thread

  /** Opens a block, the one after the last that was opened, at a place in a chunk. */
  void open(long number, long base, int offset) {
    long replaced = number - blocks;
    current.compareAndSet(replaced, replaced + 1); // it is full, and nobody has turned yet
    int slot = slot(number);
    bases[slot] = base;
    tails.set(slot, (number << 32) | offset);
  }

  /**
   * Fills up to a multiple of the disk's block, with a mark that says what is certain already.
   *
   * @return up to where the stream is to be drained: a block's number and an offset in it
   */
  long fillUp(Appender appender, int multiple, long certain) {
    return fill(appender, multiple, 0, certain, false);
  }

  /**
   * Does the same as {@link #fillUp}, but writes a mark also where nothing is to be filled, if the
   * block has room. The mark begins at the position up to which the stream is certain. If something
   * was appended behind that, no mark is written.
   *
   * @return {@link #NO_MARK} if something was appended since, and nothing was done
   */
  long mark(Appender appender, int multiple, long certain) {
    return fill(appender, multiple, Frames.HEADER_BYTES, certain, true);
  }

  private long fill(Appender appender, int multiple, int atLeast, long certain, boolean onlyThere) {
    while (true) {
      long number = current.get();
      int slot = slot(number);
      long tail = tails.get(slot);
      if (tail >>> 32 != number) {
        if (isUnopened(tail, number)) {
          return onlyThere ? NO_MARK : 0;
        }
        continue;
      }
      int offset = (int) tail;
      if (onlyThere && bases[slot] + offset != certain) {
        return NO_MARK;
      }
      int filled = Math.min(blockBytes, (offset + atLeast + multiple - 1) & -multiple);
      if (filled == offset) {
        return tail;
      }
      if (tails.compareAndSet(slot, tail, (number << 32) | filled)) {
        place(appender, slot, bases[slot], offset);
        writeFiller(appender, Frames.SYNC, filled - offset, certain);
        return (number << 32) | filled;
      }
    }
  }

  /** Returns whether the frame at an offset in a block is whole. */
  boolean isPublished(long number, int offset) {
    long index = (long) slot(number) * blockBytes + offset;
    return Memory.getByteAcquire(marks.address() + (index >>> MARK_SHIFT)) != 0;
  }

  /**
   * Has the processor fetch, all at once, the first lines of the published frames in a part of a
   * block: whoever looks at one after the other waits for memory each time. The result means
   * nothing.
   */
  long look(long number, int from, int to) {
    long block = blockAddress(number);
    long marked = marks.address() + (((long) slot(number) * blockBytes) >>> MARK_SHIFT);
    long sum = 0;
    for (int at = from & -LOOK_BYTES; at < to && at < blockBytes; at += LOOK_BYTES) {
      long published = Memory.getLong(marked + (at >>> MARK_SHIFT));
      for (; published != 0; published &= published - 1) {
        int frame = at + (Long.numberOfTrailingZeros(published) >>> 3 << MARK_SHIFT);
        sum += Memory.getByte(block + frame);
        sum += Memory.getByte(block + Math.min(frame + LINE_BYTES, blockBytes - 1));
      }
    }
    return sum;
  }

  /** Returns the address of a block in memory. */
  long blockAddress(long number) {
    return memory.address() + (long) slot(number) * blockBytes;
  }

  /** Returns the position of a block in the log. */
  long base(long number) {
    return bases[slot(number)];
  }

  /** A part of a block, to be written. */
  MemorySegment slice(long number, int from, int to) {
    return memory.slice((long) slot(number) * blockBytes + from, to - from);
  }

  /** Has no frame in a block that was written, so that it can be used again. */
  void clear(long number) {
    int perBlock = blockBytes >> MARK_SHIFT;
    marks.slice((long) slot(number) * perBlock, perBlock).fill((byte) 0);
  }

  int blocks() {
    return blocks;
  }

  ByteBuffer buffer() {
    return memory.buffer();
  }

  private int slot(long number) {
    return (int) number & (blocks - 1);
  }

  @Override
  public void close() {
    memory.close();
    marks.close();
  }
}

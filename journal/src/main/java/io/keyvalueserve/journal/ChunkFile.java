package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A chunk's file, being read. For one thread at a time. */
final class ChunkFile implements Closeable {
  /** The size of the pieces that are read where the disk cannot read the whole. */
  private static final int SALVAGE_BYTES = 64 << 10;

  private final Disk disk;
  private final String name;
  private final DiskFile file;
  private final long size;

  private ChunkFile(Disk disk, String name, DiskFile file) throws IOException {
    this.disk = disk;
    this.name = name;
    this.file = file;
    size = file.size();
  }

  static ChunkFile open(Disk disk, long chunk) throws IOException {
    String name = LogFiles.chunk(chunk);
    DiskFile file = disk.open(name, Disk.Access.READ);
    try {
      return new ChunkFile(disk, name, file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  long size() {
    return size;
  }

  /** The header, or nothing if there is none that can be read. */
  Optional<ChunkHeader> header() {
    try (AlignedMemory memory = AlignedMemory.allocate(ChunkHeader.BYTES)) {
      int read = file.read(0, memory.slice(0, ChunkHeader.BYTES));
      return read < ChunkHeader.BYTES ? Optional.empty() : ChunkHeader.read(memory.buffer());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The trailer of this chunk, or nothing. */
  Optional<ChunkTrailer> trailer(long chunk) {
    return lastBlock()
        .flatMap(
            memory -> {
              try (memory) {
                return ChunkTrailer.read(memory.buffer(), chunk, size);
              }
            });
  }

  /** Returns whether something that was meant to be a trailer is at the end. */
  boolean hasTrailerMark() {
    return lastBlock()
        .map(
            memory -> {
              try (memory) {
                return ChunkTrailer.isAttempted(memory.buffer());
              }
            })
        .orElse(false);
  }

  private Optional<AlignedMemory> lastBlock() {
    if (size < ChunkHeader.BYTES + ChunkTrailer.BYTES || size % disk.blockBytes() != 0) {
      return Optional.empty();
    }
    AlignedMemory memory = AlignedMemory.allocate(ChunkTrailer.BYTES);
    try {
      file.read(size - ChunkTrailer.BYTES, memory.slice(0, ChunkTrailer.BYTES));
      return Optional.of(memory);
    } catch (IOException e) {
      memory.close();
      return Optional.empty();
    }
  }

  /** The partitions and the index of a chunk, if they are as they were written. */
  Optional<AlignedMemory> area(ChunkTrailer trailer) {
    AlignedMemory memory = AlignedMemory.allocate(wholeArea(trailer));
    if (area(trailer, memory)) {
      return Optional.of(memory);
    }
    memory.close();
    return Optional.empty();
  }

  /**
   * Reads them into memory of at least {@link #wholeArea}.
   *
   * @return whether they are as they were written
   */
  boolean area(ChunkTrailer trailer, AlignedMemory memory) {
    return readArea(trailer, memory) && isArea(trailer, memory);
  }

  /** Reads them without a look at them; returns whether the disk has read all. */
  boolean readArea(ChunkTrailer trailer, AlignedMemory memory) {
    int whole = wholeArea(trailer);
    try {
      return whole == 0 || file.read(trailer.end(), memory.slice(0, whole)) == whole;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Reads a part, from {@link #skipped} before it, as a disk wants it; null if the disk does not
   * read it, or it is behind the file's end. To be closed.
   */
  @Nullable AlignedMemory part(long offset, int bytes) {
    int whole = wholePart(offset, bytes);
    AlignedMemory memory = AlignedMemory.allocate(whole);
    if (readPart(offset, bytes, memory, 0)) {
      return memory;
    }
    memory.close();
    return null;
  }

  /**
   * Reads a part of an area into memory with room for {@link #wholePart} at an offset, and returns
   * whether it was read.
   */
  boolean readPart(long offset, int bytes, AlignedMemory memory, long at) {
    int whole = wholePart(offset, bytes);
    try {
      return file.read(offset - skipped(offset), memory.slice(at, whole)) == whole;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the bytes between the beginning of the disk's block and the part. */
  static int skipped(long offset) {
    return (int) (offset % ChunkTrailer.BYTES);
  }

  /** Returns the bytes of whole blocks of the disk that a part takes. */
  static int wholePart(long offset, int bytes) {
    return (skipped(offset) + bytes + ChunkTrailer.BYTES - 1) & -ChunkTrailer.BYTES;
  }

  /** Returns whether the area that was read is the one that was written. */
  static boolean isArea(ChunkTrailer trailer, AlignedMemory memory) {
    return new FrameCrc(memory.buffer()).of(0, trailer.areaBytes()) == trailer.areaCrc();
  }

  /** Returns the bytes of the disk's blocks that the area takes. */
  static int wholeArea(ChunkTrailer trailer) {
    return (trailer.areaBytes() + ChunkTrailer.BYTES - 1) & -ChunkTrailer.BYTES;
  }

  /**
   * Reads a part of the file; what the disk does not read is 0 in memory, and so is what is behind
   * the file's end.
   *
   * @return the parts that could not be read
   * @throws UncheckedIOException if the file is closed, as by an interrupt: that says nothing of
   *     the disk
   */
  List<Damage> read(long offset, AlignedMemory memory, int bytes) {
    try {
      int read = file.read(offset, memory.slice(0, bytes));
      if (read < bytes) {
        memory.slice(read, bytes - read).fill((byte) 0);
      }
      return List.of();
    } catch (ClosedChannelException e) {
      throw new UncheckedIOException(e);
    } catch (IOException whole) {
      return salvage(offset, memory, bytes);
    }
  }

  private List<Damage> salvage(long offset, AlignedMemory memory, int bytes) {
    List<Damage> damage = new ArrayList<>();
    memory.slice(0, bytes).fill((byte) 0);
    int step = Math.min(SALVAGE_BYTES, bytes);
    for (int from = 0; from < bytes; from += step) {
      int length = Math.min(step, bytes - from);
      try {
        file.read(offset + from, memory.slice(from, length));
      } catch (ClosedChannelException e) {
        throw new UncheckedIOException(e);
      } catch (IOException e) {
        memory.slice(from, length).fill((byte) 0);
        damage.add(
            new Damage(
                Damage.Kind.UNREADABLE, disk.path(name), offset + from, length, e.toString()));
      }
    }
    return damage;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checks a sealed chunk part by part, with little memory: each frame as recovery does, and then its
 * index. For one thread.
 */
final class ChunkCheck implements Closeable {
  final Chunk chunk;
  private final Disk disk;
  private final ChunkFile file;
  private final AlignedMemory memory;
  private final FrameScanner scanner;
  private final @Nullable ChunkTrailer trailer;
  private final int blockBytes;
  private final long end;
  private final List<Damage> damage = new ArrayList<>();
  private final CRC32C area = new CRC32C();
  private long at;
  private int areaAt;

  private ChunkCheck(
      Disk disk, Chunk chunk, ChunkFile file, ChunkSource.Layout layout, AlignedMemory memory) {
    this.disk = disk;
    this.chunk = chunk;
    this.file = file;
    this.memory = memory;
    scanner = new FrameScanner(memory);
    trailer = file.trailer(chunk.id).orElse(null);
    blockBytes = layout.blockBytes();
    ChunkTrailer found = trailer;
    end = found != null ? found.end() : layout.endOr(chunk.fileBytes());
    lookAtEnds(layout);
  }

  /**
   * Begins to check a chunk.
   *
   * @param memory what it is read into, at least a block of the chunk
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  static ChunkCheck open(Disk disk, Chunk chunk, ChunkSource.Layout layout, AlignedMemory memory)
      throws IOException {
    ChunkFile file = ChunkFile.open(disk, chunk.id);
    try {
      return new ChunkCheck(disk, chunk, file, layout, memory);
    } catch (RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(file::close);
      throw e;
    }
  }

  private void lookAtEnds(ChunkSource.Layout layout) {
    if (file.header().filter(header -> header.chunk() == chunk.id).isEmpty()) {
      add(Damage.Kind.BAD_HEADER, 0, ChunkHeader.BYTES, "its frames are written anew");
    }
    if (trailer == null && (file.hasTrailerMark() || layout.hasTrailer(chunk.fileBytes()))) {
      long from = Math.max(0, chunk.fileBytes() - ChunkTrailer.BYTES);
      add(Damage.Kind.BAD_TRAILER, from, ChunkTrailer.BYTES, "its frames are written anew");
    }
    long there = Math.min(end, file.size());
    if (there < end) {
      add(Damage.Kind.BAD_FRAMES, there, end - there, "the file is too short");
    }
  }

  /**
   * Checks the next part.
   *
   * @param blobs told of the blobs that frames refer to
   * @return how many bytes were read; 0 at the end
   */
  int step(Consumer<BlobCheck.Expected> blobs) {
    long to = Math.min(end, file.size());
    if (at < to) {
      return frames(to, blobs);
    }
    ChunkTrailer found = trailer;
    return found == null || areaAt >= found.areaBytes() ? 0 : index(found);
  }

  private int frames(long to, Consumer<BlobCheck.Expected> blobs) {
    int part = (int) memory.bytes() & -blockBytes;
    int bytes = (int) Math.min(part, to - at);
    List<Damage> unread =
        file.read(at, memory, (bytes + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES);
    damage.addAll(unread);
    scanner.scan(chunk.id, at, at == 0 ? ChunkHeader.BYTES : 0, bytes, blockBytes);
    String name = disk.path(LogFiles.chunk(chunk.id));
    scanner.gaps().forEach(gap -> damage.add(gap.damage(name)));
    for (int i = 0; i < scanner.count(); i++) {
      long frame = memory.address() + scanner.offset(i);
      int type = Frames.type(frame);
      if ((type == Frames.PUT || type == Frames.REMOVE) && Frames.isBlob(frame)) {
        blobs.accept(BlobCheck.Expected.of(frame));
      }
    }
    at += bytes;
    return bytes;
  }

  private int index(ChunkTrailer found) {
    int whole = found.areaBytes() - areaAt;
    long offset = found.end() + areaAt;
    int skipped = ChunkFile.skipped(offset);
    int bytes = (int) Math.min(memory.bytes() - skipped, whole);
    boolean isRead = file.readPart(offset, bytes, memory, 0);
    area.update(memory.buffer().limit(skipped + bytes).position(skipped));
    areaAt += bytes;
    boolean isEnd = areaAt == found.areaBytes();
    if (!isRead || (isEnd && (int) area.getValue() != found.areaCrc())) {
      areaAt = found.areaBytes();
      add(
          Damage.Kind.BAD_TRAILER,
          found.end(),
          found.areaBytes(),
          "the index is not what was written; the chunk is written anew");
    }
    return bytes;
  }

  /** Returns the damage of the chunk, as far as it was read. */
  List<Damage> damage() {
    return List.copyOf(damage);
  }

  private void add(Damage.Kind kind, long offset, long bytes, String text) {
    damage.add(new Damage(kind, disk.path(LogFiles.chunk(chunk.id)), offset, bytes, text));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

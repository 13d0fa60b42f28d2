package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads one record where it is in the log, with a read or two of the disk. Any thread. */
final class RecordReader {
  private final Disk disk;
  private final MapNames names;
  private final ChunkSource chunks;
  private final List<StreamWriter> writers;

  RecordReader(Disk disk, MapNames names, ChunkSource chunks, List<StreamWriter> writers) {
    this.disk = disk;
    this.names = names;
    this.chunks = chunks;
    this.writers = writers;
  }

  boolean read(long position, int payloadBytes, Consumer<Frame> to) throws IOException {
    Chunk chunk = chunks.get(Position.chunk(position));
    if (chunk == null) {
      throw new IOException("no such chunk: " + Position.text(position));
    }
    if (!chunk.isSealed() && position >= writers.get(chunk.stream).writtenPosition()) {
      return false;
    }
    int likely =
        Frames.HEADER_BYTES
            + (Position.isBlob(position) ? Frames.BLOB_REFERENCE_BYTES : payloadBytes);
    int length = readFrame(position, likely, to);
    if (length > 0) {
      readFrame(position, length, to); // longer than was thought
    }
    return true;
  }

  /** Reads a frame of a likely length; returns its true one if that is longer. */
  private int readFrame(long position, int likely, Consumer<Frame> to) throws IOException {
    long offset = Position.offset(position);
    int block = disk.blockBytes();
    long from = offset & -block;
    int bytes = (int) (((offset + likely + block - 1) & -block) - from);
    String name = LogFiles.chunk(Position.chunk(position));
    try (DiskFile file = disk.open(name, Disk.Access.READ);
        AlignedMemory memory = AlignedMemory.allocate(bytes)) {
      int read = file.read(from, memory.slice(0, bytes));
      int index = (int) (offset - from);
      long frame = memory.address() + index;
      int length = read < index + Frames.HEADER_BYTES ? 0 : Frames.length(frame);
      if (length > likely && index + length > bytes) {
        return length;
      }
      FrameCrc crc = new FrameCrc(memory.buffer());
      long plain = Position.of(Position.chunk(position), offset);
      if (!Frames.isValid(frame, read - index, plain, crc, index)
          || Frames.type(frame) != Frames.PUT) {
        throw new IOException(
            "no valid record: file=%s offset=%d".formatted(disk.path(name), offset));
      }
      give(frame, position, to);
      return 0;
    }
  }

  private void give(long frame, long position, Consumer<Frame> to) throws IOException {
    Frame record = new Frame();
    int map = Frames.map(frame);
    if (!Frames.isBlob(frame)) {
      to.accept(record.inline(frame, position).of(map, names.name(map)));
      return;
    }
    try (@Nullable AlignedMemory payload =
        Blobs.read(disk, Frames.blob(frame), Frames.blobLength(frame), Frames.blobCrc(frame))) {
      if (payload == null) {
        throw new IOException(
            "no valid record: file=" + disk.path(LogFiles.blob(Frames.blob(frame))));
      }
      to.accept(record.blob(frame, position, payload.address()).of(map, names.name(map)));
    }
  }
}

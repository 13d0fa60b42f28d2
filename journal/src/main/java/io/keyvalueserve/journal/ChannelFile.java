package io.keyvalueserve.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of a file system. */
final class ChannelFile implements DiskFile {
  private final Path path;
  private final FileChannel channel;

  ChannelFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  @Override
  public void write(long offset, MemorySegment bytes) throws IOException {
    ByteBuffer buffer = bytes.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer, offset + buffer.position());
      }
    } catch (IOException e) {
      throw translated(e, path, offset);
    }
  }

  @Override
  public int read(long offset, MemorySegment bytes) throws IOException {
    ByteBuffer buffer = bytes.asByteBuffer();
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer, offset + buffer.position());
      boolean isEnd = buffer.hasRemaining() && offset + buffer.position() >= channel.size();
      if (read <= 0 || isEnd) { // direct I/O cannot go on where no block of the disk begins
        break;
      }
    }
    return buffer.position();
  }

  @Override
  public void sync() throws IOException {
    channel.force(false);
  }

  @Override
  public void truncate(long bytes) throws IOException {
    channel.truncate(bytes);
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Java tells a full disk by the system's words only, which {@code strerror} gives in English. */
  static IOException translated(IOException e, Path path, long offset) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("No space left on device") || message.contains("quota exceeded")) {
      NoSpaceException full = new NoSpaceException("no space for " + path + " at offset " + offset);
      full.initCause(e);
      return full;
    }
    return e;
  }
}

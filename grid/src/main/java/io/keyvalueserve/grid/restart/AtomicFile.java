package io.keyvalueserve.grid.restart;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A small file that is replaced as a whole, so that whatever happens there is one that can be read:
 * a magic number, the CRC-32C of the content, the content.
 */
final class AtomicFile {
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  private final Path file;
  private final int magic;

  AtomicFile(Path file, int magic) {
    this.file = file;
    this.magic = magic;
  }

  /**
   * The content, if it was ever written.
   *
   * @throws IOException if it cannot be read or is damaged; the message names the file
   */
  Optional<byte[]> read() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.remaining() < HEAD_BYTES
        || bytes.getInt() != magic
        || bytes.getInt() != crc(bytes.slice())) {
      throw new IOException("damaged: file=" + file);
    }
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    return Optional.of(content);
  }

  /** Replaces the content, and returns when that is certain. */
  void write(byte[] content) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + content.length);
    bytes.putInt(magic).putInt(crc(ByteBuffer.wrap(content))).put(content).flip();
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        int _ = channel.write(bytes);
      }
      channel.force(true);
    }
    Path _ =
        Files.move(
            fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory = FileChannel.open(directory(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private Path directory() {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalStateException("a file is in a directory: " + file);
    }
    return parent;
  }

  @Override
  public String toString() {
    return file.toString();
  }

  private static int crc(ByteBuffer content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }
}

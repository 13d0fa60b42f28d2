package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.SmallFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is replaced as a whole, so that whatever happens there is one that can be read:
 * a magic number, the CRC-32C of the content, the content. For one thread at a time.
 */
final class AtomicFile {
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  private final Path directory;
  private final String name;
  private final int magic;
  private @Nullable Disk disk;

  /** A file of a directory that is there when it is first read or written. */
  AtomicFile(Path directory, String name, int magic) {
    this.directory = directory;
    this.name = name;
    this.magic = magic;
  }

  /**
   * The content, if it was ever written; that it is what the file has is certain then, also if
   * whoever wrote it was killed before it was.
   *
   * @throws IOException if it cannot be read or is damaged; the message names the file
   */
  Optional<byte[]> read() throws IOException {
    if (!disk().exists(name)) {
      return Optional.empty();
    }
    disk().syncDirectory("");
    ByteBuffer bytes = ByteBuffer.wrap(SmallFile.read(disk(), name));
    if (bytes.remaining() < HEAD_BYTES
        || bytes.getInt() != magic
        || bytes.getInt() != crc(bytes.slice())) {
      throw new IOException("damaged: file=" + this);
    }
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    return Optional.of(content);
  }

  /** Replaces the content, and returns when that is certain. */
  void write(byte[] content) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + content.length);
    bytes.putInt(magic).putInt(crc(ByteBuffer.wrap(content))).put(content);
    SmallFile.replace(disk(), name, bytes.array());
  }

  /** Removes the file if there is one, and returns when that is certain. */
  void delete() throws IOException {
    if (disk().exists(name)) {
      disk().delete(name);
      disk().syncDirectory("");
    }
  }

  private Disk disk() throws IOException {
    Disk known = disk;
    if (known == null) {
      known = DataDisk.at(directory);
      disk = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return directory.resolve(name).toString();
  }

  private static int crc(ByteBuffer content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }
}

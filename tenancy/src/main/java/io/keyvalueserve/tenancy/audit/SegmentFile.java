package io.keyvalueserve.tenancy.audit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that is only appended to, and cut where an append went wrong. For one thread. */
interface SegmentFile extends Closeable {
  /** Writes all bytes behind the last, or fails after some. */
  void append(ByteBuffer bytes) throws IOException;

  /** Makes sure of all that was written. */
  void force() throws IOException;

  /** Cuts the file. */
  void truncate(long bytes) throws IOException;

  /** The opener of files. It makes a file that is not there. */
  @FunctionalInterface
  interface Opener {
    /** Opens a file for appending. */
    SegmentFile open(Path path) throws IOException;
  }

  /** A file of the file system; a new one is its owner's only, where the system knows owners. */
  static SegmentFile open(Path path) throws IOException {
    FileAttribute<?>[] attributes =
        path.getFileSystem().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    boolean isNew = Files.notExists(path);
    FileChannel channel =
        FileChannel.open(
            path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), attributes);
    if (isNew) {
      try (FileChannel directory =
          FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
        directory.force(true);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }
    return new OfChannel(channel);
  }

  /** A file by its channel. */
  record OfChannel(FileChannel channel) implements SegmentFile {
    @Override
    public void append(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void truncate(long bytes) throws IOException {
      channel.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}

package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Checks a blob piece by piece, with little memory. For one thread. */
final class BlobCheck implements Closeable {
  /**
   * A blob as the frame that refers to it says it is.
   *
   * @param bytes how long
   * @param crc the checksum of these
   */
  record Expected(long id, int bytes, int crc) {
    static Expected of(long frame) {
      return new Expected(Frames.blob(frame), Frames.blobLength(frame), Frames.blobCrc(frame));
    }
  }

  final Expected expected;
  private final Disk disk;
  private final CRC32C crc = new CRC32C();
  private @Nullable DiskFile file;
  private long at;
  private boolean done;

  BlobCheck(Disk disk, Expected expected) {
    this.disk = disk;
    this.expected = expected;
  }

  /**
   * Reads the next piece.
   *
   * @param memory what it is read into
   * @return what is wrong with the blob; null if nothing is, as far as it was read
   * @throws IOException if the file is there and cannot be opened: that says nothing of the blob
   */
  @Nullable Damage step(AlignedMemory memory) throws IOException {
    DiskFile open = file;
    if (open == null) {
      if (!disk.exists(LogFiles.blob(expected.id))) {
        return bad("it is missing");
      }
      open = disk.open(LogFiles.blob(expected.id), Disk.Access.READ);
      file = open;
    }
    int block = disk.blockBytes();
    long left = expected.bytes - at;
    int wanted = (int) Math.min(memory.bytes(), (left + block - 1) & -block);
    int read;
    try {
      read = open.read(at, memory.slice(0, wanted));
    } catch (IOException e) {
      return bad("the disk does not read it: " + e);
    }
    if (read < wanted) {
      return bad("it is too short");
    }
    int used = (int) Math.min(left, wanted);
    ByteBuffer bytes = memory.buffer();
    crc.update(bytes.limit(used).position(0));
    at += used;
    done = at == expected.bytes;
    return done && (int) crc.getValue() != expected.crc ? bad("its checksum is wrong") : null;
  }

  private Damage bad(String what) {
    return new Damage(
        Damage.Kind.BAD_BLOB,
        disk.path(LogFiles.blob(expected.id)),
        at,
        expected.bytes,
        what + "; its record is written anew");
  }

  /** Returns whether everything was read. */
  boolean isDone() {
    return done;
  }

  /** Returns the bytes that were read. */
  long read() {
    return at;
  }

  @Override
  public void close() throws IOException {
    DiskFile open = file;
    if (open != null) {
      file = null;
      open.close();
    }
  }
}

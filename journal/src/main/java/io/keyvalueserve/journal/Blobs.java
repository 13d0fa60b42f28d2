package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Payloads that are too long for a stream, each a file. A blob is certain before the frame that
 * refers to it is said to be; its file is removed when what replaced it is certain. Its frame may
 * be copied by the compactor, the file never is.
 *
 * <p>A writer writes its blob on its own thread; the sync thread does the rest.
 */
final class Blobs implements Closeable {
  /** A blob, and where the frame is that refers to it. */
  private record Blob(long id, long bytes) {}

  /** A blob that was written and is not certain. */
  private record Fresh(long id, String name, DiskFile file) {}

  /** A blob that nobody needs once each stream is certain up to a position. */
  private record Dead(long id, long[] after) {}

  private static final int PIECE_BYTES = 1 << 20;

  private final Disk disk;
  private final Manifest manifest;
  private final Map<Long, Blob> byPosition = new ConcurrentHashMap<>();
  private final Map<Long, Integer> references = new ConcurrentHashMap<>();
  private final Queue<Fresh> fresh = new ConcurrentLinkedQueue<>();
  private final Queue<Dead> dead = new ConcurrentLinkedQueue<>();

  Blobs(Disk disk, Manifest manifest) {
    this.disk = disk;
    this.manifest = manifest;
  }

  // ---- any thread

  /** Writes a payload; returns the blob's number. Its checksum is {@link #crc}. */
  long write(long address, int bytes) throws IOException {
    long id = manifest.nextBlob();
    String name = LogFiles.blob(id);
    int block = disk.blockBytes();
    DiskFile file = disk.create(name, ((long) bytes + block - 1) & -block);
    try (AlignedMemory piece = AlignedMemory.allocate(Math.min(PIECE_BYTES, bytes + block))) {
      for (int from = 0; from < bytes; from += PIECE_BYTES) {
        int length = Math.min(PIECE_BYTES, bytes - from);
        int whole = (length + block - 1) & -block;
        Memory.fill(piece.address() + whole - block, block, (byte) 0);
        Memory.copy(address + from, piece.address(), length);
        file.write(from, piece.slice(0, whole));
      }
    } catch (IOException | RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(file::close);
      ending.step(() -> disk.delete(name));
      if (e instanceof IOException && !(e instanceof NoSpaceException)) {
        throw new IOException("write file=" + name + ": " + e, e);
      }
      throw e;
    }
    fresh.add(new Fresh(id, name, file));
    return id;
  }

  /** The checksum of a payload. */
  static int crc(long address, int bytes) {
    CRC32C crc = new CRC32C();
    byte[] piece = new byte[Math.min(bytes, 1 << 16)];
    for (int from = 0; from < bytes; from += piece.length) {
      int length = Math.min(piece.length, bytes - from);
      Memory.copy(address + from, piece, 0, length);
      crc.update(piece, 0, length);
    }
    return (int) crc.getValue();
  }

  /** A frame refers to a blob; while it is being copied two may, and a crash leaves both. */
  void refer(long position, long id, long bytes) {
    byPosition.put(position, new Blob(id, bytes));
    references.merge(id, 1, Integer::sum);
  }

  /** The compactor has copied the frame that refers to a blob. */
  void moved(long from, long to) {
    Blob blob = byPosition.remove(from);
    if (blob != null) {
      byPosition.put(to, blob);
    }
  }

  /**
   * Nobody needs the blob of a frame.
   *
   * @param after what has to be certain before its file may go, a position for each stream
   */
  void dead(long position, long[] after) {
    Blob blob = byPosition.remove(position);
    if (blob != null
        && references.computeIfPresent(blob.id, (id, n) -> n == 1 ? null : n - 1) == null) {
      dead.add(new Dead(blob.id, after));
    }
  }

  /** How many bytes blobs have that are in use. */
  long liveBytes() {
    return byPosition.values().stream().mapToLong(Blob::bytes).sum();
  }

  // ---- the sync thread

  boolean hasFresh() {
    return !fresh.isEmpty();
  }

  boolean hasDead() {
    return !dead.isEmpty();
  }

  /** Makes certain what was written. */
  void sync() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (Fresh blob = fresh.poll(); blob != null; blob = fresh.poll()) {
      try (DiskFile file = blob.file) {
        file.sync();
      } catch (IOException e) {
        throw new IOException("sync file=%s offset=0: %s".formatted(blob.name, e), e);
      }
      ids.add(blob.id);
    }
    if (!ids.isEmpty()) {
      disk.syncDirectory(LogFiles.BLOBS);
      manifest.addBlobs(ids);
    }
  }

  /** Removes the files of blobs that nobody needs. */
  void removeDead(long[] certain) throws IOException {
    List<Long> ids = new ArrayList<>();
    for (Iterator<Dead> all = dead.iterator(); all.hasNext(); ) {
      Dead each = all.next();
      if (isReached(each.after, certain)) {
        ids.add(each.id);
        all.remove();
      }
    }
    if (!ids.isEmpty()) {
      manifest.removeBlobs(ids);
      for (long id : ids) {
        disk.delete(LogFiles.blob(id));
      }
    }
  }

  private static boolean isReached(long[] after, long[] certain) {
    for (int i = 0; i < after.length; i++) {
      if (certain[i] < after[i]) {
        return false;
      }
    }
    return true;
  }

  /** Closes the files of blobs that never became certain. */
  @Override
  public void close() throws IOException {
    Ending ending = new Ending();
    for (Fresh blob = fresh.poll(); blob != null; blob = fresh.poll()) {
      ending.step(blob.file::close);
    }
    ending.end();
  }

  // ---- reading

  /**
   * Reads a blob; whoever gets it closes it.
   *
   * @return null if its file is missing, too short, or not what was written
   */
  static @Nullable AlignedMemory read(Disk disk, long id, int bytes, int crc) throws IOException {
    String name = LogFiles.blob(id);
    if (!disk.exists(name)) {
      return null;
    }
    int block = disk.blockBytes();
    long whole = ((long) bytes + block - 1) & -block;
    if (whole > Integer.MAX_VALUE) {
      return null;
    }
    AlignedMemory memory = AlignedMemory.allocate(whole);
    boolean good = false;
    try {
      good = read(disk, name, memory, whole) >= bytes && crc(memory.address(), bytes) == crc;
    } finally {
      if (!good) {
        memory.close();
      }
    }
    return good ? memory : null;
  }

  /** Reads so many bytes of a file; -1 if it is shorter. */
  private static int read(Disk disk, String name, AlignedMemory memory, long bytes)
      throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.READ)) {
      return file.size() < bytes ? -1 : file.read(0, memory.slice(0, bytes));
    }
  }
}

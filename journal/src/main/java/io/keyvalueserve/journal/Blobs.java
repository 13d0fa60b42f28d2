package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Payloads that are too long for a stream, each a file. A blob is certain before the frame that
 * refers to it is said to be; its file is removed when what replaced it is certain. Its frame may
 * be copied by the compactor, the file never is.
 *
 * <p>Blobs are written by who appends them, or ahead, as drafts; the sync thread does the rest.
 */
final class Blobs implements Closeable {
  /** A blob that frames refer to. */
  private static final class Blob {
    final long id;
    final long bytes;
    private final Set<Long> chunks = new HashSet<>(); // that may have such frames
    private int references;

    Blob(long id, long bytes) {
      this.id = id;
      this.bytes = bytes;
    }

    synchronized void refer(long chunk) {
      references++;
      chunks.add(chunk);
    }

    synchronized void moved(long chunk) {
      chunks.add(chunk);
    }

    /** Returns whether it was the last one that refers to it. */
    synchronized boolean release() {
      return --references == 0;
    }

    synchronized Set<Long> chunks() {
      return Set.copyOf(chunks);
    }
  }

  /** A blob that was written and is not certain. */
  private record Fresh(long id, String name, DiskFile file) {}

  /** A blob that nobody needs once each stream is certain up to a position. */
  private record Dead(Blob blob, long[] after) {}

  private static final int PIECE_BYTES = 1 << 20;

  private final Disk disk;
  private final Manifest manifest;
  private final Map<Long, Blob> byPosition = new ConcurrentHashMap<>();
  private final Map<Long, Blob> byId = new ConcurrentHashMap<>();
  private final Queue<Fresh> fresh = new ConcurrentLinkedQueue<>();
  private final List<Long> unlisted = new ArrayList<>(); // certain, and not in the manifest yet
  private final Queue<Dead> dead = new ConcurrentLinkedQueue<>();
  private final Set<Long> damaged = ConcurrentHashMap.newKeySet();
  private final Object closing = new Object();
  private boolean closed; // guarded by closing

  Blobs(Disk disk, Manifest manifest) {
    this.disk = disk;
    this.manifest = manifest;
  }

  // ---- any thread

  /**
   * Writes a payload that frames may refer to once it is {@linkplain #adopt adopted}. Bytes of it
   * may change meanwhile: each is read once, and the CRC is of what was read.
   *
   * @throws NoSpaceException if the disk is full; no file is left
   * @throws JournalRefusedException if the file cannot be made; the journal is as it was
   * @throws java.nio.channels.ClosedByInterruptException if the caller was interrupted; the same
   * @throws IOException if the file cannot be written
   */
  PayloadDraft draft(long address, int bytes) throws IOException {
    long id = manifest.nextBlob();
    String name = LogFiles.blob(id);
    int block = disk.blockBytes();
    DiskFile file = create(name, ((long) bytes + block - 1) & -block);
    CRC32C crc = new CRC32C();
    try (AlignedMemory piece = AlignedMemory.allocate(Math.min(PIECE_BYTES, bytes + block))) {
      ByteBuffer buffer = piece.buffer();
      for (int from = 0; from < bytes; from += PIECE_BYTES) {
        int length = Math.min(PIECE_BYTES, bytes - from);
        int whole = (length + block - 1) & -block;
        Memory.fill(piece.address() + whole - block, block, (byte) 0);
        Memory.copy(address + from, piece.address(), length);
        crc.update(buffer.clear().limit(length)); // of the copy, which nobody changes
        file.write(from, piece.slice(0, whole));
      }
    } catch (IOException | RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(file::close);
      ending.step(() -> disk.delete(name));
      if (e instanceof IOException
          && !(e instanceof NoSpaceException)
          && !(e instanceof ClosedByInterruptException)) {
        throw new IOException("write file=" + name + ": " + e, e);
      }
      throw e;
    }
    return new PayloadDraft(this, file, id, bytes, (int) crc.getValue());
  }

  /** Without a file there is nothing that nobody knows: only this payload is refused. */
  private DiskFile create(String name, long bytes) throws IOException {
    try {
      return disk.create(name, bytes);
    } catch (NoSpaceException e) {
      throw e;
    } catch (IOException e) {
      throw new JournalRefusedException(
          "the journal cannot make a file, nothing was written: file=%s: %s"
              .formatted(disk.path(name), e),
          e);
    }
  }

  /** A draft is about to be referred to. */
  void adopt(long id, DiskFile file) {
    fresh.add(new Fresh(id, LogFiles.blob(id), file));
  }

  /** Nobody will ever refer to a draft. */
  void discard(long id, DiskFile file) {
    synchronized (closing) { // once it is closed, the name may be another's
      Ending ending = new Ending();
      ending.step(file::close);
      if (!closed) {
        ending.step(() -> disk.delete(LogFiles.blob(id)));
      }
      try {
        ending.end();
      } catch (IOException e) {
        // the file stays until the log is read the next time
      }
    }
  }

  private static int crc(long address, int bytes) {
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
    Blob blob = byId.computeIfAbsent(id, key -> new Blob(id, bytes));
    blob.refer(Position.chunk(position));
    byPosition.put(position, blob);
  }

  /** The compactor has copied the frame that refers to a blob. */
  void moved(long from, long to) {
    Blob blob = byPosition.remove(from);
    if (blob != null) {
      blob.moved(Position.chunk(to));
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
    if (blob != null && blob.release()) {
      byId.remove(blob.id);
      dead.add(new Dead(blob, after));
    }
  }

  /** Returns whether frames refer to a blob. */
  boolean isInUse(long id) {
    return byId.containsKey(id);
  }

  /** Returns the blob that the frame at a position refers to, if it is in use; else 0. */
  long at(long position) {
    Blob blob = byPosition.get(position);
    return blob == null ? 0 : blob.id;
  }

  /** A blob's file is to be kept aside when nobody needs it. */
  void markDamaged(long id) {
    damaged.add(id);
  }

  /** Returns the number of blobs in use. */
  int count() {
    return byId.size();
  }

  /** Returns the bytes of the blobs in use. */
  long liveBytes() {
    return byPosition.values().stream().mapToLong(blob -> blob.bytes).sum();
  }

  /** Returns whether a blob was removed, or was lost to damage. */
  boolean isGone(long id) {
    return manifest.isBlobGone(id);
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
    boolean any = false;
    for (Fresh blob = fresh.poll(); blob != null; blob = fresh.poll()) {
      try (DiskFile file = blob.file) {
        file.sync();
      } catch (IOException e) {
        throw new IOException("sync file=%s offset=0: %s".formatted(blob.name, e), e);
      }
      unlisted.add(blob.id);
      any = true;
    }
    if (any) {
      disk.syncDirectory(LogFiles.BLOBS);
    }
    if (!unlisted.isEmpty()) {
      manifest.addBlobs(List.copyOf(unlisted));
      unlisted.clear();
    }
  }

  /** Removes the files of blobs that nobody needs. */
  void removeDead(long[] certain) throws IOException {
    Set<Dead> reached =
        dead.stream().filter(each -> isReached(each.after, certain)).collect(Collectors.toSet());
    if (!reached.isEmpty()) {
      Map<Long, Set<Long>> gone = new TreeMap<>();
      for (Dead each : reached) { // twice where recovery found a frame and its copy, both expired
        gone.computeIfAbsent(each.blob.id, id -> new HashSet<>()).addAll(each.blob.chunks());
      }
      manifest.removeBlobs(gone);
      dead.removeAll(reached);
      for (long id : gone.keySet()) {
        String name = LogFiles.blob(id);
        if (damaged.remove(id) && disk.exists(name)) {
          ChunkSource.setAside(disk, name);
        } else {
          disk.delete(name);
        }
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
    synchronized (closing) {
      closed = true;
    }
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

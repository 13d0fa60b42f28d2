package io.keyvalueserve.journal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks chunks of which only the indexes have been read: each frame, the index, and the blobs that
 * are in use. Nothing is put anywhere. For one thread.
 */
final class IndexedCheck implements AutoCloseable {
  private final Disk disk;
  private final ChunkSource chunks;
  private final Blobs blobs;
  private final AlignedMemory memory;
  private final List<Damage> damage = new ArrayList<>();
  private int unknown;

  /**
   * @param partBytes how much is read at a time, at least a block of each chunk
   */
  IndexedCheck(Disk disk, ChunkSource chunks, Blobs blobs, int partBytes) {
    this.disk = disk;
    this.chunks = chunks;
    this.blobs = blobs;
    memory = AlignedMemory.allocate(partBytes);
  }

  /**
   * Checks a chunk. One with damaged frames is marked, so that compaction sets it aside.
   *
   * @throws IOException if its file is there and cannot be opened
   */
  void check(Chunk chunk) throws IOException {
    List<BlobCheck.Expected> expected = new ArrayList<>();
    List<Damage> found = checkFrames(chunk, expected);
    long frames = found.stream().filter(Damage::concernsFrames).count();
    if (frames > 0) {
      chunk.markDamaged();
      boolean hasIndex = found.stream().noneMatch(each -> each.kind() == Damage.Kind.BAD_TRAILER);
      unknown += hasIndex ? 0 : (int) frames; // without the index their keys may not be known
    }
    damage.addAll(found);
    for (BlobCheck.Expected each : expected) {
      if (blobs.isInUse(each.id())) {
        checkBlob(each);
      }
    }
  }

  private List<Damage> checkFrames(Chunk chunk, List<BlobCheck.Expected> expected)
      throws IOException {
    try (ChunkCheck check = ChunkCheck.open(disk, chunk, chunks.layout(chunk.id), memory)) {
      int read;
      do {
        read = check.step(expected::add);
      } while (read > 0);
      return check.damage();
    } catch (NoSuchFileException e) {
      return List.of(chunks.missing(chunk));
    }
  }

  private void checkBlob(BlobCheck.Expected expected) throws IOException {
    try (BlobCheck check = new BlobCheck(disk, expected)) {
      Damage found = null;
      while (found == null && !check.isDone()) {
        found = check.step(memory);
      }
      if (found != null) {
        damage.add(found);
      }
    }
  }

  LogCheck result() {
    return new LogCheck(damage, unknown);
  }

  @Override
  public void close() {
    memory.close();
  }
}

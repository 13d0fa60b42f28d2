package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.maps.StoredEntry;
import io.keyvalueserve.snapshots.ChunkRef;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the entries of one map as chunks. The border between two chunks depends on the partitions
 * and positions of keys alone, so that a chunk whose entries have not changed is the same in the
 * next snapshot, and is not written again. For one thread.
 *
 * <p>A chunk has all entries of a map if they are few; else those of one partition, or of a part of
 * its positions.
 */
final class MapChunks {
  /** A map with fewer bytes is one chunk. */
  static final long SMALL_MAP_BYTES = 1 << 20;

  /** About how many bytes a chunk of a larger map has. */
  private static final long CHUNK_BYTES = 1 << 20;

  /** A chunk never has more bytes, but for a single entry that has. */
  private static final long MOST_BYTES = 16 << 20;

  private static final int POSITION_BITS = 32;

  private final ChunkStore store;
  private final boolean changes;
  private final List<Manifest.Chunk> chunks = new ArrayList<>();
  private final Sums sums;
  private boolean small;
  private int shift = POSITION_BITS;
  private List<SnapshotEntry> pending = new ArrayList<>();
  private long pendingBytes;
  private int first;
  private int last;
  private long bucket;

  /** The sizes of the objects of a part of a snapshot. */
  static final class Sums {
    long storedBytes;
    long newBytes;
  }

  /**
   * @param changes whether the entries are changes
   * @param small whether the map has few bytes
   */
  MapChunks(ChunkStore store, boolean changes, boolean small, Sums sums) {
    this.store = store;
    this.changes = changes;
    this.small = small;
    this.sums = sums;
  }

  /**
   * Begins with the entries of a partition; those of a lower number have been added.
   *
   * @param bytes about how many they have
   */
  void begin(int partition, long bytes) {
    if (!small) {
      flush();
      int buckets = Long.SIZE - Long.numberOfLeadingZeros(bytes / CHUNK_BYTES);
      shift = POSITION_BITS - Math.min(buckets, POSITION_BITS - 1);
      bucket = 0;
    }
    if (pending.isEmpty()) {
      first = partition;
    }
    last = partition;
  }

  /** Adds an entry of the partition, in ascending order of positions. */
  void add(StoredEntry entry) {
    long next = shift >= POSITION_BITS ? 0 : entry.position() >>> shift;
    if ((!small && next != bucket) || pendingBytes >= MOST_BYTES) {
      flush();
    }
    bucket = next;
    pending.add(
        new SnapshotEntry(
            entry.key(),
            entry.value(),
            entry.ttlMillis(),
            entry.maxIdleMillis(),
            entry.expiresAtMillis()));
    pendingBytes += entry.key().length + (long) entry.value().length;
  }

  private void flush() {
    if (pending.isEmpty()) {
      return;
    }
    ChunkRef written = store.write(pending);
    chunks.add(
        new Manifest.Chunk(
            written.name(), changes, first, last, written.entries(), written.rawBytes()));
    sums.storedBytes += written.storedBytes();
    sums.newBytes += written.isNew() ? written.storedBytes() : 0;
    pending = new ArrayList<>();
    pendingBytes = 0;
    first = last;
  }

  /** Writes what is left, and returns all chunks. */
  List<Manifest.Chunk> end() {
    flush();
    return chunks;
  }
}

package io.keyvalueserve.grid.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.maps.StoredEntry;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.MemoryRepository;
import io.keyvalueserve.snapshots.SnapshotEntry;
import io.keyvalueserve.snapshots.TenantKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Goal: a chunk whose entries have not changed is the same in the next snapshot. */
final class MapChunksTest {
  private static final int VALUE_BYTES = 4_096;
  private static final int ENTRIES = 2_000;

  private final ChunkStore store = new ChunkStore(new MemoryRepository(), TenantKey.create());
  private final MapChunks.Sums sums = new MapChunks.Sums();

  /** The entries of a partition, in the order of their positions. */
  private static List<StoredEntry> entries(long seed) {
    Random random = new Random(seed);
    List<StoredEntry> entries = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.add(entry(random.nextInt() & 0xFFFF_FFFFL, i, random));
    }
    entries.sort(Comparator.comparingLong(StoredEntry::position));
    return entries;
  }

  private static StoredEntry entry(long position, int key, Random random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return new StoredEntry(
        position,
        ByteBuffer.allocate(Integer.BYTES).putInt(key).array(),
        value,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE);
  }

  private List<Manifest.Chunk> write(boolean small, List<List<StoredEntry>> partitions) {
    MapChunks chunks = new MapChunks(store, false, small, sums);
    for (int partition = 0; partition < partitions.size(); partition++) {
      List<StoredEntry> entries = partitions.get(partition);
      chunks.begin(partition, (long) entries.size() * VALUE_BYTES);
      entries.forEach(chunks::add);
    }
    return chunks.end();
  }

  @Test
  void oneChangeRenewsOneChunk() {
    List<List<StoredEntry>> partitions =
        List.of(entries(1), new ArrayList<>(entries(2)), entries(3));
    List<Manifest.Chunk> before = write(false, partitions);
    assertThat(before).hasSizeGreaterThan(3 * ENTRIES * VALUE_BYTES / (2 << 20));
    assertThat(before).allSatisfy(chunk -> assertThat(chunk.bytes()).isLessThan(4 << 20));
    assertThat(before)
        .allSatisfy(chunk -> assertThat(chunk.fromPartition()).isEqualTo(chunk.toPartition()));
    long stored = sums.newBytes;

    StoredEntry old = partitions.get(1).get(77);
    partitions.get(1).set(77, entry(old.position(), 1_000_000, new Random(4)));
    List<Manifest.Chunk> after = write(false, partitions);
    assertThat(after).hasSameSizeAs(before);
    assertThat(after.stream().filter(chunk -> !before.contains(chunk))).hasSize(1);
    assertThat(sums.newBytes - stored).isPositive().isLessThan(stored / 4);
  }

  @Test
  void allEntriesAreInTheChunks() {
    List<List<StoredEntry>> partitions = List.of(entries(5), List.of(), entries(6));
    for (boolean small : new boolean[] {false, true}) {
      List<SnapshotEntry> read = new ArrayList<>();
      List<Manifest.Chunk> chunks = write(small, partitions);
      chunks.forEach(chunk -> read.addAll(store.read(chunk.name())));
      assertThat(read).hasSize(2 * ENTRIES);
      assertThat(read.stream().map(entry -> ByteBuffer.wrap(entry.value())).distinct())
          .hasSize(2 * ENTRIES);
      assertThat(chunks.stream().mapToInt(Manifest.Chunk::entries).sum()).isEqualTo(2 * ENTRIES);
    }
  }

  @Test
  void aSmallMapIsOneChunk() {
    List<List<StoredEntry>> partitions =
        List.of(entries(7).subList(0, 10), entries(8).subList(0, 5), List.of());
    assertThat(write(true, partitions))
        .singleElement()
        .satisfies(
            chunk -> {
              assertThat(chunk.fromPartition()).isZero();
              assertThat(chunk.toPartition()).isEqualTo(2);
              assertThat(chunk.entries()).isEqualTo(15);
            });
    assertThat(write(true, List.of(List.of()))).isEmpty();
  }
}

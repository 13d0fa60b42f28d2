package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.GlobPattern;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A key picked at random: a partition by the number of its entries, in it a key by sampling. Tries
 * a few times, as entries may have expired or have keys that no byte string can name; then takes
 * the next that a scan finds from a random place on.
 */
final class RandomPick {
  private static final int MOST_TRIES = 4;
  private static final int SCAN_COUNT = 100;

  private final Partitions partitions;
  private final String map;

  RandomPick(Partitions partitions, String map) {
    this.partitions = partitions;
    this.map = map;
  }

  /** A key, or nothing if there is none. */
  CompletableFuture<Optional<byte[]>> pick() {
    return partitions.sizes(map).thenCompose(sizes -> tryPick(sizes, MOST_TRIES));
  }

  private CompletableFuture<Optional<byte[]>> tryPick(int[] sizes, int tries) {
    int partition = weightedPartition(sizes);
    if (partition < 0) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (tries == 0) {
      return firstFrom(cursorOf(partition), true);
    }
    return partitions
        .<byte @Nullable []>ask(new RandomKey(map), partition)
        .thenCompose(
            key ->
                key == null
                    ? tryPick(sizes, tries - 1)
                    : CompletableFuture.completedFuture(Optional.of(key)));
  }

  /** The first key from a cursor on; from the beginning, once, if there is none. */
  private CompletableFuture<Optional<byte[]>> firstFrom(long cursor, boolean mayWrap) {
    return new KeyScan(partitions, map, SCAN_COUNT, GlobPattern.ANY)
        .from(cursor)
        .thenCompose(
            page -> {
              List<byte[]> keys = page.keys();
              if (!keys.isEmpty()) {
                byte[] key = keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
                return CompletableFuture.completedFuture(Optional.of(key));
              }
              if (page.cursor() != 0) {
                return firstFrom(page.cursor(), mayWrap);
              }
              return mayWrap && cursor != 0
                  ? firstFrom(0, false)
                  : CompletableFuture.completedFuture(Optional.<byte[]>empty());
            });
  }

  private static long cursorOf(int partition) {
    return (long) partition << Integer.SIZE;
  }

  private static int weightedPartition(int[] sizes) {
    long sum = 0;
    for (int size : sizes) {
      sum += size;
    }
    if (sum == 0) {
      return -1;
    }
    long left = ThreadLocalRandom.current().nextLong(sum);
    int partition = 0;
    while (left >= sizes[partition]) {
      left -= sizes[partition++];
    }
    return partition;
  }
}

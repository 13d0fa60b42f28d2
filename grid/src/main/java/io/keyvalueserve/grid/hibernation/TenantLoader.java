package io.keyvalueserve.grid.hibernation;

import io.keyvalueserve.grid.snapshot.TenantImages;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.StoredEntries;
import io.keyvalueserve.maps.StoredEntry;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotEntry;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the image of one tenant back into memory, chunk by chunk: those first that have what
 * somebody waits for. Serves for one wake, and one thread; blocks.
 *
 * <p>A partition may be served when it is {@link #complete}. Until then nobody else reads or writes
 * it.
 */
final class TenantLoader {
  private static final int MOST_ENTRIES = 256;
  private static final int MOST_BYTES = 256 << 10;
  private static final int MOST_UNDER_WAY = 32;
  private final TenantImages.Image image;
  private final StoredEntries stored;
  private final TenantName tenant;
  private final BooleanSupplier goesOn;
  private final List<Part> parts = new ArrayList<>();

  /** The number of chunks that are not loaded, for each partition of the image. */
  private final int[] left;

  /** The partitions that must not be written. */
  private final BitSet done;

  private final Deque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
  private @Nullable CompletionException failure;
  private long entries;

  /** A chunk of a map. */
  private static final class Part {
    private final String map;
    private final Manifest.Chunk chunk;
    private boolean loaded;

    Part(String map, Manifest.Chunk chunk) {
      this.map = map;
      this.chunk = chunk;
    }

    boolean has(int partition) {
      return chunk.fromPartition() <= partition && partition <= chunk.toPartition();
    }
  }

  /**
   * @param loaded the partitions that are in memory, and must not be written again
   * @param goesOn returns whether it is still wanted
   */
  TenantLoader(
      TenantImages.Image image,
      StoredEntries stored,
      TenantName tenant,
      BitSet loaded,
      BooleanSupplier goesOn) {
    this.goesOn = goesOn;
    this.image = image;
    this.stored = stored;
    this.tenant = tenant;
    this.left = new int[image.manifest().partitions()];
    this.done = (BitSet) loaded.clone();
    for (Manifest.MapPart map : image.manifest().maps()) {
      map.chunks().stream()
          .filter(chunk -> !chunk.changes()) // entries that had expired, or were evicted
          .forEach(chunk -> add(new Part(map.map(), chunk), loaded));
    }
    parts.sort(
        Comparator.comparingInt((Part part) -> part.chunk.fromPartition())
            .thenComparing(part -> !HiddenMaps.isHidden(part.map)));
    parts.forEach(part -> count(part, 1));
  }

  private void add(Part part, BitSet loaded) {
    int from = part.chunk.fromPartition();
    if (loaded.nextClearBit(from) <= part.chunk.toPartition()) {
      boolean _ = parts.add(part);
    }
  }

  private void count(Part part, int by) {
    for (int partition = part.chunk.fromPartition();
        partition <= part.chunk.toPartition();
        partition++) {
      left[partition] += by;
    }
  }

  /** Returns whether all is loaded. */
  boolean isDone() {
    return parts.isEmpty();
  }

  /** Returns the number of entries that were put back. */
  long entries() {
    return entries;
  }

  /** Returns the partitions of which all is loaded. Nothing of them is written any more. */
  BitSet complete() {
    for (int partition = 0; partition < left.length; partition++) {
      if (left[partition] == 0) {
        done.set(partition);
      }
    }
    return (BitSet) done.clone();
  }

  /** Loads all of a partition. */
  void load(int partition) {
    for (Part part : parts) {
      if (part.has(partition)) {
        load(part);
      }
    }
    settleAll();
  }

  /**
   * Loads more.
   *
   * @param mostNanos about how long it may take
   */
  void loadMore(long mostNanos) {
    long deadline = System.nanoTime() + mostNanos;
    for (Part part : parts) {
      load(part);
      if (System.nanoTime() - deadline > 0) {
        break;
      }
    }
    settleAll();
  }

  private void load(Part part) {
    if (!goesOn.getAsBoolean() || failure != null) {
      settleAll();
      throw new HibernationException("it has changed meanwhile");
    }
    Map<Integer, List<StoredEntry>> batches = new HashMap<>();
    Map<Integer, Integer> bytes = new HashMap<>();
    String map = TenantImages.gridName(tenant, part.map);
    boolean counts = !HiddenMaps.isHidden(part.map);
    for (SnapshotEntry entry : read(part.chunk)) {
      int partition = stored.partitionOf(entry.key());
      if (done.get(partition)) {
        continue;
      }
      List<StoredEntry> batch = batches.computeIfAbsent(partition, any -> new ArrayList<>());
      StoredEntry next =
          new StoredEntry(
              0,
              entry.key(),
              entry.value(),
              entry.ttlMillis(),
              entry.maxIdleMillis(),
              entry.expiresAtMillis());
      batch.add(next);
      int sum = bytes.merge(partition, next.bytes(), Integer::sum);
      if (batch.size() >= MOST_ENTRIES || sum >= MOST_BYTES) {
        send(map, partition, batch, counts);
        List<StoredEntry> _ = batches.remove(partition);
        Integer _ = bytes.remove(partition);
      }
    }
    batches.forEach((partition, batch) -> send(map, partition, batch, counts));
    part.loaded = true;
  }

  private List<SnapshotEntry> read(Manifest.Chunk chunk) {
    boolean isRead = false;
    try {
      List<SnapshotEntry> all = image.read(chunk);
      isRead = true;
      return all;
    } finally {
      if (!isRead) {
        settleAll();
      }
    }
  }

  private void send(String map, int partition, List<StoredEntry> batch, boolean counts) {
    while (underWay.size() >= MOST_UNDER_WAY) {
      settle(underWay.removeFirst());
    }
    CompletableFuture<Long> answer = stored.restore(map, partition, batch);
    underWay.addLast(counts ? answer : answer.thenApply(put -> 0L));
  }

  /** Waits for all that is under way: none of it may arrive when its partition is served. */
  private void settleAll() {
    while (!underWay.isEmpty()) {
      settle(underWay.removeFirst());
    }
    CompletionException failed = failure;
    if (failed != null) {
      throw new HibernationException(
          "entries could not be put back: "
              + (failed.getCause() == null ? failed : failed.getCause()).getMessage(),
          failed);
    }
    boolean _ =
        parts.removeIf(
            part -> {
              if (part.loaded) {
                count(part, -1);
              }
              return part.loaded;
            });
  }

  private void settle(CompletableFuture<Long> answer) {
    try {
      entries += answer.join();
    } catch (CompletionException e) {
      failure = failure == null ? e : failure;
    }
  }
}

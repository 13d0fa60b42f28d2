package io.keyvalueserve.grid.snapshot;

import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.HashUtil;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.StoredEntries;
import io.keyvalueserve.maps.StoredEntry;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotEntry;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the maps of a snapshot back, as maps of one tenant. The cluster may have another number of
 * members and partitions than that of the snapshot. Nobody else may use the tenant's maps
 * meanwhile.
 *
 * <p>The pages of large collections are put back before their heads, as a head is readable as soon
 * as it is there. Sweeps for pages without heads leave these alone for hours, at their owner. If
 * partitions move, the new owner does not know of that: then all is put back once more.
 *
 * <p>Serves for one restore, and blocks.
 */
final class SnapshotRestore {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRestore.class);
  private static final Duration SETTINGS_PATIENCE = Duration.ofSeconds(30);
  private static final long PATIENCE_SECONDS = 60;
  private static final int MOST_ENTRIES = 256;
  private static final int MOST_BYTES = 256 << 10;
  private static final int MOST_UNDER_WAY = 32;
  private static final int MOST_ATTEMPTS = 5;
  private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long MOST_SETTLING_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final NodeEngine nodeEngine;
  private final StoredEntries stored;
  private final GridMapSettings settings;
  private final ChunkStore chunks;
  private final Manifest manifest;
  private final Overlay overlay;
  private final TenantName tenant;
  private final LongConsumer progress;
  private final Pace pace = new Pace();
  private final Deque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
  private long entries;
  private long sent;

  /**
   * @param overlay the changes that come upon the entries of the snapshot: its own are added
   * @param tenant whose maps they become
   * @param progress is told the number of entries that were put back, now and then
   */
  SnapshotRestore(
      NodeEngine nodeEngine,
      StoredEntries stored,
      GridMapSettings settings,
      ChunkStore chunks,
      Manifest manifest,
      Overlay overlay,
      TenantName tenant,
      LongConsumer progress) {
    this.nodeEngine = nodeEngine;
    this.stored = stored;
    this.settings = settings;
    this.chunks = chunks;
    this.manifest = manifest;
    this.overlay = overlay;
    this.tenant = tenant;
    this.progress = progress;
  }

  /**
   * Puts everything back.
   *
   * @return the number of entries
   * @throws SnapshotFailure if that is not possible: a part may be there
   */
  long run() {
    restoreSettings();
    for (int attempt = 1; ; attempt++) {
      long stamp = tableStamp();
      entries = 0;
      sent = 0;
      restoreEntries();
      if (stamp == tableStamp()) {
        return entries;
      }
      if (attempt == MOST_ATTEMPTS) {
        throw SnapshotFailure.lasting(
            "partitions were moving all the time: restore the snapshot when members neither come"
                + " nor go");
      }
      LOG.info("a snapshot is put back once more, as partitions have moved: tenant={}", tenant);
      awaitSettled();
    }
  }

  /** Waits until partitions have stayed where they are for a while, but not for ever. */
  private void awaitSettled() {
    long deadline = System.nanoTime() + MOST_SETTLING_NANOS;
    long stamp = tableStamp();
    long since = System.nanoTime();
    while (System.nanoTime() - since < SETTLED_NANOS && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (tableStamp() != stamp) {
        stamp = tableStamp();
        since = System.nanoTime();
      }
    }
  }

  private long tableStamp() {
    return nodeEngine.getPartitionService().getPartitionStateStamp();
  }

  private void restoreSettings() {
    Map<String, String> all = new TreeMap<>();
    overlay.maps().forEach(map -> all.put(map, Snapshots.NO_SETTINGS)); // made after the snapshot
    manifest.maps().forEach(part -> all.put(part.map(), part.settingsJson()));
    all.forEach(this::restoreSettings);
  }

  private void restoreSettings(String map, String exported) {
    String gridName = SnapshotMaps.gridName(tenant, map);
    QualifiedName name = QualifiedName.parse(gridName).orElse(null);
    if (name == null) {
      return; // it is behind another map
    }
    var _ = nodeEngine.getHazelcastInstance().getMap(gridName);
    if (exported.equals(Snapshots.NO_SETTINGS)) {
      return;
    }
    try {
      settings.restore(name, exported, SETTINGS_PATIENCE);
    } catch (MapSettingsException | IllegalArgumentException e) {
      throw SnapshotFailure.lasting(
          "the settings of map " + map + " cannot be put back: " + e.getMessage());
    }
  }

  private void restoreEntries() {
    Map<String, List<Manifest.Chunk>> parts = new TreeMap<>();
    manifest.maps().forEach(part -> parts.put(part.map(), part.chunks()));
    overlay.maps().forEach(map -> parts.putIfAbsent(map, List.of()));
    restore(parts, true);
    settleAll(); // all pages are there
    restore(parts, false);
    settleAll();
  }

  private void restore(Map<String, List<Manifest.Chunk>> parts, boolean hidden) {
    parts.forEach(
        (map, all) -> {
          if (HiddenMaps.isHidden(map) == hidden) {
            restore(map, all);
          }
        });
  }

  private void restore(String map, List<Manifest.Chunk> all) {
    String gridName = SnapshotMaps.gridName(tenant, map);
    boolean counts = !HiddenMaps.isHidden(map);
    send(gridName, overlay.put(map), counts);
    for (Manifest.Chunk chunk : all) {
      if (!chunk.changes()) {
        send(
            gridName,
            chunks.read(chunk.name()).stream()
                .filter(
                    entry ->
                        overlay.isUnchanged(map, partitionOf(entry, manifest.partitions()), entry))
                .toList(),
            counts);
      }
    }
  }

  /** Returns the partition of an entry's key in a cluster of so many partitions. */
  static int partitionOf(SnapshotEntry entry, int partitions) {
    return HashUtil.hashToIndex(new HeapData(entry.key()).getPartitionHash(), partitions);
  }

  private void send(String map, List<SnapshotEntry> all, boolean counts) {
    Map<Integer, Batch> batches = new HashMap<>();
    for (SnapshotEntry entry : all) {
      int partition = stored.partitionOf(entry.key());
      Batch batch = batches.computeIfAbsent(partition, any -> new Batch());
      batch.add(entry);
      if (batch.entries.size() >= MOST_ENTRIES || batch.bytes >= MOST_BYTES) {
        send(map, partition, batch, counts);
        Batch _ = batches.remove(partition);
      }
    }
    batches.forEach((partition, batch) -> send(map, partition, batch, counts));
  }

  private void send(String map, int partition, Batch batch, boolean counts) {
    while (underWay.size() >= MOST_UNDER_WAY) {
      settle(underWay.removeFirst());
    }
    CompletableFuture<Long> answer = stored.restore(map, partition, batch.entries);
    underWay.addLast(counts ? answer : answer.thenApply(put -> 0L));
    pace.step();
  }

  private void settleAll() {
    while (!underWay.isEmpty()) {
      settle(underWay.removeFirst());
    }
  }

  private void settle(CompletableFuture<Long> answer) {
    try {
      entries += answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
      if (entries > sent) {
        sent = entries;
        progress.accept(entries);
      }
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      LOG.warn("entries could not be put back: tenant={}", tenant, cause);
      throw SnapshotFailure.lasting(
          "entries could not be put back: "
              + cause.getMessage()
              + ": restore the snapshot again when the members have room and answer");
    }
  }

  /** Entries that travel together. */
  private static final class Batch {
    private final List<StoredEntry> entries = new ArrayList<>();
    private long bytes;

    void add(SnapshotEntry entry) {
      StoredEntry next =
          new StoredEntry(
              0,
              entry.key(),
              entry.value(),
              entry.ttlMillis(),
              entry.maxIdleMillis(),
              entry.expiresAtMillis());
      entries.add(next);
      bytes += next.bytes();
    }
  }
}

package io.keyvalueserve.grid.snapshot;

import com.hazelcast.core.HazelcastInstance;
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
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the maps of a snapshot back, as maps of one tenant. The cluster may have another number of
 * members and partitions than that of the snapshot. Nobody else may use the tenant's maps
 * meanwhile.
 *
 * <p>The pages of large collections are put back before their heads, as a head is readable as soon
 * as it is there. A sweep for pages without heads could find them meanwhile. It sweeps after
 * partitions have moved; then all is put back once more.
 *
 * <p>For one use; blocks.
 */
final class SnapshotRestore {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRestore.class);
  private static final Duration SETTINGS_PATIENCE = Duration.ofSeconds(30);
  private static final long PATIENCE_SECONDS = 60;
  private static final int MOST_ENTRIES = 256;
  private static final int MOST_BYTES = 256 << 10;
  private static final int MOST_UNDER_WAY = 32;
  private static final int MOST_ATTEMPTS = 5;

  private final NodeEngine nodeEngine;
  private final StoredEntries stored;
  private final GridMapSettings settings;
  private final ChunkStore chunks;
  private final Manifest manifest;
  private final TenantName tenant;
  private final LongConsumer progress;
  private final Pace pace = new Pace();
  private final Deque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
  private long entries;
  private long sent;

  /**
   * @param tenant whose maps they become
   * @param progress is told the number of entries that were put back, now and then
   */
  SnapshotRestore(
      NodeEngine nodeEngine,
      StoredEntries stored,
      GridMapSettings settings,
      ChunkStore chunks,
      Manifest manifest,
      TenantName tenant,
      LongConsumer progress) {
    this.nodeEngine = nodeEngine;
    this.stored = stored;
    this.settings = settings;
    this.chunks = chunks;
    this.manifest = manifest;
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
    }
  }

  private long tableStamp() {
    return nodeEngine.getPartitionService().getPartitionStateStamp();
  }

  private void restoreSettings() {
    HazelcastInstance instance = nodeEngine.getHazelcastInstance();
    for (Manifest.MapPart part : manifest.maps()) {
      String gridName = SnapshotMaps.gridName(tenant, part.map());
      QualifiedName name = QualifiedName.parse(gridName).orElse(null);
      if (name == null) {
        continue; // it is behind another map
      }
      var _ = instance.getMap(gridName);
      if (part.settingsJson().equals(Snapshots.NO_SETTINGS)) {
        continue;
      }
      try {
        settings.restore(name, part.settingsJson(), SETTINGS_PATIENCE);
      } catch (MapSettingsException | IllegalArgumentException e) {
        throw SnapshotFailure.lasting(
            "the settings of map " + part.map() + " cannot be put back: " + e.getMessage());
      }
    }
  }

  private void restoreEntries() {
    List<Manifest.MapPart> parts = new ArrayList<>(manifest.maps());
    parts.sort(Comparator.comparing(part -> !HiddenMaps.isHidden(part.map())));
    boolean hidden = true;
    for (Manifest.MapPart part : parts) {
      if (hidden && !HiddenMaps.isHidden(part.map())) {
        settleAll(); // all pages are there
        hidden = false;
      }
      restore(part);
    }
    settleAll();
  }

  private void restore(Manifest.MapPart part) {
    String gridName = SnapshotMaps.gridName(tenant, part.map());
    boolean counts = !HiddenMaps.isHidden(part.map());
    Set<EntryBytes> changed = new HashSet<>();
    for (Manifest.Chunk chunk : part.chunks()) {
      if (chunk.changes()) {
        List<SnapshotEntry> changes = chunks.read(chunk.name());
        changes.forEach(entry -> changed.add(new EntryBytes(entry.key())));
        send(gridName, changes.stream().filter(SnapshotRestore::isThere).toList(), counts);
      }
    }
    for (Manifest.Chunk chunk : part.chunks()) {
      if (!chunk.changes()) {
        send(
            gridName,
            chunks.read(chunk.name()).stream()
                .filter(entry -> !changed.contains(new EntryBytes(entry.key())))
                .toList(),
            counts);
      }
    }
  }

  /** Returns whether a change says that there is an entry, or that there is none. */
  private static boolean isThere(SnapshotEntry change) {
    return change.value().length > 0;
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

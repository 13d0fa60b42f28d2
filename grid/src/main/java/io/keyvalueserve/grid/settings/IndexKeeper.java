package io.keyvalueserve.grid.settings;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.operation.AddIndexOperationFactory;
import com.hazelcast.query.impl.IndexUtils;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.maps.IndexDefinitions;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the indexes of tenants' maps among the settings, and makes them anew when a member has come
 * back with its entries. Thread-safe.
 */
public final class IndexKeeper implements IndexDefinitions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexKeeper.class);

  private final GridMapSettings settings;
  private final NodeEngine nodeEngine;
  private final NativeMaps maps;
  private final Set<Noted> noted = ConcurrentHashMap.newKeySet();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("kvs-indexes").factory());

  private volatile @Nullable Thread loading;

  private record Noted(String map, String index) {}

  /** Creates the keeper for the maps of a member. */
  public IndexKeeper(GridMapSettings settings, NodeEngine nodeEngine, NativeMaps maps) {
    this.maps = maps;
    this.settings = settings;
    this.nodeEngine = nodeEngine;
  }

  /**
   * Keeps an index that is about to be made: it is made again after a crash even if this one comes
   * before it is through. What is no index is left to whoever makes it to refuse. Blocks.
   */
  public void keep(String map, IndexConfig index) {
    IndexConfig normalized;
    try {
      normalized = IndexUtils.validateAndNormalize(map, index);
    } catch (IllegalArgumentException | HazelcastException e) {
      LOG.debug("not an index: map={}", map, e);
      return;
    }
    if (isKept(map, normalized)) {
      settings.add(map, MapIndex.of(normalized));
    }
  }

  @Override
  public void added(String map, IndexConfig index) {
    if (!isKept(map, index) || settings.known(map).hasIndex(index.getName())) {
      return;
    }
    Noted note = new Noted(map, index.getName());
    if (noted.add(note)) {
      run(
          () -> {
            try {
              settings.add(map, MapIndex.of(index));
            } finally {
              noted.remove(note);
            }
          });
    }
  }

  @Override
  public void destroyed(String map) {
    MapSettings known = settings.known(map);
    if (!known.indexes().isEmpty()) {
      run(() -> settings.dropIndexes(known));
    }
  }

  private static boolean isKept(String map, IndexConfig index) {
    return MapIndex.canBe(index) && QualifiedName.parse(map).isPresent();
  }

  private void run(Runnable task) {
    try {
      worker.execute(
          () -> {
            try {
              task.run();
            } catch (RuntimeException e) {
              LOG.warn("the indexes of a map could not be kept: {}", e.getMessage());
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("the member goes down");
    }
  }

  /**
   * Makes all indexes of what this member has. Blocks until those are there whose maps are loaded;
   * the others get their entries as these are loaded, and until then queries look at entries.
   */
  public void restore() {
    List<MapSettings> later = new ArrayList<>();
    for (MapSettings map : settings.all()) {
      if (map.indexes().isEmpty()) {
        continue;
      }
      if (maps.pending().isLoading(map.map())) {
        map.indexes()
            .forEach(index -> maps.pending().indexAsLoaded(map.map(), index.toConfig(), own()));
        later.add(map);
      } else {
        complete(map);
      }
    }
    if (!later.isEmpty()) {
      loading = Thread.ofVirtual().name("kvs-indexes-loading").start(() -> completeLater(later));
    }
  }

  private void completeLater(List<MapSettings> later) {
    try {
      for (MapSettings map : later) {
        maps.pending().await(map.map()::equals);
        complete(map);
      }
    } catch (HazelcastException e) {
      LOG.debug("the member goes down before its indexes are made", e);
    }
  }

  /** Makes the indexes of a map that has left memory and is back, at all members. Blocks. */
  public void make(String map) {
    complete(settings.known(map), all());
  }

  private List<Integer> all() {
    return IntStream.range(0, nodeEngine.getPartitionService().getPartitionCount())
        .boxed()
        .toList();
  }

  private void complete(MapSettings map) {
    complete(map, own());
  }

  /** Makes the indexes of partitions that they do not have yet. */
  private void complete(MapSettings map, List<Integer> partitions) {
    for (MapIndex index : map.indexes()) {
      try {
        var _ =
            nodeEngine
                .getOperationService()
                .invokeOnPartitions(
                    MapService.SERVICE_NAME,
                    new AddIndexOperationFactory(map.map(), index.toConfig()),
                    partitions);
      } catch (Exception e) {
        LOG.error("an index could not be made again: map={} index={}", map.map(), index.name(), e);
      }
    }
  }

  private List<Integer> own() {
    return nodeEngine.getPartitionService().getMemberPartitions(nodeEngine.getThisAddress());
  }

  @Override
  public void close() {
    worker.shutdownNow();
    Thread running = loading;
    if (running != null) {
      running.interrupt();
    }
  }
}

package io.keyvalueserve.maps;

import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.core.EntryView;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.eviction.EvictionChecker;
import com.hazelcast.map.impl.eviction.EvictorImpl;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryReason;
import com.hazelcast.spi.eviction.EvictionPolicyComparator;
import org.jspecify.annotations.Nullable;

/**
 * Evicts from a map that has an eviction policy: as Hazelcast does, but where a limit counts bytes
 * until it holds again, as one small entry does not make up for a large one; and by force, when the
 * member is out of memory.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
public final class NativeEvictor extends EvictorImpl {
  private static final int MOST_AT_ONCE = 128;

  /** Creates an evictor with the same parameters as Hazelcast's. */
  public NativeEvictor(
      EvictionPolicyComparator policy,
      EvictionChecker checker,
      int batchSize,
      IPartitionService partitionService) {
    super(policy, checker, batchSize, partitionService);
  }

  @Override
  public void evict(RecordStore store, @Nullable Data excludedKey) {
    super.evict(store, excludedKey);
    if (countsBytes(store)) {
      for (int i = 0; i < MOST_AT_ONCE && store.size() > 1 && checkEvictable(store); i++) {
        super.evict(store, excludedKey);
      }
    }
  }

  private static boolean countsBytes(RecordStore store) {
    MaxSizePolicy policy =
        store.getMapContainer().getMapConfig().getEvictionConfig().getMaxSizePolicy();
    return policy != MaxSizePolicy.PER_NODE && policy != MaxSizePolicy.PER_PARTITION;
  }

  /**
   * Evicts entries of a partition whether its map is full or not. Partition thread only.
   *
   * @param keep stays; null if anything may go
   * @param count about how many
   * @return how many were evicted: 0 if the map must not evict, or has nothing that may go
   */
  static int force(RecordStore store, @Nullable Data keep, int count) {
    if (!(store.getMapContainer().getEvictor() instanceof NativeEvictor evictor)
        || LocalMaps.isOfTransactions(store.getName())) {
      return 0;
    }
    int evicted = 0;
    for (int i = 0; i < count; i++) {
      Data victim = evictor.victim(store, keep);
      if (victim == null) {
        break;
      }
      evictor.evictOne(store, victim);
      evicted++;
    }
    return evicted;
  }

  private @Nullable Data victim(RecordStore store, @Nullable Data keep) {
    EntryView selected = null;
    for (EntryView current : getRandomSamples(store)) {
      Data key = getDataKeyFromEntryView(current);
      boolean mayGo = !key.equals(keep) && !store.isLocked(key);
      if (mayGo && (selected == null || policy.compare(current, selected) < 0)) {
        selected = current;
      }
    }
    return selected == null ? null : getDataKeyFromEntryView(selected);
  }

  private void evictOne(RecordStore store, Data key) {
    boolean backup = isBackup(store);
    Object value = store.evict(key, backup);
    if (value != null && !backup) {
      store.doPostEvictionOperations(key, value, ExpiryReason.NOT_EXPIRED);
    }
  }
}

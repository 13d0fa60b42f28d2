package io.keyvalueserve.grid.ledger;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.query.QueryConstants;
import io.keyvalueserve.maps.HandedOverMergePolicy;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Segments of ledgers in a system map: {@code 7/00000012} is a segment of tenant number 7, {@code
 * 7/last} the number of a late one.
 */
final class GridSegments implements SegmentStore {
  private static final String LEDGER = "__kvs.ledger";
  private static final int BACKUPS = 2;
  private static final String FIRST = "%/00000000";

  private final IMap<String, byte[]> map;

  GridSegments(HazelcastInstance instance) {
    map = instance.getMap(LEDGER);
  }

  /**
   * Sets up the system map; before the member starts. When two halves of a cluster meet again, the
   * ledgers of one go on: pieces of both would be no chain. {@link LedgerMerge} appends what only
   * the other half had.
   */
  static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(LEDGER)
            .setInMemoryFormat(InMemoryFormat.NATIVE)
            .setBackupCount(BACKUPS)
            .setMergePolicyConfig(
                new MergePolicyConfig().setPolicy(HandedOverMergePolicy.class.getName())));
  }

  @Override
  public byte @Nullable [] get(int tenantNumber, int segment) {
    return map.get(key(tenantNumber, segment));
  }

  @Override
  public boolean replace(int tenantNumber, int segment, byte @Nullable [] expected, byte[] next) {
    String key = key(tenantNumber, segment);
    return expected == null ? map.putIfAbsent(key, next) == null : map.replace(key, expected, next);
  }

  @Override
  public int lastSegment(int tenantNumber) {
    byte[] number = map.get(lastKey(tenantNumber));
    return number == null ? 0 : ByteBuffer.wrap(number).getInt();
  }

  @Override
  public Set<Integer> tenantNumbers() {
    return map.keySet(Predicates.like(QueryConstants.KEY_ATTRIBUTE_NAME.value(), FIRST)).stream()
        .map(key -> Integer.valueOf(key.substring(0, key.indexOf('/'))))
        .collect(Collectors.toSet());
  }

  @Override
  public void noteLastSegment(int tenantNumber, int segment) {
    map.set(lastKey(tenantNumber), ByteBuffer.allocate(Integer.BYTES).putInt(segment).array());
  }

  static boolean isIn(String map) {
    return map.equals(LEDGER);
  }

  private static String key(int tenantNumber, int segment) {
    return String.format(Locale.ROOT, "%d/%08d", tenantNumber, segment);
  }

  private static String lastKey(int tenantNumber) {
    return tenantNumber + "/last";
  }
}

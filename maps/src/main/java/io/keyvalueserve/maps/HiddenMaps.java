package io.keyvalueserve.maps;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.MapConfig;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.store.Records;

/**
 * The maps behind maps: each has the pages of the large collections of one map, in the same
 * partitions. Nobody can name one, as the name has a control character. It is configured, charged
 * and logged as the map that it is behind. It is copied, cleared and destroyed with that map.
 */
public final class PageMaps {
  private static final String SUFFIX = "\u0001pages";

  /** No head is longer, in bytes. */
  private static final int MOST_HEAD_BYTES = 256;

  private PageMaps() {}

  /** Returns the name of the map behind a map. */
  public static String behind(String map) {
    return map + SUFFIX;
  }

  /** Returns whether a map is behind another. */
  public static boolean isBehind(String map) {
    return map.endsWith(SUFFIX);
  }

  /** Returns the name of the map that a map is behind, or its own name if it is behind none. */
  public static String inFrontOf(String map) {
    return isBehind(map) ? map.substring(0, map.length() - SUFFIX.length()) : map;
  }

  /**
   * Returns whether the value of a record is the head of a collection that is in pages. To whoever
   * may read the record.
   */
  static boolean hasHead(long record) {
    if (Records.valueForm(record) != DataForm.RAW
        || Records.valueLength(record) > MOST_HEAD_BYTES
        || Records.valueLength(record) <= Integer.BYTES
        || Records.isSpilled(record)) {
      return false;
    }
    long value = Records.valueAddress(record);
    int type = Integer.reverseBytes(Memory.getInt(value));
    return CollectionData.typeOf(type) != null
        && CollectionValue.isPaged(Memory.getByte(value + Integer.BYTES));
  }

  /**
   * Returns the configuration of a map behind one with a configuration: with its backups and its
   * way to merge. Pages never expire and are never evicted by themselves.
   */
  static MapConfig configured(String name, MapConfig front) {
    return new MapConfig(name)
        .setInMemoryFormat(front.getInMemoryFormat())
        .setBackupCount(front.getBackupCount())
        .setAsyncBackupCount(front.getAsyncBackupCount())
        .setMergePolicyConfig(front.getMergePolicyConfig())
        .setEvictionConfig(new EvictionConfig().setEvictionPolicy(EvictionPolicy.NONE));
  }
}

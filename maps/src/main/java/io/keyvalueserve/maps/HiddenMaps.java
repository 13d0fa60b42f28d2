package io.keyvalueserve.maps;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.MapConfig;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.store.Records;
import java.util.List;

/**
 * The hidden maps behind a map, in the same partitions. One has the pages of the map's large
 * collections. One has the writes that wait for the map's external store. Nobody can name one, as
 * the name has a control character. It is configured, charged and logged as the map that it is
 * behind. It is copied, cleared and destroyed with that map.
 */
public final class HiddenMaps {
  private static final char MARK = '\u0001';
  private static final String PAGES = MARK + "pages";
  private static final String QUEUE = MARK + "queue";

  /** No head is longer, in bytes. */
  private static final int MOST_HEAD_BYTES = 256;

  private HiddenMaps() {}

  /** Returns the name of the map with the pages of a map's large collections. */
  public static String pagesOf(String map) {
    return map + PAGES;
  }

  /** Returns the name of the map with the writes that wait for a map's external store. */
  public static String queueOf(String map) {
    return map + QUEUE;
  }

  /** Returns the names of all maps that may be behind a map. */
  public static List<String> of(String map) {
    return List.of(pagesOf(map), queueOf(map));
  }

  /** Returns whether a map is behind another. */
  public static boolean isHidden(String map) {
    return isPages(map) || isQueue(map);
  }

  /** Returns whether a map has the pages of another. */
  public static boolean isPages(String map) {
    return map.endsWith(PAGES);
  }

  /** Returns whether a map has the waiting writes of another. */
  public static boolean isQueue(String map) {
    return map.endsWith(QUEUE);
  }

  /** Returns the name of the map that a map is behind, or its own name if it is behind none. */
  public static String inFrontOf(String map) {
    return isHidden(map) ? map.substring(0, map.lastIndexOf(MARK)) : map;
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
   * way to merge. Its entries never expire and are never evicted by themselves.
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

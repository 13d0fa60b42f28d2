package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.maps.LastWriteMergePolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The alerts that members have noted, in a system map with two backups. Each has a key of its own,
 * so members that note alerts at the same time do not get into each other's way. Blocks;
 * thread-safe.
 */
public final class GridAlerts {
  private static final String ALERTS = "__kvs.alerts";
  private static final int BACKUPS = 2;

  private final IMap<String, String> map;

  /** The alerts as this member reaches them. */
  public GridAlerts(HazelcastInstance instance) {
    map = instance.getMap(ALERTS);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(ALERTS)
            .setInMemoryFormat(InMemoryFormat.NATIVE)
            .setBackupCount(BACKUPS)
            .setMergePolicyConfig(
                new MergePolicyConfig().setPolicy(LastWriteMergePolicy.class.getName())));
  }

  /** Returns all alerts by their keys. */
  public Map<String, String> all() {
    Map<String, String> all = new HashMap<>();
    map.entrySet().forEach(each -> all.put(each.getKey(), each.getValue()));
    return all;
  }

  /** Returns the number of alerts. */
  public int size() {
    return map.size();
  }

  /** Sets some alerts. */
  public void put(Map<String, String> alerts) {
    alerts.forEach(map::set);
  }

  /** Removes some alerts. */
  public void remove(Set<String> keys) {
    keys.forEach(map::delete);
  }
}

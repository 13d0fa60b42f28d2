package io.keyvalueserve.grid.restart;

import io.keyvalueserve.maps.HiddenMaps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Knows how durable each map is, by its name in the grid. Thread-safe. */
final class MapDurability {
  private static final String SYSTEM = "__kvs.";

  /** Returns whether a map is one that the members themselves need. */
  static boolean isSystem(String map) {
    return map.startsWith(SYSTEM);
  }

  /** One map's; whoever holds it sees what it becomes. */
  static final class Setting {
    private volatile Durability now;

    private Setting(Durability now) {
      this.now = now;
    }

    Durability now() {
      return now;
    }
  }

  private final Durability usual;
  private final Map<String, Setting> settings = new ConcurrentHashMap<>();

  /**
   * @param usual of maps that have none of their own
   */
  MapDurability(Durability usual) {
    this.usual = usual;
  }

  Durability usual() {
    return usual;
  }

  Setting of(String map) {
    return settings.computeIfAbsent(
        HiddenMaps.inFrontOf(map),
        name -> new Setting(name.startsWith(SYSTEM) ? Durability.ALWAYS : usual));
  }

  /**
   * @param durability null for the usual one
   */
  void set(String map, @Nullable Durability durability) {
    of(map).now = durability == null ? usual : durability;
  }
}

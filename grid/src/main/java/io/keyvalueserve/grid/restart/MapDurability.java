package io.keyvalueserve.grid.restart;

import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.LocalMaps;
import java.util.List;
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

  /** The durability of maps that have none of their own, by the beginning of their names. */
  private final Map<String, Durability> ofTenants = new ConcurrentHashMap<>();

  /**
   * @param usual of maps that have none of their own
   */
  MapDurability(Durability usual) {
    this.usual = usual;
  }

  Durability usual() {
    return usual;
  }

  /** Returns whether a name is that of all maps of a tenant: {@code acme/}. */
  static boolean isTenant(String name) {
    return name.indexOf('/') == name.length() - 1;
  }

  Setting of(String map) {
    String name = HiddenMaps.inFrontOf(map);
    Setting known = settings.get(name);
    return known == null ? create(name) : known;
  }

  /** Creates a setting while nobody sets what holds for all maps of its tenant. */
  private synchronized Setting create(String name) {
    return settings.computeIfAbsent(name, absent -> new Setting(usualOf(absent)));
  }

  /** Returns the durability of a map that has none of its own. */
  Durability usualOf(String map) {
    if (isSystem(map)) {
      return map.equals(LocalMaps.TRANSACTION_CHANGES_IN_MEMORY)
          ? Durability.NONE
          : Durability.ALWAYS;
    }
    int slash = map.indexOf('/');
    return slash < 0 ? usual : ofTenants.getOrDefault(map.substring(0, slash + 1), usual);
  }

  /**
   * @param durability null for the one of maps that have none of their own
   */
  void set(String map, @Nullable Durability durability) {
    of(map).now = durability == null ? usualOf(map) : durability;
  }

  /**
   * Sets the durability of maps of a tenant that come and have none of their own.
   *
   * @param tenant the beginning of their names: {@code acme/}
   * @param durability null for the usual one
   * @return the maps of the tenant that there are
   */
  synchronized List<String> setAll(String tenant, @Nullable Durability durability) {
    if (durability == null) {
      ofTenants.remove(tenant);
    } else {
      ofTenants.put(tenant, durability);
    }
    return settings.keySet().stream().filter(map -> map.startsWith(tenant)).toList();
  }
}

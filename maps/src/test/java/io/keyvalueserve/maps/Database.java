package io.keyvalueserve.maps;

import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.map.EntryLoader.MetadataAwareValue;
import com.hazelcast.map.EntryStore;
import com.hazelcast.map.MapLoader;
import com.hazelcast.map.MapStore;
import com.hazelcast.map.MapStoreFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind a map with a store: a plain map, all calls written down, and failures on
 * demand. All members of the JVM share the database of a map.
 */
final class Database implements MapStore<String, String> {
  private static final Map<String, Database> DATABASES = new ConcurrentHashMap<>();

  final Map<String, String> rows = new ConcurrentHashMap<>();
  final Map<String, Long> expirations = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  /** That of a map, by name. */
  static Database of(String map) {
    return DATABASES.computeIfAbsent(map, name -> new Database());
  }

  /** Store settings for a map. */
  static MapStoreConfig config(Consumer<MapStoreConfig> settings) {
    MapStoreConfig config = new MapStoreConfig().setFactoryClassName(Factory.class.getName());
    settings.accept(config);
    return config;
  }

  /** The same with times of expiry. */
  static MapStoreConfig timed(Consumer<MapStoreConfig> settings) {
    MapStoreConfig config = new MapStoreConfig().setFactoryClassName(TimedFactory.class.getName());
    settings.accept(config);
    return config;
  }

  /** Calls so far that begin like this: {@code store k v}, {@code delete k}, {@code load k}. */
  List<String> calls(String prefix) {
    return calls.stream().filter(call -> call.startsWith(prefix)).toList();
  }

  /** The next calls that write fail. */
  void fail(int times) {
    failures.set(times);
  }

  private void write(String call) {
    if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      calls.add("failed " + call);
      throw new IllegalStateException("the database is down");
    }
    calls.add(call);
  }

  @Override
  public void store(String key, String value) {
    write("store " + key + " " + value);
    rows.put(key, value);
  }

  @Override
  public void storeAll(Map<String, String> entries) {
    entries.forEach(this::store);
  }

  @Override
  public void delete(String key) {
    write("delete " + key);
    rows.remove(key);
  }

  @Override
  public void deleteAll(Collection<String> keys) {
    keys.forEach(this::delete);
  }

  @Override
  public @Nullable String load(String key) {
    calls.add("load " + key);
    return rows.get(key);
  }

  @Override
  public Map<String, String> loadAll(Collection<String> keys) {
    Map<String, String> loaded = new HashMap<>();
    for (String key : keys) {
      String value = load(key);
      if (value != null) {
        loaded.put(key, value);
      }
    }
    return loaded;
  }

  @Override
  public Iterable<String> loadAllKeys() {
    return List.copyOf(rows.keySet());
  }

  /** Made by Hazelcast, by name. */
  static final class Factory implements MapStoreFactory<String, String> {
    @Override
    public MapLoader<String, String> newMapStore(String map, Properties properties) {
      return of(map);
    }
  }

  /** Made by Hazelcast, by name. */
  static final class TimedFactory implements MapStoreFactory<String, MetadataAwareValue<String>> {
    @Override
    public MapLoader<String, MetadataAwareValue<String>> newMapStore(
        String map, Properties properties) {
      return new Timed(of(map));
    }
  }

  /** Keeps with each row when it expires. */
  private record Timed(Database database) implements EntryStore<String, String> {
    @Override
    public void store(String key, MetadataAwareValue<String> value) {
      database.store(key, value.getValue());
      database.expirations.put(key, value.getExpirationTime());
    }

    @Override
    public void storeAll(Map<String, MetadataAwareValue<String>> entries) {
      entries.forEach(this::store);
    }

    @Override
    public void delete(String key) {
      database.delete(key);
      database.expirations.remove(key);
    }

    @Override
    public void deleteAll(Collection<String> keys) {
      keys.forEach(this::delete);
    }

    @Override
    public @Nullable MetadataAwareValue<String> load(String key) {
      String value = database.load(key);
      return value == null
          ? null
          : new MetadataAwareValue<>(
              value, Objects.requireNonNullElse(database.expirations.get(key), Long.MAX_VALUE));
    }

    @Override
    public Map<String, MetadataAwareValue<String>> loadAll(Collection<String> keys) {
      Map<String, MetadataAwareValue<String>> loaded = new HashMap<>();
      for (String key : keys) {
        MetadataAwareValue<String> value = load(key);
        if (value != null) {
          loaded.put(key, value);
        }
      }
      return loaded;
    }

    @Override
    public Iterable<String> loadAllKeys() {
      return database.loadAllKeys();
    }
  }
}

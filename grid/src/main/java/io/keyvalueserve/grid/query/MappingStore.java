package io.keyvalueserve.grid.query;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Definitions of the tables of all tenants, in a system map of the grid with two backups: all of a
 * tenant's in one entry, under its number. A change is a compare-and-set there. Members keep what
 * they have read until an event tells them that it has changed. Blocks; thread-safe.
 */
public final class MappingStore {
  private static final Logger LOG = LoggerFactory.getLogger(MappingStore.class);
  private static final String MAPPINGS = "__kvs.mappings";
  private static final int BACKUPS = 2;

  /** A tenant may have so many definitions. */
  private static final int MOST_MAPPINGS = 1_000;

  /** All definitions of a tenant may have so many characters of text. */
  private static final int MOST_CHARACTERS = 1 << 20;

  private final IMap<String, String> map;
  private final ConcurrentHashMap<Integer, Read> read = new ConcurrentHashMap<>();

  /** The definitions of one tenant, as they were read. */
  private record Read(String text, Map<String, Mapping> mappings) {}

  /** Creates the store as this member reaches it. */
  public MappingStore(HazelcastInstance instance) {
    this.map = instance.getMap(MAPPINGS);
    UUID _ = map.addEntryListener(new Changes(), false);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(MAPPINGS).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
  }

  /** Forgets what was read when it changes. */
  private final class Changes
      implements EntryAddedListener<String, String>,
          EntryUpdatedListener<String, String>,
          EntryRemovedListener<String, String> {
    @Override
    public void entryAdded(EntryEvent<String, String> event) {
      forget(event);
    }

    @Override
    public void entryUpdated(EntryEvent<String, String> event) {
      forget(event);
    }

    @Override
    public void entryRemoved(EntryEvent<String, String> event) {
      forget(event);
    }

    private void forget(EntryEvent<String, String> event) {
      Read _ = read.remove(Integer.parseInt(event.getKey()));
    }
  }

  /** Returns a tenant's definitions by name. */
  Map<String, Mapping> of(int tenant) {
    Read known = read.get(tenant);
    if (known == null) { // an event of a change meanwhile waits, and then forgets what was read
      known = read.computeIfAbsent(tenant, number -> decoded(map.get(Integer.toString(number))));
    }
    return known.mappings();
  }

  private static Read decoded(@Nullable String text) {
    Map<String, Mapping> mappings = new TreeMap<>();
    if (text != null) {
      try {
        MappingCodec.decode(text).forEach(mapping -> mappings.put(mapping.name(), mapping));
      } catch (IllegalArgumentException e) {
        LOG.error("the definitions of a tenant's tables cannot be read: {}", e.getMessage());
        throw new QueryException(
            QueryException.Kind.INTERNAL, "the definitions of tables cannot be read", e);
      }
    }
    return new Read(Objects.requireNonNullElse(text, ""), mappings);
  }

  /**
   * Adds a definition.
   *
   * @return false if one of the name is there and is not replaced
   * @throws QueryException if the tenant would have too many
   */
  boolean create(int tenant, Mapping mapping, boolean replaces) {
    return change(
        tenant,
        before -> {
          if (!replaces && before.containsKey(mapping.name())) {
            return null;
          }
          Map<String, Mapping> after = new TreeMap<>(before);
          Mapping _ = after.put(mapping.name(), mapping);
          if (after.size() > MOST_MAPPINGS) {
            throw new QueryException(
                QueryException.Kind.QUOTA,
                "a tenant may have "
                    + MOST_MAPPINGS
                    + " mappings: drop one that is not used with DROP MAPPING");
          }
          return after;
        });
  }

  /** Removes a definition. Returns false if there is none of the name. */
  boolean drop(int tenant, String name) {
    return change(
        tenant,
        before -> {
          if (!before.containsKey(name)) {
            return null;
          }
          Map<String, Mapping> after = new TreeMap<>(before);
          Mapping _ = after.remove(name);
          return after;
        });
  }

  private boolean change(
      int tenant, Function<Map<String, Mapping>, @Nullable Map<String, Mapping>> change) {
    String key = Integer.toString(tenant);
    while (true) {
      String text = map.get(key);
      Map<String, Mapping> after = change.apply(decoded(text).mappings());
      if (after == null) {
        return false;
      }
      String next = MappingCodec.encode(after.values());
      if (next.length() > MOST_CHARACTERS) {
        throw new QueryException(
            QueryException.Kind.QUOTA,
            "the mappings of a tenant may have "
                + MOST_CHARACTERS
                + " characters of text: drop one that is not used with DROP MAPPING");
      }
      boolean changed =
          text == null ? map.putIfAbsent(key, next) == null : map.replace(key, text, next);
      if (changed) {
        Read _ = read.remove(tenant);
        return true;
      }
    }
  }

  /** Removes all definitions of a tenant. */
  public void forget(int tenant) {
    map.delete(Integer.toString(tenant));
    Read _ = read.remove(tenant);
  }
}

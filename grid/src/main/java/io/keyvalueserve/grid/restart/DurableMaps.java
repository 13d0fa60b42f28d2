package io.keyvalueserve.grid.restart;

import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.maps.NativeMaps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows how durable each map of a member is, and changes it. The last setting applies before the
 * member reads its log when it starts again. Thread-safe.
 */
public final class DurableMaps {
  private final MapDurability durability;
  private final NativeMaps maps;
  private final DurabilityFile file;

  /** The maps with a durability of their own, as the file has them. */
  private Map<String, Durability> own;

  /** Maps of which only a part may be as it should. */
  private final Set<String> undone = new HashSet<>();

  DurableMaps(Path directory, Durability usual, NativeMaps maps) {
    this.maps = maps;
    durability = new MapDurability(usual);
    file = new DurabilityFile(directory);
    try {
      own = file.read();
    } catch (IOException e) {
      throw new RestartException(
          "which maps are durable cannot be read: "
              + e.getMessage()
              + "; without the file, maps are as --durability says until the cluster tells"
              + " otherwise, and what the log has of others is lost",
          e);
    }
    own.forEach(this::announce);
  }

  /** Says how durable a map is, or all maps of a tenant. Before the log is open. */
  private void announce(String map, @Nullable Durability next) {
    if (MapDurability.isTenant(map)) {
      for (String each : durability.setAll(map, next)) {
        if (!own.containsKey(each)) {
          durability.set(each, null);
        }
      }
    } else {
      durability.set(map, next);
    }
  }

  MapDurability durability() {
    return durability;
  }

  /** Returns the durability of maps that have none of their own. */
  public Durability usual() {
    return durability.usual();
  }

  /**
   * Makes a map as durable as it is to be, with all that it has. Blocks until that is so, and
   * certain on the disk. The file says of a map that it is durable when the log has all of it, and
   * that it is not before the log forgets any: after a crash the log's part of it counts as a whole
   * or not at all.
   *
   * @param map its name in the grid; {@code acme/} for those maps of a tenant that have none of
   *     their own
   * @param next null for the one of maps that have none of their own
   * @throws HazelcastException if that cannot be; the message says why. Then it has to be set
   *     again, to whatever can be
   */
  public synchronized void set(String map, @Nullable Durability next) {
    boolean toBeLogged = (next == null ? usualOf(map) : next) != Durability.NONE;
    if (!toBeLogged) {
      keep(map, next);
    }
    if (MapDurability.isTenant(map)) {
      for (String each : durability.setAll(map, next)) {
        if (!own.containsKey(each)) {
          log(each, null);
        }
      }
    } else {
      log(map, next);
    }
    if (toBeLogged) {
      keep(map, next);
    }
  }

  private Durability usualOf(String map) {
    return MapDurability.isTenant(map) ? usual() : durability.usualOf(map);
  }

  /** Has the log begin or cease to have a map, if that is news. */
  private void log(String map, @Nullable Durability next) {
    boolean logged = durability.of(map).now() != Durability.NONE;
    boolean toBeLogged = (next == null ? usualOf(map) : next) != Durability.NONE;
    if (logged != toBeLogged || undone.contains(map)) {
      boolean _ = undone.add(map);
      maps.setLogged(map, toBeLogged, () -> durability.set(map, next));
      undone.remove(map);
    } else {
      durability.set(map, next);
    }
  }

  /** Sets what is not the usual one of all maps, before the log is open. */
  public synchronized void setAll(Map<String, Durability> all) {
    Set<String> gone = new HashSet<>(own.keySet());
    gone.removeAll(all.keySet());
    if (!own.equals(all)) {
      write(new TreeMap<>(all));
    }
    gone.forEach(map -> announce(map, null));
    all.forEach(this::announce);
  }

  /** All maps but these are as usual. Otherwise as {@link #set}. */
  public synchronized void retain(Set<String> others) {
    for (String map : Set.copyOf(own.keySet())) {
      if (!others.contains(map)) {
        set(map, null);
      }
    }
  }

  private void keep(String map, @Nullable Durability next) {
    if (own.get(map) == next) {
      return;
    }
    Map<String, Durability> all = new TreeMap<>(own);
    if (next == null) {
      all.remove(map);
    } else {
      all.put(map, next);
    }
    write(all);
  }

  private void write(Map<String, Durability> all) {
    try {
      file.write(all);
    } catch (IOException e) {
      throw new HazelcastException("the data directory cannot be written: " + FileTrouble.of(e), e);
    }
    own = all;
  }
}

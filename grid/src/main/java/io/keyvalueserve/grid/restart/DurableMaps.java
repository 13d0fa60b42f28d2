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
    own.forEach(durability::set);
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
   * @param map its name in the grid
   * @param next null for the usual one
   * @throws HazelcastException if that cannot be; the message says why. Then it has to be set
   *     again, to whatever can be
   */
  public synchronized void set(String map, @Nullable Durability next) {
    boolean logged = durability.of(map).now() != Durability.NONE;
    boolean toBeLogged = (next == null ? usual() : next) != Durability.NONE;
    if (!toBeLogged) {
      keep(map, next);
    }
    if (logged != toBeLogged || undone.contains(map)) {
      boolean _ = undone.add(map);
      maps.setLogged(map, toBeLogged, () -> durability.set(map, next));
      undone.remove(map);
    } else {
      durability.set(map, next);
    }
    if (toBeLogged) {
      keep(map, next);
    }
  }

  /** Sets what is not the usual one of all maps, before the log is open. */
  public synchronized void setAll(Map<String, Durability> all) {
    for (String map : Set.copyOf(own.keySet())) {
      if (!all.containsKey(map)) {
        durability.set(map, null);
      }
    }
    all.forEach(durability::set);
    if (!own.equals(all)) {
      write(new TreeMap<>(all));
    }
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

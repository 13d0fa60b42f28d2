package io.keyvalueserve.grid.restart;

import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.grid.hd.NativeMaps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How durable each map of a member is, and its change. What was set last holds before the member
 * reads its log when it starts again. Thread-safe.
 */
public final class DurableMaps {
  private final MapDurability durability;
  private final NativeMaps maps;
  private final DurabilityFile file;
  private final Map<String, Durability> own;

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

  /** Of maps that have none of their own. */
  public Durability usual() {
    return durability.usual();
  }

  /**
   * Makes a map as durable as it is to be, with all that it has. Blocks until that is so, and
   * certain on the disk.
   *
   * @param map its name in the grid
   * @param next null for the usual one
   * @throws HazelcastException if that cannot be; the message says why. Then it has to be set
   *     again, to whatever can be
   */
  public synchronized void set(String map, @Nullable Durability next) {
    keep(map, next);
    boolean logged = durability.of(map).now() != Durability.NONE;
    durability.set(map, next);
    boolean toBeLogged = durability.of(map).now() != Durability.NONE;
    if (logged != toBeLogged || undone.contains(map)) {
      boolean _ = undone.add(map);
      maps.setLogged(map, toBeLogged);
      undone.remove(map);
    }
  }

  /** Sets what is not the usual one of all maps, before the member has anything of them. */
  public synchronized void setAll(Map<String, Durability> all) {
    retain(all.keySet());
    all.forEach(this::set);
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
    Durability before = next == null ? own.remove(map) : own.put(map, next);
    if (before == next) {
      return;
    }
    try {
      file.write(own);
    } catch (IOException e) {
      throw new HazelcastException("the data directory cannot be written: " + e.getMessage(), e);
    }
  }
}

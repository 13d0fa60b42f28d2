package io.keyvalueserve.engine;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * All that one tenant can reach: a key space already scoped, so that there is no way to name what
 * belongs to somebody else.
 *
 * <p>Thread-safe. Nothing here blocks; stages complete on any thread.
 */
public interface TenantSpace {
  /** The map a session uses until it selects another. */
  String DEFAULT_MAP = "default";

  /**
   * One of the tenant's maps. Maps need no creation: one that nobody has written to is empty.
   *
   * @param name the map's name, see {@link MapName}
   */
  KeyMap map(MapName name);

  /** The names of the tenant's maps that exist, sorted. */
  CompletionStage<List<String>> maps();

  /** Empties every map of this tenant, and touches nobody else's. */
  CompletionStage<Void> clear();
}

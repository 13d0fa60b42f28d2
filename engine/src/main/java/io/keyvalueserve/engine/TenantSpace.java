package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Optional;
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
   * Returns one of the tenant's maps. Maps need no creation: a map that nobody has written to is
   * empty.
   *
   * @param name the map's name, see {@link MapName}
   */
  KeyMap map(MapName name);

  /**
   * Returns one of the tenant's maps, as another tenant uses it. Values that are written count as
   * written by that tenant. Its grants are not checked.
   */
  default KeyMap map(MapName name, Identity user) {
    return map(name);
  }

  /**
   * Another tenant's map, as far as this one has been granted it: what is not granted fails with
   * {@link Outcome.Failure.Kind#REFUSED}, now and whenever grants change. Empty if nothing is
   * granted on it now, or there is no such map or tenant: all look the same.
   */
  default Optional<KeyMap> granted(QualifiedName name) {
    return Optional.empty();
  }

  /**
   * Copies an entry, with its value and its expiry, to a key of this or another map.
   *
   * @param source a map of this space, one of another tenant's that is {@link #granted} included
   * @param target likewise
   * @param replace whether an entry under the new key is replaced
   * @throws IllegalArgumentException if one of them is of another engine
   */
  default CompletionStage<MoveOutcome> copy(
      KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
    return source.copy(from, target, to, replace);
  }

  /** The names of the tenant's maps that exist, sorted. */
  CompletionStage<List<String>> maps();

  /** Empties every map of this tenant, and touches nobody else's. */
  CompletionStage<Void> clear();
}

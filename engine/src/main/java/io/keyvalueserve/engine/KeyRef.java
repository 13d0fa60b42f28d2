package io.keyvalueserve.engine;

import java.util.Arrays;
import java.util.Objects;

/**
 * A key of a map.
 *
 * @param map the map, as its session sees it
 * @param key the key; not changed by anyone
 */
public record KeyRef(KeyMap map, byte[] key) {
  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRef ref
        && map.name().equals(ref.map.name())
        && Arrays.equals(key, ref.key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(map.name(), Arrays.hashCode(key));
  }
}

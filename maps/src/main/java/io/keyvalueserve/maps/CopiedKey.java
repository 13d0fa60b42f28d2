package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.Objects;

/**
 * A key of a map, to be told to other members.
 *
 * @param map the map's name in the grid
 * @param bytes must not be changed
 * @param form part of the key
 */
public record CopiedKey(String map, byte[] bytes, int form) {
  @Override
  public boolean equals(Object other) {
    return other instanceof CopiedKey key
        && form == key.form
        && map.equals(key.map)
        && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(map, form) + Arrays.hashCode(bytes);
  }
}

package io.keyvalueserve.grid.door;

import io.keyvalueserve.grid.door.Structure.Placement;
import io.keyvalueserve.tenancy.InvalidNameException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The maps that a session used last, by the bytes of the names its client gave them: found without
 * making a string. Holds only names that {@link ObjectNames} let pass. Of the thread that reads the
 * connection.
 */
final class DirectMaps {
  private static final int MOST = 16;

  private final ObjectNames names;
  private final Function<String, DirectMap> maps;
  private final byte[][] said = new byte[MOST][];
  private final DirectMap[] found = new DirectMap[MOST];
  private int count;
  private int oldest;

  /**
   * @param maps the grid's maps by the grid's names
   */
  DirectMaps(ObjectNames names, Function<String, DirectMap> maps) {
    this.names = names;
    this.maps = maps;
  }

  /** The map of that name; null if the session may not use the name, or nobody could. */
  @Nullable DirectMap find(byte[] bytes, int offset, int length) {
    for (int i = 0; i < count; i++) {
      byte[] name = said[i];
      if (Arrays.equals(name, 0, name.length, bytes, offset, offset + length)) {
        return found[i];
      }
    }
    return resolve(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  private @Nullable DirectMap resolve(byte[] name) {
    String gridName;
    try {
      gridName = names.toGrid(new String(name, StandardCharsets.UTF_8), Placement.BY_KEY);
    } catch (RefusedException | InvalidNameException e) {
      return null;
    }
    DirectMap map = maps.apply(gridName);
    int slot = oldest;
    said[slot] = name;
    found[slot] = map;
    oldest = (slot + 1) % MOST;
    count = Math.max(count, slot + 1);
    return map;
  }
}

package io.keyvalueserve.stores;

import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** At which positions of a list each key is. Keys that the database holds for equal are equal. */
final class KeyPositions {
  private final BoundColumn column;
  private final List<Object> keys;
  private final Map<Object, List<Integer>> positions = new LinkedHashMap<>();

  KeyPositions(BoundColumn column, List<Object> keys) {
    this.column = column;
    this.keys = keys;
    for (int i = 0; i < keys.size(); i++) {
      positions.computeIfAbsent(identity(column, keys.get(i)), _ -> new ArrayList<>()).add(i);
    }
  }

  /** The keys without such as are there already. */
  List<Object> distinct() {
    return positions.values().stream().map(all -> keys.get(all.getFirst())).toList();
  }

  List<Integer> of(Object key) {
    return positions.getOrDefault(identity(column, key), List.of());
  }

  /** A form of a key that is equal where the database holds keys for equal. */
  private static Object identity(BoundColumn column, Object key) {
    return switch (key) {
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case BigDecimal number -> number.stripTrailingZeros();
      case Double number when number == 0 -> 0.0;
      case Float number when number == 0 -> 0.0f;
      case String text when column.jdbcType() == Types.CHAR -> text.stripTrailing();
      default -> key;
    };
  }
}

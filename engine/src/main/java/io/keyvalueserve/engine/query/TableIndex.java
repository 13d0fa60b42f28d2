package io.keyvalueserve.engine.query;

import java.util.List;

/**
 * An index of a map.
 *
 * @param isSorted whether it finds ranges too, not only equal values
 * @param attributes paths of fields, as {@link Field} has them for the value, or {@code __key} and
 *     {@code __key.path}
 */
public record TableIndex(String name, boolean isSorted, List<String> attributes) {
  public TableIndex {
    attributes = List.copyOf(attributes);
  }
}

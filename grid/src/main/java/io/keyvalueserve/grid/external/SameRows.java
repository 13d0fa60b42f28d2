package io.keyvalueserve.grid.external;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.stores.StoreColumn;
import io.keyvalueserve.stores.StoreValueException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether two values of an entry are one row: databases write numbers and documents in their
 * own way, and clients write strings, byte arrays and JSON.
 */
final class SameRows {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private SameRows() {}

  static boolean are(TableSource.@Nullable Opened table, Data key, Data one, Data other) {
    if (one.equals(other)) {
      return true;
    }
    if (table == null) {
      return false;
    }
    try {
      return are(
          table.table().columns(),
          Objects.requireNonNull(table.rows().change(key, one).values()),
          Objects.requireNonNull(table.rows().change(key, other).values()));
    } catch (StoreValueException | TableRows.UnfitException e) {
      return false;
    }
  }

  private static boolean are(
      List<StoreColumn> columns, @Nullable Object[] one, @Nullable Object[] other) {
    for (int i = 0; i < one.length; i++) {
      if (!isSame(columns.get(i + 1), one[i], other[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(StoreColumn column, @Nullable Object one, @Nullable Object other) {
    if (one instanceof BigDecimal number && other instanceof BigDecimal second) {
      return number.compareTo(second) == 0;
    }
    if (one instanceof String text && other instanceof String second) {
      return switch (column.type()) {
        case JSON -> text.equals(second) || isSameDocument(text, second);
        default -> text.equals(second);
      };
    }
    return Objects.deepEquals(one, other);
  }

  private static boolean isSameDocument(String one, String other) {
    try {
      return JSON.readTree(one).equals(SameRows::compare, JSON.readTree(other));
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private static int compare(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue());
    }
    return one.equals(other) ? 0 : 1;
  }
}

package io.keyvalueserve.grid.external;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import io.keyvalueserve.grid.settings.StoreFormat;
import io.keyvalueserve.stores.Change;
import io.keyvalueserve.stores.ColumnType;
import io.keyvalueserve.stores.JsonRows;
import io.keyvalueserve.stores.Row;
import io.keyvalueserve.stores.ScalarValues;
import io.keyvalueserve.stores.StoreColumn;
import io.keyvalueserve.stores.StoreValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts entries of a map to rows of a table, and back. No class of a tenant is loaded: other
 * keys and values than strings, byte arrays, numbers, booleans, UUIDs and JSON are refused.
 * Thread-safe.
 */
final class TableRows {
  private final List<StoreColumn> columns;
  private final StoreFormat format;
  private final SerializationService serialization;

  /**
   * @param columns the key's first
   */
  TableRows(List<StoreColumn> columns, StoreFormat format, SerializationService serialization) {
    this.columns = List.copyOf(columns);
    this.format = format;
    this.serialization = serialization;
  }

  private List<StoreColumn> valueColumns() {
    return columns.subList(1, columns.size());
  }

  /** Returns the object that a serialized key or value stands for; null if no column takes it. */
  @Nullable Object plain(Data data) {
    return isPlain(data) ? plainOf(serialization.toObject(data)) : null;
  }

  /** Returns whether a serialized key or value is of a type that some column may take. */
  static boolean isPlain(Data data) {
    return switch (data.getType()) {
      case SerializationConstants.CONSTANT_TYPE_STRING,
          SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY,
          SerializationConstants.CONSTANT_TYPE_BYTE,
          SerializationConstants.CONSTANT_TYPE_SHORT,
          SerializationConstants.CONSTANT_TYPE_INTEGER,
          SerializationConstants.CONSTANT_TYPE_LONG,
          SerializationConstants.CONSTANT_TYPE_FLOAT,
          SerializationConstants.CONSTANT_TYPE_DOUBLE,
          SerializationConstants.CONSTANT_TYPE_BOOLEAN,
          SerializationConstants.CONSTANT_TYPE_UUID,
          SerializationConstants.JAVA_DEFAULT_TYPE_BIG_INTEGER,
          SerializationConstants.JAVA_DEFAULT_TYPE_BIG_DECIMAL,
          SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE ->
          true;
      default -> false;
    };
  }

  private static @Nullable Object plainOf(@Nullable Object value) {
    return switch (value) {
      case HazelcastJsonValue json -> json.getValue();
      case Byte number -> (short) number;
      case BigInteger number -> new BigDecimal(number);
      case null, default -> value;
    };
  }

  /**
   * Returns the object of a key as its column holds it.
   *
   * @throws StoreValueException if the column cannot hold it
   */
  Object key(Data key) {
    Object plain = plain(key);
    if (plain == null) {
      throw new UnfitException("a key of this type cannot be kept in a table; use a string");
    }
    return columns.getFirst().coerce(plain);
  }

  /**
   * Returns the change of the table that a write of an entry is.
   *
   * @param value serialized; null for a removal
   * @throws StoreValueException if a column cannot hold its value
   * @throws UnfitException if the entry is nothing that a row can be
   */
  Change change(Data key, @Nullable Data value) {
    Object id = key(key);
    return value == null ? Change.delete(id) : Change.put(id, values(value));
  }

  private @Nullable Object[] values(Data value) {
    Object plain = plain(value);
    if (plain == null) {
      throw new UnfitException(
          "a value of this type cannot be kept in a table; use a string"
              + (format == StoreFormat.JSON ? " with a JSON object" : ""));
    }
    if (format == StoreFormat.VALUE) {
      return new @Nullable Object[] {valueColumns().getFirst().coerce(plain)};
    }
    return switch (plain) {
      case String text -> JsonRows.fromJson(valueColumns(), text.getBytes(StandardCharsets.UTF_8));
      case byte[] bytes -> JsonRows.fromJson(valueColumns(), bytes);
      default -> throw new UnfitException("a value is to be a JSON object");
    };
  }

  /** Returns the serialized value of a row; null if its only column is NULL. */
  @Nullable Data value(Row row) {
    if (format == StoreFormat.JSON) {
      String json = new String(JsonRows.toJson(columns, row), StandardCharsets.UTF_8);
      return serialization.toData(new HazelcastJsonValue(json));
    }
    Object value = row.values()[0];
    return value == null
        ? null
        : serialization.toData(stored(valueColumns().getFirst().type(), value));
  }

  /** Returns the serialized key of a row, as clients that use strings or numbers name it. */
  Data keyOf(Row row) {
    return serialization.toData(stored(columns.getFirst().type(), row.key()));
  }

  /** Dates and times are text, so that clients of all doors can read them. */
  private static Object stored(ColumnType type, Object value) {
    return switch (value) {
      case String text when type == ColumnType.JSON -> new HazelcastJsonValue(text);
      case String text -> text;
      case byte[] bytes -> bytes;
      case Short number -> number;
      case Integer number -> number;
      case Long number -> number;
      case Float number -> number;
      case Double number -> number;
      case BigDecimal number -> number;
      case Boolean truth -> truth;
      case UUID id -> id;
      default -> new String(ScalarValues.toBytes(type, value), StandardCharsets.UTF_8);
    };
  }

  /** Thrown when an entry is nothing that a row can be. The message is for the client. */
  static final class UnfitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnfitException(String message) {
      super(message, null, false, false);
    }
  }
}

package io.keyvalueserve.maps.query;

import com.hazelcast.internal.json.JsonValue;
import com.hazelcast.internal.json.NonTerminalJsonValue;
import com.hazelcast.internal.json.ParseException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.LenientReading;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.getters.AbstractJsonGetter;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a field of rows as an object, as Hazelcast's predicates see it, and converts it to the
 * field's type. Thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // there is one value that is not terminal
final class FieldReader {
  /** The beginning of a path that reads any text as JSON. */
  static final String JSON = "$.";

  /** The offset of the text in what is serialized: behind its length. */
  private static final int TEXT = HeapData.DATA_OFFSET + Integer.BYTES;

  private final Field field;
  private final String attribute;
  private final @Nullable JsonPath json;
  private final @Nullable FastField fast;

  /** Reads by objects alone. */
  FieldReader(Field field) {
    this(field, null);
  }

  /**
   * @param fast finds the field in the bytes, where it can
   */
  FieldReader(Field field, @Nullable FastField fast) {
    this.field = field;
    this.fast = fast;
    this.attribute = attribute(field);
    this.json =
        field.path().startsWith(JSON) ? JsonPath.of(field.path().substring(JSON.length())) : null;
  }

  /** Returns the name that Hazelcast has for a field. */
  static String attribute(Field field) {
    return field.toString();
  }

  Field field() {
    return field;
  }

  /**
   * Returns the value of the field's type; null if there is none.
   *
   * @throws QueryException if it cannot be converted
   */
  @Nullable Object read(RowView row) {
    if (fast != null) {
      FastTest.Scratch scratch = row.scratch();
      if (fast.show(row.record(), scratch.row, scratch.object, scratch.json) != Scalar.UNSURE) {
        return Conversions.to(field, scratch.object.value());
      }
    }
    return Conversions.to(field, field.isWhole() ? whole(row) : raw(row));
  }

  private @Nullable Object whole(RowView row) {
    QueryableEntry<?, ?> entry = row.entry();
    LenientReading lenient = row.lenient();
    boolean before = lenient.begin();
    try {
      return field.ofKey() ? entry.getKey() : entry.getValue();
    } finally {
      lenient.end(before);
    }
  }

  /**
   * Returns the value as Hazelcast's predicates see it, or a {@code MultiResult} of values. Scalars
   * of JSON are Java objects, others {@link NonTerminalJsonValue}.
   *
   * @throws QueryException if values have no such field
   */
  @Nullable Object raw(RowView row) {
    if (json != null) {
      return json(row, json);
    }
    Object found;
    try {
      found = row.entry().getAttributeValue(attribute);
    } catch (ParseException e) {
      return null;
    } catch (com.hazelcast.query.QueryException e) {
      if (field.type() != FieldType.OBJECT) {
        return null; // a column that this value does not have
      }
      throw new QueryException(
          QueryException.Kind.BAD_NAME, "a value has no such field: field=" + field, e);
    }
    return found instanceof JsonValue value && value != NonTerminalJsonValue.INSTANCE
        ? scalar(value)
        : found;
  }

  private static @Nullable Object scalar(JsonValue value) {
    return value.isArray() || value.isObject()
        ? NonTerminalJsonValue.INSTANCE
        : AbstractJsonGetter.convertFromJsonValue(value);
  }

  private @Nullable Object json(RowView row, JsonPath path) {
    Data data = field.ofKey() ? row.key() : row.value();
    if (data == null) {
      return null;
    }
    byte[] bytes = data.toByteArray();
    boolean isText =
        switch (data.getType()) {
          case SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE,
              SerializationConstants.CONSTANT_TYPE_STRING,
              SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY ->
              bytes.length > TEXT;
          default -> false;
        };
    return isText
        ? path.find(
            new JsonReader().over(bytes, TEXT, bytes.length),
            field.type() == FieldType.DECIMAL ? JsonPath.Manner.DECIMAL : JsonPath.Manner.PLAIN)
        : null;
  }
}

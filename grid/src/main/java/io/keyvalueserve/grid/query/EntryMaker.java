package io.keyvalueserve.grid.query;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.json.Json;
import com.hazelcast.internal.json.JsonObject;
import com.hazelcast.internal.json.JsonValue;
import com.hazelcast.internal.json.ParseException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.serialization.ClassDefinition;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.grid.query.EntryFormat.Kind;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes keys and values of the columns of rows, in the formats of a table. Thread-safe. */
@SuppressWarnings("removal") // Portable, which Hazelcast will give up
final class EntryMaker {
  private final TableShape shape;
  private final InternalSerializationService serialization;

  EntryMaker(TableShape shape, InternalSerializationService serialization) {
    this.shape = shape;
    this.serialization = serialization;
  }

  /**
   * Makes the key of a new row.
   *
   * @param columns indexes of the columns that the row has values for
   */
  Data key(List<Integer> columns, @Nullable Object[] row) {
    Data key = make(true, shape.key(), null, columns, row);
    if (key == null) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "a row needs its key: give a value to the column of __key, or to the key's fields");
    }
    return key;
  }

  /** Makes the value of a new row. */
  Data value(List<Integer> columns, @Nullable Object[] row) {
    Data value = make(false, shape.value(), null, columns, row);
    if (value == null) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "a row needs a value that is not null: a map has no null values");
    }
    return value;
  }

  /** Makes the value of a row some of whose columns change. */
  Data changed(Data before, List<Integer> columns, @Nullable Object[] row) {
    Data value = make(false, shape.value(), before, columns, row);
    if (value == null) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE, "the value of an entry cannot be null: use DELETE");
    }
    return value;
  }

  /** Serializes a key as a scan returned it. */
  Data keyOf(Object key) {
    return serialization.toData(stored(shape.key(), key));
  }

  private @Nullable Data make(
      boolean ofKey,
      EntryFormat format,
      @Nullable Data before,
      List<Integer> columns,
      @Nullable Object[] row) {
    Object whole = null;
    boolean hasWhole = false;
    boolean hasField = false;
    for (int i = 0; i < row.length; i++) {
      Column column = column(columns, i);
      if (column.field().ofKey() == ofKey) {
        if (column.field().isWhole()) {
          hasWhole = true;
          whole = row[i];
        } else {
          hasField = true;
        }
      }
    }
    if (hasWhole && hasField) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "a row has values for "
              + (ofKey ? "__key" : "this")
              + " and for its fields: give one of the two");
    }
    if (hasWhole) {
      return whole == null ? null : serialization.toData(stored(format, whole));
    }
    if (!format.kind().hasFields() || (!hasField && ofKey)) {
      return null;
    }
    return switch (format.kind()) {
      case JSON_FLAT, JSON_TEXT -> json(ofKey, format, before, columns, row);
      case COMPACT, PORTABLE -> record(ofKey, format, before, columns, row);
      default ->
          throw new QueryException(
              QueryException.Kind.UNSUPPORTED,
              "values of the format '" + format.kind().text() + "' can be read only");
    };
  }

  private Column column(List<Integer> columns, int i) {
    return shape.columns().get(columns.get(i));
  }

  /** Returns a value of a column as the format stores it. */
  private static Object stored(EntryFormat format, Object value) {
    return switch (value) {
      case String text when format.kind() == Kind.TEXT -> text.getBytes(StandardCharsets.UTF_8);
      case JsonText json when format.kind() == Kind.JSON_TEXT ->
          json.text().getBytes(StandardCharsets.UTF_8);
      case JsonText json -> new HazelcastJsonValue(json.text());
      default -> value;
    };
  }

  // ---- JSON

  private Data json(
      boolean ofKey,
      EntryFormat format,
      @Nullable Data before,
      List<Integer> columns,
      @Nullable Object[] row) {
    JsonObject object = before == null ? Json.object() : parsed(before);
    for (int i = 0; i < row.length; i++) {
      Column column = column(columns, i);
      if (column.field().ofKey() == ofKey) {
        set(object, name(column), row[i]);
      }
    }
    String text = object.toString();
    return serialization.toData(
        format.kind() == Kind.JSON_TEXT
            ? text.getBytes(StandardCharsets.UTF_8)
            : new HazelcastJsonValue(text));
  }

  /** Returns the name of a column's field. */
  private static String name(Column column) {
    String path = column.field().path();
    return path.startsWith(TableShape.JSON_PATH)
        ? path.substring(TableShape.JSON_PATH.length())
        : path;
  }

  private JsonObject parsed(Data before) {
    Object stored = serialization.toObject(before);
    String text =
        switch (stored) {
          case HazelcastJsonValue json -> json.getValue();
          case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
          case String it -> it;
          case null, default -> "";
        };
    try {
      return Json.parse(text).asObject();
    } catch (ParseException | UnsupportedOperationException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "the value of an entry is no JSON object, so its fields cannot be set",
          e);
    }
  }

  /** Sets a field of an object, in objects within it if the name has dots. */
  private static void set(JsonObject root, String name, @Nullable Object value) {
    JsonObject object = root;
    String[] steps = name.split("\\.", -1);
    for (int i = 0; i < steps.length - 1; i++) {
      JsonValue next = object.get(steps[i]);
      if (next == null || next.isNull()) {
        next = Json.object();
        JsonObject _ = object.set(steps[i], next);
      }
      if (!next.isObject()) {
        throw new QueryException(
            QueryException.Kind.BAD_VALUE,
            "the field '" + name + "' cannot be set: '" + steps[i] + "' is no JSON object");
      }
      object = next.asObject();
    }
    JsonObject _ = object.set(steps[steps.length - 1], jsonOf(value));
  }

  private static JsonValue jsonOf(@Nullable Object value) {
    return switch (value) {
      case null -> Json.NULL;
      case Boolean it -> Json.value(it);
      case Byte it -> Json.value(it.intValue());
      case Short it -> Json.value(it.intValue());
      case Integer it -> Json.value(it);
      case Long it -> Json.value(it);
      case Float it when Float.isFinite(it) -> Json.value(it);
      case Double it when Double.isFinite(it) -> Json.value(it);
      case BigDecimal it -> Json.parse(Decimals.text(it));
      case BigInteger it -> Json.parse(it.toString());
      case JsonText it -> jsonOf(it);
      case byte[] it -> Json.value(java.util.Base64.getEncoder().encodeToString(it));
      default -> Json.value(value.toString());
    };
  }

  private static JsonValue jsonOf(JsonText text) {
    try {
      return Json.parse(text.text());
    } catch (ParseException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE, "a value of type JSON is no JSON document", e);
    }
  }

  // ---- Compact and Portable

  private Data record(
      boolean ofKey,
      EntryFormat format,
      @Nullable Data before,
      List<Integer> columns,
      @Nullable Object[] row) {
    RecordFields fields;
    GenericRecordBuilder builder;
    if (before != null) {
      GenericRecord record = recordOf(before);
      builder = record.newBuilderWithClone();
      fields = RecordFields.of(record);
    } else if (format.kind() == Kind.COMPACT) {
      builder = GenericRecordBuilder.compact(format.typeName());
      fields = RecordFields.NEW;
    } else {
      ClassDefinition definition = definition(format);
      builder = GenericRecordBuilder.portable(definition);
      fields = RecordFields.of(definition);
    }
    for (int i = 0; i < row.length; i++) {
      Column column = column(columns, i);
      if (column.field().ofKey() == ofKey) {
        fields.set(builder, column.field().path(), column.type(), row[i]);
      }
    }
    if (before == null) {
      fillUp(ofKey, fields, builder, columns);
    }
    try {
      return serialization.toData(builder.build());
    } catch (com.hazelcast.nio.serialization.HazelcastSerializationException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "a record cannot be made of the row: " + e.getMessage(),
          e);
    }
  }

  /**
   * Sets the columns that a new row has no values for to null, so that all rows have one schema.
   */
  private void fillUp(
      boolean ofKey, RecordFields fields, GenericRecordBuilder builder, List<Integer> columns) {
    for (int i = 0; i < shape.columns().size(); i++) {
      Column column = shape.columns().get(i);
      if (column.field().ofKey() == ofKey
          && !column.field().isWhole()
          && column.type() != FieldType.OBJECT
          && !columns.contains(i)) {
        fields.set(builder, column.field().path(), column.type(), null);
      }
    }
  }

  private GenericRecord recordOf(Data data) {
    try {
      if (data.isPortable() || data.isCompact()) {
        return serialization.readAsInternalGenericRecord(data);
      }
    } catch (IOException | com.hazelcast.nio.serialization.HazelcastSerializationException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE, "the value of an entry cannot be read", e);
    }
    throw new QueryException(
        QueryException.Kind.BAD_VALUE,
        "the value of an entry has another format than the mapping says");
  }

  private ClassDefinition definition(EntryFormat format) {
    ClassDefinition definition =
        serialization
            .getPortableContext()
            .lookupClassDefinition(format.factoryId(), format.classId(), format.version());
    if (definition == null) {
      throw new QueryException(
          QueryException.Kind.UNSUPPORTED,
          "no entry of the Portable class has been read yet, so its fields are not known: factory="
              + format.factoryId()
              + " class="
              + format.classId());
    }
    return definition;
  }
}

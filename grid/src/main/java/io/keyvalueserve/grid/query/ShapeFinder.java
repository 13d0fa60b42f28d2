package io.keyvalueserve.grid.query;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BOOLEAN;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_DOUBLE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_FLOAT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_INTEGER;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_LONG;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_PORTABLE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_SHORT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_STRING;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_BIG_DECIMAL;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_LOCALDATE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_LOCALDATETIME;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_LOCALTIME;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_OFFSETDATETIME;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.TYPE_COMPACT;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.json.Json;
import com.hazelcast.internal.json.JsonObject;
import com.hazelcast.internal.json.JsonValue;
import com.hazelcast.internal.json.ParseException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.compact.CompactGenericRecord;
import com.hazelcast.internal.serialization.impl.portable.PortableGenericRecord;
import com.hazelcast.nio.serialization.ClassDefinition;
import com.hazelcast.nio.serialization.FieldKind;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.grid.query.EntryFormat.Kind;
import io.keyvalueserve.maps.CollectionData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shape of a map's entries by looking at some of them. The first entry decides the
 * formats; the columns are the fields of all that have the same.
 */
@SuppressWarnings("removal") // Portable, which Hazelcast will give up
final class ShapeFinder {
  private static final int MOST_COLUMNS = 500;

  /** Objects of which nothing is known. */
  private static final EntryFormat OPAQUE =
      new EntryFormat(Kind.JAVA, FieldType.OBJECT, "java.lang.Object", 0, 0, 0);

  private final InternalSerializationService serialization;
  private final EntryFormat[] formats = new EntryFormat[2];
  private final List<Map<String, FieldType>> fields =
      List.of(new LinkedHashMap<>(), new LinkedHashMap<>());

  ShapeFinder(InternalSerializationService serialization) {
    this.serialization = serialization;
  }

  /** Returns the shape of a map without entries. */
  static TableShape empty() {
    EntryFormat text = EntryFormat.scalar(FieldType.VARCHAR);
    EntryFormat bytes = new EntryFormat(Kind.TEXT, FieldType.OBJECT, "", 0, 0, 0);
    return new TableShape(
        text,
        bytes,
        List.of(TableShape.whole(true, text, false), TableShape.whole(false, bytes, false)));
  }

  /** Looks at an entry. */
  void add(Data key, @Nullable Data value) {
    look(0, key);
    if (value != null) {
      look(1, value);
    }
  }

  /** Returns the shape of what was seen. */
  TableShape shape() {
    if (formats[0] == null) {
      return empty();
    }
    EntryFormat value = formats[1] == null ? OPAQUE : formats[1];
    List<Column> columns = new ArrayList<>();
    addColumns(columns, true, formats[0], fields.get(0), Set.of());
    addColumns(columns, false, value, fields.get(1), fields.get(0).keySet());
    return new TableShape(formats[0], value, List.copyOf(columns));
  }

  private static void addColumns(
      List<Column> columns,
      boolean ofKey,
      EntryFormat format,
      Map<String, FieldType> fields,
      Set<String> taken) {
    columns.add(TableShape.whole(ofKey, format, !fields.isEmpty()));
    fields.forEach(
        (name, type) -> {
          if (!taken.contains(name)) {
            columns.add(
                new Column(name, new Field(ofKey, TableShape.pathIn(format, name), type), false));
          }
        });
  }

  private void look(int part, Data data) {
    Map<String, FieldType> found = new LinkedHashMap<>();
    EntryFormat format = format(part == 0, data, found);
    if (formats[part] == null) {
      formats[part] = format;
    } else if (!formats[part].equals(format)) {
      return;
    }
    Map<String, FieldType> known = fields.get(part);
    found.forEach(
        (name, type) -> {
          if (known.size() < MOST_COLUMNS || known.containsKey(name)) {
            FieldType _ = known.merge(name, type, ShapeFinder::common);
          }
        });
  }

  /** Returns a type that has the values of both. */
  private static FieldType common(FieldType left, FieldType right) {
    if (left == right || right == FieldType.OBJECT) {
      return left;
    }
    if (left == FieldType.OBJECT) {
      return right;
    }
    return left.isNumber() && right.isNumber() ? FieldType.DOUBLE : FieldType.VARCHAR;
  }

  private EntryFormat format(boolean isKey, Data data, Map<String, FieldType> found) {
    CollectionType collection = CollectionData.typeOf(data.getType());
    if (collection != null) {
      return new EntryFormat(
          collection == CollectionType.HASH ? Kind.HASH : Kind.JAVA,
          FieldType.OBJECT,
          collection == CollectionType.HASH ? "" : collection.name(),
          0,
          0,
          0);
    }
    return switch (data.getType()) {
      case CONSTANT_TYPE_STRING -> EntryFormat.scalar(FieldType.VARCHAR);
      case CONSTANT_TYPE_BOOLEAN -> EntryFormat.scalar(FieldType.BOOLEAN);
      case CONSTANT_TYPE_BYTE -> EntryFormat.scalar(FieldType.TINYINT);
      case CONSTANT_TYPE_SHORT -> EntryFormat.scalar(FieldType.SMALLINT);
      case CONSTANT_TYPE_INTEGER -> EntryFormat.scalar(FieldType.INTEGER);
      case CONSTANT_TYPE_LONG -> EntryFormat.scalar(FieldType.BIGINT);
      case CONSTANT_TYPE_FLOAT -> EntryFormat.scalar(FieldType.REAL);
      case CONSTANT_TYPE_DOUBLE -> EntryFormat.scalar(FieldType.DOUBLE);
      case JAVA_DEFAULT_TYPE_BIG_DECIMAL -> EntryFormat.scalar(FieldType.DECIMAL);
      case CONSTANT_TYPE_BYTE_ARRAY -> bytes(isKey, data, found);
      case JAVASCRIPT_JSON_SERIALIZATION_TYPE -> {
        HazelcastJsonValue json = serialization.toObject(data);
        yield addJson(json == null ? "" : json.getValue(), found)
            ? plain(Kind.JSON_FLAT)
            : plain(Kind.JSON);
      }
      case JAVA_DEFAULT_TYPE_LOCALDATE -> EntryFormat.scalar(FieldType.DATE);
      case JAVA_DEFAULT_TYPE_LOCALTIME -> EntryFormat.scalar(FieldType.TIME);
      case JAVA_DEFAULT_TYPE_LOCALDATETIME -> EntryFormat.scalar(FieldType.TIMESTAMP);
      case JAVA_DEFAULT_TYPE_OFFSETDATETIME ->
          EntryFormat.scalar(FieldType.TIMESTAMP_WITH_TIME_ZONE);
      case TYPE_COMPACT, CONSTANT_TYPE_PORTABLE -> record(data, found);
      default -> OPAQUE;
    };
  }

  private static EntryFormat plain(Kind kind) {
    return new EntryFormat(kind, FieldType.OBJECT, "", 0, 0, 0);
  }

  private EntryFormat bytes(boolean isKey, Data data, Map<String, FieldType> found) {
    byte[] bytes = serialization.toObject(data);
    String text = bytes == null || isKey ? null : text(bytes);
    if (text == null) {
      return EntryFormat.scalar(FieldType.VARBINARY);
    }
    return plain(addJson(text, found) ? Kind.JSON_TEXT : Kind.TEXT);
  }

  private static @Nullable String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Adds the fields of a JSON object. Returns false if the text is none. */
  private static boolean addJson(String text, Map<String, FieldType> found) {
    int first = 0;
    while (first < text.length() && Character.isWhitespace(text.charAt(first))) {
      first++;
    }
    if (first == text.length() || text.charAt(first) != '{') {
      return false;
    }
    JsonObject object;
    try {
      object = Json.parse(text).asObject();
    } catch (ParseException | UnsupportedOperationException e) {
      return false;
    }
    object.forEach(
        member -> {
          FieldType _ = found.put(member.getName(), type(member.getValue()));
        });
    return true;
  }

  private static FieldType type(JsonValue value) {
    if (value.isNull()) {
      return FieldType.OBJECT;
    }
    if (value.isBoolean()) {
      return FieldType.BOOLEAN;
    }
    if (value.isNumber()) {
      return value.toString().matches("-?\\d{1,18}") ? FieldType.BIGINT : FieldType.DOUBLE;
    }
    return value.isString() ? FieldType.VARCHAR : FieldType.JSON;
  }

  private EntryFormat record(Data data, Map<String, FieldType> found) {
    GenericRecord record;
    try {
      record = serialization.readAsInternalGenericRecord(data);
    } catch (IOException | HazelcastSerializationException e) {
      return OPAQUE;
    }
    EntryFormat format =
        switch (record) {
          case CompactGenericRecord compact ->
              new EntryFormat(
                  Kind.COMPACT, FieldType.OBJECT, compact.getSchema().getTypeName(), 0, 0, 0);
          case PortableGenericRecord portable -> {
            ClassDefinition definition = portable.getClassDefinition();
            yield new EntryFormat(
                Kind.PORTABLE,
                FieldType.OBJECT,
                "",
                definition.getFactoryId(),
                definition.getClassId(),
                definition.getVersion());
          }
          default -> OPAQUE;
        };
    if (!format.equals(OPAQUE)) {
      for (String name : record.getFieldNames()) {
        FieldType type = type(record.getFieldKind(name));
        if (type != null) {
          FieldType _ = found.put(name, type);
        }
      }
    }
    return format;
  }

  private static @Nullable FieldType type(FieldKind kind) {
    return switch (kind) {
      case BOOLEAN, NULLABLE_BOOLEAN -> FieldType.BOOLEAN;
      case INT8, NULLABLE_INT8 -> FieldType.TINYINT;
      case INT16, NULLABLE_INT16 -> FieldType.SMALLINT;
      case INT32, NULLABLE_INT32 -> FieldType.INTEGER;
      case INT64, NULLABLE_INT64 -> FieldType.BIGINT;
      case FLOAT32, NULLABLE_FLOAT32 -> FieldType.REAL;
      case FLOAT64, NULLABLE_FLOAT64 -> FieldType.DOUBLE;
      case DECIMAL -> FieldType.DECIMAL;
      case STRING -> FieldType.VARCHAR;
      case DATE -> FieldType.DATE;
      case TIME -> FieldType.TIME;
      case TIMESTAMP -> FieldType.TIMESTAMP;
      case TIMESTAMP_WITH_TIMEZONE -> FieldType.TIMESTAMP_WITH_TIME_ZONE;
      case ARRAY_OF_INT8 -> FieldType.VARBINARY;
      case COMPACT -> FieldType.OBJECT;
      default -> null;
    };
  }
}

package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.impl.portable.PortableGenericRecord;
import com.hazelcast.nio.serialization.ClassDefinition;
import com.hazelcast.nio.serialization.FieldKind;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sets fields of Compact and Portable records, of the kinds that records have already. A field of a
 * new Compact record may be null whatever its type.
 */
@SuppressWarnings("removal") // Portable, which Hazelcast will give up
final class RecordFields {
  /** The fields of a new Compact record. */
  static final RecordFields NEW = new RecordFields(name -> null);

  private final Function<String, @Nullable FieldKind> kinds;

  private RecordFields(Function<String, @Nullable FieldKind> kinds) {
    this.kinds = kinds;
  }

  /** Returns the fields of a record. */
  static RecordFields of(GenericRecord record) {
    if (record instanceof PortableGenericRecord portable) {
      return of(portable.getClassDefinition());
    }
    return new RecordFields(record::getFieldKind);
  }

  /** Returns the fields of a Portable class. */
  static RecordFields of(ClassDefinition definition) {
    return new RecordFields(
        name ->
            definition.hasField(name)
                ? FieldKind.get(definition.getFieldType(name).getId())
                : FieldKind.NOT_AVAILABLE);
  }

  /**
   * Sets a field.
   *
   * @param type of the value, for a field of a new record
   */
  void set(GenericRecordBuilder to, String name, FieldType type, @Nullable Object value) {
    FieldKind known = kinds.apply(name);
    FieldKind kind = known == null ? kindOf(name, type) : known;
    if (kind == FieldKind.NOT_AVAILABLE) {
      throw new QueryException(
          QueryException.Kind.BAD_NAME,
          "the record of an entry has no field '"
              + name
              + "': a record cannot get new fields; INSERT or SINK INTO writes a new record");
    }
    try {
      set(to, name, kind, value);
    } catch (ClassCastException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "the field '"
              + name
              + "' of the entry's record has another type than the mapping's column, "
              + type,
          e);
    }
  }

  private static void set(
      GenericRecordBuilder to, String name, FieldKind kind, @Nullable Object value) {
    GenericRecordBuilder _ =
        switch (kind) {
          case NULLABLE_BOOLEAN -> to.setNullableBoolean(name, (Boolean) value);
          case NULLABLE_INT8 -> to.setNullableInt8(name, (Byte) value);
          case NULLABLE_INT16 -> to.setNullableInt16(name, (Short) value);
          case NULLABLE_INT32 -> to.setNullableInt32(name, (Integer) value);
          case NULLABLE_INT64 -> to.setNullableInt64(name, (Long) value);
          case NULLABLE_FLOAT32 -> to.setNullableFloat32(name, (Float) value);
          case NULLABLE_FLOAT64 -> to.setNullableFloat64(name, (Double) value);
          case DECIMAL -> to.setDecimal(name, (BigDecimal) value);
          case STRING -> to.setString(name, (String) value);
          case DATE -> to.setDate(name, (LocalDate) value);
          case TIME -> to.setTime(name, (LocalTime) value);
          case TIMESTAMP -> to.setTimestamp(name, (LocalDateTime) value);
          case TIMESTAMP_WITH_TIMEZONE -> to.setTimestampWithTimezone(name, (OffsetDateTime) value);
          case ARRAY_OF_INT8 -> to.setArrayOfInt8(name, (byte[]) value);
          default -> setPrimitive(to, name, kind, value);
        };
  }

  private static GenericRecordBuilder setPrimitive(
      GenericRecordBuilder to, String name, FieldKind kind, @Nullable Object value) {
    if (value == null) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "the field '" + name + "' of the entry's record cannot be null");
    }
    return switch (kind) {
      case BOOLEAN -> to.setBoolean(name, (Boolean) value);
      case INT8 -> to.setInt8(name, (Byte) value);
      case INT16 -> to.setInt16(name, (Short) value);
      case INT32 -> to.setInt32(name, (Integer) value);
      case INT64 -> to.setInt64(name, (Long) value);
      case FLOAT32 -> to.setFloat32(name, (Float) value);
      case FLOAT64 -> to.setFloat64(name, (Double) value);
      default -> throw unsupported(name);
    };
  }

  private static FieldKind kindOf(String name, FieldType type) {
    return switch (type) {
      case BOOLEAN -> FieldKind.NULLABLE_BOOLEAN;
      case TINYINT -> FieldKind.NULLABLE_INT8;
      case SMALLINT -> FieldKind.NULLABLE_INT16;
      case INTEGER -> FieldKind.NULLABLE_INT32;
      case BIGINT -> FieldKind.NULLABLE_INT64;
      case REAL -> FieldKind.NULLABLE_FLOAT32;
      case DOUBLE -> FieldKind.NULLABLE_FLOAT64;
      case DECIMAL -> FieldKind.DECIMAL;
      case VARCHAR -> FieldKind.STRING;
      case VARBINARY -> FieldKind.ARRAY_OF_INT8;
      case DATE -> FieldKind.DATE;
      case TIME -> FieldKind.TIME;
      case TIMESTAMP -> FieldKind.TIMESTAMP;
      case TIMESTAMP_WITH_TIME_ZONE -> FieldKind.TIMESTAMP_WITH_TIMEZONE;
      case JSON, OBJECT -> throw unsupported(name);
    };
  }

  private static QueryException unsupported(String name) {
    return new QueryException(
        QueryException.Kind.UNSUPPORTED,
        "the field '" + name + "' has a type that SQL cannot write: arrays, records, characters");
  }
}

package com.hazelcast.internal.serialization.impl;

import com.hazelcast.internal.nio.Bits;
import com.hazelcast.internal.serialization.impl.compact.FieldDescriptor;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.internal.serialization.impl.portable.PortableContext;
import com.hazelcast.nio.serialization.ClassDefinition;
import com.hazelcast.nio.serialization.FieldKind;
import com.hazelcast.nio.serialization.FieldType;
import io.keyvalueserve.maps.readable.UnreadableException;
import io.keyvalueserve.maps.readable.ValueCheck;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks records of Compact and Portable against their schema, before anything reads their fields:
 * places lie within the record, lengths within its bytes, numbers within bounds.
 *
 * <p>Fields say where their bytes are, so many fields can name the same bytes. What all fields
 * together come to is therefore bounded too, by a multiple of the record's length.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("removal") // Portable is still there, and still what clients send
final class RecordCheck implements ValueCheck.Records {
  private static final int MOST_DEPTH = 32;
  private static final int TIMES_ITS_LENGTH = 4;
  private static final int MOST_DIGITS = 4096;
  private static final int MOST_SCALE = 10_000;

  /** Shapes of Portable that members learn from records, and keep. */
  private static final int MOST_LEARNED = 10_000;

  private static final int BYTE_RANGE = Byte.MAX_VALUE - Byte.MIN_VALUE;
  private static final int SHORT_RANGE = Short.MAX_VALUE - Short.MIN_VALUE;

  private record Shape(int factory, int type, int version) {}

  private final Set<Shape> learned = ConcurrentHashMap.newKeySet();
  private @Nullable SchemaService schemas;
  private @Nullable PortableContext portables;

  /** Called once, before any record is checked. */
  void use(SchemaService schemaService, PortableContext portableContext) {
    schemas = schemaService;
    portables = portableContext;
  }

  @Override
  public int end(int type, byte[] bytes, int position, int end) {
    Walk walk = new Walk(bytes, end, (long) TIMES_ITS_LENGTH * (end - position) + 64);
    return type == SerializationConstants.TYPE_COMPACT
        ? walk.compact(position, 0)
        : walk.portable(position, 0);
  }

  /** One record and those within it. */
  private final class Walk {
    private final byte[] bytes;
    private final int end;
    private long budget;

    Walk(byte[] bytes, int end, long budget) {
      this.bytes = bytes;
      this.end = end;
      this.budget = budget;
    }

    /**
     * Counts {@code count} bytes against the record's budget, and throws an {@link
     * UnreadableException} if they exceed the budget or do not lie within the record.
     */
    private void take(long at, long count) {
      budget -= count;
      if (at < 0 || count < 0 || at + count > end || budget < 0) {
        throw new UnreadableException(
            "a record names more than it has bytes: place=" + at + " named=" + count);
      }
    }

    private int int32(int at) {
      take(at, Integer.BYTES);
      return Bits.readIntB(bytes, at);
    }

    private void enter(int depth) {
      if (depth > MOST_DEPTH) {
        throw new UnreadableException(
            "a record has more than " + MOST_DEPTH + " records within each other");
      }
    }

    // ---- Compact

    int compact(int position, int depth) {
      enter(depth);
      take(position, Long.BYTES);
      Schema schema = schemas == null ? null : schemas.get(Bits.readLongB(bytes, position));
      if (schema == null) {
        throw new UnreadableException("a record's schema is not known");
      }
      int start = position + Long.BYTES;
      int fields = schema.getNumberOfVariableSizeFields();
      if (fields == 0) {
        take(start, schema.getFixedSizeFieldsLength());
        return start + schema.getFixedSizeFieldsLength();
      }
      int length = int32(start);
      start += Integer.BYTES;
      take(start, length);
      if (length < schema.getFixedSizeFieldsLength()) {
        throw new UnreadableException("a record is shorter than its schema says");
      }
      int table = start + length;
      int width = width(length);
      take(table, (long) fields * width);
      for (FieldDescriptor field : schema.getFields()) {
        if (field.getIndex() >= 0) {
          int offset = offset(table, width, field.getIndex());
          if (offset >= 0) {
            compactField(field.getKind(), start + offset, depth);
          }
        }
      }
      return table + fields * width;
    }

    private static int width(int length) {
      if (length < BYTE_RANGE) {
        return 1;
      }
      return length < SHORT_RANGE ? Short.BYTES : Integer.BYTES;
    }

    private int offset(int table, int width, int index) {
      int at = table + index * width;
      take(at, width);
      return switch (width) {
        case 1 -> bytes[at] == -1 ? -1 : Byte.toUnsignedInt(bytes[at]);
        case 2 -> {
          short offset = Bits.readShortB(bytes, at);
          yield offset == -1 ? -1 : Short.toUnsignedInt(offset);
        }
        default -> Bits.readIntB(bytes, at);
      };
    }

    private void compactField(FieldKind kind, int at, int depth) {
      switch (kind) {
        case ARRAY_OF_BOOLEAN -> {
          int count = int32(at);
          take(at + Integer.BYTES, count < 0 ? count : (count + 7L) / 8);
        }
        case ARRAY_OF_INT8 -> array(at, 1);
        case ARRAY_OF_INT16 -> array(at, Short.BYTES);
        case ARRAY_OF_INT32, ARRAY_OF_FLOAT32 -> array(at, Integer.BYTES);
        case ARRAY_OF_INT64, ARRAY_OF_FLOAT64 -> array(at, Long.BYTES);
        case STRING -> array(at, 1);
        case DECIMAL -> decimal(at);
        case COMPACT -> compact(at, depth + 1);
        case ARRAY_OF_STRING -> items(FieldKind.STRING, at, depth);
        case ARRAY_OF_DECIMAL -> items(FieldKind.DECIMAL, at, depth);
        case ARRAY_OF_COMPACT -> items(FieldKind.COMPACT, at, depth);
        case ARRAY_OF_TIME,
            ARRAY_OF_DATE,
            ARRAY_OF_TIMESTAMP,
            ARRAY_OF_TIMESTAMP_WITH_TIMEZONE,
            ARRAY_OF_NULLABLE_BOOLEAN,
            ARRAY_OF_NULLABLE_INT8,
            ARRAY_OF_NULLABLE_INT16,
            ARRAY_OF_NULLABLE_INT32,
            ARRAY_OF_NULLABLE_INT64,
            ARRAY_OF_NULLABLE_FLOAT32,
            ARRAY_OF_NULLABLE_FLOAT64 ->
            items(FieldKind.DATE, at, depth);
        default -> take(at, 0); // of a size that its kind has, or none of Compact's
      }
    }

    private void array(int at, int bytesOfEach) {
      int count = int32(at);
      take(at + Integer.BYTES, (long) count * bytesOfEach);
    }

    private void decimal(int at) {
      int digits = int32(at);
      if (digits < 0 || digits > MOST_DIGITS) {
        throw new UnreadableException(
            "a number has more than " + MOST_DIGITS + " bytes of digits: bytes=" + digits);
      }
      take(at + Integer.BYTES, digits);
      int scale = int32(at + Integer.BYTES + digits);
      if (Math.abs((long) scale) > MOST_SCALE) {
        throw new UnreadableException(
            "a number has more than "
                + MOST_SCALE
                + " decimal places, or zeros before the point: scale="
                + scale);
      }
    }

    private void items(FieldKind kind, int at, int depth) {
      int length = int32(at);
      int count = int32(at + Integer.BYTES);
      int start = at + 2 * Integer.BYTES;
      take(start, length);
      int width = width(length);
      if (count < 0) {
        throw new UnreadableException("a record names a negative number of elements");
      }
      take(start + length, (long) count * width);
      for (int i = 0; i < count; i++) {
        int offset = offset(start + length, width, i);
        if (offset >= 0) {
          compactField(kind, start + offset, depth);
        }
      }
    }

    // ---- Portable

    int portable(int position, int depth) {
      int factory = int32(position);
      int type = int32(position + Integer.BYTES);
      return portable(factory, type, position + 2 * Integer.BYTES, depth);
    }

    private int portable(int factory, int type, int position, int depth) {
      enter(depth);
      int version = int32(position);
      int last = int32(position + Integer.BYTES);
      int count = int32(position + 2 * Integer.BYTES);
      int table = position + 3 * Integer.BYTES;
      take(table, count < 0 ? count : (long) count * Integer.BYTES);
      if (last < table || last > end) {
        throw new UnreadableException("a record names an end outside its bytes: " + last);
      }
      ClassDefinition shape = shapeOf(factory, type, version);
      if (shape != null && shape.getFieldCount() != count) {
        throw new UnreadableException("a record has other fields than its class definition");
      }
      for (int i = 0; i < count; i++) {
        int at = int32(table + i * Integer.BYTES);
        take(at, Short.BYTES + 1);
        int name = Bits.readShortB(bytes, at);
        take(at + Short.BYTES, name + 1L);
        int data = at + Short.BYTES + name + 1;
        FieldType kind = shape == null ? typeAt(data - 1) : shape.getField(i).getType();
        portableField(kind, data, depth);
      }
      return last;
    }

    private FieldType typeAt(int at) {
      int type = bytes[at];
      if (type < 0 || type >= FieldType.values().length) {
        throw new UnreadableException("a record has a field of no type: " + type);
      }
      return FieldType.get((byte) type);
    }

    private void portableField(FieldType kind, int at, int depth) {
      switch (kind) {
        case PORTABLE -> {
          take(at, 1);
          int factory = int32(at + 1);
          int type = int32(at + 1 + Integer.BYTES);
          if (bytes[at] == 0) {
            int _ = portable(factory, type, at + 1 + 2 * Integer.BYTES, depth + 1);
          }
        }
        case PORTABLE_ARRAY -> {
          int count = int32(at);
          if (count > 0) {
            int factory = int32(at + Integer.BYTES);
            int type = int32(at + 2 * Integer.BYTES);
            int table = at + 3 * Integer.BYTES;
            take(table, (long) count * Integer.BYTES);
            for (int i = 0; i < count; i++) {
              int _ = portable(factory, type, int32(table + i * Integer.BYTES), depth + 1);
            }
          }
        }
        case UTF, BYTE_ARRAY, BOOLEAN_ARRAY -> nullableArray(at, 1);
        case CHAR_ARRAY, SHORT_ARRAY -> nullableArray(at, Short.BYTES);
        case INT_ARRAY, FLOAT_ARRAY, UTF_ARRAY -> nullableArray(at, Integer.BYTES);
        case LONG_ARRAY, DOUBLE_ARRAY -> nullableArray(at, Long.BYTES);
        case DECIMAL -> {
          take(at, 1);
          if (bytes[at] == 0) {
            decimal(at + 1);
          }
        }
        case DECIMAL_ARRAY -> {
          int count = int32(at);
          int table = at + Integer.BYTES;
          if (count > 0) {
            take(table, (long) count * Integer.BYTES);
            for (int i = 0; i < count; i++) {
              decimal(int32(table + i * Integer.BYTES));
            }
          }
        }
        case TIME_ARRAY, DATE_ARRAY, TIMESTAMP_ARRAY, TIMESTAMP_WITH_TIMEZONE_ARRAY ->
            nullableArray(at, Integer.BYTES);
        default -> take(at, 0); // of a size that its type has
      }
    }

    private void nullableArray(int at, int bytesOfEach) {
      int count = int32(at);
      if (count > 0) {
        take(at + Integer.BYTES, (long) count * bytesOfEach);
      }
    }
  }

  /** The shape that members know already; one that they learn from the record counts. */
  private @Nullable ClassDefinition shapeOf(int factory, int type, int version) {
    PortableContext context = portables;
    if (context == null) {
      return null;
    }
    int effective = version < 0 ? context.getVersion() : version;
    ClassDefinition known = context.lookupClassDefinition(factory, type, effective);
    if (known == null && learned.add(new Shape(factory, type, effective))) {
      if (learned.size() > MOST_LEARNED) {
        learned.remove(new Shape(factory, type, effective));
        throw new UnreadableException(
            "this member has learned "
                + MOST_LEARNED
                + " shapes of Portable records: it reads no"
                + " other ones");
      }
    }
    return known;
  }
}

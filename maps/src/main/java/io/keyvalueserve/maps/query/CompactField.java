package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.impl.compact.FieldDescriptor;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.nio.serialization.FieldKind;
import io.keyvalueserve.memory.Memory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds a field in Compact records, by the offsets of its schema.
 *
 * <pre>
 *   top level   | type | schema id | record
 *   nested             | schema id | record
 *
 *   record      | length of data | fixed fields | other fields | offsets of the other fields
 *               without other fields there is no length and there are no offsets
 * </pre>
 *
 * <p>Reads nothing outside the value, whatever the value says: a record that is cut short or points
 * elsewhere has no such field. Thread-safe.
 */
final class CompactField {
  /** Records of one class have few schemas; what is kept for more is counted for no tenant. */
  private static final int MOST_KNOWN = 8;

  private static final int ONE_BYTE_BELOW = 255;
  private static final int TWO_BYTES_BELOW = 65_535;
  private static final int NOWHERE = -1;

  private final String[] parts;
  private final Schemas schemas;

  /** Layouts by schema and part of the path. */
  private final Map<Key, Layout> known = new ConcurrentHashMap<>();

  private volatile @Nullable Layout last;

  private record Key(long schema, int part) {}

  /** Where a part of the path is in records of a schema. */
  private record Layout(
      long schema,
      int part,
      @Nullable FieldKind kind,
      int offset,
      int bit,
      int index,
      int fixedBytes,
      int others) {}

  CompactField(String path, Schemas schemas) {
    this.parts = path.split("\\.", -1);
    this.schemas = schemas;
  }

  /** Shows the field of a value that is a Compact record. */
  int show(FastRow row, Scalar scalar) {
    return show(row.body(), row.end(), 0, scalar);
  }

  private int show(long from, long end, int part, Scalar scalar) {
    long at = from;
    for (int i = part; ; i++) {
      if (end - at < Long.BYTES) {
        return scalar.ofNull();
      }
      Layout layout = layout(FastRow.getLong(at), i);
      if (layout == null) {
        return Scalar.UNSURE;
      }
      long record = at + Long.BYTES;
      if (layout.kind() == null) {
        return scalar.ofNull();
      }
      if (i == parts.length - 1) {
        return leaf(record, end, layout, layout.kind(), scalar);
      }
      if (layout.kind() != FieldKind.COMPACT) {
        return Scalar.UNSURE;
      }
      at = variable(record, end, layout);
      if (at == NOWHERE) {
        return scalar.ofNull();
      }
    }
  }

  // ---- layouts

  private @Nullable Layout layout(long schema, int part) {
    Layout recent = last;
    if (recent != null && recent.schema() == schema && recent.part() == part) {
      return recent;
    }
    Layout found = known.get(new Key(schema, part));
    if (found == null) {
      found = read(schema, part);
      if (found == null) {
        return null;
      }
      if (known.size() < MOST_KNOWN) {
        Layout _ = known.put(new Key(schema, part), found);
      }
    }
    last = found;
    return found;
  }

  private @Nullable Layout read(long id, int part) {
    Schema schema = schemas.compact(id);
    if (schema == null) {
      return null;
    }
    // A name with dots is looked for as it is first.
    if (part == 0 && parts.length > 1 && schema.hasField(String.join(".", parts))) {
      return null;
    }
    FieldDescriptor field = schema.getField(parts[part]);
    int fixed = schema.getFixedSizeFieldsLength();
    int others = schema.getNumberOfVariableSizeFields();
    return field == null
        ? new Layout(id, part, null, 0, 0, 0, fixed, others)
        : new Layout(
            id,
            part,
            field.getKind(),
            field.getOffset(),
            field.getBitOffset(),
            field.getIndex(),
            fixed,
            others);
  }

  // ---- positions

  /** Returns the address of a field of fixed size; {@link #NOWHERE} if it is not in the value. */
  private static long fixed(long record, long end, Layout layout, int bytes) {
    long data = layout.others() == 0 ? record : record + Integer.BYTES;
    long at = data + layout.offset();
    return end - at < bytes ? NOWHERE : at;
  }

  /** Returns the address of another field; {@link #NOWHERE} if it is null or not in the value. */
  private static long variable(long record, long end, Layout layout) {
    long data = record + Integer.BYTES;
    if (end < data) {
      return NOWHERE;
    }
    int length = FastRow.getInt(record);
    if (length < 0 || end - data < length) {
      return NOWHERE;
    }
    long offsets = data + length;
    int index = layout.index();
    long offset;
    if (length < ONE_BYTE_BELOW) {
      offset = end - offsets <= index ? NOWHERE : Memory.getByte(offsets + index);
      offset = offset == NOWHERE ? NOWHERE : offset & 0xFF;
    } else if (length < TWO_BYTES_BELOW) {
      long at = offsets + (long) index * Short.BYTES;
      offset = end - at < Short.BYTES ? NOWHERE : FastRow.getShort(at);
      offset = offset == NOWHERE ? NOWHERE : offset & 0xFFFF;
    } else {
      long at = offsets + (long) index * Integer.BYTES;
      offset = end - at < Integer.BYTES ? NOWHERE : FastRow.getInt(at);
    }
    return offset < 0 || offset > length ? NOWHERE : data + offset;
  }

  // ---- leaves

  private static int leaf(long record, long end, Layout layout, FieldKind kind, Scalar scalar) {
    return switch (kind) {
      case BOOLEAN -> {
        long at = fixed(record, end, layout, 1);
        yield at == NOWHERE
            ? scalar.ofNull()
            : scalar.ofBoolean(((Memory.getByte(at) >>> layout.bit()) & 1) != 0);
      }
      case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64 -> {
        long at = fixed(record, end, layout, bytes(kind));
        yield at == NOWHERE ? scalar.ofNull() : number(at, kind, scalar);
      }
      case NULLABLE_INT8,
          NULLABLE_INT16,
          NULLABLE_INT32,
          NULLABLE_INT64,
          NULLABLE_FLOAT32,
          NULLABLE_FLOAT64 -> {
        long at = variable(record, end, layout);
        yield at == NOWHERE || end - at < bytes(kind) ? scalar.ofNull() : number(at, kind, scalar);
      }
      case NULLABLE_BOOLEAN -> {
        long at = variable(record, end, layout);
        yield at == NOWHERE || end - at < 1
            ? scalar.ofNull()
            : scalar.ofBoolean(Memory.getByte(at) != 0);
      }
      case STRING -> text(variable(record, end, layout), end, scalar);
      default -> variable(record, end, layout) == NOWHERE ? scalar.ofNull() : scalar.ofOther();
    };
  }

  private static int text(long at, long end, Scalar scalar) {
    if (at == NOWHERE || end - at < Integer.BYTES) {
      return scalar.ofNull();
    }
    int length = FastRow.getInt(at);
    long begin = at + Integer.BYTES;
    return length < 0 || end - begin < length ? scalar.ofNull() : scalar.ofText(begin, length);
  }

  private static int bytes(FieldKind kind) {
    return switch (kind) {
      case INT8, NULLABLE_INT8 -> Byte.BYTES;
      case INT16, NULLABLE_INT16 -> Short.BYTES;
      case INT64, NULLABLE_INT64, FLOAT64, NULLABLE_FLOAT64 -> Long.BYTES;
      default -> Integer.BYTES;
    };
  }

  private static int number(long at, FieldKind kind, Scalar scalar) {
    return switch (kind) {
      case INT8, NULLABLE_INT8 -> scalar.ofWhole(Memory.getByte(at), Scalar.BYTE);
      case INT16, NULLABLE_INT16 -> scalar.ofWhole(FastRow.getShort(at), Scalar.SHORT);
      case INT32, NULLABLE_INT32 -> scalar.ofWhole(FastRow.getInt(at), Scalar.INT);
      case INT64, NULLABLE_INT64 -> scalar.ofWhole(FastRow.getLong(at), Scalar.LONG);
      case FLOAT32, NULLABLE_FLOAT32 ->
          scalar.ofFraction(Float.intBitsToFloat(FastRow.getInt(at)), Scalar.FLOAT);
      default -> scalar.ofFraction(Double.longBitsToDouble(FastRow.getLong(at)), Scalar.DOUBLE);
    };
  }
}

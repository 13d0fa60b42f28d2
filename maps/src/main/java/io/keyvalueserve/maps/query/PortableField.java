package io.keyvalueserve.maps.query;

import com.hazelcast.nio.serialization.ClassDefinition;
import com.hazelcast.nio.serialization.FieldDefinition;
import com.hazelcast.nio.serialization.FieldType;
import io.keyvalueserve.memory.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Finds a field of the outermost Portable object of a value, by the position that its class
 * definition gives it.
 *
 * <pre>
 *   | type | factory | class | version | end | fields | position of each field, 4 bytes | ...
 *
 *   field    | length of name, 2 | name | type, 1 | value
 * </pre>
 *
 * <p>Positions count from 4 bytes before the type. Reads nothing outside the value. Thread-safe.
 */
final class PortableField {
  private static final int HEAD_BYTES = 5 * Integer.BYTES;
  private static final int COUNT_AT = 4 * Integer.BYTES;

  /** The distance of the first byte behind the type from where positions count. */
  private static final int BODY_POSITION = 8;

  private final String name;
  private final Schemas schemas;
  private volatile @Nullable Layout last;

  private record Layout(
      int factory, int type, int version, int fields, @Nullable FieldType kind, int index) {
    boolean isOf(int otherFactory, int otherType, int otherVersion) {
      return factory == otherFactory && type == otherType && version == otherVersion;
    }
  }

  PortableField(String name, Schemas schemas) {
    this.name = name;
    this.schemas = schemas;
  }

  /** Shows the field of a value that is a Portable object. */
  int show(FastRow row, Scalar scalar) {
    long body = row.body();
    long end = row.end();
    if (end - body < HEAD_BYTES) {
      return Scalar.UNSURE;
    }
    Layout layout =
        layout(
            FastRow.getInt(body),
            FastRow.getInt(body + Integer.BYTES),
            FastRow.getInt(body + 2L * Integer.BYTES));
    if (layout == null || layout.fields() != FastRow.getInt(body + COUNT_AT)) {
      return Scalar.UNSURE;
    }
    if (layout.kind() == null) {
      return scalar.ofNull();
    }
    long pointer = body + HEAD_BYTES + (long) layout.index() * Integer.BYTES;
    if (end - pointer < Integer.BYTES) {
      return Scalar.UNSURE;
    }
    long position = FastRow.getInt(pointer);
    long field = body + position - BODY_POSITION;
    if (position < BODY_POSITION || end - field < Short.BYTES) {
      return Scalar.UNSURE;
    }
    int nameLength = FastRow.getShort(field);
    long at = field + Short.BYTES + nameLength + 1;
    return nameLength < 0 || at > end ? Scalar.UNSURE : leaf(at, end - at, layout.kind(), scalar);
  }

  @SuppressWarnings("removal") // still there, and still what clients use
  private @Nullable Layout layout(int factory, int type, int version) {
    Layout recent = last;
    if (recent != null && recent.isOf(factory, type, version)) {
      return recent;
    }
    ClassDefinition definition = schemas.portable(factory, type, version);
    if (definition == null) {
      return null;
    }
    Layout found;
    if (definition.hasField(name)) {
      FieldDefinition field = definition.getField(name);
      found =
          new Layout(
              factory,
              type,
              version,
              definition.getFieldCount(),
              field.getType(),
              field.getIndex());
    } else {
      found = new Layout(factory, type, version, definition.getFieldCount(), null, 0);
    }
    last = found;
    return found;
  }

  private static int leaf(long at, long bytes, FieldType kind, Scalar scalar) {
    int size =
        switch (kind) {
          case BOOLEAN, BYTE -> Byte.BYTES;
          case SHORT -> Short.BYTES;
          case INT, FLOAT, UTF -> Integer.BYTES;
          case LONG, DOUBLE -> Long.BYTES;
          default -> Integer.MAX_VALUE;
        };
    if (bytes < size) {
      return Scalar.UNSURE;
    }
    return switch (kind) {
      case BOOLEAN -> scalar.ofBoolean(Memory.getByte(at) != 0);
      case BYTE -> scalar.ofWhole(Memory.getByte(at), Scalar.BYTE);
      case SHORT -> scalar.ofWhole(FastRow.getShort(at), Scalar.SHORT);
      case INT -> scalar.ofWhole(FastRow.getInt(at), Scalar.INT);
      case LONG -> scalar.ofWhole(FastRow.getLong(at), Scalar.LONG);
      case FLOAT -> scalar.ofFraction(Float.intBitsToFloat(FastRow.getInt(at)), Scalar.FLOAT);
      case DOUBLE -> scalar.ofFraction(Double.longBitsToDouble(FastRow.getLong(at)), Scalar.DOUBLE);
      case UTF -> {
        int length = FastRow.getInt(at);
        if (length < 0) {
          yield scalar.ofNull();
        }
        yield bytes - Integer.BYTES < length
            ? Scalar.UNSURE
            : scalar.ofText(at + Integer.BYTES, length);
      }
      default -> Scalar.UNSURE;
    };
  }
}

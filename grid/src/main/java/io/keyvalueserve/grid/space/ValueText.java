package io.keyvalueserve.grid.space;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BOOLEAN;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_CHAR;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_DOUBLE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_FLOAT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_INTEGER;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_LONG;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_SHORT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_STRING;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_UUID;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_BIG_DECIMAL;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_BIG_INTEGER;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import io.keyvalueserve.engine.query.Decimals;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values as text: a byte array as it is; strings, numbers, booleans, characters, UUIDs and JSON in
 * UTF-8; nothing else has a text.
 *
 * <p>Which it is, the type says that the serialized form begins with. No class of a tenant is ever
 * loaded, and no other deserializer run than Hazelcast's own of the types above: what a client
 * stores cannot make the member execute anything.
 */
final class ValueText {
  private ValueText() {}

  /**
   * The text of a stored value.
   *
   * @param value serialized, or an object where a map keeps objects
   * @return null if it has none
   */
  static byte @Nullable [] bytes(Object value, SerializationService serialization) {
    return value instanceof Data data ? ofData(data, serialization) : ofObject(value);
  }

  /** The length of the text, or -1 if there is none. */
  static int length(Object value, SerializationService serialization) {
    if (value instanceof Data data && isBytes(data)) {
      return KeyData.lengthOf(data);
    }
    byte[] bytes = bytes(value, serialization);
    return bytes == null ? -1 : bytes.length;
  }

  private static byte @Nullable [] ofData(Data data, SerializationService serialization) {
    if (isBytes(data)) {
      return KeyData.bytesOf(data);
    }
    return hasText(data.getType()) ? ofObject(serialization.toObject(data)) : null;
  }

  private static boolean isBytes(Data data) {
    int type = data.getType();
    boolean bytes = type == CONSTANT_TYPE_BYTE_ARRAY || type == CONSTANT_TYPE_STRING;
    return bytes && data.totalSize() >= KeyData.BYTES_OFFSET;
  }

  private static boolean hasText(int type) {
    return switch (type) {
      case CONSTANT_TYPE_BYTE,
          CONSTANT_TYPE_BOOLEAN,
          CONSTANT_TYPE_CHAR,
          CONSTANT_TYPE_SHORT,
          CONSTANT_TYPE_INTEGER,
          CONSTANT_TYPE_LONG,
          CONSTANT_TYPE_FLOAT,
          CONSTANT_TYPE_DOUBLE,
          CONSTANT_TYPE_UUID,
          JAVA_DEFAULT_TYPE_BIG_INTEGER,
          JAVA_DEFAULT_TYPE_BIG_DECIMAL,
          JAVASCRIPT_JSON_SERIALIZATION_TYPE ->
          true;
      default -> false;
    };
  }

  private static byte @Nullable [] ofObject(@Nullable Object value) {
    return switch (value) {
      case byte[] bytes -> bytes.clone();
      case String text -> text.getBytes(UTF_8);
      case HazelcastJsonValue json -> json.toString().getBytes(UTF_8);
      case BigDecimal decimal -> Decimals.text(decimal).getBytes(UTF_8);
      case Byte n -> text(n);
      case Short n -> text(n);
      case Integer n -> text(n);
      case Long n -> text(n);
      case Float n -> text(n);
      case Double n -> text(n);
      case BigInteger n -> text(n);
      case Boolean b -> text(b);
      case Character c -> text(c);
      case UUID id -> text(id);
      case null, default -> null;
    };
  }

  private static byte[] text(Object value) {
    return value.toString().getBytes(UTF_8);
  }
}

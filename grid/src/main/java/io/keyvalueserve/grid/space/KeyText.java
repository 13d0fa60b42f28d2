package io.keyvalueserve.grid.space;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_DOUBLE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_FLOAT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_INTEGER;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_LONG;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_SHORT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_STRING;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_UUID;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_BIG_DECIMAL;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVA_DEFAULT_TYPE_BIG_INTEGER;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text by which grants know a serialized key: a string's and a byte array's own bytes, an
 * integer's digits, a UUID's 36 characters, and what Java writes for other numbers. Reads the bytes
 * where they lie, and makes no object but for numbers that are no integers. Used again and again;
 * of one thread at a time.
 *
 * <pre>
 *   0           4      8
 *   | hash      | type | string, byte array:  length, bytes
 *                      | integers:            1, 2, 4 or 8 bytes
 *                      | UUID:                the upper 8 bytes, the lower 8
 *                      | BigInteger:          length, two's complement; BigDecimal: and the scale
 * </pre>
 *
 * <p>Numbers are big-endian. A key that is not quite so has no text.
 */
public final class KeyText {
  private static final int TYPE = 4;
  private static final int BODY = 8;
  private static final int UUID_BYTES = 16;
  private static final int MOST_TEXT = 36;

  /** Larger ones would take long to write in decimal, and no grant can name them. */
  private static final int MOST_BIG_BYTES = 64;

  private static final int MOST_SCALE = 256;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] scratch = new byte[MOST_TEXT];
  private byte[] bytes = scratch;
  private int offset;
  private int length;

  /** Reads a key of {@code size} bytes. Returns whether it has a text. */
  public boolean read(byte[] data, int from, int size) {
    if (size < BODY) {
      return false;
    }
    int body = from + BODY;
    int bodyBytes = size - BODY;
    return switch ((int) INT.get(data, from + TYPE)) {
      case CONSTANT_TYPE_STRING, CONSTANT_TYPE_BYTE_ARRAY -> plain(data, body, bodyBytes);
      case CONSTANT_TYPE_BYTE -> bodyBytes == Byte.BYTES && digits(data[body]);
      case CONSTANT_TYPE_SHORT ->
          bodyBytes == Short.BYTES && digits((short) ((data[body] << 8) | (data[body + 1] & 0xff)));
      case CONSTANT_TYPE_INTEGER -> bodyBytes == Integer.BYTES && digits((int) INT.get(data, body));
      case CONSTANT_TYPE_LONG -> bodyBytes == Long.BYTES && digits((long) LONG.get(data, body));
      case CONSTANT_TYPE_UUID -> bodyBytes == UUID_BYTES && uuid(data, body);
      case CONSTANT_TYPE_FLOAT ->
          bodyBytes == Float.BYTES
              && written(Float.toString(Float.intBitsToFloat((int) INT.get(data, body))));
      case CONSTANT_TYPE_DOUBLE ->
          bodyBytes == Double.BYTES
              && written(Double.toString(Double.longBitsToDouble((long) LONG.get(data, body))));
      case JAVA_DEFAULT_TYPE_BIG_INTEGER -> bigInteger(data, body, bodyBytes);
      case JAVA_DEFAULT_TYPE_BIG_DECIMAL -> bigDecimal(data, body, bodyBytes);
      default -> false;
    };
  }

  /** Has the text, from {@link #offset} on; until the next key is read. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the offset at which the text begins in {@link #bytes}. */
  public int offset() {
    return offset;
  }

  /** Returns the number of bytes of the text. */
  public int length() {
    return length;
  }

  private boolean set(byte[] array, int from, int count) {
    bytes = array;
    offset = from;
    length = count;
    return true;
  }

  private boolean plain(byte[] data, int body, int bodyBytes) {
    return bodyBytes >= Integer.BYTES
        && (int) INT.get(data, body) == bodyBytes - Integer.BYTES
        && set(data, body + Integer.BYTES, bodyBytes - Integer.BYTES);
  }

  private boolean digits(long number) {
    int at = MOST_TEXT;
    long rest = number;
    do {
      scratch[--at] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    } while (rest != 0);
    if (number < 0) {
      scratch[--at] = '-';
    }
    return set(scratch, at, MOST_TEXT - at);
  }

  private boolean uuid(byte[] data, int body) {
    int at = 0;
    for (int i = 0; i < UUID_BYTES; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        scratch[at++] = '-';
      }
      int value = data[body + i];
      scratch[at++] = HEX[(value >> 4) & 0xf];
      scratch[at++] = HEX[value & 0xf];
    }
    return set(scratch, 0, at);
  }

  private boolean written(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    return set(ascii, 0, ascii.length);
  }

  private boolean bigInteger(byte[] data, int body, int bodyBytes) {
    int count = bodyBytes - Integer.BYTES;
    return count > 0
        && count <= MOST_BIG_BYTES
        && (int) INT.get(data, body) == count
        && written(number(data, body, count).toString());
  }

  private boolean bigDecimal(byte[] data, int body, int bodyBytes) {
    int count = bodyBytes - 2 * Integer.BYTES;
    if (count <= 0 || count > MOST_BIG_BYTES || (int) INT.get(data, body) != count) {
      return false;
    }
    int scale = (int) INT.get(data, body + Integer.BYTES + count);
    return Math.abs((long) scale) <= MOST_SCALE
        && written(new BigDecimal(number(data, body, count), scale).toString());
  }

  private static BigInteger number(byte[] data, int body, int count) {
    int from = body + Integer.BYTES;
    return new BigInteger(Arrays.copyOfRange(data, from, from + count));
  }
}

package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a message of the open binary client protocol. A message is a run of frames; its
 * last frame has the flag FINAL. Numbers are little-endian.
 *
 * <pre>
 *   frame            0      4     6                       length
 *                    +------+-----+-------------------------+
 *                    |length|flags| content                 |
 *                    +------+-----+-------------------------+
 *
 *   content of a     0    4           12        16              24
 *   first frame,     +----+-----------+---------+--------------+-----------+
 *   request          |type|correlation|partition|thread        |time to    |
 *                    |    |           |         |(one key only)|live (put) |
 *                    +----+-----------+---------+--------------+-----------+
 *   answer           +----+-----------+----+-------------+
 *                    |type|correlation|acks|yes or no    |
 *                    |    |           | 1  |(contains) 1 |
 *                    +----+-----------+----+-------------+
 *
 *   content of a     0    4    8          big-endian: Hazelcast's serialized form
 *   key's or value's +----+----+---------+
 *   frame            |hash|type| payload |
 *                    +----+----+---------+
 * </pre>
 */
final class FrameLayout {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  static final int FLAGS = 4;
  static final int HEADER_BYTES = 6;
  static final int TYPE = 0;
  static final int CORRELATION = 4;
  static final int PARTITION = 12;
  static final int ACKS = 12;
  static final int ANSWER_BYTES = 13;
  static final int CONTAINED_BYTES = 14;
  static final int CONTAINED = 13;
  static final int MANY_KEYS_BYTES = 16;
  static final int ONE_KEY_BYTES = 24;
  static final int TIME_TO_LIVE = 24;
  static final int WRITE_BYTES = 32;

  /** The offset of the type in a serialized key or value. */
  static final int DATA_TYPE = 4;

  static final int DATA_HEAD_BYTES = 8;

  static final int UNFRAGMENTED = ClientMessage.UNFRAGMENTED_MESSAGE;
  static final int FINAL = ClientMessage.IS_FINAL_FLAG;
  static final int NULL = ClientMessage.IS_NULL_FLAG;
  static final int BEGIN = ClientMessage.BEGIN_DATA_STRUCTURE_FLAG;
  static final int END = ClientMessage.END_DATA_STRUCTURE_FLAG;

  private FrameLayout() {}

  /** The length of the frame that begins there, its header included. */
  static int lengthAt(byte[] bytes, int frame) {
    return (int) INT.get(bytes, frame);
  }

  static int flagsAt(byte[] bytes, int frame) {
    return (short) SHORT.get(bytes, frame + FLAGS) & 0xffff;
  }

  static void putHeader(byte[] bytes, int frame, int contentLength, int flags) {
    INT.set(bytes, frame, HEADER_BYTES + contentLength);
    SHORT.set(bytes, frame + FLAGS, (short) flags);
  }

  static int intAt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  static long longAt(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}

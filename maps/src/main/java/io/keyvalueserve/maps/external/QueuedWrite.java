package io.keyvalueserve.maps.external;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A write of an entry that its external store does not have yet. There is one at most for a key:
 * the last.
 *
 * <pre>
 *   0        1        9       17           21
 *   +--------+--------+--------+------------+---------+------- - -
 *   | kind   | number | since  | length of  | reason  | value
 *   |        |        |        | the reason |         |
 *   +--------+--------+--------+------------+---------+------- - -
 * </pre>
 *
 * <p>All numbers are big-endian. The form is written to disk; the kinds' numbers do not change.
 *
 * @param number tells the write from others of the same key
 * @param sinceMillis when the oldest write of the key that the store does not have was made, in
 *     milliseconds since 1970
 * @param value serialized; null for a removal
 * @param refused why the store will never take it; null if it has not said so
 */
public record QueuedWrite(
    long number, long sinceMillis, @Nullable Data value, @Nullable String refused) {
  private static final byte PUT = 1;
  private static final byte REMOVE = 2;
  private static final int MOST_REASON_BYTES = 1_000;
  private static final int HEAD_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;

  /** Returns whether the store has refused it for good: nobody tries it again by himself. */
  public boolean isDead() {
    return refused != null;
  }

  /** Returns the same write, refused by the store, or to be tried again. */
  public QueuedWrite refused(@Nullable String reason) {
    return new QueuedWrite(number, sinceMillis, value, reason);
  }

  /** Returns the stored form. */
  public byte[] encode() {
    byte[] reason = refused == null ? new byte[0] : bounded(refused);
    byte[] payload = value == null ? new byte[0] : value.toByteArray();
    ByteBuffer buffer = ByteBuffer.allocate(HEAD_BYTES + reason.length + payload.length);
    buffer.put(value == null ? REMOVE : PUT).putLong(number).putLong(sinceMillis);
    buffer.putInt(refused == null ? -1 : reason.length).put(reason).put(payload);
    return buffer.array();
  }

  private static byte[] bounded(String reason) {
    byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MOST_REASON_BYTES ? bytes : Arrays.copyOf(bytes, MOST_REASON_BYTES);
  }

  /**
   * Reads the stored form.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  public static QueuedWrite decode(byte[] stored) {
    if (stored.length < HEAD_BYTES) {
      throw new IllegalArgumentException("a queued write has less bytes than its head");
    }
    ByteBuffer buffer = ByteBuffer.wrap(stored);
    byte kind = buffer.get();
    long number = buffer.getLong();
    long since = buffer.getLong();
    int reasonBytes = buffer.getInt();
    if ((kind != PUT && kind != REMOVE) || reasonBytes > buffer.remaining()) {
      throw new IllegalArgumentException("not a queued write");
    }
    String reason = null;
    if (reasonBytes >= 0) {
      byte[] bytes = new byte[reasonBytes];
      buffer.get(bytes);
      reason = new String(bytes, StandardCharsets.UTF_8);
    }
    if (kind == REMOVE) {
      return new QueuedWrite(number, since, null, reason);
    }
    byte[] payload = new byte[buffer.remaining()];
    buffer.get(payload);
    return new QueuedWrite(number, since, new HeapData(payload), reason);
  }
}

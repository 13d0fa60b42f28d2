package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.util.HashUtil;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The partition in which a client says that a request's keys lie. A key in a partition that is not
 * its own is an entry that its owner never finds. Therefore a tenant must not make one in another's
 * map.
 *
 * @param partition what the client says; negative if it is for Hazelcast to find out
 * @param partitions how many there are
 */
record Placed(int partition, int partitions) {
  private static final int BODY = 8;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /**
   * Returns whether a serialized key lies in the partition by all its bytes, and names no other
   * partition. Its first four bytes may hold a hash that the client chose.
   */
  boolean isRight(byte[] data, int offset, int length) {
    if (length < BODY) {
      return false;
    }
    int said = (int) INT.get(data, offset);
    if (said == 0 && partition < 0) {
      return true;
    }
    int hash = HashUtil.MurmurHash3_x86_32(data, offset + BODY, length - BODY);
    return (said == 0 || said == hash)
        && (partition < 0 || HashUtil.hashToIndex(hash, partitions) == partition);
  }
}

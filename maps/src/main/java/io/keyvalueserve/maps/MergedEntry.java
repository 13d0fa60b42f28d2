package io.keyvalueserve.maps;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;

/**
 * Carries an entry from one side of a split to the other.
 *
 * @param time when it was last changed, in milliseconds since 1970; 0 if that was before the split
 * @param timeToLive in milliseconds, as Hazelcast has it
 * @param maxIdle in milliseconds, as Hazelcast has it
 * @param expiresAt in milliseconds since 1970; {@link Long#MAX_VALUE} for never
 */
record MergedEntry(Data key, Data value, long time, long timeToLive, long maxIdle, long expiresAt) {
  void write(ObjectDataOutput out) throws IOException {
    IOUtil.writeData(out, key);
    IOUtil.writeData(out, value);
    out.writeLong(time);
    out.writeLong(timeToLive);
    out.writeLong(maxIdle);
    out.writeLong(expiresAt);
  }

  static MergedEntry read(ObjectDataInput in) throws IOException {
    return new MergedEntry(
        IOUtil.readData(in),
        IOUtil.readData(in),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  /** About how many bytes it takes. */
  int bytes() {
    return key.totalSize() + value.totalSize() + 4 * Long.BYTES;
  }
}

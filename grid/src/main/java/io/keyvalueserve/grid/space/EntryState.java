package io.keyvalueserve.grid.space;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** All there is to carry from one key to another: the value as it is stored, and its expiry. */
final class EntryState implements IdentifiedDataSerializable {
  private @Nullable Data value;
  private Times times = Times.NONE;

  EntryState() {}

  EntryState(Data value, Times times) {
    this.value = value;
    this.times = times;
  }

  Data value() {
    if (value == null) {
      throw new IllegalStateException("an entry's state has a value");
    }
    return value;
  }

  Times times() {
    return times;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.ENTRY_STATE;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    IOUtil.writeData(out, value());
    times.write(out);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    value = IOUtil.readData(in);
    times = Times.read(in);
  }

  /**
   * The times that decide when an entry expires, all in milliseconds; {@code Long.MAX_VALUE} stands
   * for never.
   *
   * @param timeToLive from the last update
   * @param maxIdle from the last use
   * @param expiration when it expires as things are, since 1970
   * @param lastUpdate since 1970
   */
  record Times(long timeToLive, long maxIdle, long expiration, long lastUpdate) {
    static final Times NONE = new Times(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 0);

    static Times of(ExpiryMetadata metadata) {
      return metadata.hasExpiry()
          ? new Times(
              metadata.getTtl(),
              metadata.getMaxIdle(),
              metadata.getExpirationTime(),
              metadata.getLastUpdateTime())
          : NONE;
    }

    boolean expires() {
      return expiration != Long.MAX_VALUE;
    }

    void write(ObjectDataOutput out) throws IOException {
      out.writeBoolean(expires());
      if (expires()) {
        out.writeLong(timeToLive);
        out.writeLong(maxIdle);
        out.writeLong(expiration);
        out.writeLong(lastUpdate);
      }
    }

    static Times read(ObjectDataInput in) throws IOException {
      return in.readBoolean()
          ? new Times(in.readLong(), in.readLong(), in.readLong(), in.readLong())
          : NONE;
    }
  }
}

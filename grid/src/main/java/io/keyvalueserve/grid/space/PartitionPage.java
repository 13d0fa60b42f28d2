package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Keys of one partition, and where to go on in it. */
final class PartitionPage implements IdentifiedDataSerializable {
  private List<byte[]> keys = List.of();
  private int looked;
  private long next = PartitionScan.END;

  /** Nothing, and no more to come. */
  PartitionPage() {}

  PartitionPage(List<byte[]> keys, int looked, long next) {
    this.keys = keys;
    this.looked = looked;
    this.next = next;
  }

  /** The keys that match. */
  List<byte[]> keys() {
    return keys;
  }

  /** How many keys were looked at. */
  int looked() {
    return looked;
  }

  /** The position of the next page, {@link PartitionScan#END} if there is none. */
  long next() {
    return next;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.PARTITION_PAGE;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLong(next);
    out.writeInt(looked);
    out.writeInt(keys.size());
    for (byte[] key : keys) {
      out.writeByteArray(key);
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    next = in.readLong();
    looked = in.readInt();
    int count = in.readInt();
    keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(CommandCodec.bytes(in));
    }
  }
}

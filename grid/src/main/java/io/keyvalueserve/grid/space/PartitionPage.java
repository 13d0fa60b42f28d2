package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys of one partition, and where to go on in it. */
final class PartitionPage implements IdentifiedDataSerializable {
  private List<byte[]> keys = List.of();
  private int looked;
  private long next = PartitionScan.END;
  private @Nullable String refusal;

  /** Nothing, and no more to come. */
  PartitionPage() {}

  PartitionPage(List<byte[]> keys, int looked, long next) {
    this.keys = keys;
    this.looked = looked;
    this.next = next;
  }

  /** No keys, as the pattern is too costly. */
  static PartitionPage refused(String why) {
    PartitionPage page = new PartitionPage();
    page.refusal = why;
    return page;
  }

  /** Says why the scan is refused; null if it is not. */
  @Nullable String refusal() {
    return refusal;
  }

  /** The keys that match. */
  List<byte[]> keys() {
    return keys;
  }

  /** Returns the number of keys that were looked at. */
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
    out.writeString(refusal);
    out.writeInt(keys.size());
    for (byte[] key : keys) {
      out.writeByteArray(key);
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    next = in.readLong();
    looked = in.readInt();
    refusal = in.readString();
    int count = in.readInt();
    keys = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      keys.add(CommandCodec.bytes(in));
    }
  }
}

package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.engine.GlobPattern;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Lists the next keys of one partition.
 *
 * <p>A key's position is 32 bits of a hash of it: fixed for all time, the same on every member. A
 * page takes the keys of the lowest positions that are not below {@code from}; those of equal
 * position always together, so that a position alone says where to go on. Each page looks at all
 * keys of the partition, which costs their number once, and nothing is kept between pages.
 */
final class PartitionScan extends MapOperation
    implements PartitionAwareOperation, ReadonlyOperation {
  /** A page lists no more keys, but for equal positions, whatever was asked for. */
  static final int MOST_KEYS = 10_000;

  /** One past the last position. */
  static final long END = 1L << Integer.SIZE;

  private long from;
  private int count;
  private GlobPattern match = GlobPattern.ANY;
  private PartitionPage page = new PartitionPage();

  /** For deserialization. */
  PartitionScan() {
    createRecordStoreOnDemand = false;
  }

  PartitionScan(String name, long from, int count, GlobPattern match) {
    super(name);
    this.from = from;
    this.count = Math.clamp(count, 1, MOST_KEYS);
    this.match = match;
    createRecordStoreOnDemand = false;
  }

  /** Where a key comes in a scan of its partition: 0 or more, below {@link #END}. */
  static long position(Data key) {
    return key.hash64() >>> Integer.SIZE;
  }

  @Override
  protected void runInternal() {
    if (recordStore == null) {
      page = new PartitionPage();
      return;
    }
    recordStore.checkIfLoaded();
    long last = lastOfPage();
    long nowMillis = Clock.currentTimeMillis();
    int looked = 0;
    List<byte[]> keys = new ArrayList<>();
    for (Iterator<? extends Map.Entry<Data, ?>> i = recordStore.iterator(); i.hasNext(); ) {
      Data key = i.next().getKey();
      long position = position(key);
      if (position < from || position > last) {
        continue;
      }
      looked++;
      byte[] bytes = KeyData.keyBytes(key);
      if (bytes != null && match.matches(bytes) && !recordStore.isExpired(key, nowMillis, false)) {
        keys.add(bytes);
      }
    }
    page = new PartitionPage(keys, looked, last + 1);
  }

  /** The position of the page's last key, or the last position of all if all keys fit. */
  private long lastOfPage() {
    PriorityQueue<Long> lowest = new PriorityQueue<>(Comparator.reverseOrder());
    boolean more = false;
    for (Iterator<? extends Map.Entry<Data, ?>> i = recordStore.iterator(); i.hasNext(); ) {
      long position = position(i.next().getKey());
      if (position < from) {
        continue;
      }
      if (lowest.size() < count) {
        lowest.add(position);
        continue;
      }
      more = true;
      if (position < lowest.element()) {
        lowest.remove();
        lowest.add(position);
      }
    }
    return more ? lowest.element() : END - 1;
  }

  @Override
  public Object getResponse() {
    return page;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.PARTITION_SCAN;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeLong(from);
    out.writeInt(count);
    out.writeByteArray(match.bytes());
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    from = in.readLong();
    count = in.readInt();
    match = new GlobPattern(CommandCodec.bytes(in));
  }
}

package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.maps.NativeRecordStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lists the next keys of one partition, in the order of its table's cursors: the same on every
 * member, whatever was added or removed in the meantime. Keys of equal position come together, so
 * that a position alone says where to go on; nothing is kept between pages. A page ends early where
 * its pattern has taken as many steps as others may have to wait for.
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

  /** Creates an empty operation for deserialization. */
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

  @Override
  protected void runInternal() {
    if (recordStore == null) {
      page = new PartitionPage();
      return;
    }
    recordStore.checkIfLoaded();
    Keys keys = new Keys();
    long cursor = from;
    while (cursor >= 0 && keys.looked < count && !keys.matcher.isSliceOver()) {
      cursor = ((NativeRecordStore) recordStore).scan(cursor, keys);
    }
    page =
        keys.matcher.isTooCostly()
            ? PartitionPage.refused(keys.matcher.refusal())
            : new PartitionPage(keys.found, keys.looked, cursor < 0 ? END : cursor);
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

  /** Takes those keys that match and have not expired. */
  private final class Keys implements Consumer<Data> {
    private final long nowMillis = Clock.currentTimeMillis();
    private final List<byte[]> found = new ArrayList<>();
    private final GlobMatcher matcher = new GlobMatcher(match);
    private int looked;

    @Override
    public void accept(Data key) {
      looked++;
      byte[] bytes = KeyData.keyBytes(key);
      if (bytes != null
          && matcher.matches(bytes)
          && !recordStore.isExpired(key, nowMillis, false)) {
        found.add(bytes);
      }
    }
  }
}

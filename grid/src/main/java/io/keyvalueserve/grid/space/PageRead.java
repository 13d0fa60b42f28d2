package io.keyvalueserve.grid.space;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.OfTenant;
import io.keyvalueserve.maps.PageKeys;
import io.keyvalueserve.maps.Writers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of a large collection for a transaction that has locked its key. Answers with as many
 * of the first as an answer takes, one at least: the length of each, or -1 if it is not there, and
 * its bytes.
 */
final class PageRead extends MapOperation
    implements PartitionAwareOperation, ReadonlyOperation, OfTenant {
  /** An answer ends with the page with which it has this many bytes. */
  static final int ENOUGH_BYTES = 1 << 20;

  private static final int ABSENT = -1;

  private int tenant = Writers.OWNER;
  private @Nullable Data key;
  private long[] numbers = {};
  private byte[] answer = {};

  /** Creates an empty operation for deserialization. */
  PageRead() {
    createRecordStoreOnDemand = false;
  }

  /**
   * @param tenant the number of who runs the transaction
   * @param key of the collection
   * @param numbers of the pages
   */
  PageRead(String map, int tenant, Data key, long[] numbers) {
    super(map);
    this.tenant = tenant;
    this.key = key;
    this.numbers = numbers;
    createRecordStoreOnDemand = false;
  }

  /** Takes the pages out of an answer. */
  static List<byte @Nullable []> pages(byte[] answer) {
    ByteBuffer in = ByteBuffer.wrap(answer);
    List<byte @Nullable []> pages = new ArrayList<>();
    while (in.hasRemaining()) {
      int length = in.getInt();
      byte[] page = length == ABSENT ? null : new byte[length];
      if (page != null) {
        in.get(page);
      }
      pages.add(page);
    }
    return pages;
  }

  @Override
  protected void runInternal() {
    Data of = key;
    NativeRecordStore pages = null;
    if (recordStore != null) {
      recordStore.checkIfLoaded();
      pages = ((NativeRecordStore) recordStore).pages(false);
    }
    List<byte @Nullable []> read = new ArrayList<>(numbers.length);
    int bytes = 0;
    for (int i = 0; i < numbers.length && bytes < ENOUGH_BYTES; i++) {
      byte[] page =
          pages == null || of == null ? null : pages.readBytes(PageKeys.of(of, numbers[i]));
      read.add(page);
      bytes += Integer.BYTES + (page == null ? 0 : page.length);
    }
    ByteBuffer out = ByteBuffer.allocate(bytes);
    for (byte[] page : read) {
      out.putInt(page == null ? ABSENT : page.length);
      if (page != null) {
        out.put(page);
      }
    }
    answer = out.array();
  }

  @Override
  public Object getResponse() {
    return answer;
  }

  @Override
  public int tenant() {
    return tenant;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.PAGE_READ;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(tenant);
    IOUtil.writeData(out, key);
    out.writeLongArray(numbers);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    tenant = in.readInt();
    key = IOUtil.readData(in);
    long[] read = in.readLongArray();
    numbers = read == null ? new long[0] : read;
  }
}

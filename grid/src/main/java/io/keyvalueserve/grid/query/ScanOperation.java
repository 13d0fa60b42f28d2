package io.keyvalueserve.grid.query;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.maps.query.ScanPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks a member for the next page of a scan. It is made by threads for queries, in turns. */
final class ScanOperation extends Operation
    implements ReadonlyOperation, IdentifiedDataSerializable {
  private @Nullable ScanRequest request;

  /** Creates an empty operation for deserialization. */
  ScanOperation() {}

  ScanOperation(ScanRequest request) {
    this.request = request;
  }

  @Override
  public CallStatus call() {
    ScanRequest asked = Objects.requireNonNull(request);
    GridQueries.of(getNodeEngine()).requireServed(asked.map());
    return new Offload(this) {
      @Override
      public void start() {
        GridQueries.of(nodeEngine).page(asked, ScanOperation.this::sendResponse);
      }
    };
  }

  @Override
  public int getFactoryId() {
    return QuerySerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return QuerySerialization.SCAN_OPERATION;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    ScanRequest asked = Objects.requireNonNull(request);
    out.writeInt(asked.tenant());
    out.writeString(asked.map());
    ScanCodec.write(out, asked.scan());
    out.writeBoolean(asked.whole());
    out.writeByteArray(asked.from().toBytes());
    List<Data> keys = asked.keys();
    out.writeInt(keys == null ? -1 : keys.size());
    if (keys != null) {
      for (Data key : keys) {
        IOUtil.writeData(out, key);
      }
    }
    out.writeLong(asked.mostBytes());
    out.writeLong(asked.mostNanos());
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    int tenant = in.readInt();
    String map = ValueCodec.text(in);
    var scan = ScanCodec.read(in);
    boolean whole = in.readBoolean();
    byte[] from = Objects.requireNonNullElse(in.readByteArray(), new byte[0]);
    int count = in.readInt();
    List<Data> keys = count < 0 ? null : new ArrayList<>();
    if (keys != null) {
      for (int i = 0; i < count; i++) {
        keys.add(IOUtil.readData(in));
      }
    }
    request =
        new ScanRequest(
            tenant, map, scan, whole, ScanPosition.of(from), keys, in.readLong(), in.readLong());
  }
}

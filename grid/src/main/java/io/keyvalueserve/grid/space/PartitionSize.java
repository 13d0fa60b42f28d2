package io.keyvalueserve.grid.space;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.OperationFactory;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.maps.NativeRecordStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Counts the entries of one partition, or those that expire. Unlike Hazelcast's own operation it
 * creates nothing where the map has never been written to, so that counting what is not there costs
 * no memory.
 */
final class PartitionSize extends MapOperation
    implements PartitionAwareOperation, ReadonlyOperation {
  private boolean onlyExpiring;
  private int size;

  /** Creates an empty operation for deserialization. */
  PartitionSize() {
    createRecordStoreOnDemand = false;
  }

  PartitionSize(String name, boolean onlyExpiring) {
    super(name);
    this.onlyExpiring = onlyExpiring;
    createRecordStoreOnDemand = false;
  }

  /** Counts the entries of a partition of this member. By any thread. */
  static int of(@Nullable RecordStore<?> store, boolean onlyExpiring) {
    if (store == null) {
      return 0;
    }
    return onlyExpiring ? ((NativeRecordStore) store).expiring() : store.size();
  }

  @Override
  protected void runInternal() {
    if (recordStore != null) {
      recordStore.checkIfLoaded();
      size = of(recordStore, onlyExpiring);
    }
  }

  @Override
  public Object getResponse() {
    return size;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeBoolean(onlyExpiring);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    onlyExpiring = in.readBoolean();
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.PARTITION_SIZE;
  }

  /** Makes one such operation for each partition of a member. */
  static final class Factory implements OperationFactory {
    private String name = "";
    private boolean onlyExpiring;

    /** Creates an empty factory for deserialization. */
    Factory() {}

    Factory(String name, boolean onlyExpiring) {
      this.name = name;
      this.onlyExpiring = onlyExpiring;
    }

    @Override
    public Operation createOperation() {
      return new PartitionSize(name, onlyExpiring);
    }

    @Override
    public int getFactoryId() {
      return SpaceSerialization.FACTORY_ID;
    }

    @Override
    public int getClassId() {
      return SpaceSerialization.PARTITION_SIZE_FACTORY;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
      out.writeString(name);
      out.writeBoolean(onlyExpiring);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
      name = CommandCodec.present(in.readString(), "a map's name");
      onlyExpiring = in.readBoolean();
    }
  }
}

package io.keyvalueserve.grid.space;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.OperationFactory;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import java.io.IOException;

/**
 * Counts the entries of one partition. Unlike Hazelcast's own operation it creates nothing where
 * the map has never been written to, so that counting what is not there costs no memory.
 */
final class PartitionSize extends MapOperation
    implements PartitionAwareOperation, ReadonlyOperation {
  private int size;

  /** For deserialization. */
  PartitionSize() {
    createRecordStoreOnDemand = false;
  }

  PartitionSize(String name) {
    super(name);
    createRecordStoreOnDemand = false;
  }

  @Override
  protected void runInternal() {
    if (recordStore != null) {
      recordStore.checkIfLoaded();
      size = recordStore.size();
    }
  }

  @Override
  public Object getResponse() {
    return size;
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

    /** For deserialization. */
    Factory() {}

    Factory(String name) {
      this.name = name;
    }

    @Override
    public Operation createOperation() {
      return new PartitionSize(name);
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
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
      name = CommandCodec.present(in.readString(), "a map's name");
    }
  }
}

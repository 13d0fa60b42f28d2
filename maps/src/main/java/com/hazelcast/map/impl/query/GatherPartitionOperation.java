package com.hazelcast.map.impl.query;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.query.impl.IndexRegistry;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.maps.gather.Gathering;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a query of a client out on one partition, as Hazelcast's {@code QueryPartitionOperation}
 * does, and counts what it gathers.
 */
@SuppressWarnings({"rawtypes", "NullAway"}) // as Hazelcast's own, which take null
final class GatherPartitionOperation extends MapOperation
    implements PartitionAwareOperation, ReadonlyOperation {
  private @Nullable Query query;
  private int tenant;
  private long part;
  private transient @Nullable Gathering request;
  private transient @Nullable Result result;

  /** Creates an empty operation for deserialization. */
  GatherPartitionOperation() {}

  /**
   * @param request the gathering of the request that asks
   */
  GatherPartitionOperation(Query query, Gathering request) {
    super(query.getMapName());
    this.query = query;
    this.request = request;
    this.tenant = request.tenant();
    this.part = request.unlentPart();
  }

  @Override
  protected void runInternal() {
    Gathering gathering =
        request == null
            ? PartGathering.open(getNodeEngine(), tenant, part)
            : PartGathering.retained(request);
    try {
      CountedQuery counted = new CountedQuery(Objects.requireNonNull(query), gathering);
      result =
          mapServiceContext
              .getMapQueryRunner(name)
              .runPartitionIndexOrPartitionScanQueryOnGivenOwnedPartition(
                  counted, getPartitionId());
      if (result instanceof CountedRows rows) {
        rows.takeBest();
      }
    } finally {
      gathering.release(); // this thread sends the part next; a request's own count goes on
    }
    IndexRegistry indexes = mapContainer.getGlobalIndexRegistry();
    if (indexes != null) {
      indexes.getIndexesStats().incrementQueryCount();
    }
  }

  @Override
  public @Nullable Object getResponse() {
    return result;
  }

  @Override
  public int getFactoryId() {
    return GatherSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return GatherSerialization.ON_PARTITION;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(tenant);
    out.writeLong(part);
    out.writeObject(query);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    tenant = in.readInt();
    part = in.readLong();
    query = in.readObject();
  }
}

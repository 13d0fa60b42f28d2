package io.keyvalueserve.maps.query;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.query.GatherSerialization;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.gather.Gathering;
import io.keyvalueserve.maps.predicate.PredicateConditions;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of some partitions at another member, as many as there is room for where they are
 * asked for.
 */
public final class RowsOperation extends Operation
    implements IdentifiedDataSerializable, ReadonlyOperation {
  /** Rows, the buffer they are written into while it grows, and the packet. */
  private static final int COPIES = 4;

  private String map = "";
  private @Nullable Data predicate;
  private RowKind kind = RowKind.ENTRIES;
  private byte[] position = {};
  private int tenant;
  private long most;

  /** Creates an empty operation for deserialization. */
  public RowsOperation() {}

  /**
   * @param map the name in the grid
   * @param predicate as the client sent it, which has a translation; null for all entries
   * @param most how many bytes of rows there is room for
   */
  public RowsOperation(
      String map,
      @Nullable Data predicate,
      RowKind kind,
      ScanPosition position,
      int tenant,
      long most) {
    this.map = map;
    this.predicate = predicate;
    this.kind = kind;
    this.position = position.toBytes();
    this.tenant = tenant;
    this.most = most;
  }

  @Override
  public CallStatus call() {
    return new Reading();
  }

  private final class Reading extends Offload {
    Reading() {
      super(RowsOperation.this);
    }

    @Override
    public void start() {
      NativeMaps maps = KvsMapService.mapsOf(getNodeEngine());
      try {
        maps.queries().execute(tenant, () -> read(maps));
      } catch (RejectedExecutionException e) {
        sendResponse(new RetryableHazelcastException("too many queries of the tenant wait"));
      }
    }
  }

  private void read(NativeMaps maps) {
    try {
      Predicate<?, ?> read =
          predicate == null ? null : getNodeEngine().getSerializationService().toObject(predicate);
      Condition condition =
          read == null ? new Condition.Constant(true) : PredicateConditions.of(read);
      if (condition == null) {
        throw new HazelcastException("the predicate cannot be carried out on bytes here");
      }
      Gathering gathering =
          Gathering.ofPart(KvsMapService.heapOf(getNodeEngine(), tenant), tenant, COPIES, most);
      RowChunks rows = new RowChunks(kind, gathering, most / 2);
      new RowScan(
              MapScan.of(maps, map, condition, List.of()),
              rows,
              maps.queries(),
              tenant,
              () -> true,
              (end, failure) -> answer(end, failure, rows, gathering))
          .run(ScanPosition.of(position));
    } catch (RuntimeException e) {
      sendResponse(told(e));
    }
  }

  private void answer(
      ScanPosition end, @Nullable RuntimeException failure, RowChunks rows, Gathering gathering) {
    try {
      sendResponse(failure == null ? new RowsAnswer(end.toBytes(), rows.chunks()) : told(failure));
    } finally {
      gathering.release();
    }
  }

  /** Returns a failure as other members and clients know it. */
  public static RuntimeException told(RuntimeException failure) {
    return failure instanceof QueryException query
        ? new com.hazelcast.query.QueryException(query.getMessage())
        : failure;
  }

  @Override
  public ExceptionAction onInvocationException(Throwable throwable) {
    return throwable instanceof MemberLeftException || throwable instanceof TargetNotMemberException
        ? ExceptionAction.THROW_EXCEPTION
        : super.onInvocationException(throwable);
  }

  @Override
  public String getServiceName() {
    return MapService.SERVICE_NAME;
  }

  @Override
  public int getFactoryId() {
    return GatherSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return GatherSerialization.ROWS_OPERATION;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeString(map);
    IOUtil.writeData(out, predicate);
    out.writeByte(kind.number());
    out.writeByteArray(position);
    out.writeInt(tenant);
    out.writeLong(most);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    map = Objects.requireNonNull(in.readString());
    predicate = IOUtil.readData(in);
    kind = RowKind.of(in.readByte());
    position = Objects.requireNonNull(in.readByteArray());
    tenant = in.readInt();
    most = in.readLong();
  }
}

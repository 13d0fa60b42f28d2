package com.hazelcast.map.impl.query;

import static com.hazelcast.spi.impl.operationservice.ExceptionAction.RETRY_INVOCATION;
import static com.hazelcast.spi.impl.operationservice.ExceptionAction.THROW_EXCEPTION;

import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.QueryResultSizeExceededException;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.operationservice.AbstractNamedOperation;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.gather.Gathering;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Carries a query of a client out on all partitions of one member, as Hazelcast's {@code
 * QueryOperation} does, and counts what it gathers.
 *
 * <p>Results of partitions are combined as these are done, so that rows which are not needed do not
 * wait for the last partition. The answer is sent when no partition is being read any more.
 */
@SuppressWarnings({"rawtypes", "NullAway"}) // as Hazelcast's own, which take null
final class GatherOperation extends AbstractNamedOperation implements ReadonlyOperation {
  private @Nullable Query query;
  private int tenant;
  private long part;
  private transient @Nullable Gathering request;

  /** True if the member that asks carries this operation out itself. */
  private transient volatile boolean isHere;

  /** Creates an empty operation for deserialization. */
  GatherOperation() {}

  /**
   * @param request the gathering of the request that asks
   */
  GatherOperation(Query query, Gathering request) {
    super(query.getMapName());
    this.query = query;
    this.request = request;
    this.tenant = request.tenant();
    this.part = request.lend();
  }

  @Override
  public CallStatus call() {
    requireServed();
    return new Parts(opened());
  }

  /**
   * Throws if the map's tenant is held, or that is not known yet: the request is retried until it
   * is not.
   */
  private void requireServed() {
    NativeMaps maps = KvsMapService.mapsOf(getNodeEngine());
    if (maps.heldTenants().demand(name) || !maps.external().areKnown()) {
      throw new RetryableHazelcastException("the tenant's maps are being loaded");
    }
  }

  /** A request that ended meanwhile wants no answer, and gets an error. */
  private Gathering opened() {
    Gathering asked = request;
    if (asked == null) {
      return PartGathering.open(getNodeEngine(), tenant, part);
    }
    isHere = true;
    asked.returnLent(part);
    part = 0; // once, if this is carried out again
    return PartGathering.retained(asked);
  }

  private final class Parts extends Offload {
    private final Gathering gathering;
    private final CountedQuery counted;
    private final AtomicReference<@Nullable Result> gathered = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicInteger remaining = new AtomicInteger();
    private final MapServiceContext context;
    private final QueryRunner runner;

    Parts(Gathering gathering) {
      super(GatherOperation.this);
      this.gathering = gathering;
      this.counted = new CountedQuery(Objects.requireNonNull(query), gathering);
      MapService service = getService();
      this.context = service.getMapServiceContext();
      this.runner = context.getMapQueryRunner(name);
    }

    @Override
    public void start() {
      BitSet partitions;
      try {
        ScannedQuery scan =
            ScannedQuery.of(
                counted,
                KvsMapService.mapsOf(getNodeEngine()),
                getNodeEngine().getSerializationService());
        if (scan != null) {
          scan.start(localPartitions(), this::scanned);
          return;
        }
        if (useIndex()) {
          answer();
          return;
        }
        partitions = localPartitions();
        if (partitions.isEmpty()) {
          gathered.set(runner.populateEmptyResult(counted, List.of()));
          answer();
          return;
        }
        remaining.set(partitions.cardinality());
      } catch (RuntimeException e) {
        fail(e);
        answer();
        return;
      }
      ((OperationServiceImpl) getNodeEngine().getOperationService())
          .executeOnPartitions(partition -> (Runnable) () -> run(partition), partitions);
    }

    private void scanned(@Nullable Result result, @Nullable Throwable failed) {
      if (failed != null) {
        fail(failed);
      } else {
        gathered.set(result);
      }
      answer();
    }

    private boolean useIndex() {
      MapContainer container = context.getMapContainer(name);
      boolean isNative = container.getMapConfig().getInMemoryFormat() == InMemoryFormat.NATIVE;
      if (isNative && !container.shouldUseGlobalIndex()) {
        return false;
      }
      gathered.set(runner.runIndexOrPartitionScanQueryOnOwnedPartitions(counted, !isNative));
      return gathered.get() != null;
    }

    private BitSet localPartitions() {
      BitSet partitions = new BitSet();
      for (IPartition each : getNodeEngine().getPartitionService().getPartitions()) {
        partitions.set(each.getPartitionId(), each.isLocal());
      }
      if (counted.getPartitionIdSet() != null) {
        partitions.and(counted.getPartitionIdSet().bitSetCopy());
      }
      return partitions;
    }

    private void run(int partition) {
      try {
        if (failure.get() == null
            && getNodeEngine().getPartitionService().getPartition(partition).isLocal()) {
          read(partition);
        }
      } catch (Throwable e) { // whatever it is, the caller is told
        fail(e);
      } finally {
        if (remaining.decrementAndGet() == 0) {
          ConcurrencyUtil.getDefaultAsyncExecutor().execute(this::answer);
        }
      }
    }

    private void read(int partition) {
      int thread = runner.beforeOperation(partition, name);
      try {
        add(runner.runPartitionIndexOrPartitionScanQueryOnGivenOwnedPartition(counted, partition));
      } finally {
        runner.afterOperation(partition, name, thread);
      }
    }

    /** Takes out what the others have gathered, and puts both back as one. */
    private void add(Result result) {
      Result sum = result;
      do {
        Result others = gathered.getAndSet(null);
        if (others != null) {
          sum = combine(others, sum);
        }
      } while (!gathered.compareAndSet(null, sum));
    }

    @SuppressWarnings("unchecked") // both are of the query's kind
    private static Result combine(Result one, Result other) {
      boolean isLess =
          one instanceof QueryResult a && other instanceof QueryResult b && a.size() < b.size();
      Result larger = isLess ? other : one;
      larger.combine(isLess ? one : other);
      return larger;
    }

    private void fail(Throwable e) {
      boolean _ = failure.compareAndSet(null, e);
      counted.stop();
    }

    private void answer() {
      try {
        Throwable failed = failure.get();
        Result result = gathered.getAndSet(null);
        if (failed == null) {
          requireServed(); // or entries may have gone meanwhile
        }
        if (failed == null && result instanceof CountedRows rows) {
          rows.takeBest();
        }
        sendResponse(failed == null ? result : failed);
      } catch (RuntimeException e) {
        sendResponse(e);
      } finally {
        gathering.release();
      }
    }
  }

  /** Asks again for a part that was too large, if there is room for a larger one. */
  @Override
  public ExceptionAction onInvocationException(Throwable throwable) {
    if (throwable instanceof QueryResultSizeExceededException && request != null && !isHere) {
      part = request.lendMore(part);
      return part > 0 ? RETRY_INVOCATION : THROW_EXCEPTION;
    }
    return throwable instanceof MemberLeftException || throwable instanceof TargetNotMemberException
        ? THROW_EXCEPTION
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
    return GatherSerialization.ON_MEMBER;
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

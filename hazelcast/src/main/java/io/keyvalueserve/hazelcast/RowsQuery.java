package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.cluster.Address;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.QueryResultSizeExceededException;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.query.QueryException;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.gather.Gathering;
import io.keyvalueserve.maps.query.MapScan;
import io.keyvalueserve.maps.query.RowChunks;
import io.keyvalueserve.maps.query.RowScan;
import io.keyvalueserve.maps.query.RowsAnswer;
import io.keyvalueserve.maps.query.RowsOperation;
import io.keyvalueserve.maps.query.ScanPosition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the rows of one request from all members, in rounds: each member reads what is its own,
 * and what has moved meanwhile is asked for again, from where it was left. No thread waits.
 */
final class RowsQuery {
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long FIRST_PAUSE_MILLIS = 5;
  private static final long MOST_PAUSE_MILLIS = 250;

  private final Node node;
  private final NodeEngineImpl nodeEngine;
  private final NativeMaps maps;
  private final RowsRequest request;
  private final ClientMessage message;
  private final int tenant;
  private final MapScan scan;
  private final Gathering gathering;
  private final long deadline = System.nanoTime() + MOST_NANOS;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicBoolean answered = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  // ---- under the lock of this

  private final List<RowChunks.Chunk> rows = new ArrayList<>();
  private List<ScanPosition> left = new ArrayList<>();
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  RowsQuery(
      Node node,
      NativeMaps maps,
      RowsRequest request,
      Condition condition,
      ClientMessage message,
      DoorSession session) {
    this.node = node;
    this.nodeEngine = node.getNodeEngine();
    this.maps = maps;
    this.request = request;
    this.message = message;
    this.tenant = session.identity().number();
    this.scan = MapScan.of(maps, request.map(), condition, List.of());
    WaitingRequests waiting = session.waiting();
    this.gathering =
        Gathering.ofRequest(waiting.results(), tenant, node.getClusterService().getSize());
    waiting.hold(message.getCorrelationId(), gathering);
  }

  /** Begins; the answer is sent when there is one. */
  void start(BitSet partitions) {
    round(ScanPosition.begin(partitions));
  }

  private boolean isWanted() {
    return message.getConnection().isAlive() && failure.get() == null;
  }

  private void round(ScanPosition from) {
    try {
      beginRound(from);
    } catch (RuntimeException e) {
      failed(e);
      answer();
    }
  }

  private void beginRound(ScanPosition from) {
    Map<Address, BitSet> owners = new HashMap<>();
    BitSet here = new BitSet();
    BitSet nobodys = new BitSet();
    BitSet left = from.left();
    for (int p = left.nextSetBit(0); p >= 0; p = left.nextSetBit(p + 1)) {
      IPartition partition = node.getPartitionService().getPartition(p, false);
      if (partition.isLocal()) {
        here.set(p);
        continue;
      }
      Address owner = partition.getOwnerOrNull();
      if (owner == null) {
        nobodys.set(p);
      } else {
        owners.computeIfAbsent(owner, each -> new BitSet()).set(p);
      }
    }
    running.set(owners.size() + 1);
    owners.forEach((owner, partitions) -> ask(owner, from.of(partitions)));
    here.or(nobodys); // what is nobody's is found not to be this member's
    readHere(from.of(here));
  }

  // ---- this member's part

  private void readHere(ScanPosition from) {
    RowChunks found = new RowChunks(request.kind(), gathering, Long.MAX_VALUE);
    new RowScan(
            scan,
            found,
            maps.queries(),
            tenant,
            this::isWanted,
            (position, failed) -> {
              if (failed != null) {
                failed(RowsOperation.told(failed));
              }
              partDone(position, found.chunks());
            })
        .run(from);
  }

  // ---- another member's part

  private void ask(Address owner, ScanPosition from) {
    long part = gathering.lend();
    if (part == 0) {
      failed(gathering.refusal());
      partDone(from, List.of());
      return;
    }
    ask(owner, from, part);
  }

  private void ask(Address owner, ScanPosition from, long part) {
    Operation operation =
        new RowsOperation(request.map(), request.predicate(), request.kind(), from, tenant, part);
    CompletableFuture<?> _ =
        nodeEngine
            .getOperationService()
            .createInvocationBuilder(MapService.SERVICE_NAME, operation, owner)
            .<RowsAnswer>invoke()
            .whenCompleteAsync(
                (answer, failed) -> answered(owner, from, part, answer, failed),
                ConcurrencyUtil.getDefaultAsyncExecutor());
  }

  private void answered(
      Address owner,
      ScanPosition from,
      long part,
      @Nullable RowsAnswer answer,
      @Nullable Throwable failed) {
    try {
      if (answer == null) {
        notAnswered(owner, from, part, failed);
        return;
      }
      gathering.arrived(answer.length(), part);
      ScanPosition position = answer.position();
      if (position.isDone() || !isWanted()) {
        partDone(position, answer.chunks());
      } else {
        add(answer.chunks());
        ask(owner, position);
      }
    } catch (RuntimeException e) {
      failed(e);
      partDone(from, List.of());
    }
  }

  private void notAnswered(
      Address owner, ScanPosition from, long part, @Nullable Throwable failed) {
    Throwable why =
        failed instanceof CompletionException && failed.getCause() != null
            ? failed.getCause()
            : failed;
    if (why instanceof QueryResultSizeExceededException) {
      long larger = gathering.lendMore(part);
      if (larger > 0) {
        ask(owner, from, larger);
        return;
      }
      failed(why);
    } else {
      gathering.returnLent(part);
      if (!isPassing(why)) {
        failed(why == null ? new IllegalStateException("no answer") : why);
      }
    }
    partDone(from, List.of());
  }

  private static boolean isPassing(@Nullable Throwable why) {
    return why instanceof RetryableException
        || why instanceof MemberLeftException
        || why instanceof TargetNotMemberException
        || why instanceof OperationTimeoutException;
  }

  // ---- the end of a round

  private void failed(Throwable why) {
    boolean _ = failure.compareAndSet(null, why);
  }

  private synchronized void add(List<RowChunks.Chunk> more) {
    rows.addAll(more);
  }

  private void partDone(ScanPosition position, List<RowChunks.Chunk> more) {
    synchronized (this) {
      rows.addAll(more);
      if (!position.left().isEmpty()) {
        left.add(position);
      }
    }
    if (running.decrementAndGet() == 0) {
      roundDone();
    }
  }

  private void roundDone() {
    ScanPosition rest = null;
    long pause;
    synchronized (this) {
      for (ScanPosition each : left) {
        rest = rest == null ? each : rest.and(each);
      }
      left = new ArrayList<>();
      pause = pauseMillis;
      pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
    }
    if (rest != null && isWanted() && System.nanoTime() - deadline < 0) {
      ScanPosition next = rest.of(rest.left());
      Future<?> _ =
          nodeEngine.getExecutionService().schedule(() -> goOn(next), pause, TimeUnit.MILLISECONDS);
      return;
    }
    if (rest != null) {
      failed(
          new QueryException(
              "Query aborted. Could not execute query for all partitions. Missed "
                  + rest.left().cardinality()
                  + " partitions"));
    }
    answer();
  }

  private void goOn(ScanPosition next) {
    try {
      maps.queries().execute(tenant, () -> round(next));
    } catch (RejectedExecutionException e) {
      failed(new QueryException("too many queries of the tenant wait: try again when fewer do"));
      answer();
    }
  }

  /** Answers once: a round that failed may have asked members before. */
  private synchronized void answer() {
    if (!answered.compareAndSet(false, true)) {
      return;
    }
    try {
      Throwable failed = failure.get();
      if (failed == null) {
        boolean _ =
            message
                .getConnection()
                .write(new RowsReply(request.answer(), message.getCorrelationId(), rows));
      } else {
        fail(node, message, failed);
      }
    } finally {
      gathering.release();
    }
  }

  /** Answers a request with a failure. */
  static void fail(Node node, ClientMessage message, Throwable failure) {
    ClientMessage answer =
        node.getClientEngine().getExceptionFactory().createExceptionMessage(failure);
    answer.setCorrelationId(message.getCorrelationId());
    boolean _ = message.getConnection().write(answer);
  }
}

package io.keyvalueserve.grid.query;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.grid.PassingFailures;
import io.keyvalueserve.maps.query.ScanPosition;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The rows of some keys, in no order. Keys are asked for in portions. */
final class KeyRows implements RowSource {
  private static final int PORTION = 500;
  private static final long PAUSE_MILLIS = 20;
  private static final long LOOK_UP_MILLIS = 100;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final GridQueries queries;
  private final NodeEngine nodeEngine;
  private final TableMap map;
  private final Scan scan;
  private final boolean whole;
  private final QueryControl control;
  private final Deque<Data> keys;
  private final Deque<@Nullable Object[]> rows = new ArrayDeque<>();
  private long heldBytes;
  private @Nullable Object @Nullable [] row;
  private long returned;

  /**
   * @param scan without grouping and order
   * @param whole whether rows are keys and values, serialized
   */
  KeyRows(
      GridQueries queries,
      TableMap map,
      Scan scan,
      List<Data> keys,
      boolean whole,
      QueryControl control) {
    this.queries = queries;
    this.nodeEngine = queries.nodeEngine();
    this.map = map;
    this.scan = scan;
    this.whole = whole;
    this.control = control;
    this.keys = new ArrayDeque<>(keys);
  }

  @Override
  public boolean next() {
    while (rows.isEmpty() && !keys.isEmpty() && returned < scan.limit()) {
      control.give(heldBytes);
      heldBytes = 0;
      List<Data> portion = new ArrayList<>();
      while (portion.size() < PORTION && !keys.isEmpty()) {
        portion.add(keys.remove());
      }
      read(portion);
    }
    if (rows.isEmpty() || returned >= scan.limit()) {
      return false;
    }
    row = rows.remove();
    returned++;
    return true;
  }

  private void read(List<Data> portion) {
    long begin = System.nanoTime();
    List<Data> left = portion;
    while (!left.isEmpty()) {
      control.checkpoint();
      left = ask(left);
      if (!left.isEmpty()) {
        if (System.nanoTime() - begin > PATIENCE_NANOS) {
          throw new QueryException(
              QueryException.Kind.UNAVAILABLE,
              "some keys have no member that answers: try again later");
        }
        pause();
      }
    }
  }

  /** Asks the owners of keys; returns the keys that could not be had. */
  private List<Data> ask(List<Data> wanted) {
    Map<Address, List<Data>> owners = new HashMap<>();
    List<Data> left = new ArrayList<>();
    for (Data key : wanted) {
      Address owner =
          nodeEngine
              .getPartitionService()
              .getPartitionOwner(nodeEngine.getPartitionService().getPartitionId(key));
      List<Data> of = owner == null ? left : owners.computeIfAbsent(owner, k -> new ArrayList<>());
      of.add(key);
    }
    List<Asked> asked = new ArrayList<>();
    owners.forEach((owner, of) -> asked.add(ask(owner, of)));
    for (Asked each : asked) {
      ScanPage page = await(each.page());
      if (page == null) {
        left.addAll(each.keys());
        continue;
      }
      List<@Nullable Object[]> found = page.rows();
      control.examined(page.examined());
      for (@Nullable Object[] row : found) {
        long bytes = Values.bytes(row);
        control.take(bytes);
        heldBytes += bytes;
        rows.add(row);
      }
      BitSet unreachable = page.next().unreachable();
      each.keys().stream()
          .filter(key -> unreachable.get(nodeEngine.getPartitionService().getPartitionId(key)))
          .forEach(left::add);
    }
    return left;
  }

  private record Asked(List<Data> keys, CompletableFuture<@Nullable ScanPage> page) {}

  private Asked ask(Address owner, List<Data> of) {
    map.require(Rights.READ);
    BitSet partitions = new BitSet();
    of.forEach(key -> partitions.set(nodeEngine.getPartitionService().getPartitionId(key)));
    ScanRequest request =
        new ScanRequest(
            control.tenant(),
            map.gridName(),
            new Scan(scan.fields(), scan.condition(), null, null, List.of(), Scan.ALL),
            whole,
            ScanPosition.begin(partitions),
            of,
            Long.MAX_VALUE,
            Long.MAX_VALUE);
    CompletableFuture<@Nullable ScanPage> answer = new CompletableFuture<>();
    queries.ask(
        owner,
        request,
        (page, failure) -> {
          if (failure == null || PassingFailures.has(failure)) {
            boolean _ = answer.complete(page); // none if it failed: the keys are asked for again
          } else {
            boolean _ = answer.completeExceptionally(failure);
          }
        });
    return new Asked(of, answer);
  }

  private @Nullable ScanPage await(CompletableFuture<@Nullable ScanPage> page) {
    while (true) {
      try {
        return page.get(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        control.checkpoint();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new QueryException(QueryException.Kind.CANCELLED, "the query was ended", e);
      } catch (ExecutionException e) {
        throw GridQueries.failure(e);
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(QueryException.Kind.CANCELLED, "the query was ended", e);
    }
  }

  @Override
  public @Nullable Object[] row() {
    if (row == null) {
      throw new IllegalStateException("there is no row before next");
    }
    return row;
  }

  @Override
  public void close() {
    keys.clear();
    rows.clear();
    control.give(heldBytes);
    heldBytes = 0;
  }
}

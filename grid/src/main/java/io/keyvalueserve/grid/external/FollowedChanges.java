package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.stores.ChangeFeed;
import io.keyvalueserve.stores.ColumnType;
import io.keyvalueserve.stores.Row;
import io.keyvalueserve.stores.StoreTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the changes of a table to the partitions of its map, and waits until all owners and
 * backups have them. The changes of one batch go together: of several to one row the last counts.
 * Used by one thread.
 */
final class FollowedChanges implements ChangeFeed.Listener {
  private static final int MOST_KEYS = 2_000;
  private static final long MOST_BYTES = 4 << 20;

  private final String map;
  private final TableRows rows;
  private final ColumnType keyType;
  private final @Nullable Supplier<StoreTable> whole;
  private final NodeEngine nodeEngine;
  private final Consumer<Integer> counter;
  private final BooleanSupplier wanted;
  private final Map<Integer, Map<Data, FollowedChange>> waiting = new HashMap<>();
  private int keys;
  private long bytes;

  /**
   * @param whole the table, if the map has all of its rows in memory; else null
   * @param counter is told of how many rows there were changes
   * @param wanted says whether to go on
   */
  FollowedChanges(
      String map,
      TableRows rows,
      ColumnType keyType,
      @Nullable Supplier<StoreTable> whole,
      NodeEngine nodeEngine,
      Consumer<Integer> counter,
      BooleanSupplier wanted) {
    this.map = map;
    this.rows = rows;
    this.keyType = keyType;
    this.whole = whole;
    this.nodeEngine = nodeEngine;
    this.counter = counter;
    this.wanted = wanted;
  }

  @Override
  public void changed(Object key, @Nullable Row row, boolean known) {
    counter.accept(1);
    Data value = row == null ? null : rows.value(row);
    boolean first = true;
    for (Object form : KeyForms.of(keyType, key)) {
      Data named = nodeEngine.getSerializationService().toData(form);
      add(new FollowedChange(named, value, known, first));
      first = false;
    }
    if (key instanceof String text && text.endsWith(" ")) {
      // a column of fixed length pads, and clients do not; in others it is a row of its own
      Data unpadded = nodeEngine.getSerializationService().toData(text.stripTrailing());
      add(new FollowedChange(unpadded, null, false, false));
    }
    if (keys >= MOST_KEYS || bytes >= MOST_BYTES) {
      settle();
    }
  }

  private void add(FollowedChange change) {
    int partition = nodeEngine.getPartitionService().getPartitionId(change.key());
    FollowedChange before =
        waiting.computeIfAbsent(partition, each -> new LinkedHashMap<>()).put(change.key(), change);
    keys += before == null ? 1 : 0;
    bytes += change.bytes() - (before == null ? 0 : before.bytes());
  }

  @Override
  public void truncated() {
    settle();
    sweep();
  }

  @Override
  public void lost() {
    settle();
    sweep();
    if (whole != null) {
      whole.get().scan(row -> changed(row.key(), row, true));
      settle();
    }
  }

  @Override
  public void committed(long position) {
    // all of several transactions is carried out together
  }

  @Override
  public void settle() {
    List<CompletableFuture<Integer>> sent = new ArrayList<>();
    waiting.forEach(
        (partition, changes) ->
            sent.add(
                send(
                    partition,
                    new FollowOperation(map, List.copyOf(changes.values()), whole != null))));
    waiting.clear();
    keys = 0;
    bytes = 0;
    sent.forEach(FollowedChanges::await);
  }

  /** Evicts all, some entries of each partition at a time. */
  private void sweep() {
    Map<Integer, Long> next = new HashMap<>();
    for (int partition = 0; partition < partitions(); partition++) {
      Long _ = next.put(partition, 0L);
    }
    while (!next.isEmpty()) {
      Map<Integer, CompletableFuture<Long>> sent = new HashMap<>();
      next.forEach(
          (partition, from) -> sent.put(partition, send(partition, new SweepOperation(map, from))));
      next.clear();
      sent.forEach(
          (partition, answer) -> {
            long from = await(answer);
            if (from >= 0) {
              Long _ = next.put(partition, from);
            }
          });
    }
  }

  private int partitions() {
    return nodeEngine.getPartitionService().getPartitionCount();
  }

  private <T> CompletableFuture<T> send(int partition, Operation operation) {
    return nodeEngine
        .getOperationService()
        .invokeOnPartitionAsync(MapService.SERVICE_NAME, operation, partition);
  }

  private static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (RuntimeException e) {
      throw new UnansweredException(e);
    }
  }

  @Override
  public boolean isWanted() {
    return wanted.getAsBoolean();
  }

  /** Thrown when a member has not carried out a change: it is told again. */
  static final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnansweredException(Throwable cause) {
      super("a member has not answered: the changes are told again", cause);
    }
  }
}

package io.keyvalueserve.server;

import io.keyvalueserve.grid.query.GridQueries;
import io.keyvalueserve.sql.QueryHeap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The heap that statements of a tenant may keep: the same that results of its other requests take.
 * Thread-safe.
 */
final class SqlHeap implements QueryHeap {
  private final GridQueries queries;
  private final ConcurrentHashMap<Integer, LongAdder> held = new ConcurrentHashMap<>();

  SqlHeap(GridQueries queries) {
    this.queries = queries;
  }

  @Override
  public boolean take(int tenant, long bytes) {
    if (!queries.heapOf(tenant).take(bytes)) {
      return false;
    }
    heldBy(tenant).add(bytes);
    return true;
  }

  @Override
  public void give(int tenant, long bytes) {
    queries.heapOf(tenant).give(bytes);
    heldBy(tenant).add(-bytes);
  }

  private LongAdder heldBy(int tenant) {
    return held.computeIfAbsent(tenant, _ -> new LongAdder());
  }

  /** Returns what the tenant's statements hold, and what is free for them beside other requests. */
  @Override
  public long bound(int tenant) {
    return heldBy(tenant).sum() + queries.heapOf(tenant).free();
  }
}

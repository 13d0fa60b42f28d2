package io.keyvalueserve.server;

import io.keyvalueserve.grid.query.GridQueries;
import io.keyvalueserve.sql.QueryHeap;

/** The heap that statements of a tenant may keep: the same that results of other requests take. */
record SqlHeap(GridQueries queries) implements QueryHeap {
  @Override
  public boolean take(int tenant, long bytes) {
    return queries.heapOf(tenant).take(bytes);
  }

  @Override
  public void give(int tenant, long bytes) {
    queries.heapOf(tenant).give(bytes);
  }

  @Override
  public long bound(int tenant) {
    return queries.heapOf(tenant).free();
  }
}

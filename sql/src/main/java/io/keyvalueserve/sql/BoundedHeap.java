package io.keyvalueserve.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The same bound for each tenant. */
final class BoundedHeap implements QueryHeap {
  private final long bound;
  private final Map<Integer, Long> taken = new ConcurrentHashMap<>();

  BoundedHeap(long bound) {
    this.bound = bound;
  }

  @Override
  public boolean take(int tenant, long bytes) {
    boolean[] isTaken = new boolean[1];
    taken.compute(
        tenant,
        (_, before) -> {
          long present = before == null ? 0 : before;
          isTaken[0] = bytes <= bound - present;
          return isTaken[0] ? Long.valueOf(present + bytes) : before;
        });
    return isTaken[0];
  }

  @Override
  public void give(int tenant, long bytes) {
    taken.computeIfPresent(tenant, (_, before) -> before <= bytes ? null : before - bytes);
  }

  @Override
  public long bound(int tenant) {
    return bound;
  }
}

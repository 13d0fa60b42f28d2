package io.keyvalueserve.tenancy.fairness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deficit round robin as one would write it down: round after round, visit after visit, with
 * everything looked up each time. Sessions are numbers.
 */
final class NaiveRoundRobin {
  private static final class Tenant {
    final Deque<Integer> ready = new ArrayDeque<>();
    long balance;
    long idleSince;
  }

  private final Slicing slicing;
  private final IntUnaryOperator weights;
  private final Map<Integer, Tenant> tenants = new HashMap<>();
  private final Map<Integer, Integer> tenantOf = new HashMap<>();
  private final List<Integer> listed = new ArrayList<>();
  private final Set<Integer> toVisit = new HashSet<>();
  private boolean isVisiting;
  private long quantum;
  private @Nullable Integer present;
  private boolean isAlone;
  private long granted;
  private long begun;

  NaiveRoundRobin(Slicing slicing, IntUnaryOperator weights) {
    this.slicing = slicing;
    this.weights = weights;
  }

  private Tenant tenant(int number) {
    return tenants.computeIfAbsent(number, unknown -> new Tenant());
  }

  void enter(int tenant, int session) {
    tenantOf.put(session, tenant);
    tenants.putIfAbsent(tenant, new Tenant());
  }

  void leave(int session) {
    Integer tenant = tenantOf.remove(session);
    if (tenant != null) {
      tenant(tenant).ready.remove(session);
    }
  }

  void ready(int session, long now) {
    Integer tenant = tenantOf.get(session);
    if (tenant == null || Integer.valueOf(session).equals(present)) {
      return;
    }
    Tenant flow = tenant(tenant);
    if (flow.ready.contains(session)) {
      return;
    }
    flow.ready.add(session);
    if (!listed.contains(tenant)) {
      if (now - flow.idleSince >= slicing.debtLasts()) {
        flow.balance = 0;
      }
      listed.add(tenant);
    }
  }

  @Nullable Integer next(long now) {
    while (!listed.isEmpty()) {
      Integer tenant = listed.getFirst();
      Tenant flow = tenant(tenant);
      if (flow.ready.isEmpty()) {
        drop(tenant, now);
      } else if (listed.size() == 1) {
        toVisit.clear();
        isVisiting = false;
        return begin(flow, true, slicing.alone(), now);
      } else if (isVisiting || !toVisit.isEmpty() || beginRound(now)) {
        if (!isVisiting) {
          isVisiting = true;
          toVisit.remove(tenant);
          flow.balance += quantum * weights.applyAsInt(tenant);
        }
        if (flow.balance > 0) {
          long slice = Math.clamp(flow.balance, slicing.least(), slicing.most());
          return begin(flow, false, slice, now);
        }
        isVisiting = false;
        listed.removeFirst();
        listed.add(tenant);
      }
    }
    return null;
  }

  private boolean beginRound(long now) {
    List<Integer> idle = listed.stream().filter(tenant -> tenant(tenant).ready.isEmpty()).toList();
    idle.forEach(tenant -> drop(tenant, now));
    if (!idle.isEmpty()) {
      return false;
    }
    int greatest = listed.stream().mapToInt(weights::applyAsInt).max().orElseThrow();
    quantum = Math.max(1, slicing.visit(listed.size()) / greatest);
    toVisit.addAll(listed);
    return true;
  }

  private Integer begin(Tenant flow, boolean alone, long slice, long now) {
    isAlone = alone;
    granted = slice;
    begun = now;
    present = flow.ready.remove();
    return present;
  }

  private void drop(Integer tenant, long now) {
    if (listed.getFirst().equals(tenant)) {
      isVisiting = false;
    }
    listed.removeIf(tenant::equals);
    toVisit.remove(tenant);
    Tenant flow = tenant(tenant);
    flow.balance = Math.min(0, flow.balance);
    flow.idleSince = now;
  }

  long sliceNanos() {
    return granted;
  }

  void done(long now, boolean hasMore) {
    Integer session = present;
    Integer tenant = listed.getFirst();
    Tenant flow = tenant(tenant);
    present = null;
    long cost = now - begun;
    flow.balance = isAlone ? Math.min(0, granted - cost) : flow.balance - cost;
    if (hasMore && session != null && tenantOf.containsKey(session)) {
      flow.ready.add(session);
    } else if (flow.ready.isEmpty()) {
      drop(tenant, now);
    }
  }
}

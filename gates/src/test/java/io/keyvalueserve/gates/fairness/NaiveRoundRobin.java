package io.keyvalueserve.gates.fairness;

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
    long lent;
    long idleSince;
    long grantedThen;
    int weight = 1;
  }

  private final Slicing slicing;
  private final IntUnaryOperator weights;
  private final Map<Integer, Tenant> tenants = new HashMap<>();
  private final Map<Integer, Integer> tenantOf = new HashMap<>();
  private final List<Integer> listed = new ArrayList<>();
  private final Set<Integer> toVisit = new HashSet<>();
  private final Set<Integer> ahead = new HashSet<>();
  private boolean isVisiting;
  private long quantum;
  private long grantedSoFar;
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
      flow.balance = Math.min(0, flow.balance + (grantedSoFar - flow.grantedThen) * flow.weight);
      if (now - flow.idleSince >= slicing.debtLasts()) {
        flow.balance = 0;
      }
      if (flow.balance < 0) {
        listed.add(tenant);
      } else {
        boolean firstIsBusy = !listed.isEmpty() && (isVisiting || present != null);
        listed.add(ahead.size() + (firstIsBusy ? 1 : 0), tenant);
        ahead.add(tenant);
      }
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
        ahead.clear();
        isVisiting = false;
        flow.balance -= flow.lent;
        flow.lent = 0;
        return begin(flow, true, slicing.most(), now);
      } else if (isVisiting || ahead.contains(tenant) || !toVisit.isEmpty() || beginRound(now)) {
        if (!isVisiting) {
          isVisiting = true;
          if (ahead.remove(tenant)) {
            flow.lent = slicing.visit(listed.size());
            flow.balance += flow.lent;
          } else {
            toVisit.remove(tenant);
            flow.balance += quantum * flow.weight;
          }
        }
        if (flow.balance > 0) {
          long slice = Math.clamp(flow.balance, slicing.least(), slicing.most());
          return begin(flow, false, slice, now);
        }
        endVisit(tenant);
      }
    }
    return null;
  }

  private void endVisit(Integer tenant) {
    isVisiting = false;
    Tenant flow = tenant(tenant);
    flow.balance -= flow.lent;
    flow.lent = 0;
    listed.removeFirst();
    listed.add(tenant);
  }

  private boolean beginRound(long now) {
    List<Integer> idle = listed.stream().filter(tenant -> tenant(tenant).ready.isEmpty()).toList();
    idle.forEach(tenant -> drop(tenant, now));
    listed.forEach(tenant -> tenant(tenant).weight = weights.applyAsInt(tenant));
    if (!idle.isEmpty()) {
      return false;
    }
    int greatest = listed.stream().mapToInt(weights::applyAsInt).max().orElseThrow();
    quantum = Math.max(1, slicing.visit(listed.size()) / greatest);
    long rounds =
        listed.stream()
            .map(this::tenant)
            .mapToLong(flow -> Math.max(0, -flow.balance) / (quantum * flow.weight))
            .min()
            .orElseThrow();
    listed.forEach(tenant -> tenant(tenant).balance += rounds * quantum * tenant(tenant).weight);
    grantedSoFar += (1 + rounds) * quantum;
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
    ahead.remove(tenant);
    Tenant flow = tenant(tenant);
    flow.balance = Math.min(0, flow.balance - flow.lent);
    flow.lent = 0;
    flow.idleSince = now;
    flow.grantedThen = grantedSoFar;
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
    if (isAlone) {
      flow.balance = Math.min(0, granted - cost);
      grantedSoFar += cost / flow.weight;
    } else {
      flow.balance -= cost;
    }
    if (hasMore && session != null && tenantOf.containsKey(session)) {
      flow.ready.add(session);
    } else if (flow.ready.isEmpty()) {
      drop(tenant, now);
    }
    if (isAlone && !ahead.isEmpty() && listed.contains(tenant)) {
      endVisit(tenant);
    }
  }
}

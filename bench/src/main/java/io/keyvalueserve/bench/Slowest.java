package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** The requests that took longest. Remembers no others, however many there are. One thread's. */
final class Slowest {
  private final int most;
  private final PriorityQueue<SlowRequest> slowest = new PriorityQueue<>(SlowRequest.BY_LATENCY);

  /**
   * None yet.
   *
   * @param most how many are remembered, 0 or more
   */
  Slowest(int most) {
    this.most = most;
  }

  /** Adds one, if it is among those that took longest; what it says is in {@link SlowRequest}. */
  void add(long due, long sent, long answered) {
    SlowRequest least = slowest.peek();
    if (slowest.size() < most) {
      slowest.add(new SlowRequest(due, sent, answered));
    } else if (least != null && answered - due > least.nanos()) {
      slowest.remove();
      slowest.add(new SlowRequest(due, sent, answered));
    }
  }

  /** Adds those of another one. */
  void addAll(Slowest other) {
    other.slowest.forEach(one -> add(one.due(), one.sent(), one.answered()));
  }

  /** All, the one that took longest first. */
  List<SlowRequest> list() {
    List<SlowRequest> all = new ArrayList<>(slowest);
    all.sort(SlowRequest.BY_LATENCY.reversed());
    return List.copyOf(all);
  }
}

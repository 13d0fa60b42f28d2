package io.keyvalueserve.gates.fairness;

import org.jspecify.annotations.Nullable;

/**
 * Flows that have work, or had, in the order of their turns. Those that go ahead are in front of
 * all others, but for one that is being visited. Confined as the scheduler is that has them; all
 * steps take a constant time.
 */
final class FlowList<T> {
  private @Nullable Flow<T> first;
  private @Nullable Flow<T> last;
  private @Nullable Flow<T> lastAhead;
  private int size;

  @Nullable Flow<T> first() {
    return first;
  }

  int size() {
    return size;
  }

  /** Returns whether any flow goes ahead. */
  boolean hasAhead() {
    return lastAhead != null;
  }

  /** Lists a flow at the end. */
  void append(Flow<T> flow) {
    flow.isListed = true;
    size++;
    putLast(flow);
  }

  private void putLast(Flow<T> flow) {
    Flow<T> before = last;
    if (before == null) {
      first = flow;
    } else {
      before.next = flow;
    }
    last = flow;
  }

  /**
   * Lists a flow behind those that go ahead already.
   *
   * @param behindFirst whether behind the first flow in any case, as it is being visited
   */
  void goAhead(Flow<T> flow, boolean behindFirst) {
    flow.isListed = true;
    size++;
    Flow<T> before = lastAhead != null ? lastAhead : behindFirst ? first : null;
    flow.isAhead = true;
    lastAhead = flow;
    if (before == null) {
      flow.next = first;
      first = flow;
    } else {
      flow.next = before.next;
      before.next = flow;
    }
    if (flow.next == null) {
      last = flow;
    }
  }

  /** The first flow does not go ahead any more, if it did: it is its turn. */
  void arrive(Flow<T> flow) {
    leaveAhead(flow, null);
  }

  /** The first flow is the last one now. */
  void rotate() {
    Flow<T> flow = first;
    if (flow != null && flow.next != null) {
      first = flow.next;
      flow.next = null;
      putLast(flow);
    }
  }

  /**
   * Takes a flow off the list.
   *
   * @param before the one before it, null if it is the first
   */
  void remove(Flow<T> flow, @Nullable Flow<T> before) {
    leaveAhead(flow, before);
    if (before == null) {
      first = flow.next;
    } else {
      before.next = flow.next;
    }
    if (flow.next == null) {
      last = before;
    }
    flow.next = null;
    flow.isListed = false;
    size--;
  }

  private void leaveAhead(Flow<T> flow, @Nullable Flow<T> before) {
    flow.isAhead = false;
    if (flow == lastAhead) {
      lastAhead = before != null && before.isAhead ? before : null;
    }
  }
}

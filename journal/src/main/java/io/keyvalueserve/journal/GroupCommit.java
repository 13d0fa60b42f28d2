package io.keyvalueserve.journal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The waiters for one stream. They push themselves on a stack without a lock. Each sync takes the
 * whole stack, and one sync is shared by all waiters that it covers. Only the sync thread completes
 * them.
 */
final class GroupCommit {
  private final AtomicReference<@Nullable DurabilityWaiter> arrived = new AtomicReference<>();
  private @Nullable DurabilityWaiter
      waiting; // those taken from the stack that a sync did not cover
  private volatile boolean anyWaiting;

  /** Enters a waiter, whose position is set. */
  void enter(DurabilityWaiter waiter) {
    DurabilityWaiter first;
    do {
      first = arrived.get();
      waiter.next = first;
    } while (!arrived.compareAndSet(first, waiter));
  }

  /** Returns whether anything waits. */
  boolean isAwaited() {
    return arrived.get() != null || anyWaiting;
  }

  /** Tells all whose record ends before a position; for the sync thread. */
  synchronized void complete(long certain) {
    DurabilityWaiter later = null;
    for (DurabilityWaiter each = takeAll(); each != null; ) {
      DurabilityWaiter next = each.next;
      each.next = null;
      if (each.position < certain) {
        each.durable();
      } else {
        each.next = later;
        later = each;
      }
      each = next;
    }
    waiting = later;
    anyWaiting = later != null;
  }

  /** Tells those who do not wait for room that there is none; for the sync thread. */
  synchronized void giveUp(JournalFullException e) {
    DurabilityWaiter patient = null;
    for (DurabilityWaiter each = takeAll(); each != null; ) {
      DurabilityWaiter next = each.next;
      each.next = null;
      if (each.waitsForRoom()) {
        each.next = patient;
        patient = each;
      } else {
        each.failed(e);
      }
      each = next;
    }
    waiting = patient;
    anyWaiting = patient != null;
  }

  /** Tells all that the journal failed; any thread, once nothing is completed any more. */
  synchronized void fail(JournalException e) {
    for (DurabilityWaiter each = takeAll(); each != null; ) {
      DurabilityWaiter next = each.next;
      each.next = null;
      each.failed(e);
      each = next;
    }
  }

  private @Nullable DurabilityWaiter takeAll() {
    DurabilityWaiter fresh = arrived.getAndSet(null);
    DurabilityWaiter all = waiting;
    waiting = null;
    anyWaiting = false;
    for (DurabilityWaiter each = fresh; each != null; ) {
      DurabilityWaiter next = each.next;
      each.next = all;
      all = each;
      each = next;
    }
    return all;
  }
}

package io.keyvalueserve.tenancy.audit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A bounded queue from any threads to one. Handing over takes no lock and never waits.
 *
 * <p>A producer claims a number below {@code taken + capacity}, then fills the slot of that number.
 * The consumer empties a slot before it lets the number of its next use be claimed, so whoever
 * claims one finds it empty.
 */
final class HandOver<E> {
  private static final long BETWEEN_STEPS_NANOS = 1_000;

  private final AtomicReferenceArray<E> slots;
  private final int mask;
  private final AtomicLong claimed = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param capacity a power of two
   */
  HandOver(int capacity) {
    slots = new AtomicReferenceArray<>(capacity);
    mask = capacity - 1;
  }

  /** Hands over; false if there is no room. Any thread. */
  boolean offer(E element) {
    long number;
    do {
      number = claimed.get();
      if (number - taken.get() > mask) {
        return false;
      }
    } while (!claimed.compareAndSet(number, number + 1));
    slots.setRelease((int) number & mask, element);
    return true;
  }

  /**
   * Returns whether everything was taken, including elements whose hand-over has only begun. Any
   * thread.
   */
  boolean isEmpty() {
    return claimed.get() == taken.get();
  }

  /** Returns whether at least half of its room is taken, or soon will be. Any thread. */
  boolean isHalfFull() {
    return claimed.get() - taken.get() > mask >> 1;
  }

  /**
   * Takes all whose handing over had begun before the call. Only the consumer; waits for a producer
   * that is between its two steps.
   */
  void drain(Consumer<? super E> to) {
    long end = claimed.get();
    for (long number = taken.getPlain(); number < end; number++) {
      int slot = (int) number & mask;
      E element = slots.getAcquire(slot);
      while (element == null) {
        LockSupport.parkNanos(BETWEEN_STEPS_NANOS);
        element = slots.getAcquire(slot);
      }
      slots.setPlain(slot, null);
      taken.setRelease(number + 1);
      to.accept(element);
    }
  }
}

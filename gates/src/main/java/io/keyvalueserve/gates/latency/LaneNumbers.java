package io.keyvalueserve.gates.latency;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbers the threads of a door, in the order in which they first record: so its event loops have
 * lanes of their own, whatever numbers Java has given them. Virtual threads, which are many and
 * live for one request, take the number that Java has given them. Thread-safe.
 */
public final class LaneNumbers {
  private static final int MOST_LANES = 64;

  private final int count;
  private final AtomicInteger next = new AtomicInteger();
  private final ThreadLocal<Integer> ofThread = ThreadLocal.withInitial(next::getAndIncrement);

  /**
   * None is given yet.
   *
   * @param processors how many threads record at the same time at most, from 1 on
   */
  public LaneNumbers(int processors) {
    count = Math.min(MOST_LANES, Integer.highestOneBit(2 * processors - 1));
  }

  /** Returns the number of lanes: a power of two, 64 at most. */
  int count() {
    return count;
  }

  /** The lane of the current thread, from 0 on. */
  int ofThread() {
    Thread thread = Thread.currentThread();
    int number = thread.isVirtual() ? (int) thread.threadId() : ofThread.get();
    return number & (count - 1);
  }
}

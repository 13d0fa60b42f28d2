package io.keyvalueserve.tenancy.latency;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbers the threads of a door, in the order in which they first record: so its event loops have
 * lanes of their own, whatever numbers Java has given them. Virtual threads, which are many and
 * live for one request, take the number that Java has given them. Thread-safe.
 */
public final class LaneNumbers {
  private final AtomicInteger next = new AtomicInteger();
  private final ThreadLocal<Integer> ofThread = ThreadLocal.withInitial(next::getAndIncrement);

  /** None is given yet. */
  public LaneNumbers() {}

  /** The number of the current thread. */
  int ofThread() {
    Thread thread = Thread.currentThread();
    return thread.isVirtual() ? (int) thread.threadId() : ofThread.get();
  }
}

package io.keyvalueserve.bench;

import java.util.concurrent.atomic.AtomicInteger;

/** The things that clients work on in a round. Says how long they may. Thread-safe. */
abstract class NemesisRound {
  final int number;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean ended;

  NemesisRound(int number) {
    this.number = number;
  }

  /** Begins an operation; returns whether it may, as the round goes on. */
  final boolean begin() {
    underWay.incrementAndGet();
    if (ended) {
      underWay.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Ends an operation that was begun. */
  final void end() {
    underWay.decrementAndGet();
  }

  /** Has no more operations begin. */
  final void close() {
    ended = true;
  }

  /** Returns whether none is under way, and none will be. */
  final boolean isOver() {
    return ended && underWay.get() == 0;
  }
}

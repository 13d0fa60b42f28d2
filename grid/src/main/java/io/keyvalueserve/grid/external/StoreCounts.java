package io.keyvalueserve.grid.external;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The figures of one map with an external store, on one member. Thread-safe. */
final class StoreCounts {
  final LongAdder loads = new LongAdder();
  final LongAdder loaded = new LongAdder();
  final LongAdder absent = new LongAdder();
  final LongAdder written = new LongAdder();
  final LongAdder failures = new LongAdder();

  /** Keys with a write that waits. Dead letters are among them. */
  final AtomicLong waiting = new AtomicLong();

  volatile long dead;
  volatile long oldestMillis;
  private volatile @Nullable String problem;
  private volatile long problemMillis;

  /** The database has not done what was asked. */
  void failed(String why) {
    failures.increment();
    problem = why;
    problemMillis = System.currentTimeMillis();
  }

  /** The database works. */
  void works() {
    problem = null;
  }

  /** Returns why the database does not work at present; null if it does. */
  @Nullable String problem() {
    return problem;
  }

  /** Returns when the problem was last met, in milliseconds since 1970. */
  long problemMillis() {
    return problemMillis;
  }
}

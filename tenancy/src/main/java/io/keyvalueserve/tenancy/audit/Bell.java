package io.keyvalueserve.tenancy.audit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The bell that wakes the writer. Ringing costs next to nothing while the writer is awake. */
final class Bell {
  private final AtomicBoolean rung = new AtomicBoolean();
  private volatile @Nullable Thread sleeper;

  /** Says that there is work; any thread. */
  void ring() {
    if (!rung.get() && rung.compareAndSet(false, true)) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Waits for a ring since the last call, or so long; may return early. One thread. */
  void await(long nanos) {
    sleeper = Thread.currentThread();
    if (!rung.get()) {
      LockSupport.parkNanos(this, nanos);
    }
    sleeper = null;
    rung.set(false);
  }
}

package io.keyvalueserve.journal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bell that wakes a thread that waits for work. Ringing costs next to nothing if the thread is
 * awake.
 */
final class Doorbell {
  private final AtomicBoolean rung = new AtomicBoolean();
  private volatile @Nullable Thread sleeper;

  /** Says that there is work; any thread. */
  void ring() {
    if (!rung.get() && rung.compareAndSet(false, true)) {
      Thread thread = sleeper;
      if (thread != null) {
        LockSupport.unpark(thread);
      }
    }
  }

  /** Waits for a ring since the last call, or so long. */
  void await(long nanos) {
    sleeper = Thread.currentThread();
    if (!rung.get()) {
      LockSupport.parkNanos(this, nanos);
    }
    sleeper = null;
    rung.set(false);
  }
}

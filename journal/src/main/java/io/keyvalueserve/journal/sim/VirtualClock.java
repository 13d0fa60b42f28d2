package io.keyvalueserve.journal.sim;

import io.keyvalueserve.journal.JournalClock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved. Thread-safe. */
public final class VirtualClock implements JournalClock {
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();

  /** A clock at some day of 2023. */
  public VirtualClock() {}

  /** Moves it. */
  public void advanceMillis(long millis) {
    nanos.addAndGet(millis * NANOS_PER_MILLI);
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long currentTimeMillis() {
    return EPOCH_MILLIS + nanos.get() / NANOS_PER_MILLI;
  }
}

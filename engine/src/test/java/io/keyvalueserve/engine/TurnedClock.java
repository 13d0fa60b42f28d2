package io.keyvalueserve.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test turns it. Thread-safe. */
public final class TurnedClock implements InstantSource {
  private final AtomicLong millis;

  /** Shows this time, in milliseconds since 1970. */
  public TurnedClock(long startMillis) {
    this.millis = new AtomicLong(startMillis);
  }

  /** Turns the clock forward to this time; never back. */
  public void turnTo(long timeMillis) {
    millis.accumulateAndGet(timeMillis, Math::max);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long millis() {
    return millis.get();
  }
}

package io.keyvalueserve.tenancy.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that is turned by hand. Thread-safe. */
final class HandClock implements InstantSource {
  static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);

  @Override
  public Instant instant() {
    return now.get();
  }

  void turn(Duration by) {
    now.updateAndGet(before -> before.plus(by));
  }
}

package io.keyvalueserve.maps;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A number that moves on before several keys are changed together, so that who reads several keys
 * can tell whether that happened meanwhile. It begins at random: two stamps never have the same
 * number, but by a chance of about one in 2^60. Thread-safe, and never blocks.
 */
final class Stamp {
  private final AtomicLong value = new AtomicLong(UUID.randomUUID().getLeastSignificantBits());

  /**
   * Returns the number. To be read before the first key, and again behind the last: if it is the
   * same, and the keys were not being changed, no change began in between.
   */
  long value() {
    return value.get();
  }

  /** Moves on. To be called before the first change: who sees a change sees the new number. */
  void moveOn() {
    long _ = value.incrementAndGet();
  }
}

package io.keyvalueserve.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What happened to one key, checked while it happens: whether its reads and writes are
 * linearizable.
 *
 * <p>Writes of a key come one after the other, so they are numbered, and a history is linearizable
 * if each read can be given the number of a write whose value it saw, not before a write that had
 * ended when it began, not after one that had not begun when it ended, and not before the number of
 * a read that had ended when it began (J. Wing and C. Gong, "Testing and verifying concurrent
 * objects", JPDC 17, 1993, for a register with one writer). The lowest such number is the best: it
 * binds later reads least.
 */
final class KeyHistory {
  /** The value of a key that is not there. */
  static final long ABSENT = 0;

  private static final int REMEMBERED = 4096;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong seen = new AtomicLong();
  private final AtomicLongArray values = new AtomicLongArray(REMEMBERED);

  /** The writer is about to write. */
  void begin(long value) {
    long number = begun.get() + 1;
    values.set((int) (number % REMEMBERED), value);
    begun.set(number);
  }

  /** It has. */
  void end() {
    ended.set(begun.get());
  }

  /** It could not: what was there is still there. */
  void abort() {
    long number = begun.get();
    values.set((int) (number % REMEMBERED), values.get((int) ((number - 1) % REMEMBERED)));
    ended.set(number);
  }

  /** The writer's own view. */
  long value() {
    return values.get((int) (ended.get() % REMEMBERED));
  }

  /** A read begins; to be handed to {@link #check}. */
  long beginRead() {
    return Math.max(ended.get(), seen.get());
  }

  /** A read has ended with a value. */
  void check(long from, long value) {
    long last = begun.get();
    if (last - from >= REMEMBERED - 2) {
      return; // too long ago to be known
    }
    for (long number = from; number <= last; number++) {
      if (values.get((int) (number % REMEMBERED)) == value) {
        seen.accumulateAndGet(number, Math::max);
        return;
      }
    }
    if (begun.get() - from < REMEMBERED - 2) {
      throw new AssertionError(
          "not linearizable: read value=" + value + " of none of the writes " + from + ".." + last);
    }
  }
}

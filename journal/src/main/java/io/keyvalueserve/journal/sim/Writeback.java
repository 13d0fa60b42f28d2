package io.keyvalueserve.journal.sim;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The writes that a system makes to its disk before anything asks for them, drawn by a seed; none
 * without a seed. Thread-safe; with several threads a seed does not give the same run again.
 */
final class Writeback {
  private static final int ONE_IN = 8;
  private static final int[] PERCENT = {100, 50, 90, 10};

  private final SplittableRandom random;
  private final boolean any;

  Writeback(OptionalLong seed) {
    random = new SplittableRandom(seed.orElse(0));
    any = seed.isPresent();
  }

  /** Returns whether to write back now. */
  synchronized boolean isNow() {
    return any && random.nextInt(ONE_IN) == 0;
  }

  /** Returns the chance, in percent, that a piece is written back this time. */
  synchronized int percent() {
    return PERCENT[random.nextInt(PERCENT.length)];
  }

  synchronized boolean in100(int percent) {
    return random.nextInt(100) < percent;
  }

  /** A number from 0 to this one. */
  synchronized int upTo(int most) {
    return random.nextInt(most + 1);
  }
}

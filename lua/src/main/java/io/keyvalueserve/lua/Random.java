package io.keyvalueserve.lua;

/** The generator of {@code math.random}: 48 bits, as Redis has it, seeded anew for each script. */
final class Random {
  private static final long MULTIPLIER = 0x5DEECE66DL;
  private static final long INCREMENT = 0xB;
  private static final long MASK = (1L << 48) - 1;
  private static final long FIRST = 0x330EL;
  private static final int RANGE = Integer.MAX_VALUE;

  private long state = FIRST;

  void seed(int seed) {
    state = (seed & 0xFFFFFFFFL) << 16 | FIRST;
  }

  /** Returns a number of at least 0 and less than 1. */
  double next() {
    state = (state * MULTIPLIER + INCREMENT) & MASK;
    return (double) ((int) (state >>> 17) % RANGE) / RANGE;
  }
}

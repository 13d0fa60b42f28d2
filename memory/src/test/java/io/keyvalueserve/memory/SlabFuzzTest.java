package io.keyvalueserve.memory;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: no sequence of allocations and frees breaks the heap. Method: bytes at random for a few
 * seconds; {@link SlabFuzzTargets} is the same check for a coverage-guided fuzzer.
 */
class SlabFuzzTest {
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Test
  void noBytesBreakTheHeap() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    long end = System.nanoTime() + BUDGET_NANOS;
    while (System.nanoTime() < end) {
      byte[] input = new byte[random.nextInt(3_000)];
      random.nextBytes(input);
      try {
        SlabFuzzTargets.check(input);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed=" + seed + " input=" + Arrays.toString(input), e);
      }
    }
  }
}

package io.keyvalueserve.store;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: no sequence of operations breaks a table. Method: bytes at random and their mutations for a
 * few seconds; {@link TableFuzzTargets} is the same check for a coverage-guided fuzzer.
 */
class TableFuzzTest {
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(3);

  @Test
  void noBytesBreakATable() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> inputs = List.of(grow(), swing(), new byte[] {0, 0, 1, 2});
    inputs.forEach(TableFuzzTargets::check);
    long end = System.nanoTime() + BUDGET_NANOS;
    while (System.nanoTime() < end) {
      byte[] input = mutated(inputs.get(random.nextInt(inputs.size())), random);
      try {
        TableFuzzTargets.check(input);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed=" + seed + " input=" + Arrays.toString(input), e);
      }
    }
  }

  /** Many puts of many keys. */
  private static byte[] grow() {
    byte[] input = new byte[2_000];
    for (int i = 1; i + 3 < input.length; i += 4) {
      input[i] = 0;
      input[i + 1] = (byte) (i >>> 8);
      input[i + 2] = (byte) i;
      input[i + 3] = (byte) (i % 90);
    }
    return input;
  }

  /** Puts, then removals of the same. */
  private static byte[] swing() {
    byte[] grown = grow();
    byte[] input = Arrays.copyOf(grown, 3_400);
    for (int i = 1, at = 2_000; at + 2 < input.length; i += 4, at += 3) {
      input[at] = 2;
      input[at + 1] = grown[i + 1];
      input[at + 2] = grown[i + 2];
    }
    return input;
  }

  private static byte[] mutated(byte[] input, Random random) {
    byte[] bytes = input.clone();
    for (int i = 1 + random.nextInt(40); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 2 -> {
          int length = Math.min(random.nextInt(400), bytes.length - at);
          System.arraycopy(bytes, at, bytes, random.nextInt(bytes.length - length + 1), length);
        }
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }
}

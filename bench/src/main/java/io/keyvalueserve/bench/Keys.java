package io.keyvalueserve.bench;

import java.util.Random;
import java.util.SplittableRandom;

/** A distribution over the numbers of keys. Immutable. */
interface Keys {
  /** Draws a number. */
  int next(SplittableRandom random);

  /** As a load asks for them. */
  static Keys of(Mix mix, int count) {
    return mix.zipfian() ? new Zipfian(count) : random -> random.nextInt(count);
  }

  /** A shuffled list of the numbers below a count: the same for the same seed. */
  static int[] shuffled(int count, long seed) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    Random random = new Random(seed);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int moved = numbers[i];
      numbers[i] = numbers[other];
      numbers[other] = moved;
    }
    return numbers;
  }
}

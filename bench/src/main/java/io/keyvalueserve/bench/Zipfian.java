package io.keyvalueserve.bench;

import java.util.SplittableRandom;

/**
 * Zipf's distribution with the exponent of YCSB, 0.99: the key of rank r is asked for in proportion
 * to 1 / r^0.99. Ranks are spread over the numbers of keys by a shuffle that is always the same, so
 * that all clients like the same keys.
 *
 * <p>A number is drawn as in Gray et al., "Quickly generating billion-record synthetic databases"
 * (SIGMOD 1994), section 3.2: the two first ranks exactly, the others by inverting the integral
 * that approximates the sum.
 */
final class Zipfian implements Keys {
  static final double EXPONENT = 0.99;

  private static final long SHUFFLE_SEED = 20181;

  private final int[] numberOfRank;
  private final double sum;
  private final double firstTwo;
  private final double eta;

  Zipfian(int count) {
    numberOfRank = Keys.shuffled(count, SHUFFLE_SEED);
    sum = sum(count);
    firstTwo = 1 + Math.pow(0.5, EXPONENT);
    eta = (1 - Math.pow(2.0 / count, 1 - EXPONENT)) / (1 - firstTwo / sum);
  }

  @Override
  public int next(SplittableRandom random) {
    return numberOfRank[rank(random.nextDouble())];
  }

  /**
   * The rank of a draw, from 0.
   *
   * @param u from 0 to 1
   */
  private int rank(double u) {
    double part = u * sum;
    if (part < 1) {
      return 0;
    }
    if (part < firstTwo) {
      return 1;
    }
    double rank = numberOfRank.length * Math.pow(eta * u - eta + 1, 1 / (1 - EXPONENT));
    return Math.min((int) rank, numberOfRank.length - 1);
  }

  /** The sum of 1 / r^0.99 over all ranks. */
  static double sum(int count) {
    double sum = 0;
    for (int rank = 1; rank <= count; rank++) {
      sum += 1 / Math.pow(rank, EXPONENT);
    }
    return sum;
  }
}

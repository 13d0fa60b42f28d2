package io.keyvalueserve.bench;

import java.util.Arrays;

/** The median. */
final class Median {
  private Median() {}

  /** Of figures in any order; the mean of the middle two if their number is even. */
  static double of(double... figures) {
    if (figures.length == 0) {
      throw new IllegalStateException("there was no round");
    }
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}

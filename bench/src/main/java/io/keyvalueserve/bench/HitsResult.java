package io.keyvalueserve.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What tenants found at one server.
 *
 * @param active how many tenants were active: the first ones
 * @param alone while only these asked
 * @param beside while all did
 */
record HitsResult(HitsSubject subject, int active, HitsLoad.Ratios alone, HitsLoad.Ratios beside) {
  /** What active tenants found alone, on average. */
  double aloneHits() {
    return mean(alone.hits().subList(0, active));
  }

  /** What they found beside the others, on average. */
  double besideHits() {
    return mean(beside.hits().subList(0, active));
  }

  /** What the others found, on average. */
  double quietHits() {
    return mean(beside.hits().subList(active, beside.hits().size()));
  }

  /** What is left to the active tenant that loses most, of what it found alone. */
  double kept() {
    return IntStream.range(0, active)
        .mapToDouble(i -> beside.hits().get(i) / alone.hits().get(i))
        .min()
        .orElse(0);
  }

  private static double mean(List<Double> ratios) {
    return ratios.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}

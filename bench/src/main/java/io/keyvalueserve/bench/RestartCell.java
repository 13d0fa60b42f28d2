package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The restarts of one server in one shape, in the order of the rounds. Figures are medians, and a
 * comparison is the median of what each round says.
 */
record RestartCell(RestartShape shape, RestartKind kind, List<Restart> rounds) {
  private static final double MIB = 1 << 20;

  /** Times are no more exact than this. */
  private static final double LEAST_SECONDS = 1e-3;

  private static final double LEAST_SHARE = 0.5;

  RestartCell(RestartShape shape, RestartKind kind) {
    this(shape, kind, new ArrayList<>());
  }

  double median(ToDoubleFunction<Restart> figure) {
    return Median.of(rounds.stream().mapToDouble(figure).toArray());
  }

  /**
   * How much longer it took until all was there than the same server without data usually takes to
   * serve, in seconds; NaN if that cannot be told from how starts differ anyway, as what it says of
   * loading alone is far more.
   */
  double moreSeconds(RestartCell empty) {
    double more = Median.of(more(empty));
    double loading = median(restart -> restart.loading().seconds());
    return more > 0 && more >= loading * LEAST_SHARE ? more : Double.NaN;
  }

  /** How much of that time had passed when it served; NaN as before. */
  double servedShare(RestartCell empty) {
    double usual = empty.median(Restart::firstSeconds);
    return Double.isNaN(moreSeconds(empty))
        ? Double.NaN
        : median(restart -> (restart.firstSeconds() - usual) / (restart.allSeconds() - usual));
  }

  /** The longer of what it says of loading, and of what it took beyond an empty start. */
  double longerSeconds(RestartCell empty) {
    return Median.of(longer(empty));
  }

  /** What another says of loading, divided by the longer of both of this one. */
  double fasterAtLeast(RestartCell empty, RestartCell other) {
    return ratio(
        other.rounds.stream().mapToDouble(restart -> restart.loading().seconds()).toArray(),
        longer(empty));
  }

  /** Whether others used the machine in most rounds. */
  boolean isDisturbed() {
    return rounds.stream().filter(Restart::isDisturbed).count() * 2 > rounds.size();
  }

  private double[] longer(RestartCell empty) {
    double[] longer = more(empty);
    for (int i = 0; i < longer.length; i++) {
      longer[i] = Math.max(longer[i], rounds.get(i).loading().seconds());
    }
    return longer;
  }

  /** Keys and values in a second, in MiB, of a time in seconds. */
  double mibPerSecond(double seconds) {
    return shape.data().bytes() / MIB / seconds;
  }

  /** What another takes, divided by what this one takes: above 1 this one is faster. */
  double faster(RestartCell other, ToDoubleFunction<Restart> figure) {
    return ratio(
        other.rounds.stream().mapToDouble(figure).toArray(),
        rounds.stream().mapToDouble(figure).toArray());
  }

  /** The same for what each takes more than without data; NaN if that is not known. */
  double fasterBeyondEmpty(RestartCell empty, RestartCell other, RestartCell otherEmpty) {
    if (Double.isNaN(moreSeconds(empty)) || Double.isNaN(other.moreSeconds(otherEmpty))) {
      return Double.NaN;
    }
    return ratio(other.more(otherEmpty), more(empty));
  }

  private static double ratio(double[] above, double[] below) {
    double[] ratios = new double[Math.min(above.length, below.length)];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = above[i] / Math.max(below[i], LEAST_SECONDS);
    }
    return Median.of(ratios);
  }

  private double[] more(RestartCell empty) {
    double usual = empty.median(Restart::firstSeconds);
    return rounds.stream().mapToDouble(restart -> restart.allSeconds() - usual).toArray();
  }
}

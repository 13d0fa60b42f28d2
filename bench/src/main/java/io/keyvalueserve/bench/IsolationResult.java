package io.keyvalueserve.bench;

import io.keyvalueserve.bench.IsolationServer.Subject;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A victim alone and beside one aggressor, in all rounds. Figures are medians; a comparison is the
 * median of what each round says.
 *
 * @param limited whether the aggressor had a quota
 * @param rounds in their order; none if it could not be measured
 * @param note why not, or what happened; empty if nothing did
 */
record IsolationResult(
    Subject subject, IsolationAggression kind, boolean limited, List<Round> rounds, String note) {
  private static final double LATE_MICROS = 10_000;

  /**
   * One round.
   *
   * @param alone the victim without the aggressor
   * @param beside the victim and the aggressor
   * @param aggressor what that did meanwhile
   */
  record Round(IsolationSeen alone, IsolationSeen beside, IsolationDone aggressor) {
    double aggressorPerSecond() {
      return perSecond(aggressor.answered());
    }

    double refusedPerSecond() {
      return perSecond(aggressor.refused());
    }

    double perSecond(long count) {
      return count * 1e9 / beside.window().nanos();
    }
  }

  boolean isMeasured() {
    return !rounds.isEmpty();
  }

  double alone(ToDoubleFunction<Window> figure) {
    return median(round -> figure.applyAsDouble(round.alone.window()));
  }

  double beside(ToDoubleFunction<Window> figure) {
    return median(round -> figure.applyAsDouble(round.beside.window()));
  }

  /** Beside by alone. */
  double ratio(ToDoubleFunction<Window> figure) {
    return median(
        round ->
            figure.applyAsDouble(round.beside.window())
                / figure.applyAsDouble(round.alone.window()));
  }

  double median(ToDoubleFunction<Round> figure) {
    return Median.of(rounds.stream().mapToDouble(figure).toArray());
  }

  /** Errors that the victim met beside the aggressor, in all rounds. */
  long errors() {
    return rounds.stream().mapToLong(round -> round.beside.failed()).sum();
  }

  /** Errors that the victim met alone, in all rounds. */
  long errorsAlone() {
    return rounds.stream().mapToLong(round -> round.alone.failed()).sum();
  }

  /** Whether it was so in most rounds. */
  boolean mostly(Predicate<Round> what) {
    return rounds.stream().filter(what).count() * 2 > rounds.size();
  }

  /**
   * Whether figures suffer in most rounds: others used much of the cores, or the victim's own load
   * was held up for long, as by a machine that stood still.
   */
  boolean isDisturbed() {
    return mostly(round -> isDisturbed(round.alone.window()) || isDisturbed(round.beside.window()));
  }

  private static boolean isDisturbed(Window window) {
    return window.isDisturbed() || window.offer().lateMicros(99) >= LATE_MICROS;
  }

  /** The aggressor as a row calls it. */
  String label() {
    return kind + (limited ? ", at limit" : "");
  }
}

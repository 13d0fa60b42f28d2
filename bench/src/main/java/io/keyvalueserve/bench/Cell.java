package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The figures of one server under one shape of load, in all rounds. Figures are medians, and a
 * comparison of two servers is the median of what each round says.
 *
 * @param shape of the load; its text names the row
 * @param server the contender's name
 * @param rounds in their order
 */
record Cell(Record shape, String server, List<Window> rounds) {
  Cell(Record shape, String server) {
    this(shape, server, new ArrayList<>());
  }

  double median(ToDoubleFunction<Window> figure) {
    return Median.of(rounds.stream().mapToDouble(figure).toArray());
  }

  /** The median over the rounds of this cell's figure divided by the other's in the same round. */
  double ratio(Cell other, ToDoubleFunction<Window> figure) {
    double[] ratios = new double[Math.min(rounds.size(), other.rounds.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(rounds.get(i)) / figure.applyAsDouble(other.rounds.get(i));
    }
    return Median.of(ratios);
  }

  /** Returns whether both tell of the same server. */
  boolean isOf(Cell other) {
    return server.equals(other.server);
  }

  /** Returns whether clients are told apart. */
  boolean hasClients() {
    return rounds.stream().anyMatch(round -> round.operations().size() > 1);
  }

  /** Returns whether it was so in most rounds. */
  boolean mostly(Predicate<Window> what) {
    return rounds.stream().filter(what).count() * 2 > rounds.size();
  }
}

package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What isolation is held to, and whether this product keeps it. */
final class IsolationGoals {
  private static final double LATENCY = 1.25;
  private static final double LATENCY_BESIDE_PEERS = 2;
  private static final double THROUGHPUT = 0.98;
  private static final double MIN_MAX = 0.99;
  private static final double COST = 1.03;

  private IsolationGoals() {}

  /** In the order of what was measured; none of peers, nor of the control. */
  static List<Goal> of(
      List<IsolationResult> results,
      List<IsolationFairness> fairness,
      @Nullable IsolationCost cost) {
    List<Goal> goals = new ArrayList<>();
    for (IsolationResult result : results) {
      if (result.subject().isOwn()
          && result.isMeasured()
          && result.kind() != IsolationAggression.CONTROL) {
        String beside =
            (result.isDisturbed() ? "(disturbed) " : "")
                + result.subject()
                + " beside "
                + result.label()
                + ": the victim's ";
        goals.add(
            new Goal(
                beside + "p99, beside / alone",
                result.ratio(window -> window.micros(99)),
                true,
                result.kind() == IsolationAggression.PEERS ? LATENCY_BESIDE_PEERS : LATENCY));
        goals.add(
            new Goal(
                beside + "throughput, beside / alone",
                result.ratio(Window::operationsPerSecond),
                false,
                THROUGHPUT));
      }
    }
    for (IsolationFairness fair : fairness) {
      if (fair.subject().isOwn()) {
        goals.add(
            new Goal(
                fair.subject()
                    + ": min-max ratio of equal tenants"
                    + (fair.isSaturated() ? "" : " (not saturated)"),
                fair.medianMinMax(),
                false,
                MIN_MAX));
      }
    }
    if (cost != null) {
      for (int i = 0; i < cost.cells().size(); i++) {
        if (i % IsolationCost.EACH != 0) {
          Cell cell = cost.cells().get(i);
          String what = cell.shape() + ": CPU for an operation, " + cell.server() + " / Work";
          goals.add(new Goal(what, cost.ratio(i), true, COST));
        }
      }
    }
    return goals;
  }
}

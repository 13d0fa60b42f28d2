package io.keyvalueserve.server;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The figures of one tenant on one member in the last steps. Equal figures of consecutive steps are
 * kept once, so a tenant that only holds some entries costs some 200 bytes, and one that is always
 * busy some 30 KiB. Not thread-safe.
 */
final class HistoryRing {
  private final ArrayDeque<Run> runs = new ArrayDeque<>(1);

  /**
   * Figures that did not change for some steps.
   *
   * @param first the number of the first step
   * @param steps 1 or more
   */
  record Run(int first, int steps, float[] figures) {
    int end() {
      return first + steps;
    }
  }

  /** A visitor of {@link Run}s. */
  @FunctionalInterface
  interface Visitor {
    void visit(int first, int steps, float[] figures);
  }

  /**
   * Adds the figures of some steps. Those of steps that are known already are left out: the clock
   * was set back.
   *
   * @param figures nobody changes them any more
   */
  void add(int first, int steps, float[] figures) {
    Run last = runs.peekLast();
    int begin = last == null ? first : Math.max(first, last.end());
    int count = first + steps - begin;
    if (count <= 0) {
      return;
    }
    if (last != null && last.end() == begin && Arrays.equals(last.figures(), figures)) {
      runs.removeLast();
      runs.addLast(new Run(last.first(), last.steps() + count, last.figures()));
    } else {
      runs.addLast(new Run(begin, count, figures));
    }
  }

  /**
   * Forgets steps before one, and the oldest if there are too many different ones.
   *
   * @param mostRuns 1 or more
   */
  void forget(int before, int mostRuns) {
    for (Run first = runs.peekFirst();
        first != null && (first.end() <= before || runs.size() > mostRuns);
        first = runs.peekFirst()) {
      runs.removeFirst();
    }
  }

  /** Visits what there is of the steps from one to another, which is left out. */
  void forEach(int from, int to, Visitor visitor) {
    for (Run run : runs) {
      int first = Math.max(from, run.first());
      int end = Math.min(to, run.end());
      if (first < end) {
        visitor.visit(first, end - first, run.figures());
      }
    }
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Returns the number of steps with different figures. */
  int size() {
    return runs.size();
  }
}

package io.keyvalueserve.postgres.system;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One more source of rows that is joined to those before it. */
final class JoinStep {
  /**
   * A condition.
   *
   * @param column the column of the source that must have the value of {@code key}; -1 if the
   *     condition is of another form
   */
  record Condition(Eval eval, int column, @Nullable Eval key) {}

  private final RowSource source;
  private final boolean isOuter;
  private final List<Condition> on = new ArrayList<>();
  private final List<Condition> filters = new ArrayList<>();

  /**
   * @param isOuter whether rows before it stay if no row of the source fits
   */
  JoinStep(RowSource source, boolean isOuter) {
    this.source = source;
    this.isOuter = isOuter;
  }

  RowSource source() {
    return source;
  }

  boolean isOuter() {
    return isOuter;
  }

  boolean hasConditions() {
    return isOuter || !filters.isEmpty();
  }

  /** Adds a condition on which rows of the source fit. */
  void on(Condition condition) {
    on.add(condition);
  }

  /** Adds a condition on joined rows. */
  void filter(Condition condition) {
    filters.add(condition);
  }

  /** Goes through the rows of the steps from an index on. */
  static void run(List<JoinStep> steps, int from, Env env, Runnable sink) {
    if (from == steps.size()) {
      sink.run();
      return;
    }
    JoinStep step = steps.get(from);
    boolean[] found = {false};
    Runnable next =
        () -> {
          if (holds(step.on, env)) {
            found[0] = true;
            if (holds(step.filters, env)) {
              run(steps, from + 1, env, sink);
            }
          }
        };
    step.each(env, next);
    if (step.isOuter && !found[0]) {
      Arrays.fill(env.row, step.source.base(), step.source.end(), null);
      if (holds(step.filters, env)) {
        run(steps, from + 1, env, sink);
      }
    }
  }

  private void each(Env env, Runnable next) {
    for (Condition condition : isOuter ? on : filters) {
      Eval key = condition.key();
      if (key != null) {
        Object value = key.of(env);
        if (value != null) {
          source.each(env, condition.column(), Datum.key(value), next);
        }
        return;
      }
    }
    source.each(env, -1, null, next);
  }

  private static boolean holds(List<Condition> conditions, Env env) {
    for (Condition condition : conditions) {
      if (!Datum.isTrue(condition.eval().of(env))) {
        return false;
      }
    }
    return true;
  }
}

package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.system.Bindings.SortKey;
import io.keyvalueserve.postgres.system.Bindings.WindowUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@code SELECT} whose names were found. */
final class Select extends CompiledQuery {
  /** How rows become groups. */
  record Grouping(List<Eval> by, @Nullable Eval having) {}

  private final Scope scope;
  private final List<JoinStep> steps;
  private final List<Eval> values;
  private final @Nullable Grouping grouping;
  private final List<SortKey> order;
  private final boolean isDistinct;
  private final List<Eval> distinctOn;

  Select(
      List<Relation.Column> columns,
      Scope scope,
      List<JoinStep> steps,
      List<Eval> values,
      @Nullable Grouping grouping,
      List<SortKey> order,
      boolean isDistinct,
      List<Eval> distinctOn) {
    super(columns, scope.usesOuter);
    this.scope = scope;
    this.steps = steps;
    this.values = values;
    this.grouping = grouping;
    this.order = order;
    this.isDistinct = isDistinct;
    this.distinctOn = distinctOn;
  }

  @Override
  List<@Nullable Object[]> compute(Run run, @Nullable Env outer) {
    Env env = new Env(run, outer, new @Nullable Object[scope.width]);
    List<@Nullable Object[]> results = new ArrayList<>();
    if (grouping == null && scope.windows.isEmpty()) {
      JoinStep.run(steps, 0, env, () -> emit(env, results));
    } else {
      List<@Nullable Object[]> rows = new ArrayList<>();
      JoinStep.run(
          steps,
          0,
          env,
          () -> {
            run.keeps(scope.width + 2L);
            rows.add(env.row.clone());
          });
      if (grouping == null) {
        windows(run, outer, rows, results);
      } else {
        groups(grouping, run, outer, rows, results);
      }
    }
    return finished(run, results);
  }

  /** Computes the values of the present row, and behind them those that it is sorted by. */
  private void emit(Env env, List<@Nullable Object[]> results) {
    env.run.step();
    int width = values.size() + order.size() + distinctOn.size();
    @Nullable Object[] result = new @Nullable Object[width];
    int longest = -1;
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i).of(env);
      result[i] = value;
      if (value instanceof TableFunctions.RowSet(var rows)) {
        longest = Math.max(longest, rows.size());
      }
    }
    for (int i = 0; i < order.size(); i++) {
      result[values.size() + i] = order.get(i).eval().of(env);
    }
    for (int i = 0; i < distinctOn.size(); i++) {
      result[values.size() + order.size() + i] = distinctOn.get(i).of(env);
    }
    if (longest < 0) {
      env.run.keeps(width);
      env.run.keepsText(result);
      results.add(result);
    } else {
      expand(env.run, result, longest, results);
    }
  }

  private static void expand(
      Run run, @Nullable Object[] result, int rows, List<@Nullable Object[]> results) {
    for (int row = 0; row < rows; row++) {
      @Nullable Object[] each = result.clone();
      for (int i = 0; i < each.length; i++) {
        if (each[i] instanceof TableFunctions.RowSet(var set)) {
          each[i] = row < set.size() ? set.get(row) : null;
        }
      }
      run.keeps(each.length);
      results.add(each);
    }
  }

  private void groups(
      Grouping by,
      Run run,
      @Nullable Env outer,
      List<@Nullable Object[]> rows,
      List<@Nullable Object[]> results) {
    Map<Object, List<@Nullable Object[]>> groups = new LinkedHashMap<>();
    if (by.by().isEmpty()) {
      groups.put(List.of(), rows);
    }
    Env each = new Env(run, outer, new @Nullable Object[scope.width]);
    for (@Nullable Object[] row : by.by().isEmpty() ? List.<@Nullable Object[]>of() : rows) {
      run.step();
      each.row = row;
      List<@Nullable Object> key = new ArrayList<>();
      by.by().forEach(eval -> key.add(eval.of(each)));
      groups.computeIfAbsent(Datum.keys(key), _ -> new ArrayList<>()).add(row);
    }
    for (List<@Nullable Object[]> group : groups.values()) {
      Env env =
          new Env(
              run, outer, group.isEmpty() ? new @Nullable Object[scope.width] : group.getFirst());
      env.group = group;
      if (by.having() == null || Datum.isTrue(by.having().of(env))) {
        emit(env, results);
      }
    }
  }

  private void windows(
      Run run,
      @Nullable Env outer,
      List<@Nullable Object[]> rows,
      List<@Nullable Object[]> results) {
    int count = scope.windows.size();
    List<@Nullable Object[]> computed = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      run.keeps(count);
      computed.add(new @Nullable Object[count]);
    }
    for (WindowUse use : scope.windows) {
      window(use, run, outer, rows, computed);
    }
    Env env = new Env(run, outer, new @Nullable Object[0]);
    for (int i = 0; i < rows.size(); i++) {
      env.row = rows.get(i);
      env.windows = computed.get(i);
      emit(env, results);
    }
  }

  /** Computes a window function: rows as arrays of the sort keys and the row's index. */
  private static void window(
      WindowUse use,
      Run run,
      @Nullable Env outer,
      List<@Nullable Object[]> rows,
      List<@Nullable Object[]> computed) {
    Map<Object, List<@Nullable Object[]>> partitions = new LinkedHashMap<>();
    Env env = new Env(run, outer, new @Nullable Object[0]);
    int keys = use.order().size();
    for (int i = 0; i < rows.size(); i++) {
      run.step();
      env.row = rows.get(i);
      List<@Nullable Object> key = new ArrayList<>();
      use.partition().forEach(eval -> key.add(eval.of(env)));
      @Nullable Object[] sorted = new @Nullable Object[keys + 1];
      for (int k = 0; k < keys; k++) {
        sorted[k] = use.order().get(k).eval().of(env);
      }
      sorted[keys] = i;
      partitions.computeIfAbsent(Datum.keys(key), _ -> new ArrayList<>()).add(sorted);
    }
    var byKeys = Sorting.byKeys(use.order(), 0);
    for (List<@Nullable Object[]> partition : partitions.values()) {
      partition.sort(byKeys);
      Object whole = null;
      boolean isAggregate = Aggregates.find(use.call().name()) != null;
      if (isAggregate) {
        env.group = partition.stream().map(each -> rows.get(index(each))).toList();
        env.row = rows.get(index(partition.getFirst()));
        whole = use.value().of(env);
      }
      long rank = 0;
      long dense = 0;
      for (int i = 0; i < partition.size(); i++) {
        boolean isNew = i == 0 || byKeys.compare(partition.get(i - 1), partition.get(i)) != 0;
        rank = isNew ? i + 1 : rank;
        dense += isNew ? 1 : 0;
        computed.get(index(partition.get(i)))[use.index()] =
            switch (use.call().name()) {
              case "row_number" -> i + 1L;
              case "rank" -> rank;
              case "dense_rank" -> dense;
              default -> whole;
            };
      }
    }
  }

  private static int index(@Nullable Object[] sorted) {
    return sorted[sorted.length - 1] instanceof Integer index ? index : 0;
  }

  private List<@Nullable Object[]> finished(Run run, List<@Nullable Object[]> results) {
    List<@Nullable Object[]> rows = results;
    if (!order.isEmpty()) {
      rows.sort(Sorting.byKeys(order, values.size()));
    }
    if (!distinctOn.isEmpty()) {
      Set<Object> seen = new HashSet<>();
      int from = values.size() + order.size();
      rows.removeIf(row -> !seen.add(Datum.keys(Arrays.asList(row).subList(from, row.length))));
    }
    if (!order.isEmpty() || !distinctOn.isEmpty()) {
      rows.replaceAll(row -> Arrays.copyOf(row, values.size()));
    }
    return isDistinct && distinctOn.isEmpty() ? SetOperations.distinct(run, rows) : rows;
  }
}

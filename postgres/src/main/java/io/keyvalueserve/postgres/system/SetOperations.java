package io.keyvalueserve.postgres.system;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code UNION}, {@code EXCEPT} and {@code INTERSECT} of rows. */
final class SetOperations {
  private SetOperations() {}

  static List<@Nullable Object[]> compute(
      Run run,
      Ast.SetOperation operation,
      List<@Nullable Object[]> left,
      List<@Nullable Object[]> right) {
    List<@Nullable Object[]> result = new ArrayList<>();
    if (operation.operator().equals("union")) {
      result.addAll(left);
      result.addAll(right);
    } else {
      boolean keeps = operation.operator().equals("intersect");
      Map<Object, Integer> there = new HashMap<>();
      for (@Nullable Object[] row : right) {
        run.step();
        int _ = there.merge(Datum.keys(Arrays.asList(row)), 1, Integer::sum);
      }
      for (@Nullable Object[] row : left) {
        run.step();
        Object key = Datum.keys(Arrays.asList(row));
        int count = there.getOrDefault(key, 0);
        if (operation.isAll() && count > 0) {
          there.put(key, count - 1);
        }
        if (count > 0 == keeps) {
          result.add(row);
        }
      }
    }
    run.keeps(result.size());
    return operation.isAll() ? result : distinct(run, result);
  }

  static List<@Nullable Object[]> distinct(Run run, List<@Nullable Object[]> rows) {
    Set<Object> seen = new HashSet<>();
    List<@Nullable Object[]> distinct = new ArrayList<>();
    for (@Nullable Object[] row : rows) {
      run.step();
      if (seen.add(Datum.keys(Arrays.asList(row)))) {
        distinct.add(row);
      }
    }
    return distinct;
  }
}

package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.plan.Plan;
import io.keyvalueserve.sql.run.Execution;
import io.keyvalueserve.sql.run.Measured;
import io.keyvalueserve.sql.run.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows plans as trees. */
final class Explainer {
  private Explainer() {}

  /**
   * Returns the lines of a plan.
   *
   * @param execution to ask tables how they would scan; null if that is not known
   */
  static List<String> lines(Plan plan, @Nullable Execution execution) {
    List<String> lines = new ArrayList<>();
    int depth = 0;
    if (plan.write() != null) {
      lines.add(
          switch (plan.write()) {
            case Plan.Insert insert ->
                (insert.replaces() ? "Sink into " : "Insert into ") + table(plan, insert);
            case Plan.Update update ->
                "Update "
                    + table(plan, update)
                    + (update.compared().isEmpty() ? "" : ", one by one");
            case Plan.Delete delete ->
                "Delete from "
                    + table(plan, delete)
                    + (delete.compared().isEmpty() ? "" : ", one by one");
          });
      depth = 1;
    }
    add(plan.node(), depth, execution, lines);
    return lines;
  }

  private static String table(Plan plan, Plan.Write write) {
    return String.join(".", plan.tableNames().get(write.table()));
  }

  private static void add(Node node, int depth, @Nullable Execution execution, List<String> lines) {
    Measured measured = execution == null ? null : execution.measured(node);
    String line = "  ".repeat(depth) + describe(node, execution);
    lines.add(measured == null ? line : line + " (" + measured.shown() + ")");
    for (Node input : node.inputs()) {
      add(input, depth + 1, execution, lines);
    }
  }

  private static String describe(Node node, @Nullable Execution execution) {
    try {
      return node.describe(execution);
    } catch (SqlFailure | QueryException e) {
      return node.describe(null);
    }
  }
}

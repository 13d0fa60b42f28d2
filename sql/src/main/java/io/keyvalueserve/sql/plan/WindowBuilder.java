package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Exprs;
import io.keyvalueserve.sql.run.AggregateCall;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.run.RowOrder;
import io.keyvalueserve.sql.run.WindowCall;
import io.keyvalueserve.sql.run.WindowFrame;
import io.keyvalueserve.sql.run.WindowNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBound;

/** Builds functions of windows. */
final class WindowBuilder {
  private static final Set<String> OWN =
      Set.of(
          "ROW_NUMBER",
          "RANK",
          "DENSE_RANK",
          "PERCENT_RANK",
          "CUME_DIST",
          "NTILE",
          "LAG",
          "LEAD",
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE");

  private final PlanBuilder plans;

  WindowBuilder(PlanBuilder plans) {
    this.plans = plans;
  }

  Node build(Window window) {
    int width = window.getInput().getRowType().getFieldCount();
    List<WindowFrame> frames = new ArrayList<>();
    for (Window.Group group : window.groups) {
      List<WindowCall> calls = new ArrayList<>();
      for (Window.RexWinAggCall call : group.aggCalls) {
        calls.add(call(window, call, width));
      }
      frames.add(
          new WindowFrame(
              group.keys.asList(),
              new RowOrder(PlanBuilder.orders(group.orderKeys)),
              group.isRows,
              bound(window, group.lowerBound, width),
              bound(window, group.upperBound, width),
              calls));
    }
    return new WindowNode(plans.node(window.getInput()), width, frames);
  }

  private Expr expr(Window window, RexNode node, int width) {
    if (node instanceof RexInputRef ref && ref.getIndex() >= width) {
      return plans.compiler().compile(window.constants.get(ref.getIndex() - width));
    }
    return plans.compiler().compile(node);
  }

  private WindowCall call(Window window, Window.RexWinAggCall call, int width) {
    String name = call.getOperator().getName();
    if (OWN.contains(name)) {
      List<Expr> arguments =
          call.getOperands().stream().map(operand -> expr(window, operand, width)).toList();
      return new WindowCall(name, arguments, null, call.ignoreNulls);
    }
    List<Integer> columns = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      if (!(operand instanceof RexInputRef ref)) {
        throw ExprCompiler.unsupported(name + " OVER of this argument");
      }
      if (ref.getIndex() >= width) {
        if (columns.isEmpty()
            && call.getOperands().size() == 1
            && expr(window, ref, width) instanceof Exprs.Constant constant
            && constant.value() != null
            && name.equals("COUNT")) {
          break;
        }
        throw ExprCompiler.unsupported(name + " OVER of a constant");
      }
      columns.add(ref.getIndex());
    }
    AggregateCall aggregate =
        new AggregateCall(
            AggregateBuilder.function(call.getOperator().getKind(), name),
            columns,
            call.distinct,
            -1,
            null,
            Types.fieldType(call.getType()));
    return new WindowCall("", List.of(), aggregate, false);
  }

  private WindowFrame.Bound bound(Window window, RexWindowBound bound, int width) {
    int direction = bound.isPreceding() ? -1 : bound.isFollowing() ? 1 : 0;
    RexNode offset = bound.getOffset();
    return new WindowFrame.Bound(
        direction, offset == null ? null : expr(window, offset, width), bound.isUnbounded());
  }
}

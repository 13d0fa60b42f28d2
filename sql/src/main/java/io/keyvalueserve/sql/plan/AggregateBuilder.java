package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Aggregate.Function;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.sql.expr.Arithmetic;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Exprs;
import io.keyvalueserve.sql.run.AggregateCall;
import io.keyvalueserve.sql.run.AggregateNode;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.run.ProjectNode;
import io.keyvalueserve.sql.run.RowOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** Builds groupings: the engine's where it can do all of it, else ours. */
final class AggregateBuilder {
  private final PlanBuilder plans;

  AggregateBuilder(PlanBuilder plans) {
    this.plans = plans;
  }

  /** Returns the operator that leaves out equal rows. */
  static Node distinct(Node input, int width) {
    List<Integer> columns = IntStream.range(0, width).boxed().toList();
    return new AggregateNode(input, columns, List.of(columns), List.of());
  }

  /** Returns whether engines order the values of a column as we do. */
  static boolean isOrdered(Column column) {
    return switch (column.type()) {
      case OBJECT, JSON, VARBINARY -> false;
      default -> true;
    };
  }

  Node build(Aggregate aggregate) {
    Access access = plans.access(aggregate.getInput());
    if (access != null) {
      Node pushed = pushed(aggregate, access);
      if (pushed != null) {
        return pushed;
      }
    }
    Node input = access == null ? plans.node(aggregate.getInput()) : access.build(plans.compiler());
    List<List<Integer>> sets = new ArrayList<>();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      sets.add(set.asList());
    }
    List<AggregateCall> calls = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    int groups = aggregate.getGroupCount();
    for (int i = 0; i < groups; i++) {
      values.add(new Exprs.Column(i));
    }
    boolean hasLiterals = false;
    for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
      if (call.getAggregation().getKind() == SqlKind.LITERAL_AGG) {
        values.add(plans.compiler().compile(call.rexList.getFirst()));
        hasLiterals = true;
      } else {
        values.add(new Exprs.Column(groups + calls.size()));
        calls.add(call(call));
      }
    }
    Node node = new AggregateNode(input, aggregate.getGroupSet().asList(), sets, calls);
    return hasLiterals ? new ProjectNode(node, values, values.toString()) : node;
  }

  /** Returns one of our calls for one of Calcite's. */
  static AggregateCall call(org.apache.calcite.rel.core.AggregateCall call) {
    if (call.distinctKeys != null) {
      throw ExprCompiler.unsupported("WITHIN DISTINCT");
    }
    FieldType type = Types.fieldType(call.getType());
    List<Order> order = PlanBuilder.orders(call.getCollation());
    return new AggregateCall(
        function(call.getAggregation().getKind(), call.getAggregation().getName()),
        call.getArgList(),
        call.isDistinct(),
        call.filterArg,
        order.isEmpty() ? null : new RowOrder(order),
        type);
  }

  static AggregateCall.Function function(SqlKind kind, String name) {
    return switch (kind) {
      case COUNT -> AggregateCall.Function.COUNT;
      case SUM -> AggregateCall.Function.SUM;
      case SUM0 -> AggregateCall.Function.SUM_OR_ZERO;
      case AVG -> AggregateCall.Function.AVG;
      case MIN -> AggregateCall.Function.MIN;
      case MAX -> AggregateCall.Function.MAX;
      case ANY_VALUE -> AggregateCall.Function.ANY;
      case SINGLE_VALUE -> AggregateCall.Function.SINGLE;
      case STDDEV_POP -> AggregateCall.Function.STDDEV_POP;
      case STDDEV_SAMP -> AggregateCall.Function.STDDEV_SAMP;
      case VAR_POP -> AggregateCall.Function.VAR_POP;
      case VAR_SAMP -> AggregateCall.Function.VAR_SAMP;
      case LISTAGG, STRING_AGG -> AggregateCall.Function.LIST_TEXT;
      case ARRAY_AGG, COLLECT -> AggregateCall.Function.ARRAY;
      case GROUPING, GROUPING_ID -> AggregateCall.Function.GROUPING;
      default -> throw ExprCompiler.unsupported(name);
    };
  }

  /** The aggregates that the engine computes, and how results are made of them. */
  private static final class Pushing {
    final List<io.keyvalueserve.engine.query.Aggregate> aggregates = new ArrayList<>();
    final List<Expr> results = new ArrayList<>();
    final int groups;

    Pushing(int groups) {
      this.groups = groups;
      for (int i = 0; i < groups; i++) {
        results.add(new Exprs.Column(i));
      }
    }

    Expr add(Function function, int column, boolean isDistinct) {
      var aggregate = new io.keyvalueserve.engine.query.Aggregate(function, column, isDistinct);
      int place = aggregates.indexOf(aggregate);
      if (place < 0) {
        place = aggregates.size();
        aggregates.add(aggregate);
      }
      return new Exprs.Column(groups + place);
    }
  }

  private @Nullable Node pushed(Aggregate aggregate, Access access) {
    if (aggregate.getGroupSets().size() != 1) {
      return null;
    }
    List<Integer> columns = new ArrayList<>();
    for (int value : aggregate.getGroupSet()) {
      int column = access.columnOf(value);
      if (column < 0 || !isOrdered(access.table().columns().get(column))) {
        return null;
      }
      columns.add(column);
    }
    Pushing pushing = new Pushing(columns.size());
    for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
      Expr result = pushed(call, access, pushing);
      if (result == null) {
        return null;
      }
      pushing.results.add(result);
    }
    if (!access.split(plans.compiler()).rest().isEmpty()) {
      return null;
    }
    Node node =
        access.build(
            plans.compiler(), new Scan.Grouping(columns, pushing.aggregates), List.of(), null);
    boolean isPlain = pushing.results.size() == columns.size() + pushing.aggregates.size();
    for (int i = 0; i < pushing.results.size() && isPlain; i++) {
      isPlain = pushing.results.get(i).equals(new Exprs.Column(i));
    }
    return isPlain ? node : new ProjectNode(node, pushing.results, pushing.results.toString());
  }

  private @Nullable Expr pushed(
      org.apache.calcite.rel.core.AggregateCall call, Access access, Pushing pushing) {
    SqlKind kind = call.getAggregation().getKind();
    if (kind == SqlKind.LITERAL_AGG) {
      RexNode literal = call.rexList.getFirst();
      return plans.compiler().compile(literal);
    }
    if (call.filterArg >= 0 || call.distinctKeys != null || call.getArgList().size() > 1) {
      return null;
    }
    if (call.getArgList().isEmpty()) {
      return kind == SqlKind.COUNT ? pushing.add(Function.COUNT_ALL, -1, false) : null;
    }
    int number = access.columnOf(call.getArgList().getFirst());
    if (number < 0 || !isOrdered(access.table().columns().get(number))) {
      return null;
    }
    boolean isNumber = access.table().columns().get(number).type().isNumber();
    boolean isDistinct = call.isDistinct();
    return switch (kind) {
      case COUNT -> pushing.add(Function.COUNT, number, isDistinct);
      case SUM -> isNumber ? pushing.add(Function.SUM, number, isDistinct) : null;
      case SUM0 -> {
        if (!isNumber) {
          yield null;
        }
        Expr sum = pushing.add(Function.SUM, number, isDistinct);
        Expr zero = new Exprs.Cast(new Exprs.Constant(0), Types.fieldType(call.getType()), -1, -1);
        yield new Exprs.Coalesce(List.of(sum, zero));
      }
      case MIN -> pushing.add(Function.MIN, number, false);
      case MAX -> pushing.add(Function.MAX, number, false);
      case ANY_VALUE -> pushing.add(Function.ANY, number, false);
      case AVG -> isNumber ? average(call, number, pushing) : null;
      default -> null;
    };
  }

  private static Expr average(
      org.apache.calcite.rel.core.AggregateCall call, int number, Pushing pushing) {
    FieldType type = Types.fieldType(call.getType());
    Expr sum = pushing.add(Function.SUM, number, call.isDistinct());
    Expr count = pushing.add(Function.COUNT, number, call.isDistinct());
    return new Exprs.Arithmetical(
        Arithmetic.Operation.DIVIDE,
        new Exprs.Cast(sum, type, -1, -1),
        new Exprs.Cast(count, type, -1, -1),
        type);
  }
}

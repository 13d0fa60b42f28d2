package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.run.ConditionPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.jspecify.annotations.Nullable;

/**
 * Translates tests of rows into conditions for an engine, where the two are exactly the same. A
 * test that may be unknown becomes two conditions: that it is true, and that it is false.
 */
final class ConditionTranslator {
  private final List<Column> columns;
  private final ExprCompiler compiler;

  ConditionTranslator(List<Column> columns, ExprCompiler compiler) {
    this.columns = columns;
    this.compiler = compiler;
  }

  /** Returns the condition that a test is true; null if an engine cannot tell. */
  @Nullable ConditionPlan isTrue(RexNode node) {
    return of(node, true);
  }

  private @Nullable ConditionPlan of(RexNode node, boolean wanted) {
    if (node instanceof RexInputRef ref) {
      Column column = columns.get(ref.getIndex());
      return column.type() == FieldType.BOOLEAN ? Pushed.isTrue(column, wanted, false) : null;
    }
    if (!(node instanceof RexCall call)) {
      return null;
    }
    return switch (call.getKind()) {
      case AND -> parts(call, wanted, wanted);
      case OR -> {
        InList list = equalities(call);
        yield list == null
            ? parts(call, !wanted, wanted)
            : Pushed.in(list.column(), list.values(), !wanted);
      }
      case NOT -> of(call.getOperands().get(0), !wanted);
      case IS_NULL -> isNull(call, !wanted);
      case IS_NOT_NULL -> isNull(call, wanted);
      case IS_TRUE -> wanted ? of(call.getOperands().get(0), true) : truth(call, false, true);
      case IS_FALSE -> wanted ? of(call.getOperands().get(0), false) : truth(call, true, true);
      case IS_NOT_TRUE -> wanted ? truth(call, false, true) : of(call.getOperands().get(0), true);
      case IS_NOT_FALSE -> wanted ? truth(call, true, true) : of(call.getOperands().get(0), false);
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          compare(call, wanted);
      case SEARCH -> search(call, wanted);
      case LIKE -> like(call, wanted);
      default -> null;
    };
  }

  private @Nullable ConditionPlan parts(RexCall call, boolean isAll, boolean wanted) {
    List<ConditionPlan> parts = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      ConditionPlan part = of(operand, wanted);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return isAll ? Pushed.all(parts) : Pushed.any(parts);
  }

  private @Nullable ConditionPlan isNull(RexCall call, boolean negated) {
    Column column = column(call.getOperands().get(0));
    return column == null ? null : Pushed.isNull(column, negated);
  }

  private @Nullable ConditionPlan truth(RexCall call, boolean value, boolean orUnknown) {
    Column column = column(call.getOperands().get(0));
    return column == null || column.type() != FieldType.BOOLEAN
        ? null
        : Pushed.isTrue(column, value, orUnknown);
  }

  /** Returns the column that an expression is; through casts that keep the value. */
  @Nullable Column column(RexNode node) {
    if (node instanceof RexInputRef ref) {
      return columns.get(ref.getIndex());
    }
    if (node instanceof RexCall call && call.getKind() == SqlKind.CAST) {
      Column column = column(call.getOperands().get(0));
      return column != null && isWider(column.type(), call) ? column : null;
    }
    return null;
  }

  private static boolean isWider(FieldType from, RexCall cast) {
    FieldType to = Types.fieldType(cast.getType());
    if (from == FieldType.VARCHAR) {
      return to == from && cast.getType().getPrecision() < 0;
    }
    boolean isExact =
        from == FieldType.TINYINT
            || from == FieldType.SMALLINT
            || from == FieldType.INTEGER
            || from == FieldType.BIGINT;
    if (!isExact || to.compareTo(from) < 0 || to.compareTo(FieldType.DECIMAL) > 0) {
      return false;
    }
    return to != FieldType.DECIMAL || cast.getType().getPrecision() >= Types.SCALE;
  }

  /** Returns a value that needs no row, to compare a column with; null if that is not exact. */
  private @Nullable Expr constant(RexNode node, Column column) {
    if ((!RexUtil.isDeterministic(node) && !isOwn(node)) || !isWithoutRow(node)) {
      return null;
    }
    return isComparable(column.type(), Types.fieldType(node.getType()))
        ? compiler.compile(node)
        : null;
  }

  private static boolean isOwn(RexNode node) {
    return node instanceof RexCall call
        && (call.getOperands().isEmpty()
            ? call.getOperator().getName().equals("NOW")
            : call.getOperands().stream()
                .allMatch(operand -> isOwn(operand) || RexUtil.isDeterministic(operand)));
  }

  /** Returns whether an expression refers to no column of the row. */
  static boolean isWithoutRow(RexNode node) {
    return node.accept(new RowFinder()) == null;
  }

  /** Finds a column of the row. */
  private static final class RowFinder extends RexVisitorImpl<RexNode> {
    RowFinder() {
      super(true);
    }

    @Override
    public RexNode visitInputRef(RexInputRef ref) {
      return ref;
    }

    @Override
    public @Nullable RexNode visitCall(RexCall call) {
      for (RexNode operand : call.getOperands()) {
        RexNode found = operand.accept(this);
        if (found != null) {
          return found;
        }
      }
      return null;
    }
  }

  private static boolean isComparable(FieldType column, FieldType value) {
    boolean isReal = value == FieldType.REAL || value == FieldType.DOUBLE;
    return switch (column) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> value.isNumber() && !isReal;
      case DOUBLE -> value.isNumber();
      case OBJECT, JSON, VARBINARY -> false;
      default -> column == value;
    };
  }

  private @Nullable ConditionPlan compare(RexCall call, boolean wanted) {
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    Column column = column(left);
    SqlKind kind = call.getKind();
    if (column == null) {
      column = column(right);
      right = left;
      kind = kind.reverse();
    }
    Expr value = column == null ? null : constant(right, column);
    if (column == null || value == null) {
      return null;
    }
    if (!wanted) {
      kind = kind.negateNullSafe();
    }
    return switch (kind) {
      case EQUALS -> Pushed.compare(column, Comparison.EQUAL, value);
      case NOT_EQUALS -> Pushed.differs(column, value);
      case LESS_THAN -> Pushed.compare(column, Comparison.LESS, value);
      case LESS_THAN_OR_EQUAL -> Pushed.compare(column, Comparison.LESS_OR_EQUAL, value);
      case GREATER_THAN -> Pushed.compare(column, Comparison.GREATER, value);
      case GREATER_THAN_OR_EQUAL -> Pushed.compare(column, Comparison.GREATER_OR_EQUAL, value);
      default -> null;
    };
  }

  private @Nullable ConditionPlan search(RexCall call, boolean wanted) {
    InList list = list(call);
    if (list != null) {
      return Pushed.in(list.column(), list.values(), list.negated() == wanted);
    }
    return of(RexUtil.expandSearch(compiler.builder(), null, call), wanted);
  }

  private @Nullable ConditionPlan like(RexCall call, boolean wanted) {
    if (!(call.getOperator() instanceof SqlLikeOperator operator)) {
      return null;
    }
    List<RexNode> operands = call.getOperands();
    Column column = column(operands.get(0));
    if (column == null || column.type() != FieldType.VARCHAR) {
      return null;
    }
    Expr pattern = constant(operands.get(1), column);
    Expr escape = operands.size() > 2 ? constant(operands.get(2), column) : null;
    if (pattern == null || (operands.size() > 2 && escape == null)) {
      return null;
    }
    return Pushed.like(
        column, pattern, escape, !operator.isCaseSensitive(), operator.isNegated() == wanted);
  }

  /** A test whether a column has one of some values. */
  record InList(Column column, List<Expr> values, boolean negated) {}

  /** Returns the list that a test is; null if it is none. */
  @Nullable InList list(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return null;
    }
    if (call.getKind() == SqlKind.SEARCH) {
      Column column = column(call.getOperands().get(0));
      InLists.Points points = InLists.points(call, compiler.builder());
      return column == null || points == null ? null : values(column, points);
    }
    if (call.getKind() == SqlKind.OR) {
      return equalities(call);
    }
    if (call.getKind() == SqlKind.EQUALS) {
      return equality(call);
    }
    return null;
  }

  private @Nullable InList values(Column column, InLists.Points points) {
    List<Expr> values = new ArrayList<>();
    for (RexNode point : points.values()) {
      Expr value = constant(point, column);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return new InList(column, values, points.negated());
  }

  private @Nullable InList equality(RexCall call) {
    for (int i = 0; i < 2; i++) {
      Column column = column(call.getOperands().get(i));
      Expr value = column == null ? null : constant(call.getOperands().get(1 - i), column);
      if (column != null && value != null) {
        return new InList(column, List.of(value), false);
      }
    }
    return null;
  }

  /** Returns the list that {@code c = 1 OR c = 2} is. */
  private @Nullable InList equalities(RexCall call) {
    Column column = null;
    List<Expr> values = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      InList one = list(operand);
      if (one == null || one.negated() || (column != null && !column.equals(one.column()))) {
        return null;
      }
      column = one.column();
      values.addAll(one.values());
    }
    return column == null ? null : new InList(column, values, false);
  }
}

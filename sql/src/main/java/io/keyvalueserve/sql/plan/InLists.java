package io.keyvalueserve.sql.plan;

import com.google.common.collect.Range;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Exprs;
import io.keyvalueserve.sql.expr.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.util.Sarg;
import org.jspecify.annotations.Nullable;

/** Lists of literals, as of {@code IN}. */
final class InLists {
  private InLists() {}

  /** The values of a list, and whether the test is that a value is not among them. */
  record Points(List<RexNode> values, boolean negated) {}

  /** Returns the list of a call of {@code SEARCH}; null if it has ranges, or says what null is. */
  static @Nullable Points points(RexCall call, RexBuilder builder) {
    RexLiteral literal = (RexLiteral) call.getOperands().get(1);
    Sarg<?> sarg = literal.getValueAs(Sarg.class);
    if (sarg == null || sarg.nullAs != RexUnknownAs.UNKNOWN || sarg.pointCount == 0) {
      return null;
    }
    boolean negated = sarg.isComplementedPoints();
    if (!sarg.isPoints() && !negated) {
      return null;
    }
    RelDataType type = literal.getType();
    List<RexNode> values = new ArrayList<>();
    Sarg<?> list = negated ? sarg.negate() : sarg;
    for (Range<?> range : list.rangeSet.asRanges()) {
      values.add(builder.makeLiteral(range.lowerEndpoint(), type, true, true));
    }
    return new Points(values, negated);
  }

  static @Nullable Expr compile(RexCall call, ExprCompiler compiler) {
    Points points = points(call, compiler.builder());
    if (points == null) {
      return null;
    }
    Set<Object> keys = new HashSet<>();
    for (RexNode value : points.values()) {
      Object constant =
          value instanceof RexLiteral literal ? Literals.value(literal, compiler.zone()) : null;
      Object key = Values.keyOf(constant);
      if (key == null) {
        return null;
      }
      keys.add(key);
    }
    return new Exprs.In(compiler.operand(call, 0), keys, points.negated());
  }
}

package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Arithmetic;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Values;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.run.MadeNode;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.run.ScanNode;
import java.time.Duration;
import java.time.Period;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rex.RexCall;
import org.jspecify.annotations.Nullable;

/** Builds {@code GENERATE_SERIES}. */
final class SeriesBuilder {
  private static final double USUAL = 1000;

  private SeriesBuilder() {}

  static Node build(TableFunctionScan scan, ExprCompiler compiler) {
    if (!(scan.getCall() instanceof RexCall call)
        || !(call.getOperator() instanceof SeriesFunction)) {
      throw ExprCompiler.unsupported("a function of tables");
    }
    List<Expr> arguments = compiler.compile(call.getOperands());
    FieldType type = Types.fieldType(scan.getRowType().getFieldList().getFirst().getType());
    return new MadeNode("Series", env -> rows(arguments, type, env), USUAL);
  }

  private static Iterator<@Nullable Object[]> rows(List<Expr> arguments, FieldType type, Env env) {
    Object from = value(arguments.get(0), type, env);
    Object to = value(arguments.get(1), type, env);
    Object step = arguments.size() > 2 ? arguments.get(2).eval(ScanNode.NO_ROW, env) : 1;
    if (from == null || to == null || step == null) {
      return List.<@Nullable Object[]>of().iterator();
    }
    int sign = sign(step);
    if (sign == 0) {
      throw new SqlFailure(SqlState.BAD_ARGUMENT, "the step of a series cannot be 0");
    }
    return new Series(from, to, step, sign, type);
  }

  private static @Nullable Object value(Expr argument, FieldType type, Env env) {
    return Casts.cast(argument.eval(ScanNode.NO_ROW, env), type, env.zone());
  }

  private static int sign(Object step) {
    return switch (step) {
      case Duration duration -> duration.isNegative() ? -1 : duration.isZero() ? 0 : 1;
      case Period period -> Long.signum(period.toTotalMonths());
      case Number number -> (int) Math.signum(number.doubleValue());
      default -> throw new SqlFailure(SqlState.TYPE_MISMATCH, "a step is a number or an interval");
    };
  }

  /** The values of a series. */
  private static final class Series implements Iterator<@Nullable Object[]> {
    private final Object to;
    private final Object step;
    private final int sign;
    private final FieldType type;
    private @Nullable Object next;

    Series(Object from, Object to, Object step, int sign, FieldType type) {
      this.next = from;
      this.to = to;
      this.step = step;
      this.sign = sign;
      this.type = type;
    }

    @Override
    public boolean hasNext() {
      return next != null && Values.compare(next, to) * sign <= 0;
    }

    @Override
    public @Nullable Object[] next() {
      Object value = next;
      if (value == null) {
        throw new NoSuchElementException();
      }
      try {
        next = Arithmetic.compute(Arithmetic.Operation.PLUS, value, step, type);
      } catch (SqlFailure e) {
        next = null;
      }
      return new @Nullable Object[] {value};
    }
  }
}

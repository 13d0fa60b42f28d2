package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Arithmetic;
import io.keyvalueserve.sql.expr.Builtin;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Exprs;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.run.ScanNode;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Makes expressions of ours from those of Calcite. Used by one thread. */
final class ExprCompiler {
  private final RexBuilder builder;
  private final ZoneId zone;
  private final List<Integer> parameters;

  /**
   * @param zone of the session
   * @param parameters for each parameter of the text, its number
   */
  ExprCompiler(RexBuilder builder, ZoneId zone, List<Integer> parameters) {
    this.builder = builder;
    this.zone = zone;
    this.parameters = parameters;
  }

  RexBuilder builder() {
    return builder;
  }

  ZoneId zone() {
    return zone;
  }

  List<Expr> compile(List<? extends RexNode> nodes) {
    List<Expr> exprs = new ArrayList<>(nodes.size());
    nodes.forEach(node -> exprs.add(compile(node)));
    return exprs;
  }

  /**
   * Compiles an expression.
   *
   * @throws SqlFailure if it has an operator that is not supported
   */
  Expr compile(RexNode node) {
    return switch (node) {
      case RexInputRef ref -> new Exprs.Column(ref.getIndex());
      case RexLiteral literal -> new Exprs.Constant(Literals.value(literal, zone));
      case RexDynamicParam parameter -> parameter(parameter);
      case RexFieldAccess access -> outer(access);
      case RexCall call -> call(call);
      default -> throw unsupported(node.getClass().getSimpleName());
    };
  }

  static SqlFailure unsupported(String what) {
    return new SqlFailure(
        SqlState.UNSUPPORTED, "this is not supported: " + what, 0, "see docs/sql.md");
  }

  private Expr parameter(RexDynamicParam parameter) {
    int number = parameters.get(parameter.getIndex());
    FieldType type = Types.fieldType(parameter.getType());
    return new Exprs.Parameter(number, type);
  }

  private static Expr outer(RexFieldAccess access) {
    if (access.getReferenceExpr() instanceof RexCorrelVariable variable) {
      CorrelationId id = variable.id;
      return new Exprs.Outer(id.getId(), access.getField().getIndex());
    }
    throw unsupported("a field of a value");
  }

  private Expr call(RexCall call) {
    if (call.getOperator() instanceof OwnFunction own) {
      return own(own.builtin(), compile(call.getOperands()));
    }
    return switch (call.getKind()) {
      case AND -> new Exprs.And(compile(call.getOperands()));
      case OR -> new Exprs.Or(compile(call.getOperands()));
      case NOT -> new Exprs.Not(operand(call, 0));
      case EQUALS -> comparison(call, order -> order == 0);
      case NOT_EQUALS -> comparison(call, order -> order != 0);
      case LESS_THAN -> comparison(call, order -> order < 0);
      case LESS_THAN_OR_EQUAL -> comparison(call, order -> order <= 0);
      case GREATER_THAN -> comparison(call, order -> order > 0);
      case GREATER_THAN_OR_EQUAL -> comparison(call, order -> order >= 0);
      case IS_NULL -> test(call, (value, _) -> value == null);
      case IS_UNKNOWN -> test(call, (value, _) -> value == null);
      case IS_NOT_NULL -> test(call, (value, _) -> value != null);
      case IS_TRUE -> test(call, (value, _) -> Boolean.TRUE.equals(value));
      case IS_NOT_TRUE -> test(call, (value, _) -> !Boolean.TRUE.equals(value));
      case IS_FALSE -> test(call, (value, _) -> Boolean.FALSE.equals(value));
      case IS_NOT_FALSE -> test(call, (value, _) -> !Boolean.FALSE.equals(value));
      case IS_DISTINCT_FROM -> new Exprs.Distinct(operand(call, 0), operand(call, 1), true);
      case IS_NOT_DISTINCT_FROM -> new Exprs.Distinct(operand(call, 0), operand(call, 1), false);
      case SEARCH -> search(call);
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> arithmetic(call);
      case MINUS_PREFIX ->
          new Exprs.Strict(compile(call.getOperands()), (a, _) -> Arithmetic.negate(a[0]));
      case PLUS_PREFIX -> operand(call, 0);
      case CASE -> new Exprs.Case(compile(call.getOperands()));
      case COALESCE -> new Exprs.Coalesce(compile(call.getOperands()));
      case CAST, SAFE_CAST -> cast(call);
      case REINTERPRET -> cast(operand(call, 0), call.getType());
      case ROW, ARRAY_VALUE_CONSTRUCTOR -> new Exprs.Listed(compile(call.getOperands()));
      default -> CallCompiler.compile(call, this);
    };
  }

  Expr operand(RexCall call, int index) {
    return compile(call.getOperands().get(index));
  }

  private static Expr own(Builtin builtin, List<Expr> arguments) {
    return builtin.isStrict()
        ? new Exprs.Strict(arguments, (values, env) -> builtin.body().apply(values, env))
        : new Exprs.Lenient(arguments, builtin.body());
  }

  private Expr comparison(RexCall call, IntPredicate accepts) {
    FieldType left = Types.fieldType(call.getOperands().get(0).getType());
    FieldType right = Types.fieldType(call.getOperands().get(1).getType());
    return new Exprs.Comparison(
        zoned(operand(call, 0), left, right), zoned(operand(call, 1), right, left), accepts);
  }

  /** Has a time without a zone be one of the session's zone, if the other one has a zone. */
  private static Expr zoned(Expr value, FieldType type, FieldType other) {
    boolean isLocal = type == FieldType.TIMESTAMP || type == FieldType.DATE;
    return isLocal && other == FieldType.TIMESTAMP_WITH_TIME_ZONE
        ? new Exprs.Cast(value, other, -1, -1)
        : value;
  }

  private Expr test(RexCall call, BiPredicate<@Nullable Object, Env> predicate) {
    return new Exprs.Test(operand(call, 0), predicate);
  }

  private Expr search(RexCall call) {
    Expr list = InLists.compile(call, this);
    return list != null ? list : compile(RexUtil.expandSearch(builder, null, call));
  }

  private Expr arithmetic(RexCall call) {
    Arithmetic.Operation operation =
        switch (call.getKind()) {
          case PLUS -> Arithmetic.Operation.PLUS;
          case MINUS -> Arithmetic.Operation.MINUS;
          case TIMES -> Arithmetic.Operation.TIMES;
          case DIVIDE -> Arithmetic.Operation.DIVIDE;
          default -> Arithmetic.Operation.MOD;
        };
    FieldType type = Types.fieldType(call.getType());
    return new Exprs.Arithmetical(operation, operand(call, 0), operand(call, 1), type);
  }

  private Expr cast(RexCall call) {
    return cast(operand(call, 0), call.getType());
  }

  Expr cast(Expr value, RelDataType target) {
    SqlTypeName name = target.getSqlTypeName();
    FieldType type = Types.fieldType(target);
    if (Types.isInterval(target)) {
      boolean isMonths = Literals.isMonths(target);
      return new Exprs.Strict(List.of(value), (a, _) -> Exprs.interval(a[0], isMonths, target));
    }
    int precision = target.getPrecision();
    int scale = name == SqlTypeName.DECIMAL ? target.getScale() : -1;
    boolean isCut =
        (name == SqlTypeName.VARCHAR || name == SqlTypeName.CHAR)
            && precision != RelDataType.PRECISION_NOT_SPECIFIED;
    boolean isScaled = name == SqlTypeName.DECIMAL && precision < Types.DIGITS;
    if (type == FieldType.OBJECT) {
      return value;
    }
    return folded(new Exprs.Cast(value, type, isCut || isScaled ? precision : -1, scale));
  }

  /** Returns the value of a cast of a literal; the cast itself if it fails, or is of another. */
  private Expr folded(Exprs.Cast cast) {
    if (!(cast.value() instanceof Exprs.Constant constant)) {
      return cast;
    }
    try {
      return new Exprs.Constant(cast.convert(constant.value(), zone));
    } catch (SqlFailure e) {
      return cast;
    }
  }

  /** Returns the value of an expression that needs no row; fails as it does. */
  static @Nullable Object evaluate(Expr expr, Env env) {
    return expr.eval(ScanNode.NO_ROW, env);
  }

  /** Returns text of a value, in the form of a literal. */
  static String shown(@Nullable Object value) {
    return value == null
        ? "NULL"
        : value instanceof Number || value instanceof Boolean
            ? Casts.toText(value)
            : "'" + Casts.toText(value) + "'";
  }
}

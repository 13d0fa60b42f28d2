package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Calls;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Exprs;
import io.keyvalueserve.sql.expr.JsonValues;
import io.keyvalueserve.sql.expr.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlJsonExistsErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryEmptyOrErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryWrapperBehavior;
import org.apache.calcite.sql.SqlJsonValueEmptyOrErrorBehavior;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.jspecify.annotations.Nullable;

/** Compiles calls of functions of Calcite, by their names. */
final class CallCompiler {
  private CallCompiler() {}

  static Expr compile(RexCall call, ExprCompiler compiler) {
    if (call.getOperator() instanceof SqlLikeOperator) {
      return like(call, compiler);
    }
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    return switch (name) {
      case "POSIX REGEX CASE SENSITIVE" -> regex(call, compiler, false, false);
      case "POSIX REGEX CASE INSENSITIVE" -> regex(call, compiler, true, false);
      case "NEGATED POSIX REGEX CASE SENSITIVE" -> regex(call, compiler, false, true);
      case "NEGATED POSIX REGEX CASE INSENSITIVE" -> regex(call, compiler, true, true);
      case "TRIM" -> trim(call, compiler);
      case "EXTRACT" -> extract(call, compiler);
      case "FLOOR", "CEIL" ->
          call.getOperands().size() == 2 ? rounded(call, compiler) : named(name, call, compiler);
      case "JSON_VALUE" -> jsonValue(call, compiler);
      case "JSON_QUERY" -> jsonQuery(call, compiler);
      case "JSON_EXISTS" -> jsonExists(call, compiler);
      case "ITEM" ->
          new Exprs.Strict(compiler.compile(call.getOperands()), (a, _) -> Calls.item(a[0], a[1]));
      default ->
          name.startsWith("IS JSON") || name.startsWith("IS NOT JSON")
              ? isJson(name, call, compiler)
              : named(name, call, compiler);
    };
  }

  private static Expr named(String name, RexCall call, ExprCompiler compiler) {
    Exprs.StrictBody body = Calls.find(name);
    if (body == null) {
      throw ExprCompiler.unsupported(call.getOperator().getName());
    }
    FieldType type = Types.fieldType(call.getType());
    boolean isInterval = Types.isInterval(call.getType());
    return new Exprs.Strict(
        compiler.compile(call.getOperands()),
        (values, env) -> {
          Object result = body.apply(values, env);
          return isInterval ? result : Casts.cast(result, type, env.zone());
        });
  }

  private static Expr like(RexCall call, ExprCompiler compiler) {
    SqlLikeOperator operator = (SqlLikeOperator) call.getOperator();
    if (operator.getKind() != SqlKind.LIKE) {
      throw ExprCompiler.unsupported(operator.getName());
    }
    boolean ignoresCase = !operator.isCaseSensitive();
    boolean negated = operator.isNegated();
    return new Exprs.Strict(
        compiler.compile(call.getOperands()),
        (a, _) ->
            Texts.like(Casts.toText(a[0]), Casts.toText(a[1]), escape(a), ignoresCase) != negated);
  }

  /** Returns the character that escapes others: a backslash if none is said. */
  private static int escape(Object[] arguments) {
    if (arguments.length < 3) {
      return '\\';
    }
    String text = Casts.toText(arguments[2]);
    return text.isEmpty() ? -1 : text.codePointAt(0);
  }

  private static Expr regex(
      RexCall call, ExprCompiler compiler, boolean ignoresCase, boolean negated) {
    List<RexNode> operands = call.getOperands();
    Expr text = compiler.compile(operands.get(0));
    if (operands.get(1) instanceof RexLiteral literal
        && Literals.value(literal, compiler.zone()) instanceof String pattern) {
      Pattern compiled = Texts.regex(pattern, ignoresCase);
      return new Exprs.Strict(
          List.of(text), (a, _) -> Texts.matches(compiled, Casts.toText(a[0])) != negated);
    }
    return new Exprs.Strict(
        List.of(text, compiler.compile(operands.get(1))),
        (a, _) ->
            Texts.matches(Texts.regex(Casts.toText(a[1]), ignoresCase), Casts.toText(a[0]))
                != negated);
  }

  private static <E> E symbol(RexCall call, int index, Class<E> type) {
    RexLiteral literal = (RexLiteral) call.getOperands().get(index);
    return Objects.requireNonNull(type.cast(literal.getValue()));
  }

  private static Expr trim(RexCall call, ExprCompiler compiler) {
    SqlTrimFunction.Flag flag = symbol(call, 0, SqlTrimFunction.Flag.class);
    boolean atStart = flag.getLeft() == 1;
    boolean atEnd = flag.getRight() == 1;
    List<RexNode> texts = call.getOperands().subList(1, 3);
    return new Exprs.Strict(
        compiler.compile(texts), (a, _) -> Calls.trim(a[1], a[0], atStart, atEnd));
  }

  private static Expr extract(RexCall call, ExprCompiler compiler) {
    String unit = ((RexLiteral) call.getOperands().get(0)).getValue() + "";
    FieldType type = Types.fieldType(call.getType());
    return new Exprs.Strict(
        List.of(compiler.operand(call, 1)),
        (a, env) -> Calls.extract(unit, a[0], type, env.zone()));
  }

  private static Expr rounded(RexCall call, ExprCompiler compiler) {
    String unit = ((RexLiteral) call.getOperands().get(1)).getValue() + "";
    if (call.getKind() != SqlKind.FLOOR) {
      throw ExprCompiler.unsupported("CEIL of a time");
    }
    return new Exprs.Strict(
        List.of(compiler.operand(call, 0)), (a, env) -> Calls.floor(unit, a[0], env.zone()));
  }

  private static Expr isJson(String name, RexCall call, ExprCompiler compiler) {
    boolean negated = name.startsWith("IS NOT");
    String kind = name.substring(name.lastIndexOf(' ') + 1);
    return new Exprs.Strict(
        List.of(compiler.operand(call, 0)),
        (a, _) -> JsonValues.isJson(Casts.toText(a[0]), kind) != negated);
  }

  private static Expr jsonValue(RexCall call, ExprCompiler compiler) {
    List<RexNode> operands = call.getOperands();
    Behaviour onEmpty = new Behaviour(SqlJsonValueEmptyOrErrorBehavior.NULL, null);
    Behaviour onError = onEmpty;
    for (int i = 2; i < operands.size(); i++) {
      if (!(enumOf(operands.get(i)) instanceof SqlJsonValueEmptyOrErrorBehavior behaviour)) {
        continue;
      }
      boolean isDefault = behaviour == SqlJsonValueEmptyOrErrorBehavior.DEFAULT;
      Expr ifSo = isDefault ? compiler.compile(operands.get(i + 1)) : null;
      int next = i + (isDefault ? 2 : 1);
      Behaviour said = new Behaviour(behaviour, ifSo);
      if (next < operands.size() && "EMPTY".equals(String.valueOf(enumOf(operands.get(next))))) {
        onEmpty = said;
      } else {
        onError = said;
      }
      i = next;
    }
    return jsonValue(call.getType(), compiler.compile(operands.subList(0, 2)), onEmpty, onError);
  }

  /** A case, and its value. */
  private record Behaviour(SqlJsonValueEmptyOrErrorBehavior what, @Nullable Expr value) {}

  private static Expr jsonValue(
      RelDataType type, List<Expr> arguments, Behaviour onEmpty, Behaviour onError) {
    FieldType result = Types.fieldType(type);
    List<Expr> all = new ArrayList<>(arguments);
    Expr none = new Exprs.Constant(null);
    all.add(onEmpty.value() == null ? none : onEmpty.value());
    all.add(onError.value() == null ? none : onError.value());
    return new Exprs.Lenient(
        all,
        (a, env) -> {
          if (a[0] == null || a[1] == null) {
            return null;
          }
          Object value =
              JsonValues.value(
                  Casts.toText(a[0]),
                  Casts.toText(a[1]),
                  onEmpty.what(),
                  a[2],
                  onError.what(),
                  a[3]);
          return Casts.cast(value, result, env.zone());
        });
  }

  private static @Nullable Object enumOf(RexNode node) {
    return node instanceof RexLiteral literal ? literal.getValue() : null;
  }

  private static Expr jsonQuery(RexCall call, ExprCompiler compiler) {
    SqlJsonQueryWrapperBehavior wrapper = symbol(call, 2, SqlJsonQueryWrapperBehavior.class);
    SqlJsonQueryEmptyOrErrorBehavior onEmpty =
        symbol(call, 3, SqlJsonQueryEmptyOrErrorBehavior.class);
    SqlJsonQueryEmptyOrErrorBehavior onError =
        symbol(call, 4, SqlJsonQueryEmptyOrErrorBehavior.class);
    FieldType type = Types.fieldType(call.getType());
    return new Exprs.Strict(
        compiler.compile(call.getOperands().subList(0, 2)),
        (a, env) ->
            Casts.cast(
                JsonValues.query(Casts.toText(a[0]), Casts.toText(a[1]), wrapper, onEmpty, onError),
                type,
                env.zone()));
  }

  private static Expr jsonExists(RexCall call, ExprCompiler compiler) {
    SqlJsonExistsErrorBehavior onError =
        call.getOperands().size() > 2
            ? symbol(call, 2, SqlJsonExistsErrorBehavior.class)
            : SqlJsonExistsErrorBehavior.FALSE;
    return new Exprs.Strict(
        compiler.compile(call.getOperands().subList(0, 2)),
        (a, _) -> JsonValues.exists(Casts.toText(a[0]), Casts.toText(a[1]), onError));
  }
}

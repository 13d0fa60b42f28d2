package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.run.ConditionPlan;
import io.keyvalueserve.sql.run.KeyValues;
import io.keyvalueserve.sql.run.ScanNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Conditions for an engine whose values are known when a statement runs.
 *
 * @param text for people
 */
record Pushed(String text, Function<Env, Condition> binder) implements ConditionPlan {
  private static final Condition NEVER = new Condition.Constant(false);

  @Override
  public Condition bind(Env env) {
    return binder.apply(env);
  }

  @Override
  public String toString() {
    return text;
  }

  static Condition not(Condition condition) {
    return new Condition.Not(condition);
  }

  static Condition isThere(Field field) {
    return not(new Condition.IsNull(field));
  }

  static ConditionPlan isNull(Column column, boolean negated) {
    Condition test = new Condition.IsNull(column.field());
    return new Pushed(
        column.name() + (negated ? " IS NOT NULL" : " IS NULL"), _ -> negated ? not(test) : test);
  }

  static ConditionPlan isTrue(Column column, boolean value, boolean orUnknown) {
    Condition equal = new Condition.Compare(column.field(), Comparison.EQUAL, value);
    Condition opposite = new Condition.Compare(column.field(), Comparison.EQUAL, !value);
    return new Pushed(
        column.name() + (orUnknown ? " IS NOT " + !value : " = " + value),
        _ -> orUnknown ? not(opposite) : equal);
  }

  static ConditionPlan all(List<ConditionPlan> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    return new Pushed(
        joined(parts, " AND "),
        env -> new Condition.And(parts.stream().map(part -> part.bind(env)).toList()));
  }

  static ConditionPlan any(List<ConditionPlan> parts) {
    return new Pushed(
        joined(parts, " OR "),
        env -> new Condition.Or(parts.stream().map(part -> part.bind(env)).toList()));
  }

  private static String joined(List<ConditionPlan> parts, String word) {
    return parts.stream().map(ConditionPlan::toString).collect(Collectors.joining(word, "(", ")"));
  }

  /** Compares a column with a value. */
  static ConditionPlan compare(Column column, Comparison comparison, Expr value) {
    return new Pushed(
        column.name() + " " + symbol(comparison) + " " + value,
        env -> compare(column, comparison, value.eval(ScanNode.NO_ROW, env), env));
  }

  private static String symbol(Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> "=";
      case LESS -> "<";
      case LESS_OR_EQUAL -> "<=";
      case GREATER -> ">";
      case GREATER_OR_EQUAL -> ">=";
    };
  }

  private static Condition compare(
      Column column, Comparison comparison, @Nullable Object value, Env env) {
    if (value == null) {
      return NEVER;
    }
    Object exact = KeyValues.of(value, column.type(), env.zone());
    if (exact != null) {
      return new Condition.Compare(column.field(), comparison, exact);
    }
    if (comparison == Comparison.EQUAL || !(value instanceof Number number)) {
      return NEVER;
    }
    return compareBetween(column, comparison, number);
  }

  /** Compares integers with a number that is none of them: it lies between two, or beyond all. */
  private static Condition compareBetween(Column column, Comparison comparison, Number value) {
    BigDecimal number = (BigDecimal) require(Casts.cast(value, FieldType.DECIMAL, UTC));
    Object below = KeyValues.of(number.setScale(0, RoundingMode.FLOOR), column.type(), UTC);
    boolean isLess = comparison == Comparison.LESS || comparison == Comparison.LESS_OR_EQUAL;
    if (below != null) {
      return new Condition.Compare(
          column.field(), isLess ? Comparison.LESS_OR_EQUAL : Comparison.GREATER, below);
    }
    boolean isAboveAll = number.signum() > 0;
    return isLess == isAboveAll ? isThere(column.field()) : NEVER;
  }

  private static final ZoneId UTC = ZoneOffset.UTC;

  private static Object require(@Nullable Object value) {
    return Objects.requireNonNull(value);
  }

  /** Is true if a column is not null, and differs from a value that is not null. */
  static ConditionPlan differs(Column column, Expr value) {
    return new Pushed(
        column.name() + " <> " + value,
        env -> {
          Object other = value.eval(ScanNode.NO_ROW, env);
          if (other == null) {
            return NEVER;
          }
          Condition equal = compare(column, Comparison.EQUAL, other, env);
          return new Condition.And(List.of(isThere(column.field()), not(equal)));
        });
  }

  /** Is true if a column has one of some values; or, negated, if surely none of them. */
  static ConditionPlan in(Column column, List<Expr> values, boolean negated) {
    String list =
        values.size() > 5
            ? values.size() + " values"
            : values.stream().map(Expr::toString).collect(Collectors.joining(", "));
    return new Pushed(
        column.name() + (negated ? " NOT IN (" : " IN (") + list + ")",
        env -> in(column, values, negated, env));
  }

  private static Condition in(Column column, List<Expr> values, boolean negated, Env env) {
    Set<@Nullable Object> exact = new HashSet<>();
    for (Expr expr : values) {
      Object value = expr.eval(ScanNode.NO_ROW, env);
      if (value == null && negated) {
        return NEVER;
      }
      Object one = KeyValues.of(value, column.type(), env.zone());
      if (one != null) {
        exact.add(one);
      }
    }
    if (negated) {
      return exact.isEmpty()
          ? isThere(column.field())
          : new Condition.And(
              List.of(isThere(column.field()), not(new Condition.In(column.field(), exact))));
    }
    return exact.isEmpty() ? NEVER : new Condition.In(column.field(), exact);
  }

  /** Is true if text matches a pattern; or, negated, if it is there and does not. */
  static ConditionPlan like(
      Column column, Expr pattern, @Nullable Expr escape, boolean ignoresCase, boolean negated) {
    return new Pushed(
        column.name() + (negated ? " NOT" : "") + (ignoresCase ? " ILIKE " : " LIKE ") + pattern,
        env -> {
          Object text = pattern.eval(ScanNode.NO_ROW, env);
          Object by = escape == null ? "\\" : escape.eval(ScanNode.NO_ROW, env);
          if (text == null || by == null) {
            return NEVER;
          }
          String character = Casts.toText(by);
          Condition like =
              new Condition.Like(
                  column.field(),
                  Casts.toText(text),
                  character.isEmpty() ? -1 : character.codePointAt(0),
                  ignoresCase);
          return negated ? new Condition.And(List.of(isThere(column.field()), not(like))) : like;
        });
  }
}

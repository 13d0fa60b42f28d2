package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The forms of expressions, with the logic of three values. */
public final class Exprs {
  private Exprs() {}

  /** A value of the row. */
  public record Column(int index) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      return row[index];
    }

    @Override
    public String toString() {
      return "$" + index;
    }
  }

  /** A value that is always the same. */
  public record Constant(@Nullable Object value) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      return value;
    }

    @Override
    public String toString() {
      return value == null ? "NULL" : Casts.toText(value);
    }
  }

  /** A parameter of the statement. */
  public record Parameter(int number, FieldType type) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      return Casts.cast(env.parameter(number), type, env.zone());
    }

    @Override
    public String toString() {
      return "?" + (number + 1);
    }
  }

  /** A value of the row of an outer query. */
  public record Outer(int id, int column) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      return env.outer(id, column);
    }
  }

  /** Is false if one part is, and else unknown if one part is. */
  public record And(List<Expr> parts) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      boolean isUnknown = false;
      for (Expr part : parts) {
        Object value = part.eval(row, env);
        if (Boolean.FALSE.equals(value)) {
          return false;
        }
        isUnknown |= value == null;
      }
      return isUnknown ? null : true;
    }
  }

  /** Is true if one part is, and else unknown if one part is. */
  public record Or(List<Expr> parts) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      boolean isUnknown = false;
      for (Expr part : parts) {
        Object value = part.eval(row, env);
        if (Boolean.TRUE.equals(value)) {
          return true;
        }
        isUnknown |= value == null;
      }
      return isUnknown ? null : false;
    }
  }

  /** Is the opposite. */
  public record Not(Expr part) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      Object value = part.eval(row, env);
      return value == null ? null : !(Boolean) value;
    }
  }

  /** Compares two values. */
  public record Comparison(Expr left, Expr right, IntPredicate accepts) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      Object a = left.eval(row, env);
      if (a == null) {
        return null;
      }
      Object b = right.eval(row, env);
      return b == null ? null : accepts.test(Values.compare(a, b));
    }
  }

  /** Tests a value, which may be null. */
  public record Test(Expr value, BiPredicate<@Nullable Object, Env> predicate) implements Expr {
    @Override
    public Object eval(@Nullable Object[] row, Env env) {
      return predicate.test(value.eval(row, env), env);
    }
  }

  /** Compares two values, of which nulls are equal. */
  public record Distinct(Expr left, Expr right, boolean ifDistinct) implements Expr {
    @Override
    public Object eval(@Nullable Object[] row, Env env) {
      int order = Values.compareNullable(left.eval(row, env), right.eval(row, env), false);
      return (order != 0) == ifDistinct;
    }
  }

  /**
   * Is true if a value is among others.
   *
   * @param keys of the others, as {@link Values#keyOf}
   * @param negated whether it is true if the value is not among them
   */
  public record In(Expr value, Set<Object> keys, boolean negated) implements Expr {
    public In {
      keys = new HashSet<>(keys);
    }

    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      Object key = Values.keyOf(value.eval(row, env));
      return key == null ? null : keys.contains(key) != negated;
    }
  }

  /** Computes with two numbers, or times. */
  public record Arithmetical(Arithmetic.Operation operation, Expr left, Expr right, FieldType type)
      implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      Object a = left.eval(row, env);
      if (a == null) {
        return null;
      }
      Object b = right.eval(row, env);
      if (b == null) {
        return null;
      }
      Object result = Arithmetic.compute(operation, a, b, type);
      return type == FieldType.OBJECT || type.javaClass().isInstance(result)
          ? result
          : Casts.cast(result, type, env.zone());
    }
  }

  /** Tests and values, one after the other, and at last a value for else. */
  public record Case(List<Expr> parts) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      int last = parts.size() - 1;
      for (int i = 0; i < last; i += 2) {
        if (parts.get(i).isTrue(row, env)) {
          return parts.get(i + 1).eval(row, env);
        }
      }
      return parts.get(last).eval(row, env);
    }
  }

  /** The first value that is not null. */
  public record Coalesce(List<Expr> parts) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      for (Expr part : parts) {
        Object value = part.eval(row, env);
        if (value != null) {
          return value;
        }
      }
      return null;
    }
  }

  /** Computes with arguments of which none is null. */
  @FunctionalInterface
  public interface StrictBody {
    @Nullable Object apply(Object[] arguments, Env env);
  }

  /** A function that is null if an argument is. */
  public record Strict(List<Expr> arguments, StrictBody body) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      Object[] values = new Object[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        Object value = arguments.get(i).eval(row, env);
        if (value == null) {
          return null;
        }
        values[i] = value;
      }
      return body.apply(values, env);
    }
  }

  /** A function whose arguments may be null. */
  public record Lenient(List<Expr> arguments, Builtin.Body body) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      @Nullable Object[] values = new @Nullable Object[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).eval(row, env);
      }
      return body.apply(values, env);
    }
  }

  /** A list of values: a row or an array. */
  public record Listed(List<Expr> items) implements Expr {
    @Override
    public Object eval(@Nullable Object[] row, Env env) {
      List<@Nullable Object> values = new ArrayList<>(items.size());
      for (Expr item : items) {
        values.add(item.eval(row, env));
      }
      return values;
    }
  }

  /**
   * Converts a value.
   *
   * @param precision of text and decimals; -1 for any
   */
  public record Cast(Expr value, FieldType type, int precision, int scale) implements Expr {
    @Override
    public @Nullable Object eval(@Nullable Object[] row, Env env) {
      return convert(value.eval(row, env), env.zone());
    }

    /** Converts a value. */
    public @Nullable Object convert(@Nullable Object from, ZoneId zone) {
      Object cast = Casts.cast(from, type, zone);
      if (cast == null || precision < 0) {
        return cast;
      }
      return switch (cast) {
        case String text when text.length() > precision -> Texts.left(text, precision);
        case BigDecimal decimal -> scaled(decimal);
        default -> cast;
      };
    }

    @Override
    public String toString() {
      return "CAST(" + value + " AS " + type + ")";
    }

    private BigDecimal scaled(BigDecimal decimal) {
      BigDecimal rounded = decimal.setScale(Math.max(0, scale), RoundingMode.HALF_UP);
      if (rounded.precision() - rounded.scale() > precision - scale) {
        throw new SqlFailure(
            SqlState.OUT_OF_RANGE,
            "a number is out of the range of DECIMAL(" + precision + ", " + scale + ")");
      }
      return rounded;
    }
  }

  /** Returns an interval of a number of units, or another interval. */
  public static Object interval(Object value, boolean isMonths, Object type) {
    return switch (value) {
      case Duration duration -> duration;
      case Period period -> period;
      case Number number when isMonths -> Period.ofMonths(number.intValue());
      case Number number -> Duration.ofMillis(number.longValue());
      default -> throw new SqlFailure(SqlState.BAD_CAST, "a value cannot be converted to " + type);
    };
  }
}

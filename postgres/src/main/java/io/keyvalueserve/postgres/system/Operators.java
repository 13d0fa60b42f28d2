package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operators. */
final class Operators {
  private static final int MOST_CHARACTERS = 1 << 20;
  private static final int DIVISION_SCALE = 16;

  private Operators() {}

  /** Two operands whose types fit. */
  record Pair(Bound left, Bound right) {}

  /** Expressions of one type. */
  record Same(PgType type, List<Eval> evals) {}

  /** A comparison of two values that are not null. */
  @FunctionalInterface
  interface Test {
    boolean of(Run run, Object left, Object right);
  }

  /** Gives an operand without a type that of the other. */
  static Pair pair(QueryBinder queries, Bound left, Bound right) {
    if (left.isOpen() && right.isOpen()) {
      return new Pair(queries.open(left, PgType.TEXT), queries.open(right, PgType.TEXT));
    }
    return new Pair(
        left.isOpen() ? queries.open(left, right.type()) : left,
        right.isOpen() ? queries.open(right, left.type()) : right);
  }

  /** Gives all the first type that one of them has; numbers become the widest. */
  static Same same(QueryBinder queries, List<Bound> all) {
    PgType type = PgType.UNKNOWN;
    for (Bound each : all) {
      PgType other = each.type();
      if (type == PgType.UNKNOWN || (type.isNumber() && other.isNumber() && isWider(other, type))) {
        type = other;
      } else if (type == PgType.NAME && other.isText() && other != PgType.UNKNOWN) {
        type = other;
      }
    }
    PgType common = type == PgType.UNKNOWN ? PgType.TEXT : type;
    return new Same(common, all.stream().map(each -> queries.open(each, common).eval()).toList());
  }

  private static boolean isWider(PgType one, PgType other) {
    return rank(one) > rank(other);
  }

  private static int rank(PgType type) {
    return switch (type) {
      case INT2 -> 1;
      case INT4 -> 2;
      case INT8, OID -> 3;
      case NUMERIC -> 4;
      case FLOAT4 -> 5;
      case FLOAT8 -> 6;
      default -> 0;
    };
  }

  static Test test(String operator) {
    return switch (operator) {
      case "=" -> (_, a, b) -> Datum.equal(a, b);
      case "<>" -> (_, a, b) -> !Datum.equal(a, b);
      case "<" -> (_, a, b) -> Datum.compare(a, b) < 0;
      case "<=" -> (_, a, b) -> Datum.compare(a, b) <= 0;
      case ">" -> (_, a, b) -> Datum.compare(a, b) > 0;
      case ">=" -> (_, a, b) -> Datum.compare(a, b) >= 0;
      case "~~" -> (run, a, b) -> Patterns.like(run, Datum.text(a), Datum.text(b), false);
      case "!~~" -> (run, a, b) -> !Patterns.like(run, Datum.text(a), Datum.text(b), false);
      case "~~*" -> (run, a, b) -> Patterns.like(run, Datum.text(a), Datum.text(b), true);
      case "!~~*" -> (run, a, b) -> !Patterns.like(run, Datum.text(a), Datum.text(b), true);
      case "~" -> (run, a, b) -> Patterns.matches(run, Datum.text(a), Datum.text(b), false);
      case "!~" -> (run, a, b) -> !Patterns.matches(run, Datum.text(a), Datum.text(b), false);
      case "~*" -> (run, a, b) -> Patterns.matches(run, Datum.text(a), Datum.text(b), true);
      case "!~*" -> (run, a, b) -> !Patterns.matches(run, Datum.text(a), Datum.text(b), true);
      case "^@" -> (_, a, b) -> Datum.text(a).startsWith(Datum.text(b));
      case "@>" -> (_, a, b) -> contains(a, b);
      case "<@" -> (_, a, b) -> contains(b, a);
      case "&&" -> (_, a, b) -> overlaps(a, b);
      default -> throw unknown(operator, 0);
    };
  }

  private static PostgresException unknown(String operator, int position) {
    return new PostgresException(
        "42883",
        "the operator " + operator + " is not known in queries on the system catalogues",
        position,
        "");
  }

  private static boolean contains(Object whole, Object part) {
    return whole instanceof List<?> all
        && part instanceof List<?> some
        && Datum.keys(all).containsAll(Datum.keys(some));
  }

  private static boolean overlaps(Object one, Object other) {
    return one instanceof List<?> a
        && other instanceof List<?> b
        && Datum.keys(a).stream().anyMatch(Datum.keys(b)::contains);
  }

  static Bound bind(QueryBinder queries, String operator, Bound left, Bound right, int position) {
    return switch (operator) {
      case "||" -> concatenated(queries, left, right);
      case "+", "-", "*", "/", "%", "&", "|" -> arithmetic(queries, operator, left, right);
      case "~", "!~", "~*", "!~*", "~~", "!~~", "~~*", "!~~*", "^@" ->
          tested(test(operator), queries.open(left, PgType.TEXT), queries.open(right, PgType.TEXT));
      default -> {
        Test test;
        try {
          test = test(operator);
        } catch (PostgresException e) {
          throw unknown(operator, position);
        }
        Pair pair = pair(queries, left, right);
        yield tested(test, pair.left(), pair.right());
      }
    };
  }

  private static Bound tested(Test test, Bound left, Bound right) {
    Eval one = left.eval();
    Eval other = right.eval();
    return Bound.of(
        PgType.BOOL,
        env -> {
          Object a = one.of(env);
          Object b = a == null ? null : other.of(env);
          return (a == null || b == null) ? null : test.of(env.run, a, b);
        });
  }

  private static Bound concatenated(QueryBinder queries, Bound left, Bound right) {
    boolean isArray = left.type().element() != null || right.type().element() != null;
    if (!isArray) {
      Eval one = queries.open(left, PgType.TEXT).eval();
      Eval other = queries.open(right, PgType.TEXT).eval();
      return Bound.of(
          PgType.TEXT,
          env -> {
            Object a = one.of(env);
            Object b = other.of(env);
            return (a == null || b == null) ? null : bounded(Datum.text(a) + Datum.text(b));
          });
    }
    PgType type = left.type().element() != null ? left.type() : right.type();
    PgType array = type.element() == null || type == PgType.INT2VECTOR ? PgType.INT2_ARRAY : type;
    Eval one = queries.open(left, array).eval();
    Eval other = queries.open(right, array).eval();
    return Bound.of(
        array,
        env -> {
          List<@Nullable Object> all = new ArrayList<>();
          append(all, one.of(env));
          append(all, other.of(env));
          env.run.keeps(all.size());
          return all;
        });
  }

  private static void append(List<@Nullable Object> all, @Nullable Object value) {
    if (value instanceof List<?> list) {
      all.addAll(list);
    } else if (value != null) {
      all.add(value);
    }
  }

  static String bounded(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw new PostgresException("54000", "a text is too long in a query on system catalogues");
    }
    return text;
  }

  private static Bound arithmetic(QueryBinder queries, String operator, Bound left, Bound right) {
    Pair pair = pair(queries, left, right);
    Bound one = pair.left().type().isText() ? queries.open(left, PgType.INT4) : pair.left();
    Bound other = pair.right().type().isText() ? queries.open(right, PgType.INT4) : pair.right();
    PgType type = isWider(other.type(), one.type()) ? other.type() : one.type();
    Eval a = one.eval();
    Eval b = other.eval();
    return Bound.of(type, env -> computed(operator, a.of(env), b.of(env)));
  }

  private static @Nullable Object computed(
      String operator, @Nullable Object left, @Nullable Object right) {
    if (!(left instanceof Number a) || !(right instanceof Number b)) {
      if (left == null || right == null) {
        return null;
      }
      throw new PostgresException("42883", "the operator " + operator + " takes numbers");
    }
    try {
      boolean isWhole = isWhole(a) && isWhole(b);
      if (isWhole) {
        return whole(operator, a.longValue(), b.longValue());
      }
      BigDecimal x = Datum.decimal(a);
      BigDecimal y = Datum.decimal(b);
      return switch (operator) {
        case "+" -> x.add(y);
        case "-" -> x.subtract(y);
        case "*" -> x.multiply(y);
        case "/" -> x.divide(y, DIVISION_SCALE, RoundingMode.HALF_UP);
        case "%" -> x.remainder(y);
        default -> throw unknown(operator, 0);
      };
    } catch (ArithmeticException e) {
      String state = ((Number) right).doubleValue() == 0 ? "22012" : "22003";
      throw new PostgresException(
          state, state.equals("22012") ? "division by zero" : "a number is out of range");
    }
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof RegName;
  }

  private static long whole(String operator, long a, long b) {
    return switch (operator) {
      case "+" -> Math.addExact(a, b);
      case "-" -> Math.subtractExact(a, b);
      case "*" -> Math.multiplyExact(a, b);
      case "/" -> a / b;
      case "%" -> a % b;
      case "&" -> a & b;
      default -> a | b;
    };
  }

  static @Nullable Object negated(@Nullable Object value) {
    return value == null ? null : computed("-", 0L, value);
  }
}

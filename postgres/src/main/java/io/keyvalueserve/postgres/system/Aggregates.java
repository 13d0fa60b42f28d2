package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Functions over the rows of a group. */
final class Aggregates {
  private Aggregates() {}

  /** The functions that are known. */
  enum Kind {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG,
    ARRAY_AGG,
    STRING_AGG,
    BOOL_AND,
    BOOL_OR,
    JSON_AGG
  }

  static @Nullable Kind find(String name) {
    return switch (name) {
      case "every" -> Kind.BOOL_AND;
      case "jsonb_agg" -> Kind.JSON_AGG;
      case "count",
          "sum",
          "min",
          "max",
          "avg",
          "array_agg",
          "string_agg",
          "bool_and",
          "bool_or",
          "json_agg" ->
          Kind.valueOf(name.toUpperCase(Locale.ROOT));
      default -> null;
    };
  }

  /** A function whose arguments were found. */
  record Call(
      Kind kind,
      PgType type,
      List<Eval> arguments,
      List<Bindings.SortKey> order,
      boolean isDistinct,
      @Nullable Eval filter) {
    /** Computes the value over rows. */
    @Nullable Object over(Env env, List<@Nullable Object[]> rows) {
      Env each = new Env(env.run, env.outer, env.row);
      List<@Nullable Object[]> values = new ArrayList<>();
      Set<Object> seen = new HashSet<>();
      for (@Nullable Object[] row : rows) {
        env.run.step();
        each.row = row;
        if (filter != null && !Datum.isTrue(filter.of(each))) {
          continue;
        }
        @Nullable Object[] value = new @Nullable Object[arguments.size() + order.size()];
        for (int i = 0; i < arguments.size(); i++) {
          value[i] = arguments.get(i).of(each);
        }
        for (int i = 0; i < order.size(); i++) {
          value[arguments.size() + i] = order.get(i).eval().of(each);
        }
        boolean counts = arguments.isEmpty() || value[0] != null || keepsNulls();
        if (counts && (!isDistinct || seen.add(Datum.keys(java.util.Arrays.asList(value))))) {
          values.add(value);
        }
      }
      if (!order.isEmpty()) {
        values.sort(Sorting.byKeys(order, arguments.size()));
      }
      return result(values, env);
    }

    private boolean keepsNulls() {
      return kind == Kind.ARRAY_AGG || kind == Kind.JSON_AGG;
    }

    private @Nullable Object result(List<@Nullable Object[]> values, Env env) {
      if (kind == Kind.COUNT) {
        return (long) values.size();
      }
      if (values.isEmpty()) {
        return null;
      }
      return switch (kind) {
        case ARRAY_AGG -> {
          env.run.keeps(values.size());
          List<@Nullable Object> list = new ArrayList<>();
          values.forEach(value -> list.add(value[0]));
          yield list;
        }
        case STRING_AGG -> {
          StringBuilder text = new StringBuilder();
          for (@Nullable Object[] value : values) {
            Object separator = value[1];
            text.append(text.isEmpty() || separator == null ? "" : Datum.text(separator));
            text.append(text(value[0]));
            String _ = Operators.bounded(text.length() > 1 << 20 ? text.toString() : "");
          }
          yield text.toString();
        }
        case JSON_AGG -> {
          StringBuilder text = new StringBuilder("[");
          for (@Nullable Object[] value : values) {
            text.append(text.length() > 1 ? ", " : "").append(Json.of(value[0]));
            String _ = Operators.bounded(text.length() > 1 << 20 ? text.toString() : "");
          }
          yield text.append(']').toString();
        }
        case BOOL_AND -> values.stream().allMatch(value -> Datum.isTrue(value[0]));
        case BOOL_OR -> values.stream().anyMatch(value -> Datum.isTrue(value[0]));
        case MIN, MAX -> extreme(values);
        case SUM -> sum(values);
        case AVG ->
            Datum.decimal((Number) sum(values))
                .divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL64);
        case COUNT -> (long) values.size();
      };
    }

    private static String text(@Nullable Object value) {
      return value == null ? "" : Datum.text(value);
    }

    private @Nullable Object extreme(List<@Nullable Object[]> values) {
      Object best = null;
      for (@Nullable Object[] value : values) {
        Object next = value[0];
        if (next != null && (best == null || Datum.compare(next, best) < 0 == (kind == Kind.MIN))) {
          best = next;
        }
      }
      return best;
    }

    private static Object sum(List<@Nullable Object[]> values) {
      BigDecimal sum = BigDecimal.ZERO;
      boolean isWhole = true;
      for (@Nullable Object[] value : values) {
        if (value[0] instanceof Number number) {
          isWhole &= number instanceof Long;
          sum = sum.add(Datum.decimal(number));
        }
      }
      return isWhole && sum.toBigInteger().bitLength() < 64 ? (Object) sum.longValue() : sum;
    }
  }

  static Call bind(
      QueryBinder queries,
      Kind kind,
      Ast.Call call,
      List<Bound> arguments,
      List<Bindings.SortKey> order,
      @Nullable Eval filter) {
    int wanted = kind == Kind.STRING_AGG ? 2 : 1;
    if (call.hasStar() ? kind != Kind.COUNT : arguments.size() != wanted) {
      throw Functions.unknown(call, arguments.size());
    }
    List<Bound> settled = arguments.stream().map(queries::settled).toList();
    PgType type =
        switch (kind) {
          case COUNT -> PgType.INT8;
          case SUM -> settled.getFirst().type() == PgType.INT8 ? PgType.NUMERIC : PgType.INT8;
          case AVG -> PgType.NUMERIC;
          case MIN, MAX -> settled.getFirst().type();
          case ARRAY_AGG -> settled.getFirst().type().array();
          case STRING_AGG -> PgType.TEXT;
          case JSON_AGG -> PgType.JSON;
          case BOOL_AND, BOOL_OR -> PgType.BOOL;
        };
    return new Call(
        kind, type, settled.stream().map(Bound::eval).toList(), order, call.isDistinct(), filter);
  }
}

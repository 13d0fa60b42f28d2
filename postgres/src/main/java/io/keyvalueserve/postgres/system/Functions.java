package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions of one row. */
final class Functions {
  /** Computes a value; an argument is null only if the function takes nulls. */
  @FunctionalInterface
  interface Body {
    @Nullable Object of(Run run, List<@Nullable Object> arguments);
  }

  /**
   * A function.
   *
   * @param takesNulls whether it is called for null; else the result is null
   */
  record Function(int least, int most, PgType type, boolean takesNulls, Body body) {}

  private static final Map<String, Function> BY_NAME = new HashMap<>();

  static {
    SessionFunctions.addTo(BY_NAME);
    CatalogFunctions.addTo(BY_NAME);
    TextFunctions.addTo(BY_NAME);
  }

  /** Functions that standard SQL has too, so that they do not make a query one on catalogues. */
  private static final Set<String> COMMON =
      Set.of(
          "lower",
          "upper",
          "length",
          "char_length",
          "replace",
          "trim",
          "btrim",
          "substring",
          "substr",
          "position",
          "strpos",
          "left",
          "right",
          "split_part",
          "concat",
          "now",
          "current_timestamp",
          "current_date",
          "abs",
          "round",
          "ceil",
          "floor",
          "mod",
          "extract",
          "ltrim",
          "rtrim",
          "reverse",
          "localtimestamp",
          "lpad",
          "rpad",
          "initcap",
          "concat_ws",
          "regexp_replace",
          "greatest",
          "least");

  private Functions() {}

  /** Returns whether only queries on the catalogues or the session use this function. */
  static boolean isOfCatalogs(String name) {
    return BY_NAME.containsKey(name) && !COMMON.contains(name);
  }

  static PostgresException unknown(Ast.Call call, int arguments) {
    return new PostgresException(
        "42883",
        "function " + call.name() + " with " + arguments + " arguments does not exist",
        call.position(),
        "");
  }

  static Bound bind(QueryBinder queries, Ast.Call call, List<Bound> arguments) {
    switch (call.name()) {
      case "coalesce" -> {
        return coalesce(queries, arguments);
      }
      case "nullif" -> {
        if (arguments.size() == 2) {
          return nullIf(queries, arguments);
        }
      }
      case "greatest", "least" -> {
        return extreme(queries, arguments, call.name().equals("greatest"));
      }
      default -> {}
    }
    TableFunctions.Kind rows = TableFunctions.find(call.name());
    if (rows != null) {
      return TableFunctions.asValue(queries, rows, call, arguments);
    }
    Function function = BY_NAME.get(call.name());
    if (function == null
        || arguments.size() < function.least()
        || arguments.size() > function.most()) {
      throw unknown(call, arguments.size());
    }
    List<Eval> evals = arguments.stream().map(queries::settled).map(Bound::eval).toList();
    PgType type =
        function.type() == PgType.UNKNOWN && !arguments.isEmpty()
            ? queries.settled(arguments.getFirst()).type()
            : function.type();
    return Bound.of(
        type,
        env -> {
          List<@Nullable Object> values = new ArrayList<>(evals.size());
          for (Eval eval : evals) {
            Object value = eval.of(env);
            if (value == null && !function.takesNulls()) {
              return null;
            }
            values.add(value);
          }
          env.run.step();
          return Datum.normal(function.body().of(env.run, values));
        });
  }

  private static Bound coalesce(QueryBinder queries, List<Bound> arguments) {
    Operators.Same same = Operators.same(queries, arguments);
    return Bound.of(
        same.type(),
        env -> {
          for (Eval eval : same.evals()) {
            Object value = eval.of(env);
            if (value != null) {
              return value;
            }
          }
          return null;
        });
  }

  private static Bound nullIf(QueryBinder queries, List<Bound> arguments) {
    Operators.Pair pair = Operators.pair(queries, arguments.get(0), arguments.get(1));
    return Bound.of(
        pair.left().type(),
        env -> {
          Object one = pair.left().eval().of(env);
          Object other = pair.right().eval().of(env);
          return one != null && other != null && Datum.equal(one, other) ? null : one;
        });
  }

  private static Bound extreme(QueryBinder queries, List<Bound> arguments, boolean isGreatest) {
    Operators.Same same = Operators.same(queries, arguments);
    return Bound.of(
        same.type(),
        env -> {
          Object best = null;
          for (Eval eval : same.evals()) {
            Object value = eval.of(env);
            if (value != null && (best == null || Datum.compare(value, best) > 0 == isGreatest)) {
              best = value;
            }
          }
          return best;
        });
  }

  // ---- for the lists of functions

  static Function strict(int arguments, PgType type, Body body) {
    return new Function(arguments, arguments, type, false, body);
  }

  static Function strict(int least, int most, PgType type, Body body) {
    return new Function(least, most, type, false, body);
  }

  static Function lenient(int least, int most, PgType type, Body body) {
    return new Function(least, most, type, true, body);
  }

  static Function always(int most, PgType type, @Nullable Object value) {
    return new Function(0, most, type, true, (_, _) -> value);
  }

  static String text(List<@Nullable Object> arguments, int index) {
    Object value = arguments.get(index);
    return value == null ? "" : Datum.text(value);
  }

  static long number(List<@Nullable Object> arguments, int index) {
    Object value = arguments.get(index);
    if (value instanceof Number number) {
      return number.longValue();
    }
    try {
      return value == null ? 0 : Long.parseLong(Datum.text(value));
    } catch (NumberFormatException e) {
      throw new PostgresException("22P02", "an argument is no number: " + Datum.text(value));
    }
  }
}

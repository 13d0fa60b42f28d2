package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.system.Ast.Expr;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.PgVector;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the names of an expression, and makes it one that can be computed. */
final class Bindings {
  /** A window function of a query. */
  record WindowUse(
      Ast.Call call, List<Eval> partition, List<SortKey> order, Eval value, int index) {}

  /** How rows are sorted. */
  record SortKey(Eval eval, boolean isDescending, boolean isNullsFirst) {}

  private final QueryBinder queries;
  private final Scope scope;
  private final boolean isWithinAggregate;

  Bindings(QueryBinder queries, Scope scope) {
    this(queries, scope, false);
  }

  private Bindings(QueryBinder queries, Scope scope, boolean isWithinAggregate) {
    this.queries = queries;
    this.scope = scope;
    this.isWithinAggregate = isWithinAggregate;
  }

  Bound bind(Expr expr) {
    return switch (expr) {
      case Ast.Text(var value) -> new Bound(PgType.UNKNOWN, _ -> value, -1, value, -1, null);
      case Ast.Constant(var value) -> constant(value);
      case Ast.Parameter(var index) -> queries.parameter(index);
      case Ast.Name name -> scope.find(name);
      case Ast.Star _ -> throw new PostgresException("42601", "\"*\" cannot stand here");
      case Ast.Call call -> call(call);
      case Ast.Unary(var operator, var operand) -> unary(operator, bind(operand));
      case Ast.Binary binary -> binary(binary);
      case Ast.Is is -> is(is);
      case Ast.IsDistinct(var left, var right, var isNot) -> {
        Operators.Pair pair = Operators.pair(queries, bind(left), bind(right));
        yield Bound.of(
            PgType.BOOL,
            env -> {
              Object a = pair.left().eval().of(env);
              Object b = pair.right().eval().of(env);
              boolean same =
                  (a != null && b != null) ? Datum.equal(a, b) : (a == null && b == null);
              return same == isNot;
            });
      }
      case Ast.InList in -> inList(in);
      case Ast.InQuery(var operand, var query, var isNot) ->
          quantifiedQuery("=", bind(operand), false, queries.bind(query, scope), isNot);
      case Ast.Quantified quantified -> quantified(quantified);
      case Ast.QuantifiedQuery(var operator, var operand, var isAll, var query) ->
          quantifiedQuery(operator, bind(operand), isAll, queries.bind(query, scope), false);
      case Ast.Case choice -> choice(choice);
      case Ast.Cast(var operand, var type) -> Casts.cast(queries, bind(operand), type);
      case Ast.ArrayOf(var elements) -> array(elements);
      case Ast.ArrayQuery(var query) -> arrayQuery(queries.bind(query, scope));
      case Ast.Subscript(var operand, var index) -> subscript(bind(operand), bind(index));
      case Ast.FieldOf(var operand, var field) -> field(bind(operand), field);
      case Ast.Exists(var query) -> {
        CompiledQuery compiled = queries.bind(query, scope);
        yield Bound.of(PgType.BOOL, env -> !compiled.rows(env.run, env).isEmpty());
      }
      case Ast.Scalar(var query) -> scalar(queries.bind(query, scope));
      case Ast.RowOf(var values) -> row(values);
    };
  }

  /** Binds an expression that is to be true or false. */
  Bound condition(Expr expr) {
    return queries.open(bind(expr), PgType.BOOL);
  }

  private static Bound constant(@Nullable Object value) {
    PgType type =
        switch (value) {
          case null -> PgType.UNKNOWN;
          case Boolean _ -> PgType.BOOL;
          case Long number -> number == number.intValue() ? PgType.INT4 : PgType.INT8;
          default -> PgType.NUMERIC;
        };
    return Bound.constant(type, value);
  }

  private Bound unary(String operator, Bound operand) {
    if (operator.equals("not")) {
      Bound truth = queries.open(operand, PgType.BOOL);
      return Bound.of(
          PgType.BOOL,
          env -> {
            Object value = truth.eval().of(env);
            return value == null ? null : !Datum.isTrue(value);
          });
    }
    Bound number = queries.open(operand, PgType.INT4);
    return Bound.of(number.type(), env -> Operators.negated(number.eval().of(env)));
  }

  private Bound binary(Ast.Binary binary) {
    if (binary.operator().equals("and") || binary.operator().equals("or")) {
      boolean isAnd = binary.operator().equals("and");
      Eval left = condition(binary.left()).eval();
      Eval right = condition(binary.right()).eval();
      return Bound.of(
          PgType.BOOL,
          env -> {
            Object a = left.of(env);
            if (a != null && Datum.isTrue(a) != isAnd) {
              return !isAnd;
            }
            Object b = right.of(env);
            if (b != null && Datum.isTrue(b) != isAnd) {
              return !isAnd;
            }
            return (a == null || b == null) ? null : isAnd;
          });
    }
    return Operators.bind(
        queries, binary.operator(), bind(binary.left()), bind(binary.right()), binary.position());
  }

  private Bound is(Ast.Is is) {
    Bound operand = bind(is.operand());
    Eval eval = operand.eval();
    boolean isNot = is.isNot();
    return switch (is.what()) {
      case "null" -> Bound.of(PgType.BOOL, env -> (eval.of(env) == null) != isNot);
      case "unknown" -> Bound.of(PgType.BOOL, env -> (eval.of(env) == null) != isNot);
      case "true" -> Bound.of(PgType.BOOL, env -> Datum.isTrue(eval.of(env)) != isNot);
      default -> Bound.of(PgType.BOOL, env -> Boolean.FALSE.equals(eval.of(env)) != isNot);
    };
  }

  private Bound inList(Ast.InList in) {
    Bound operand = bind(in.operand());
    List<Operators.Pair> pairs = new ArrayList<>();
    for (Expr value : in.values()) {
      pairs.add(Operators.pair(queries, operand, bind(value)));
    }
    return Bound.of(
        PgType.BOOL,
        env -> {
          boolean hasNull = false;
          for (Operators.Pair pair : pairs) {
            Object left = pair.left().eval().of(env);
            if (left == null) {
              return null;
            }
            Object right = pair.right().eval().of(env);
            if (right == null) {
              hasNull = true;
            } else if (Datum.equal(left, right)) {
              return !in.isNot();
            }
          }
          return hasNull ? null : in.isNot();
        });
  }

  private Bound quantifiedQuery(
      String operator, Bound operand, boolean isAll, CompiledQuery query, boolean isNot) {
    PgType other = query.columns().getFirst().type();
    boolean isRow = operand.fields() != null && query.columns().size() > 1;
    Bound left = isRow ? operand : queries.open(operand, other);
    Operators.Test test = Operators.test(operator);
    return Bound.of(
        PgType.BOOL,
        env -> {
          Object value = left.eval().of(env);
          List<@Nullable Object[]> rows = query.rows(env.run, env);
          List<@Nullable Object> values = new ArrayList<>(rows.size());
          for (@Nullable Object[] row : rows) {
            values.add(isRow ? new Composite(List.of(), Arrays.asList(row)) : row[0]);
          }
          Boolean result = any(env, test, value, values, isAll);
          return result == null ? null : result != isNot;
        });
  }

  private Bound quantified(Ast.Quantified quantified) {
    Bound operand = bind(quantified.operand());
    Bound array = bind(quantified.array());
    Bound left = operand;
    if (array.isOpen()) {
      array = queries.open(array, operand.isOpen() ? PgType.TEXT_ARRAY : operand.type().array());
    } else if (operand.isOpen()) {
      PgType element = array.type().element();
      left = queries.open(operand, element == null ? PgType.TEXT : element);
    }
    Operators.Test test = Operators.test(quantified.operator());
    Eval one = left.eval();
    Eval all = array.eval();
    return Bound.of(
        PgType.BOOL,
        env -> {
          Object values = all.of(env);
          return values instanceof List<?> list
              ? any(env, test, one.of(env), list, quantified.isAll())
              : null;
        });
  }

  private static @Nullable Boolean any(
      Env env, Operators.Test test, @Nullable Object left, List<?> values, boolean isAll) {
    boolean hasNull = false;
    for (Object right : values) {
      env.run.step();
      if (left == null || right == null) {
        hasNull = true;
      } else if (test.of(env.run, left, right) != isAll) {
        return !isAll;
      }
    }
    return hasNull ? null : isAll;
  }

  private Bound choice(Ast.Case choice) {
    List<Bound> conditions = new ArrayList<>();
    List<Bound> results = new ArrayList<>();
    Bound operand = choice.operand() == null ? null : bind(choice.operand());
    for (Ast.When when : choice.whens()) {
      if (operand == null) {
        conditions.add(condition(when.condition()));
      } else {
        conditions.add(Operators.bind(queries, "=", operand, bind(when.condition()), 0));
      }
      results.add(bind(when.result()));
    }
    results.add(
        choice.otherwise() == null
            ? Bound.constant(PgType.UNKNOWN, null)
            : bind(choice.otherwise()));
    Operators.Same same = Operators.same(queries, results);
    return Bound.of(
        same.type(),
        env -> {
          for (int i = 0; i < conditions.size(); i++) {
            if (Datum.isTrue(conditions.get(i).eval().of(env))) {
              return same.evals().get(i).of(env);
            }
          }
          return same.evals().getLast().of(env);
        });
  }

  private Bound array(List<Expr> elements) {
    Operators.Same same = Operators.same(queries, elements.stream().map(this::bind).toList());
    return Bound.of(
        same.type().array(),
        env -> {
          List<@Nullable Object> values = new ArrayList<>();
          same.evals().forEach(eval -> values.add(eval.of(env)));
          return values;
        });
  }

  private static Bound arrayQuery(CompiledQuery query) {
    return Bound.of(
        query.columns().getFirst().type().array(),
        env -> {
          List<@Nullable Object> values = new ArrayList<>();
          query.rows(env.run, env).forEach(row -> values.add(row[0]));
          return values;
        });
  }

  private static Bound scalar(CompiledQuery query) {
    if (query.columns().size() != 1) {
      throw new PostgresException("42601", "subquery must return only one column");
    }
    return Bound.of(
        query.columns().getFirst().type(),
        env -> {
          List<@Nullable Object[]> rows = query.rows(env.run, env);
          if (rows.size() > 1) {
            throw new PostgresException(
                "21000", "more than one row returned by a subquery used as an expression");
          }
          return rows.isEmpty() ? null : rows.getFirst()[0];
        });
  }

  private Bound subscript(Bound operand, Bound index) {
    Bound array = queries.open(operand, PgType.TEXT_ARRAY);
    Bound place = queries.open(index, PgType.INT4);
    PgType element = array.type().element();
    return Bound.of(
        element == null ? PgType.TEXT : element,
        env -> {
          Object value = array.eval().of(env);
          Object at = place.eval().of(env);
          if (!(value instanceof List<?> list) || !(at instanceof Number number)) {
            return null;
          }
          long place0 = number.longValue() - (value instanceof PgVector ? 0 : 1);
          return place0 < 0 || place0 >= list.size() ? null : list.get((int) place0);
        });
  }

  private static Bound field(Bound operand, String field) {
    Bound.Fields fields = operand.fields();
    int index = fields == null ? -1 : fields.names().indexOf(field);
    if (fields == null || index < 0) {
      throw new PostgresException(
          "42703", "column \"" + field + "\" not found in data type record");
    }
    return Bound.of(
        fields.types().get(index),
        env -> {
          Object value = operand.eval().of(env);
          if (value instanceof TableFunctions.RowSet(var rows)) {
            List<@Nullable Object> each = new ArrayList<>();
            rows.forEach(row -> each.add(part(row, index)));
            return new TableFunctions.RowSet(each);
          }
          return part(value, index);
        });
  }

  private static @Nullable Object part(@Nullable Object row, int index) {
    return row instanceof Composite composite ? composite.values().get(index) : null;
  }

  private Bound row(List<Expr> values) {
    List<Bound> bound = values.stream().map(this::bind).map(queries::settled).toList();
    List<String> names = new ArrayList<>();
    List<PgType> types = new ArrayList<>();
    for (int i = 0; i < bound.size(); i++) {
      names.add("f" + (i + 1));
      types.add(bound.get(i).type());
    }
    Eval eval =
        env -> {
          List<@Nullable Object> row = new ArrayList<>();
          bound.forEach(each -> row.add(each.eval().of(env)));
          return new Composite(names, row);
        };
    return new Bound(PgType.RECORD, eval, -1, null, -1, new Bound.Fields(names, types));
  }

  // ---- functions

  private Bound call(Ast.Call call) {
    if (call.window() != null) {
      return window(call, call.window());
    }
    Aggregates.Kind aggregate = Aggregates.find(call.name());
    if (aggregate != null) {
      if (isWithinAggregate) {
        throw new PostgresException(
            "42803", "aggregate function calls cannot be nested", call.position(), "");
      }
      scope.hasAggregates = true;
      Aggregates.Call bound = aggregate(aggregate, call);
      return Bound.of(
          bound.type(), env -> bound.over(env, Objects.requireNonNullElse(env.group, List.of())));
    }
    List<Bound> arguments = call.arguments().stream().map(this::bind).toList();
    return Functions.bind(queries, call, arguments);
  }

  private Aggregates.Call aggregate(Aggregates.Kind kind, Ast.Call call) {
    Bindings inner = new Bindings(queries, scope, true);
    List<Bound> arguments = call.arguments().stream().map(inner::bind).toList();
    Eval filter = call.filter() == null ? null : inner.condition(call.filter()).eval();
    return Aggregates.bind(queries, kind, call, arguments, inner.sortKeys(call.order()), filter);
  }

  private Bound window(Ast.Call call, Ast.Window window) {
    List<Eval> partition = window.partition().stream().map(each -> bind(each).eval()).toList();
    List<SortKey> order = sortKeys(window.order());
    int index = scope.windows.size();
    PgType type = PgType.INT8;
    Eval value = _ -> null;
    switch (call.name()) {
      case "row_number", "rank", "dense_rank" -> {}
      default -> {
        Aggregates.Kind kind = Aggregates.find(call.name());
        if (kind == null || !order.isEmpty()) {
          throw new PostgresException(
              "0A000", "the window function is not supported here", call.position(), "");
        }
        Aggregates.Call bound = aggregate(kind, call);
        type = bound.type();
        value = env -> bound.over(env, Objects.requireNonNullElse(env.group, List.of()));
      }
    }
    scope.windows.add(new WindowUse(call, partition, order, value, index));
    return Bound.of(type, env -> env.windows[index]);
  }

  List<SortKey> sortKeys(List<Ast.Order> order) {
    List<SortKey> keys = new ArrayList<>();
    for (Ast.Order each : order) {
      keys.add(sortKey(each, queries.settled(bind(each.expr())).eval()));
    }
    return keys;
  }

  static SortKey sortKey(Ast.Order order, Eval eval) {
    Boolean nulls = order.isNullsFirst();
    return new SortKey(eval, order.isDescending(), nulls == null ? order.isDescending() : nulls);
  }
}

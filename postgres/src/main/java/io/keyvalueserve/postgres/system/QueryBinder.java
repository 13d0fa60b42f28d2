package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.TextReader;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the names of a query, and makes it one that can be carried out. */
final class QueryBinder {
  private final List<@Nullable PgType> parameters;
  private final Deque<Map<String, CompiledQuery>> ctes = new ArrayDeque<>();

  /**
   * @param declared the types of parameters that the client gave; null for those that it left open
   */
  QueryBinder(List<@Nullable PgType> declared) {
    this.parameters = new ArrayList<>(declared);
  }

  /** Returns the types of the parameters. */
  List<PgType> parameters() {
    return parameters.stream().map(type -> type == null ? PgType.TEXT : type).toList();
  }

  Bound parameter(int index) {
    while (parameters.size() <= index) {
      parameters.add(null);
    }
    PgType type = parameters.get(index);
    Eval eval = env -> env.run.parameter(index);
    return type == null
        ? new Bound(PgType.UNKNOWN, eval, -1, null, index, null)
        : Bound.of(type, eval);
  }

  /** Gives an expression a type if it has none yet. */
  Bound open(Bound bound, PgType type) {
    if (!bound.isOpen()) {
      return bound;
    }
    if (bound.parameter() >= 0) {
      if (parameters.get(bound.parameter()) == null) {
        parameters.set(bound.parameter(), type);
      }
      return Bound.of(type, bound.eval());
    }
    String text = bound.text();
    if (text == null || type.isText()) {
      return Bound.of(type == PgType.UNKNOWN ? PgType.TEXT : type, bound.eval());
    }
    return switch (type) {
      case REGCLASS, REGTYPE, REGPROC, REGNAMESPACE ->
          Bound.of(type, env -> Casts.cast(env.run, text, type));
      case RECORD, VOID -> bound;
      default -> {
        Object read = Datum.normal(TextReader.read(type, text, ZoneOffset.UTC));
        if (read instanceof List<?> list) {
          read = list.stream().map(Datum::normal).toList();
        }
        yield Bound.constant(type, read);
      }
    };
  }

  /** Makes an expression without a type one of text. */
  Bound settled(Bound bound) {
    return open(bound, PgType.TEXT);
  }

  @Nullable CompiledQuery cte(String name) {
    for (Map<String, CompiledQuery> frame : ctes) {
      CompiledQuery query = frame.get(name);
      if (query != null) {
        return query;
      }
    }
    return null;
  }

  /**
   * Binds a query.
   *
   * @param outer the names of the query around; null if there is none
   */
  CompiledQuery bind(Ast.Query query, @Nullable Scope outer) {
    Map<String, CompiledQuery> own = new HashMap<>();
    ctes.push(own);
    try {
      for (Ast.Cte cte : query.ctes()) {
        CompiledQuery bound = bind(cte.query(), outer);
        own.put(cte.name(), new NamedColumns(bound, Joins.renamed(bound.columns(), cte.columns())));
      }
      CompiledQuery body = body(query.body(), outer, query.order());
      return query.limit() == null && query.offset() == null ? body : limited(body, query, outer);
    } finally {
      var _ = ctes.pop();
    }
  }

  private CompiledQuery limited(CompiledQuery body, Ast.Query query, @Nullable Scope outer) {
    Bindings bindings = new Bindings(this, new Scope(outer));
    Ast.Expr limit = query.limit();
    Ast.Expr offset = query.offset();
    Eval most = limit == null ? null : open(bindings.bind(limit), PgType.INT8).eval();
    Eval skipped = offset == null ? null : open(bindings.bind(offset), PgType.INT8).eval();
    return new CompiledQuery(body.columns(), body.usesOuter()) {
      @Override
      List<@Nullable Object[]> compute(Run run, @Nullable Env around) {
        List<@Nullable Object[]> rows = body.rows(run, around);
        Env env = new Env(run, around, new Object[0]);
        int from = Math.clamp(count(skipped, env, 0), 0, rows.size());
        long to = from + count(most, env, Integer.MAX_VALUE);
        return rows.subList(from, Math.clamp(to, from, rows.size()));
      }
    };
  }

  private static long count(@Nullable Eval eval, Env env, long otherwise) {
    Object value = eval == null ? null : eval.of(env);
    return value instanceof Number number
        ? Math.clamp(number.longValue(), 0, Integer.MAX_VALUE)
        : otherwise;
  }

  /** A query whose columns have other names. */
  private static final class NamedColumns extends CompiledQuery {
    private final CompiledQuery query;

    NamedColumns(CompiledQuery query, List<Relation.Column> columns) {
      super(columns, query.usesOuter());
      this.query = query;
    }

    @Override
    List<@Nullable Object[]> compute(Run run, @Nullable Env outer) {
      return query.rows(run, outer);
    }
  }

  private CompiledQuery body(Ast.Body body, @Nullable Scope outer, List<Ast.Order> order) {
    return switch (body) {
      case Ast.Select select -> SelectBinder.bind(this, select, outer, order);
      case Ast.Nested(var query) -> sorted(bind(query, outer), order);
      case Ast.Values(var rows) -> sorted(values(rows, outer), order);
      case Ast.SetOperation operation -> sorted(setOperation(operation, outer), order);
    };
  }

  private CompiledQuery values(List<List<Ast.Expr>> rows, @Nullable Scope outer) {
    Scope scope = new Scope(outer);
    Bindings bindings = new Bindings(this, scope);
    int width = rows.getFirst().size();
    List<Relation.Column> columns = new ArrayList<>();
    List<List<Eval>> byColumn = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      List<Bound> column = new ArrayList<>();
      for (List<Ast.Expr> row : rows) {
        if (row.size() != width) {
          throw new PostgresException("42601", "VALUES lists must all be the same length");
        }
        column.add(bindings.bind(row.get(i)));
      }
      Operators.Same same = Operators.same(this, column);
      columns.add(Relation.Column.of("column" + (i + 1), same.type()));
      byColumn.add(same.evals());
    }
    return new CompiledQuery(columns, scope.usesOuter) {
      @Override
      List<@Nullable Object[]> compute(Run run, @Nullable Env around) {
        Env env = new Env(run, around, new Object[0]);
        List<@Nullable Object[]> made = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
          @Nullable Object[] values = new @Nullable Object[width];
          for (int i = 0; i < width; i++) {
            values[i] = byColumn.get(i).get(row).of(env);
          }
          run.keeps(width);
          made.add(values);
        }
        return made;
      }
    };
  }

  private CompiledQuery setOperation(Ast.SetOperation operation, @Nullable Scope outer) {
    CompiledQuery left = body(operation.left(), outer, List.of());
    CompiledQuery right = body(operation.right(), outer, List.of());
    if (left.columns().size() != right.columns().size()) {
      throw new PostgresException(
          "42601", "each " + operation.operator() + " query must have the same number of columns");
    }
    return new CompiledQuery(left.columns(), left.usesOuter() || right.usesOuter()) {
      @Override
      List<@Nullable Object[]> compute(Run run, @Nullable Env around) {
        return SetOperations.compute(
            run, operation, left.rows(run, around), right.rows(run, around));
      }
    };
  }

  /** Sorts by columns of the result, by name or by number. */
  private CompiledQuery sorted(CompiledQuery query, List<Ast.Order> order) {
    if (order.isEmpty()) {
      return query;
    }
    Scope scope = new Scope(null);
    Relation _ = scope.add("", query.columns());
    Bindings bindings = new Bindings(this, scope);
    List<Bindings.SortKey> keys = new ArrayList<>();
    for (Ast.Order each : order) {
      Eval eval =
          each.expr() instanceof Ast.Constant(Long place)
              ? column(query.columns(), place)
              : settled(bindings.bind(each.expr())).eval();
      keys.add(Bindings.sortKey(each, eval));
    }
    return new CompiledQuery(query.columns(), query.usesOuter()) {
      @Override
      List<@Nullable Object[]> compute(Run run, @Nullable Env around) {
        List<@Nullable Object[]> keyed = new ArrayList<>();
        int width = query.columns().size();
        Env env = new Env(run, null, new Object[0]);
        for (@Nullable Object[] row : query.rows(run, around)) {
          env.row = row;
          @Nullable Object[] wide = java.util.Arrays.copyOf(row, width + keys.size());
          for (int i = 0; i < keys.size(); i++) {
            wide[width + i] = keys.get(i).eval().of(env);
          }
          run.keeps(wide.length);
          keyed.add(wide);
        }
        keyed.sort(Sorting.byKeys(keys, width));
        keyed.replaceAll(wide -> java.util.Arrays.copyOf(wide, width));
        return keyed;
      }
    };
  }

  static Eval column(List<Relation.Column> columns, long place) {
    if (place < 1 || place > columns.size()) {
      throw new PostgresException("42P10", "ORDER BY position " + place + " is not in select list");
    }
    int index = (int) place - 1;
    return env -> env.row[index];
  }
}

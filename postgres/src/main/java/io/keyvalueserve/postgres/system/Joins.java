package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the sources of a query's rows, and the steps that join them. */
final class Joins {
  private final QueryBinder queries;
  private final Scope scope;
  private final Bindings bindings;

  Joins(QueryBinder queries, Scope scope) {
    this.queries = queries;
    this.scope = scope;
    this.bindings = new Bindings(queries, scope);
  }

  /** Returns the steps for the sources of a query and its condition. */
  static List<JoinStep> bind(
      QueryBinder queries, Scope scope, List<Ast.From> from, Ast.@Nullable Expr where) {
    Joins joins = new Joins(queries, scope);
    List<JoinStep> steps = new ArrayList<>();
    from.forEach(each -> joins.add(each, steps));
    if (where != null) {
      joins.filter(steps, where);
    }
    if (scope.hasAggregates) {
      throw new PostgresException("42803", "aggregate functions are not allowed in WHERE");
    }
    return steps;
  }

  private void add(Ast.From from, List<JoinStep> steps) {
    switch (from) {
      case Ast.Table table -> steps.add(step(table(table)));
      case Ast.Sub(var query, var alias) -> {
        CompiledQuery bound = queries.bind(query, scope);
        List<Relation.Column> columns = renamed(bound.columns(), alias.columns());
        Relation relation = scope.add(alias.name(), columns);
        steps.add(step(RowSource.of(bound, relation)));
      }
      case Ast.TableCall call -> steps.add(step(call(call)));
      case Ast.Join join -> join(join, steps);
    }
  }

  private static JoinStep step(RowSource source) {
    return new JoinStep(source, false);
  }

  private void join(Ast.Join join, List<JoinStep> steps) {
    switch (join.kind()) {
      case "inner", "cross" -> {
        add(join.left(), steps);
        int leftTo = scope.relations.size();
        add(join.right(), steps);
        conditions(join, leftTo).forEach(part -> filter(steps, part));
      }
      case "left", "right" -> {
        boolean isLeft = join.kind().equals("left");
        add(isLeft ? join.left() : join.right(), steps);
        int leftTo = scope.relations.size();
        int base = scope.width;
        List<JoinStep> inner = new ArrayList<>();
        add(isLeft ? join.right() : join.left(), inner);
        JoinStep step =
            new JoinStep(
                inner.size() == 1 && !inner.getFirst().hasConditions()
                    ? inner.getFirst().source()
                    : RowSource.of(inner, base, scope.width),
                true);
        steps.add(step);
        for (Ast.Expr part : conditions(join, leftTo)) {
          step.on(part(part).on(step.source()));
        }
      }
      default -> throw new PostgresException("0A000", "FULL JOIN is not supported here");
    }
  }

  /** The parts of the condition of a join; with {@code USING}, comparisons of the columns. */
  private List<Ast.Expr> conditions(Ast.Join join, int leftTo) {
    List<Ast.Expr> parts = new ArrayList<>();
    if (join.on() != null) {
      split(join.on(), parts);
    }
    for (String column : join.using()) {
      scope.merged.add(column);
      String left = aliasWith(column, 0, leftTo);
      String right = aliasWith(column, leftTo, scope.relations.size());
      parts.add(
          new Ast.Binary(
              "=",
              new Ast.Name(List.of(left, column), 0),
              new Ast.Name(List.of(right, column), 0),
              0));
    }
    return parts;
  }

  private String aliasWith(String column, int from, int to) {
    for (int i = from; i < to; i++) {
      if (scope.relations.get(i).find(column) >= 0) {
        return scope.relations.get(i).alias();
      }
    }
    throw new PostgresException(
        "42703", "column \"" + column + "\" specified in USING clause does not exist");
  }

  private static void split(Ast.Expr expr, List<Ast.Expr> parts) {
    if (expr instanceof Ast.Binary(var operator, var left, var right, _)
        && operator.equals("and")) {
      split(left, parts);
      split(right, parts);
    } else {
      parts.add(expr);
    }
  }

  /** Has each part of a condition tested at the first step that has all its columns. */
  private void filter(List<JoinStep> steps, Ast.Expr where) {
    List<Ast.Expr> parts = new ArrayList<>();
    split(where, parts);
    for (Ast.Expr each : parts) {
      if (steps.isEmpty()) {
        steps.add(step(RowSource.nothing()));
      }
      Part part = part(each);
      JoinStep step = steps.getLast();
      for (JoinStep candidate : steps) {
        if (part.highest() < candidate.source().end()) {
          step = candidate;
          break;
        }
      }
      step.filter(part.on(step.isOuter() ? RowSource.nothing() : step.source()));
    }
  }

  /**
   * A part of a condition.
   *
   * @param left the left side of a comparison for equality; null if it is none
   * @param highestLeft the highest place of the row that the left side uses
   */
  private record Part(
      Eval eval,
      int highest,
      @Nullable Bound left,
      int highestLeft,
      @Nullable Bound right,
      int highestRight) {
    /** Returns the condition; one that compares a column of the source finds rows by it. */
    JoinStep.Condition on(RowSource source) {
      if (left != null && right != null) {
        if (source.isOwn(left.slot()) && highestRight < source.base()) {
          return new JoinStep.Condition(eval, left.slot() - source.base(), right.eval());
        }
        if (source.isOwn(right.slot()) && highestLeft < source.base()) {
          return new JoinStep.Condition(eval, right.slot() - source.base(), left.eval());
        }
      }
      return new JoinStep.Condition(eval, -1, null);
    }
  }

  /** Binds a part of a condition: once, as it may hold queries. */
  private Part part(Ast.Expr expr) {
    scope.highestSlot = -1;
    if (expr instanceof Ast.Binary(var operator, var left, var right, var position)
        && operator.equals("=")) {
      Bound one = bindings.bind(left);
      int highestLeft = scope.highestSlot;
      scope.highestSlot = -1;
      Bound other = bindings.bind(right);
      int highestRight = scope.highestSlot;
      Operators.Pair pair = Operators.pair(queries, one, other);
      boolean isSameKind = pair.left().type().isNumber() == pair.right().type().isNumber();
      return new Part(
          Operators.bind(queries, operator, pair.left(), pair.right(), position).eval(),
          Math.max(highestLeft, highestRight),
          isSameKind ? pair.left() : null,
          highestLeft,
          isSameKind ? pair.right() : null,
          highestRight);
    }
    Eval eval = bindings.condition(expr).eval();
    return new Part(eval, scope.highestSlot, null, -1, null, -1);
  }

  // ---- sources

  private RowSource table(Ast.Table table) {
    String alias = table.alias().name().isEmpty() ? table.name() : table.alias().name();
    if (table.schema() == null) {
      CompiledQuery cte = queries.cte(table.name());
      if (cte != null) {
        Relation relation = scope.add(alias, renamed(cte.columns(), table.alias().columns()));
        return RowSource.of(cte, relation);
      }
    }
    SystemTable found = SystemTables.find(table.schema(), table.name());
    if (found == null) {
      String name = table.schema() == null ? table.name() : table.schema() + "." + table.name();
      throw new PostgresException(
          "42P01", "relation \"" + name + "\" does not exist", table.position(), "");
    }
    Relation relation = scope.add(alias, renamed(found.columns(), table.alias().columns()));
    return RowSource.of(found, relation);
  }

  private RowSource call(Ast.TableCall call) {
    String name = call.call().name();
    List<Bound> arguments = call.call().arguments().stream().map(bindings::bind).toList();
    TableFunctions.Kind kind = TableFunctions.find(name);
    if (kind == null) {
      Bound value = Functions.bind(queries, call.call(), arguments);
      List<Relation.Column> columns = named(List.of(Relation.Column.of(name, value.type())), call);
      return RowSource.of(value, scope.add(alias(call), columns));
    }
    TableFunctions.Call bound = TableFunctions.bind(queries, kind, call.call(), arguments);
    List<Relation.Column> columns = new ArrayList<>(named(bound.columns(), call));
    if (call.hasOrdinality()) {
      List<String> names = call.alias().columns();
      String last = names.size() > columns.size() ? names.get(columns.size()) : "ordinality";
      columns.add(Relation.Column.of(last, PgType.INT8));
    }
    return RowSource.of(bound, scope.add(alias(call), columns), call.hasOrdinality());
  }

  private static String alias(Ast.TableCall call) {
    return call.alias().name().isEmpty() ? call.call().name() : call.alias().name();
  }

  /** A function's only column has the name of the alias. */
  private static List<Relation.Column> named(List<Relation.Column> columns, Ast.TableCall call) {
    Ast.Alias alias = call.alias();
    List<String> names =
        alias.columns().isEmpty() && columns.size() == 1 && !alias.name().isEmpty()
            ? List.of(alias.name())
            : alias.columns();
    return renamed(columns, names);
  }

  static List<Relation.Column> renamed(List<Relation.Column> columns, List<String> names) {
    if (names.isEmpty()) {
      return columns;
    }
    List<Relation.Column> renamed = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Relation.Column column = columns.get(i);
      renamed.add(
          i < names.size()
              ? new Relation.Column(names.get(i), column.type(), column.isHidden(), column.fields())
              : column);
    }
    return renamed;
  }
}

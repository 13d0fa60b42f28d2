package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Binds a {@code SELECT}. */
final class SelectBinder {
  private final QueryBinder queries;
  private final Scope scope;
  private final Bindings bindings;
  private final List<Relation.Column> columns = new ArrayList<>();
  private final List<Eval> values = new ArrayList<>();

  private SelectBinder(QueryBinder queries, Scope scope) {
    this.queries = queries;
    this.scope = scope;
    this.bindings = new Bindings(queries, scope);
  }

  static CompiledQuery bind(
      QueryBinder queries, Ast.Select select, @Nullable Scope outer, List<Ast.Order> order) {
    return new SelectBinder(queries, new Scope(outer)).bind(select, order);
  }

  private CompiledQuery bind(Ast.Select select, List<Ast.Order> order) {
    List<JoinStep> steps = Joins.bind(queries, scope, select.from(), select.where());
    select.items().forEach(this::item);
    List<Eval> groups = select.groups().stream().map(this::group).toList();
    Eval having = select.having() == null ? null : bindings.condition(select.having()).eval();
    List<Bindings.SortKey> keys = new ArrayList<>();
    for (Ast.Order each : order) {
      keys.add(Bindings.sortKey(each, reference(each.expr())));
    }
    List<Eval> distinctOn = select.distinctOn().stream().map(this::reference).toList();
    boolean isGrouped = !groups.isEmpty() || scope.hasAggregates || having != null;
    if (isGrouped && !scope.windows.isEmpty()) {
      throw new PostgresException("0A000", "window functions over groups are not supported here");
    }
    return new Select(
        columns,
        scope,
        steps,
        values,
        isGrouped ? new Select.Grouping(groups, having) : null,
        keys,
        select.isDistinct(),
        distinctOn);
  }

  private void item(Ast.Item item) {
    if (item.expr() instanceof Ast.Star(var qualifier)) {
      star(qualifier);
      return;
    }
    Bound bound = queries.settled(bindings.bind(item.expr()));
    String alias = item.alias();
    String name = alias == null ? name(item.expr()) : alias;
    Bound.Fields fields = bound.fields();
    columns.add(
        new Relation.Column(
            name, bound.type(), false, fields == null ? Relation.Column.NO_FIELDS : fields));
    values.add(bound.eval());
  }

  private void star(@Nullable String qualifier) {
    Set<String> merged = new HashSet<>();
    boolean isFound = false;
    for (Relation relation : scope.relations) {
      if (qualifier != null && !relation.alias().equals(qualifier)) {
        continue;
      }
      isFound = true;
      for (int i = 0; i < relation.columns().size(); i++) {
        Relation.Column column = relation.columns().get(i);
        boolean isTwice =
            qualifier == null && scope.merged.contains(column.name()) && !merged.add(column.name());
        if (!column.isHidden() && !isTwice) {
          columns.add(column);
          values.add(scope.column(relation, i, 0).eval());
        }
      }
    }
    if (!isFound) {
      throw new PostgresException(
          "42P01",
          qualifier == null
              ? "SELECT * with no tables specified is not valid"
              : "missing FROM-clause entry for table \"" + qualifier + "\"");
    }
  }

  private static String name(Ast.Expr expr) {
    return switch (expr) {
      case Ast.Name name -> name.parts().getLast();
      case Ast.Call call -> call.name();
      case Ast.Cast(var operand, var type) -> {
        String inner = name(operand);
        yield inner.equals("?column?") ? type.name() : inner;
      }
      case Ast.Case _ -> "case";
      case Ast.FieldOf(_, var field) -> field;
      case Ast.ArrayOf _, Ast.ArrayQuery _ -> "array";
      case Ast.Exists _ -> "exists";
      case Ast.Subscript(var operand, _) -> name(operand);
      case Ast.Scalar(var query) -> nameOf(query);
      case Ast.RowOf _ -> "row";
      default -> "?column?";
    };
  }

  private static String nameOf(Ast.Query query) {
    if (query.body() instanceof Ast.Select select && !select.items().isEmpty()) {
      Ast.Item first = select.items().getFirst();
      String alias = first.alias();
      return alias == null ? name(first.expr()) : alias;
    }
    return "?column?";
  }

  /** An expression of {@code GROUP BY}: a column, or else one of the result. */
  private Eval group(Ast.Expr expr) {
    if (expr instanceof Ast.Name(var parts, _) && parts.size() == 1) {
      boolean isColumn =
          scope.relations.stream().anyMatch(relation -> relation.find(parts.getFirst()) >= 0);
      if (isColumn) {
        return bindings.bind(expr).eval();
      }
    }
    return reference(expr);
  }

  /** An expression of {@code ORDER BY}: a column of the result by name or number, or any. */
  private Eval reference(Ast.Expr expr) {
    if (expr instanceof Ast.Constant(Long place)) {
      if (place < 1 || place > values.size()) {
        throw new PostgresException("42P10", "position " + place + " is not in select list");
      }
      return values.get((int) (place - 1));
    }
    if (expr instanceof Ast.Name(var parts, _) && parts.size() == 1) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).name().equals(parts.getFirst())) {
          return values.get(i);
        }
      }
    }
    return queries.open(bindings.bind(expr), PgType.TEXT).eval();
  }
}

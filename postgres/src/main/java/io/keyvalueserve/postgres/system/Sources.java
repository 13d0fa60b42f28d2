package io.keyvalueserve.postgres.system;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out whether the tables of a query are system tables. */
final class Sources {
  private final Deque<Set<String>> ctes = new ArrayDeque<>();
  private boolean hasSystem;
  private boolean hasOthers;

  /** Returns whether a system table was named. */
  boolean hasSystem() {
    return hasSystem;
  }

  /** Returns whether a table was named that is no system table. */
  boolean hasOthers() {
    return hasOthers;
  }

  void query(Ast.Query query) {
    Set<String> own = new HashSet<>();
    ctes.push(own);
    for (Ast.Cte cte : query.ctes()) {
      query(cte.query());
      own.add(cte.name());
    }
    body(query.body());
    query.order().forEach(order -> expr(order.expr()));
    var _ = ctes.pop();
  }

  private void body(Ast.Body body) {
    switch (body) {
      case Ast.Select select -> {
        select.items().forEach(item -> expr(item.expr()));
        select.from().forEach(this::from);
        expr(select.where());
        select.groups().forEach(this::expr);
        expr(select.having());
      }
      case Ast.SetOperation operation -> {
        body(operation.left());
        body(operation.right());
      }
      case Ast.Values(var rows) -> rows.forEach(this::exprs);
      case Ast.Nested(var query) -> query(query);
    }
  }

  private void from(Ast.From from) {
    switch (from) {
      case Ast.Table table -> table(table);
      case Ast.Sub(var query, _) -> query(query);
      case Ast.TableCall call -> exprs(call.call().arguments());
      case Ast.Join join -> {
        from(join.left());
        from(join.right());
        expr(join.on());
      }
    }
  }

  private void table(Ast.Table table) {
    boolean isCte =
        table.schema() == null && ctes.stream().anyMatch(frame -> frame.contains(table.name()));
    if (isCte) {
      return;
    }
    boolean isSystem =
        table.schema() == null
            ? table.name().startsWith("pg_")
            : table.schema().equals(Snapshot.PG_CATALOG)
                || table.schema().equals(Snapshot.INFORMATION_SCHEMA);
    hasSystem |= isSystem;
    hasOthers |= !isSystem;
  }

  private void exprs(List<Ast.Expr> exprs) {
    exprs.forEach(this::expr);
  }

  private void expr(Ast.@Nullable Expr expr) {
    switch (expr) {
      case null -> {}
      case Ast.Text _, Ast.Constant _, Ast.Parameter _, Ast.Name _, Ast.Star _ -> {}
      case Ast.Call call -> {
        exprs(call.arguments());
        expr(call.filter());
      }
      case Ast.Unary unary -> expr(unary.operand());
      case Ast.Binary binary -> {
        expr(binary.left());
        expr(binary.right());
      }
      case Ast.Is is -> expr(is.operand());
      case Ast.IsDistinct distinct -> {
        expr(distinct.left());
        expr(distinct.right());
      }
      case Ast.InList in -> {
        expr(in.operand());
        exprs(in.values());
      }
      case Ast.InQuery in -> {
        expr(in.operand());
        query(in.query());
      }
      case Ast.Quantified quantified -> {
        expr(quantified.operand());
        expr(quantified.array());
      }
      case Ast.QuantifiedQuery quantified -> {
        expr(quantified.operand());
        query(quantified.query());
      }
      case Ast.Case choice -> {
        expr(choice.operand());
        for (Ast.When when : choice.whens()) {
          expr(when.condition());
          expr(when.result());
        }
        expr(choice.otherwise());
      }
      case Ast.Cast cast -> expr(cast.operand());
      case Ast.ArrayOf array -> exprs(array.elements());
      case Ast.ArrayQuery array -> query(array.query());
      case Ast.Subscript subscript -> {
        expr(subscript.operand());
        expr(subscript.index());
      }
      case Ast.FieldOf field -> expr(field.operand());
      case Ast.Exists exists -> query(exists.query());
      case Ast.Scalar scalar -> query(scalar.query());
      case Ast.RowOf row -> exprs(row.values());
    }
  }
}

package io.keyvalueserve.postgres.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a query, as they were written. */
final class Ast {
  private Ast() {}

  /** An expression. */
  sealed interface Expr {}

  /** A string; its type follows from where it stands. */
  record Text(String value) implements Expr {}

  /** A value whose class tells its type: null, a Boolean, a Long or a BigDecimal. */
  record Constant(@Nullable Object value) implements Expr {}

  /**
   * @param index from 0
   */
  record Parameter(int index) implements Expr {}

  /**
   * @param position of its first character, from 1
   */
  record Name(List<String> parts, int position) implements Expr {}

  /** {@code *} or {@code t.*}, as an item of a select list. */
  record Star(@Nullable String qualifier) implements Expr {}

  record Call(
      String name,
      List<Expr> arguments,
      boolean hasStar,
      boolean isDistinct,
      List<Order> order,
      @Nullable Expr filter,
      @Nullable Window window,
      int position)
      implements Expr {}

  record Window(List<Expr> partition, List<Order> order) {}

  record Unary(String operator, Expr operand) implements Expr {}

  record Binary(String operator, Expr left, Expr right, int position) implements Expr {}

  /** {@code IS [NOT] NULL, TRUE, FALSE, UNKNOWN}. */
  record Is(Expr operand, String what, boolean isNot) implements Expr {}

  record IsDistinct(Expr left, Expr right, boolean isNot) implements Expr {}

  record InList(Expr operand, List<Expr> values, boolean isNot) implements Expr {}

  record InQuery(Expr operand, Query query, boolean isNot) implements Expr {}

  /** {@code operand = ANY (array)} or {@code ALL}. */
  record Quantified(String operator, Expr operand, boolean isAll, Expr array) implements Expr {}

  record QuantifiedQuery(String operator, Expr operand, boolean isAll, Query query)
      implements Expr {}

  record Case(@Nullable Expr operand, List<When> whens, @Nullable Expr otherwise) implements Expr {}

  record When(Expr condition, Expr result) {}

  record Cast(Expr operand, TypeName type) implements Expr {}

  /**
   * @param name in lower case, without a schema
   */
  record TypeName(String name, boolean isArray, int position) {}

  record ArrayOf(List<Expr> elements) implements Expr {}

  record ArrayQuery(Query query) implements Expr {}

  record Subscript(Expr operand, Expr index) implements Expr {}

  record FieldOf(Expr operand, String field) implements Expr {}

  record Exists(Query query) implements Expr {}

  record Scalar(Query query) implements Expr {}

  record RowOf(List<Expr> values) implements Expr {}

  /**
   * @param isNullsFirst null if it was not said
   */
  record Order(Expr expr, boolean isDescending, @Nullable Boolean isNullsFirst) {}

  /** A query with all that may stand around it. */
  record Query(
      List<Cte> ctes, Body body, List<Order> order, @Nullable Expr limit, @Nullable Expr offset) {}

  record Cte(String name, List<String> columns, Query query) {}

  /** The middle of a query. */
  sealed interface Body {}

  record Select(
      boolean isDistinct,
      List<Expr> distinctOn,
      List<Item> items,
      List<From> from,
      @Nullable Expr where,
      List<Expr> groups,
      @Nullable Expr having)
      implements Body {}

  record Item(Expr expr, @Nullable String alias) {}

  /**
   * @param operator {@code union}, {@code except} or {@code intersect}
   */
  record SetOperation(String operator, boolean isAll, Body left, Body right) implements Body {}

  record Values(List<List<Expr>> rows) implements Body {}

  /** A query in brackets, with an order or a limit of its own. */
  record Nested(Query query) implements Body {}

  /** A source of rows. */
  sealed interface From {}

  /**
   * @param schema null if none was named
   */
  record Table(@Nullable String schema, String name, Alias alias, int position) implements From {}

  record Sub(Query query, Alias alias) implements From {}

  record TableCall(Call call, Alias alias, boolean hasOrdinality) implements From {}

  record Join(From left, From right, String kind, @Nullable Expr on, List<String> using)
      implements From {}

  /**
   * @param name empty if there is none
   */
  record Alias(String name, List<String> columns) {
    static final Alias NONE = new Alias("", List.of());
  }
}

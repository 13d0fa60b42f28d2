package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.syntax.Token;
import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.system.Ast.Alias;
import io.keyvalueserve.postgres.system.Ast.From;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses queries. */
final class QueryParser extends ExprParser {
  private QueryParser(List<Token> tokens) {
    super(tokens);
  }

  /**
   * Parses a statement.
   *
   * @throws PostgresException {@code 42601} if it is no query of the dialect that is known here
   */
  static Ast.Query parse(List<Token> tokens) {
    QueryParser parser = new QueryParser(tokens);
    Ast.Query query = parser.query();
    if (parser.token().kind() != Kind.END) {
      throw parser.unexpected();
    }
    return query;
  }

  @Override
  Ast.Query query() {
    enter();
    List<Ast.Cte> ctes = accept("with") ? ctes() : List.of();
    Ast.Body body = union();
    List<Ast.Order> order = is("order") ? orderBy() : List.of();
    Ast.Expr limit = null;
    Ast.Expr offset = null;
    while (true) {
      if (accept("limit")) {
        limit = accept("all") ? null : expr();
      } else if (accept("offset")) {
        offset = expr();
        boolean _ = accept("rows") || accept("row");
      } else if (accept("fetch")) {
        boolean _ = accept("first") || accept("next");
        limit = is("row") || is("rows") ? new Ast.Constant(1L) : expr();
        boolean _ = accept("rows") || accept("row");
        expect("only");
      } else if (accept("for")) {
        throw new PostgresException("0A000", "rows of system catalogues cannot be locked");
      } else {
        leave();
        return new Ast.Query(ctes, body, order, limit, offset);
      }
    }
  }

  private List<Ast.Cte> ctes() {
    if (is("recursive")) {
      throw new PostgresException(
          "0A000",
          "WITH RECURSIVE is not supported in queries on the system catalogues",
          token().start() + 1,
          "");
    }
    List<Ast.Cte> ctes = new ArrayList<>();
    do {
      String name = name();
      List<String> columns = isSymbol("(") ? names() : List.of();
      expect("as");
      if (!accept("materialized")) {
        boolean _ = accept("not", "materialized");
      }
      expectSymbol("(");
      ctes.add(new Ast.Cte(name, columns, query()));
      expectSymbol(")");
    } while (acceptSymbol(","));
    return ctes;
  }

  private List<String> names() {
    expectSymbol("(");
    List<String> names = new ArrayList<>();
    do {
      names.add(name());
    } while (acceptSymbol(","));
    expectSymbol(")");
    return names;
  }

  private Ast.Body union() {
    Ast.Body left = intersect();
    while (is("union") || is("except")) {
      String operator = next().text();
      boolean isAll = accept("all");
      if (!isAll) {
        boolean _ = accept("distinct");
      }
      left = new Ast.SetOperation(operator, isAll, left, intersect());
    }
    return left;
  }

  private Ast.Body intersect() {
    Ast.Body left = term();
    while (accept("intersect")) {
      boolean isAll = accept("all");
      left = new Ast.SetOperation("intersect", isAll, left, term());
    }
    return left;
  }

  private Ast.Body term() {
    if (acceptSymbol("(")) {
      Ast.Query query = query();
      expectSymbol(")");
      return new Ast.Nested(query);
    }
    if (accept("values")) {
      List<List<Ast.Expr>> rows = new ArrayList<>();
      do {
        expectSymbol("(");
        rows.add(list());
        expectSymbol(")");
      } while (acceptSymbol(","));
      return new Ast.Values(rows);
    }
    expect("select");
    return select();
  }

  private Ast.Select select() {
    boolean isDistinct = accept("distinct");
    List<Ast.Expr> distinctOn = List.of();
    if (isDistinct && accept("on")) {
      expectSymbol("(");
      distinctOn = list();
      expectSymbol(")");
    } else if (!isDistinct) {
      boolean _ = accept("all");
    }
    List<Ast.Item> items = new ArrayList<>();
    if (!is("from")) {
      do {
        items.add(item());
      } while (acceptSymbol(","));
    }
    List<From> from = new ArrayList<>();
    if (accept("from")) {
      do {
        from.add(from());
      } while (acceptSymbol(","));
    }
    Ast.Expr where = accept("where") ? expr() : null;
    List<Ast.Expr> groups = accept("group", "by") ? list() : List.of();
    Ast.Expr having = accept("having") ? expr() : null;
    return new Ast.Select(isDistinct, distinctOn, items, from, where, groups, having);
  }

  private Ast.Item item() {
    if (acceptSymbol("*")) {
      return new Ast.Item(new Ast.Star(null), null);
    }
    Ast.Expr expr = expr();
    if (accept("as")) {
      return new Ast.Item(expr, name());
    }
    return new Ast.Item(expr, isAlias() ? next().text() : null);
  }

  private boolean isAlias() {
    Token token = token();
    return token.kind() == Kind.QUOTED
        || (token.kind() == Kind.WORD && !RESERVED.contains(token.text()));
  }

  // ---- sources of rows

  private From from() {
    From left = source();
    while (true) {
      String kind = joinKind();
      if (kind == null) {
        return left;
      }
      boolean isNatural = kind.startsWith("natural");
      if (isNatural) {
        throw new PostgresException("0A000", "NATURAL JOIN is not supported here");
      }
      From right = source();
      Ast.Expr on = null;
      List<String> using = List.of();
      if (accept("on")) {
        on = expr();
      } else if (accept("using")) {
        using = names();
      } else if (!kind.equals("cross")) {
        throw unexpected();
      }
      left = new Ast.Join(left, right, kind, on, using);
    }
  }

  private @Nullable String joinKind() {
    if (accept("join") || accept("inner", "join")) {
      return "inner";
    }
    if (accept("cross", "join")) {
      return "cross";
    }
    if (is("natural")) {
      return "natural";
    }
    for (String kind : List.of("left", "right", "full")) {
      if (is(kind) && (peek(1).is("join") || peek(1).is("outer"))) {
        var _ = next();
        boolean _ = accept("outer");
        expect("join");
        return kind;
      }
    }
    return null;
  }

  private From source() {
    boolean _ = accept("lateral");
    boolean _ = is("only") && peek(1).isName() && accept("only");
    int position = token().start() + 1;
    if (acceptSymbol("(")) {
      From inner;
      enter();
      if (is("select") || is("with") || is("values") || isSymbol("(")) {
        Ast.Query query = query();
        expectSymbol(")");
        leave();
        return new Ast.Sub(query, alias());
      }
      inner = from();
      expectSymbol(")");
      leave();
      return inner;
    }
    List<String> parts = new ArrayList<>();
    parts.add(name());
    while (acceptSymbol(".")) {
      parts.add(name());
    }
    if (isSymbol("(")) {
      Ast.Call call = call(parts, position);
      boolean hasOrdinality = accept("with", "ordinality");
      return new Ast.TableCall(call, alias(), hasOrdinality);
    }
    String schema = parts.size() > 1 ? parts.get(parts.size() - 2) : null;
    return new Ast.Table(schema, parts.getLast(), alias(), position);
  }

  private Alias alias() {
    boolean isNamed = accept("as");
    if (!isNamed && !isAlias()) {
      return Alias.NONE;
    }
    String name = isSymbol("(") ? "" : name();
    if (!acceptSymbol("(")) {
      return new Alias(name, List.of());
    }
    List<String> columns = new ArrayList<>();
    do {
      columns.add(name());
      while (token().isName()) {
        var _ = type(); // AS f(a text, b int)
      }
    } while (acceptSymbol(","));
    expectSymbol(")");
    return new Alias(name, columns);
  }
}

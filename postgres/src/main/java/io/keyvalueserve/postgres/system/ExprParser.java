package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.syntax.Token;
import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.system.Ast.Expr;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses expressions, with the precedences of PostgreSQL. */
abstract class ExprParser extends TokenReader {
  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");
  private static final Set<String> SUMS = Set.of("+", "-");
  private static final Set<String> PRODUCTS = Set.of("*", "/", "%");

  /** Words that end an expression, and are no names of columns. */
  static final Set<String> RESERVED =
      Set.of(
          "from",
          "where",
          "group",
          "having",
          "order",
          "limit",
          "offset",
          "union",
          "except",
          "intersect",
          "on",
          "using",
          "join",
          "left",
          "right",
          "inner",
          "full",
          "cross",
          "natural",
          "when",
          "then",
          "else",
          "end",
          "and",
          "or",
          "not",
          "as",
          "asc",
          "desc",
          "window",
          "fetch",
          "for",
          "is",
          "in",
          "like",
          "ilike",
          "between",
          "select",
          "lateral",
          "with",
          "nulls",
          "collate",
          "similar",
          "returning",
          "case");

  /** Functions that are written without brackets. */
  private static final Set<String> NILADIC =
      Set.of(
          "current_user",
          "session_user",
          "user",
          "current_role",
          "current_catalog",
          "current_schema",
          "current_date",
          "current_timestamp",
          "localtimestamp");

  ExprParser(List<Token> tokens) {
    super(tokens);
  }

  abstract Ast.Query query();

  final Expr expr() {
    enter();
    Expr left = and();
    while (is("or")) {
      int position = next().start() + 1;
      left = new Ast.Binary("or", left, and(), position);
    }
    leave();
    return left;
  }

  private Expr and() {
    Expr left = not();
    while (is("and")) {
      int position = next().start() + 1;
      left = new Ast.Binary("and", left, not(), position);
    }
    return left;
  }

  private Expr not() {
    if (!accept("not")) {
      return is();
    }
    enter();
    Expr operand = not();
    leave();
    return new Ast.Unary("not", operand);
  }

  private Expr is() {
    Expr left = comparison();
    while (true) {
      if (accept("isnull")) {
        left = new Ast.Is(left, "null", false);
      } else if (accept("notnull")) {
        left = new Ast.Is(left, "null", true);
      } else if (accept("is")) {
        boolean isNot = accept("not");
        if (accept("distinct", "from")) {
          left = new Ast.IsDistinct(left, comparison(), isNot);
        } else if (is("null") || is("true") || is("false") || is("unknown")) {
          left = new Ast.Is(left, next().text(), isNot);
        } else {
          throw unexpected();
        }
      } else {
        return left;
      }
    }
  }

  private Expr comparison() {
    Expr left = pattern();
    while (token().kind() == Kind.SYMBOL && COMPARISONS.contains(token().text())) {
      Token operator = next();
      String text = operator.text().equals("!=") ? "<>" : operator.text();
      left = compared(left, text, operator.start() + 1);
    }
    return left;
  }

  private Expr compared(Expr left, String operator, int position) {
    boolean isAll = is("all");
    if (!isAll && !is("any") && !is("some")) {
      return new Ast.Binary(operator, left, pattern(), position);
    }
    var _ = next();
    expectSymbol("(");
    Expr result;
    if (is("select") || is("with") || is("values")) {
      result = new Ast.QuantifiedQuery(operator, left, isAll, query());
    } else {
      result = new Ast.Quantified(operator, left, isAll, expr());
    }
    expectSymbol(")");
    return result;
  }

  private Expr pattern() {
    Expr left = other();
    while (true) {
      boolean isNot = is("not") && isPattern(peek(1));
      if (isNot) {
        var _ = next();
      }
      int position = token().start() + 1;
      if (accept("between")) {
        var _ = accept("symmetric");
        Expr low = other();
        expect("and");
        Expr high = other();
        Expr both =
            new Ast.Binary(
                "and",
                new Ast.Binary(">=", left, low, position),
                new Ast.Binary("<=", left, high, position),
                position);
        left = isNot ? new Ast.Unary("not", both) : both;
      } else if (accept("in")) {
        left = in(left, isNot);
      } else if (is("like") || is("ilike")) {
        String operator = next().is("like") ? "~~" : "~~*";
        left = like(left, (isNot ? "!" : "") + operator, position);
      } else {
        return left;
      }
    }
  }

  private static boolean isPattern(Token token) {
    return token.is("between") || token.is("in") || token.is("like") || token.is("ilike");
  }

  private Expr like(Expr left, String operator, int position) {
    if (is("any") || is("all") || is("some")) {
      return compared(left, operator, position);
    }
    Expr pattern = other();
    if (accept("escape")) {
      var _ = other(); // the usual one is assumed
    }
    return new Ast.Binary(operator, left, pattern, position);
  }

  private Expr in(Expr left, boolean isNot) {
    expectSymbol("(");
    Expr result;
    if (is("select") || is("with") || is("values")) {
      result = new Ast.InQuery(left, query(), isNot);
    } else {
      result = new Ast.InList(left, list(), isNot);
    }
    expectSymbol(")");
    return result;
  }

  final List<Expr> list() {
    List<Expr> values = new ArrayList<>();
    do {
      values.add(expr());
    } while (acceptSymbol(","));
    return values;
  }

  /** All operators that are none of the others: {@code ||}, {@code ~}, {@code @>} and so on. */
  private Expr other() {
    Expr left = sum();
    while (true) {
      int position = token().start() + 1;
      String operator = otherOperator();
      if (operator == null) {
        return left;
      }
      left =
          is("any") || is("all") || is("some")
              ? compared(left, operator, position)
              : new Ast.Binary(operator, left, sum(), position);
    }
  }

  private @Nullable String otherOperator() {
    if (is("operator") && peek(1).isSymbol("(")) {
      var _ = next();
      expectSymbol("(");
      if (token().isName()) {
        var _ = next();
        expectSymbol(".");
      }
      String operator = next().text();
      expectSymbol(")");
      return operator.equals("!=") ? "<>" : operator;
    }
    Token token = token();
    boolean isOther =
        token.kind() == Kind.SYMBOL
            && "+-*/<>=~!@#%^&|?".indexOf(token.text().charAt(0)) >= 0
            && !COMPARISONS.contains(token.text())
            && !SUMS.contains(token.text())
            && !PRODUCTS.contains(token.text());
    return isOther ? next().text() : null;
  }

  private Expr sum() {
    Expr left = product();
    while (token().kind() == Kind.SYMBOL && SUMS.contains(token().text())) {
      Token operator = next();
      left = new Ast.Binary(operator.text(), left, product(), operator.start() + 1);
    }
    return left;
  }

  private Expr product() {
    Expr left = unary();
    while (token().kind() == Kind.SYMBOL && PRODUCTS.contains(token().text())) {
      Token operator = next();
      left = new Ast.Binary(operator.text(), left, unary(), operator.start() + 1);
    }
    return left;
  }

  private Expr unary() {
    if (isSymbol("-") || isSymbol("+")) {
      String operator = next().text();
      enter();
      Expr operand = unary();
      leave();
      return operator.equals("+") ? operand : new Ast.Unary("-", operand);
    }
    return postfix(primary());
  }

  private Expr postfix(Expr first) {
    Expr left = first;
    while (true) {
      if (acceptSymbol("::")) {
        left = new Ast.Cast(left, type());
      } else if (acceptSymbol("[")) {
        left = new Ast.Subscript(left, expr());
        expectSymbol("]");
      } else if (accept("collate")) {
        do {
          var _ = name();
        } while (acceptSymbol("."));
      } else if (isSymbol(".") && !(left instanceof Ast.Name)) {
        var _ = next();
        left = acceptSymbol("*") ? left : new Ast.FieldOf(left, name());
      } else if (is("at") && peek(1).is("time")) {
        throw new PostgresException(
            "0A000",
            "AT TIME ZONE is not supported in queries on the system catalogues",
            token().start() + 1,
            "");
      } else {
        return left;
      }
    }
  }

  final Ast.TypeName type() {
    int position = token().start() + 1;
    String name = name();
    while (acceptSymbol(".")) {
      name = name();
    }
    name =
        switch (name) {
          case "character" -> accept("varying") ? "varchar" : "bpchar";
          case "double" -> {
            var _ = accept("precision");
            yield "float8";
          }
          case "timestamp", "time" -> timeType(name);
          default -> name;
        };
    if (acceptSymbol("(")) {
      var _ = list();
      expectSymbol(")");
    }
    boolean isArray = false;
    while (acceptSymbol("[")) {
      if (!isSymbol("]")) {
        var _ = next();
      }
      expectSymbol("]");
      isArray = true;
    }
    return new Ast.TypeName(name, isArray, position);
  }

  private String timeType(String name) {
    if (accept("with", "time")) {
      expect("zone");
      return name.equals("time") ? name : "timestamptz";
    }
    if (accept("without", "time")) {
      expect("zone");
    }
    return name;
  }

  private Expr primary() {
    Token token = token();
    return switch (token.kind()) {
      case STRING -> new Ast.Text(next().text());
      case NUMBER -> number(next());
      case PARAMETER -> parameter(next());
      case WORD, QUOTED -> word();
      case SYMBOL -> bracket();
      case END -> throw unexpected();
    };
  }

  private static Expr number(Token token) {
    String text = token.text();
    boolean isWhole = text.length() <= 18 && text.chars().allMatch(Character::isDigit);
    if (text.length() > 100) {
      throw new PostgresException("22003", "a number is too long", token.start() + 1, "");
    }
    return new Ast.Constant(isWhole ? (Object) Long.valueOf(text) : new BigDecimal(text));
  }

  private static Expr parameter(Token token) {
    int number = token.text().length() > 5 ? 0 : Integer.parseInt(token.text());
    if (number < 1 || number > Short.MAX_VALUE) {
      throw new PostgresException(
          "42P02", "there is no parameter $" + token.text(), token.start() + 1, "");
    }
    return new Ast.Parameter(number - 1);
  }

  private Expr bracket() {
    expectSymbol("(");
    Expr result;
    if (is("select") || is("with") || is("values")) {
      result = new Ast.Scalar(query());
    } else {
      List<Expr> values = list();
      result = values.size() == 1 ? values.getFirst() : new Ast.RowOf(values);
    }
    expectSymbol(")");
    if (isSymbol(".") && peek(1).isName()) {
      var _ = next();
      return new Ast.FieldOf(result, name());
    }
    return result;
  }

  private Expr word() {
    Token token = token();
    if (token.kind() == Kind.WORD) {
      switch (token.text()) {
        case "null", "true", "false" -> {
          String text = next().text();
          return new Ast.Constant(text.equals("null") ? null : (Object) text.equals("true"));
        }
        case "case" -> {
          return caseOf();
        }
        case "cast" -> {
          if (peek(1).isSymbol("(")) {
            return cast();
          }
        }
        case "exists" -> {
          if (peek(1).isSymbol("(")) {
            var _ = next();
            expectSymbol("(");
            Expr exists = new Ast.Exists(query());
            expectSymbol(")");
            return exists;
          }
        }
        case "array" -> {
          if (peek(1).isSymbol("[") || peek(1).isSymbol("(")) {
            return array();
          }
        }
        case "row" -> {
          if (peek(1).isSymbol("(")) {
            var _ = next();
            expectSymbol("(");
            Expr row = new Ast.RowOf(isSymbol(")") ? List.of() : list());
            expectSymbol(")");
            return row;
          }
        }
        case "extract", "substring", "position", "trim", "overlay" -> {
          if (peek(1).isSymbol("(")) {
            return special();
          }
        }
        default -> {}
      }
      if (RESERVED.contains(token.text()) && !peek(1).isSymbol("(")) {
        throw unexpected();
      }
      if (NILADIC.contains(token.text()) && !peek(1).isSymbol("(") && !peek(1).isSymbol(".")) {
        return call(next().text(), token.start() + 1);
      }
      if (peek(1).kind() == Kind.STRING) {
        Ast.TypeName type = type(); // date '2020-01-01'
        return new Ast.Cast(new Ast.Text(next().text()), type);
      }
    }
    List<String> parts = new ArrayList<>();
    parts.add(name());
    while (isSymbol(".") && (peek(1).isName() || peek(1).isSymbol("*"))) {
      var _ = next();
      if (acceptSymbol("*")) {
        return new Ast.Star(parts.getLast());
      }
      parts.add(name());
    }
    return isSymbol("(") ? call(parts, token.start() + 1) : new Ast.Name(parts, token.start() + 1);
  }

  private static Ast.Call call(String name, int position) {
    return new Ast.Call(name, List.of(), false, false, List.of(), null, null, position);
  }

  private Expr caseOf() {
    expect("case");
    Expr operand = is("when") ? null : expr();
    List<Ast.When> whens = new ArrayList<>();
    while (accept("when")) {
      Expr condition = expr();
      expect("then");
      whens.add(new Ast.When(condition, expr()));
    }
    Expr otherwise = accept("else") ? expr() : null;
    expect("end");
    return new Ast.Case(operand, whens, otherwise);
  }

  private Expr cast() {
    expect("cast");
    expectSymbol("(");
    Expr operand = expr();
    expect("as");
    Ast.TypeName type = type();
    expectSymbol(")");
    return new Ast.Cast(operand, type);
  }

  private Expr array() {
    expect("array");
    if (acceptSymbol("(")) {
      Expr result = new Ast.ArrayQuery(query());
      expectSymbol(")");
      return result;
    }
    expectSymbol("[");
    List<Expr> elements = isSymbol("]") ? List.of() : list();
    expectSymbol("]");
    return new Ast.ArrayOf(elements);
  }

  /** Functions whose arguments have words between them: {@code substring(a from 1 for 2)}. */
  private Expr special() {
    Token name = next();
    expectSymbol("(");
    List<Expr> arguments = new ArrayList<>();
    while (is("leading") || is("trailing") || is("both")) {
      var _ = next();
    }
    arguments.add(name.is("position") ? other() : expr());
    while (acceptSymbol(",") || accept("from") || accept("for") || accept("in")) {
      arguments.add(expr());
    }
    expectSymbol(")");
    return new Ast.Call(
        name.text(), arguments, false, false, List.of(), null, null, name.start() + 1);
  }

  final Ast.Call call(List<String> parts, int position) {
    expectSymbol("(");
    boolean hasStar = acceptSymbol("*");
    boolean isDistinct = accept("distinct");
    var _ = accept("variadic");
    List<Expr> arguments = hasStar || isSymbol(")") ? List.of() : list();
    List<Ast.Order> order = is("order") ? orderBy() : List.of();
    expectSymbol(")");
    Expr filter = null;
    if (is("filter") && peek(1).isSymbol("(")) {
      var _ = next();
      expectSymbol("(");
      expect("where");
      filter = expr();
      expectSymbol(")");
    }
    Ast.Window window = null;
    if (is("over") && peek(1).isSymbol("(")) {
      var _ = next();
      expectSymbol("(");
      List<Expr> partition = accept("partition", "by") ? list() : List.of();
      window = new Ast.Window(partition, is("order") ? orderBy() : List.of());
      expectSymbol(")");
    }
    return new Ast.Call(
        parts.getLast(), arguments, hasStar, isDistinct, order, filter, window, position);
  }

  final List<Ast.Order> orderBy() {
    expect("order");
    expect("by");
    List<Ast.Order> order = new ArrayList<>();
    do {
      Expr expr = expr();
      if (accept("using")) {
        var _ = next();
      }
      boolean isDescending = accept("desc");
      if (!isDescending) {
        var _ = accept("asc");
      }
      Boolean isNullsFirst =
          accept("nulls", "first") ? Boolean.TRUE : accept("nulls", "last") ? Boolean.FALSE : null;
      order.add(new Ast.Order(expr, isDescending, isNullsFirst));
    } while (acceptSymbol(","));
    return order;
  }
}

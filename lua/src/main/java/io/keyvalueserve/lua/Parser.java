package io.keyvalueserve.lua;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens to a tree. Nesting is bounded, so no source text exhausts the stack. */
final class Parser {
  private static final int MAX_LEVELS = 200;
  private static final int MAX_LOCALS = 200;
  private static final int MAX_UPVALUES = 60;
  private static final int UNARY_PRIORITY = 8;

  /** A function that is being parsed. */
  private static final class Scope {
    final @Nullable Scope outer;
    final Ast.Function function;
    final List<Ast.Variable> active = new ArrayList<>();
    int loops;

    Scope(@Nullable Scope outer, Ast.Function function) {
      this.outer = outer;
      this.function = function;
    }

    Ast.@Nullable Variable local(LuaString name) {
      for (int i = active.size() - 1; i >= 0; i--) {
        if (active.get(i).name == name) {
          return active.get(i);
        }
      }
      return null;
    }
  }

  private final Lexer lexer;
  private Scope scope;
  private int levels;

  private Parser(Lexer lexer) {
    this.lexer = lexer;
    Ast.Function main = new Ast.Function(0);
    main.vararg = true;
    this.scope = new Scope(null, main);
  }

  static Ast.Function parse(byte[] source, String chunk) throws LuaSyntaxError {
    Lexer lexer = new Lexer(source, chunk);
    Parser parser = new Parser(lexer);
    lexer.next();
    Ast.Function main = parser.scope.function;
    main.body = parser.chunk();
    parser.check(Lexer.EOF);
    main.lastLine = lexer.line;
    return main;
  }

  // ---- tokens ----------------------------------------------------------------------------------

  private boolean accept(int token) throws LuaSyntaxError {
    if (lexer.token == token) {
      lexer.next();
      return true;
    }
    return false;
  }

  private void check(int token) throws LuaSyntaxError {
    if (lexer.token != token) {
      throw lexer.errorAt("'" + Lexer.name(token) + "' expected");
    }
  }

  private void expect(int token) throws LuaSyntaxError {
    check(token);
    lexer.next();
  }

  private void expectMatch(int token, int opened, int line) throws LuaSyntaxError {
    if (lexer.token == token) {
      lexer.next();
      return;
    }
    if (line == lexer.line) {
      throw lexer.errorAt("'" + Lexer.name(token) + "' expected");
    }
    throw lexer.errorAt(
        "'"
            + Lexer.name(token)
            + "' expected (to close '"
            + Lexer.name(opened)
            + "' at line "
            + line
            + ")");
  }

  private LuaString name() throws LuaSyntaxError {
    check(Lexer.NAME);
    LuaString name = lexer.text;
    lexer.next();
    return name;
  }

  private void enter() throws LuaSyntaxError {
    if (++levels > MAX_LEVELS) {
      throw lexer.errorWithoutToken("chunk has too many syntax levels");
    }
  }

  private LuaSyntaxError tooMany(int limit, String what) {
    int line = scope.function.line;
    String where = line == 0 ? "main function" : "function at line " + line;
    return lexer.errorWithoutToken(where + " has more than " + limit + " " + what);
  }

  // ---- names -----------------------------------------------------------------------------------

  private static Ast.Variable declare(LuaString name) {
    return new Ast.Variable(name);
  }

  private void activate(Ast.Variable variable) throws LuaSyntaxError {
    if (scope.active.size() >= MAX_LOCALS) {
      throw tooMany(MAX_LOCALS, "local variables");
    }
    scope.active.add(variable);
  }

  private void leaveTo(int active) {
    List<Ast.Variable> all = scope.active;
    while (all.size() > active) {
      all.removeLast();
    }
  }

  /** While a function is parsed, a name keeps its meaning in the functions around. */
  private Ast.Expression resolve(LuaString name) throws LuaSyntaxError {
    Ast.Variable local = scope.local(name);
    if (local != null) {
      return new Ast.Local(local);
    }
    int upvalue = upvalue(scope, name);
    return upvalue >= 0 ? new Ast.Upvalue(upvalue, name) : new Ast.Global(name, lexer.lastLine);
  }

  private int upvalue(Scope in, LuaString name) throws LuaSyntaxError {
    List<Ast.Capture> captures = in.function.captures;
    for (int i = 0; i < captures.size(); i++) {
      if (captures.get(i).name() == name) {
        return i;
      }
    }
    Scope outer = in.outer;
    if (outer == null) {
      return -1;
    }
    Ast.Variable local = outer.local(name);
    int index = -1;
    if (local == null) {
      index = upvalue(outer, name);
      if (index < 0) {
        return -1;
      }
    } else {
      local.captured = true;
    }
    if (captures.size() >= MAX_UPVALUES) {
      throw tooMany(MAX_UPVALUES, "upvalues");
    }
    captures.add(new Ast.Capture(name, local, index));
    return captures.size() - 1;
  }

  // ---- statements ------------------------------------------------------------------------------

  private boolean blockEnds() {
    return switch (lexer.token) {
      case Lexer.ELSE, Lexer.ELSEIF, Lexer.END, Lexer.EOF, Lexer.UNTIL -> true;
      default -> false;
    };
  }

  private List<Ast.Statement> chunk() throws LuaSyntaxError {
    List<Ast.Statement> body = new ArrayList<>();
    enter();
    boolean last = false;
    while (!last && !blockEnds()) {
      last = lexer.token == Lexer.RETURN || lexer.token == Lexer.BREAK;
      body.add(statement());
      accept(';');
    }
    levels--;
    return body;
  }

  private List<Ast.Statement> block() throws LuaSyntaxError {
    int active = scope.active.size();
    List<Ast.Statement> body = chunk();
    leaveTo(active);
    return body;
  }

  private List<Ast.Statement> loopBlock() throws LuaSyntaxError {
    scope.loops++;
    List<Ast.Statement> body = block();
    scope.loops--;
    return body;
  }

  private Ast.Statement statement() throws LuaSyntaxError {
    int line = lexer.line;
    return switch (lexer.token) {
      case Lexer.IF -> ifStatement(line);
      case Lexer.WHILE -> {
        lexer.next();
        Ast.Expression condition = expression();
        expect(Lexer.DO);
        List<Ast.Statement> body = loopBlock();
        expectMatch(Lexer.END, Lexer.WHILE, line);
        yield new Ast.While(condition, body);
      }
      case Lexer.DO -> {
        lexer.next();
        List<Ast.Statement> body = block();
        expectMatch(Lexer.END, Lexer.DO, line);
        yield new Ast.Block(body);
      }
      case Lexer.FOR -> forStatement(line);
      case Lexer.REPEAT -> {
        lexer.next();
        int active = scope.active.size();
        scope.loops++;
        List<Ast.Statement> body = chunk();
        scope.loops--;
        expectMatch(Lexer.UNTIL, Lexer.REPEAT, line);
        Ast.Expression condition = expression();
        leaveTo(active);
        yield new Ast.Repeat(body, condition);
      }
      case Lexer.FUNCTION -> functionStatement(line);
      case Lexer.LOCAL -> {
        lexer.next();
        if (accept(Lexer.FUNCTION)) {
          Ast.Variable variable = declare(name());
          activate(variable);
          yield new Ast.LocalFunction(variable, function(false, lexer.line));
        }
        yield localStatement(line);
      }
      case Lexer.RETURN -> {
        lexer.next();
        List<Ast.Expression> values = blockEnds() || lexer.token == ';' ? List.of() : expressions();
        yield new Ast.Return(values, lexer.lastLine);
      }
      case Lexer.BREAK -> {
        lexer.next();
        if (scope.loops == 0) {
          throw lexer.errorAt("no loop to break");
        }
        yield new Ast.Break();
      }
      default -> expressionStatement();
    };
  }

  private Ast.Statement ifStatement(int line) throws LuaSyntaxError {
    List<Ast.Expression> conditions = new ArrayList<>();
    List<List<Ast.Statement>> bodies = new ArrayList<>();
    do {
      lexer.next();
      conditions.add(expression());
      expect(Lexer.THEN);
      bodies.add(block());
    } while (lexer.token == Lexer.ELSEIF);
    if (accept(Lexer.ELSE)) {
      bodies.add(block());
    }
    expectMatch(Lexer.END, Lexer.IF, line);
    return new Ast.If(conditions, bodies);
  }

  private Ast.Statement forStatement(int line) throws LuaSyntaxError {
    lexer.next();
    LuaString first = name();
    int active = scope.active.size();
    Ast.Statement result;
    switch (lexer.token) {
      case '=' -> {
        lexer.next();
        Ast.Expression from = expression();
        expect(',');
        Ast.Expression to = expression();
        Ast.Expression step = accept(',') ? expression() : null;
        expect(Lexer.DO);
        for (int i = 0; i < 3; i++) {
          activate(hidden());
        }
        Ast.Variable variable = declare(first);
        activate(variable);
        result = new Ast.NumericFor(variable, from, to, step, loopBlock(), line);
      }
      case ',', Lexer.IN -> {
        List<Ast.Variable> variables = new ArrayList<>();
        variables.add(declare(first));
        while (accept(',')) {
          variables.add(declare(name()));
        }
        expect(Lexer.IN);
        List<Ast.Expression> values = expressions();
        expect(Lexer.DO);
        for (int i = 0; i < 3; i++) {
          activate(hidden());
        }
        for (Ast.Variable v : variables) {
          activate(v);
        }
        result = new Ast.GenericFor(variables, values, loopBlock(), line);
      }
      default -> throw lexer.errorAt("'=' or 'in' expected");
    }
    leaveTo(active);
    expectMatch(Lexer.END, Lexer.FOR, line);
    return result;
  }

  private static Ast.Variable hidden() {
    return new Ast.Variable(LuaString.constant("(for)"));
  }

  private Ast.Statement functionStatement(int line) throws LuaSyntaxError {
    lexer.next();
    Ast.Expression target = resolve(name());
    boolean method = false;
    while (lexer.token == '.' || lexer.token == ':') {
      method = lexer.token == ':';
      lexer.next();
      target = new Ast.Index(target, new Ast.Constant(name()), lexer.lastLine);
      if (method) {
        break;
      }
    }
    Ast.FunctionLiteral function = function(method, line);
    return new Ast.Assignment(List.of(target), List.of(function), line);
  }

  private Ast.Statement localStatement(int line) throws LuaSyntaxError {
    List<Ast.Variable> variables = new ArrayList<>();
    do {
      variables.add(declare(name()));
    } while (accept(','));
    List<Ast.Expression> values = accept('=') ? expressions() : List.of();
    for (Ast.Variable v : variables) {
      activate(v);
    }
    return new Ast.LocalStatement(variables, values, line);
  }

  private Ast.Statement expressionStatement() throws LuaSyntaxError {
    Ast.Expression first = suffixed();
    if (first instanceof Ast.Call || first instanceof Ast.MethodCall) {
      return new Ast.CallStatement(first);
    }
    List<Ast.Expression> targets = new ArrayList<>(1);
    targets.add(first);
    while (true) {
      Ast.Expression target = targets.getLast();
      if (!(target instanceof Ast.Local
          || target instanceof Ast.Upvalue
          || target instanceof Ast.Global
          || target instanceof Ast.Index)) {
        throw lexer.errorAt("syntax error");
      }
      if (!accept(',')) {
        break;
      }
      if (targets.size() >= MAX_LEVELS - levels) {
        throw lexer.errorWithoutToken("variables in assignment exceed the limit of " + MAX_LEVELS);
      }
      targets.add(suffixed());
    }
    expect('=');
    List<Ast.Expression> values = expressions();
    return new Ast.Assignment(targets, values, lexer.lastLine);
  }

  // ---- expressions -----------------------------------------------------------------------------

  private List<Ast.Expression> expressions() throws LuaSyntaxError {
    List<Ast.Expression> list = new ArrayList<>(1);
    do {
      list.add(expression());
    } while (accept(','));
    return list;
  }

  private Ast.Expression expression() throws LuaSyntaxError {
    return binary(0);
  }

  private static int leftPriority(int token) {
    return switch (token) {
      case Lexer.OR -> 1;
      case Lexer.AND -> 2;
      case Lexer.EQ, Lexer.NE, '<', '>', Lexer.LE, Lexer.GE -> 3;
      case Lexer.CONCAT -> 5;
      case '+', '-' -> 6;
      case '*', '/', '%' -> 7;
      case '^' -> 10;
      default -> -1;
    };
  }

  private static int rightPriority(int token) {
    return switch (token) {
      case Lexer.CONCAT -> 4;
      case '^' -> 9;
      default -> leftPriority(token);
    };
  }

  private Ast.Expression binary(int limit) throws LuaSyntaxError {
    enter();
    Ast.Expression left = unary();
    while (true) {
      int token = lexer.token;
      int priority = leftPriority(token);
      if (priority <= limit) {
        break;
      }
      lexer.next();
      Ast.Expression right = binary(rightPriority(token));
      left = combine(token, left, right);
    }
    levels--;
    return left;
  }

  private Ast.Expression unary() throws LuaSyntaxError {
    int op =
        switch (lexer.token) {
          case Lexer.NOT -> Op.NOT;
          case '-' -> Op.UNM;
          case '#' -> Op.LEN;
          default -> -1;
        };
    if (op < 0) {
      return simple();
    }
    lexer.next();
    Ast.Expression operand = binary(UNARY_PRIORITY);
    if (op == Op.UNM && operand instanceof Ast.Constant c && c.value() instanceof LuaNumber n) {
      return new Ast.Constant(LuaNumber.of(-n.value));
    }
    return new Ast.Unary(op, operand, lexer.lastLine);
  }

  private Ast.Expression combine(int token, Ast.Expression left, Ast.Expression right) {
    int line = lexer.lastLine;
    return switch (token) {
      case Lexer.AND -> {
        if (isConstant(left, true)) {
          yield new Ast.Parentheses(right);
        }
        if (left instanceof Ast.And a) {
          a.parts().add(right);
          yield a;
        }
        yield new Ast.And(pair(left, right));
      }
      case Lexer.OR -> {
        if (isConstant(left, false)) {
          yield new Ast.Parentheses(right);
        }
        if (left instanceof Ast.Or o) {
          o.parts().add(right);
          yield o;
        }
        yield new Ast.Or(pair(left, right));
      }
      case Lexer.CONCAT -> {
        if (right instanceof Ast.Concat c) {
          c.parts().addFirst(left);
          yield c;
        }
        yield new Ast.Concat(pair(left, right), line);
      }
      default -> new Ast.Binary(operator(token), left, right, line);
    };
  }

  /** Returns whether this is a constant, in parentheses or not, that conditions take so. */
  private static boolean isConstant(Ast.Expression e, boolean truthy) {
    Ast.Expression inner = e;
    while (inner instanceof Ast.Parentheses p) {
      inner = p.inner();
    }
    return inner instanceof Ast.Constant c && c.value().truthy() == truthy;
  }

  private static List<Ast.Expression> pair(Ast.Expression left, Ast.Expression right) {
    List<Ast.Expression> parts = new ArrayList<>(4);
    parts.add(left);
    parts.add(right);
    return parts;
  }

  private static Ast.Operator operator(int token) {
    return switch (token) {
      case '+' -> Ast.Operator.ADD;
      case '-' -> Ast.Operator.SUB;
      case '*' -> Ast.Operator.MUL;
      case '/' -> Ast.Operator.DIV;
      case '%' -> Ast.Operator.MOD;
      case '^' -> Ast.Operator.POW;
      case Lexer.EQ -> Ast.Operator.EQ;
      case Lexer.NE -> Ast.Operator.NE;
      case '<' -> Ast.Operator.LT;
      case Lexer.LE -> Ast.Operator.LE;
      case '>' -> Ast.Operator.GT;
      default -> Ast.Operator.GE;
    };
  }

  private Ast.Expression simple() throws LuaSyntaxError {
    Ast.Expression result;
    switch (lexer.token) {
      case Lexer.NUMBER -> result = new Ast.Constant(LuaNumber.of(lexer.number));
      case Lexer.STRING -> result = new Ast.Constant(lexer.text);
      case Lexer.NIL -> result = new Ast.Constant(LuaNil.NIL);
      case Lexer.TRUE -> result = new Ast.Constant(LuaBoolean.TRUE);
      case Lexer.FALSE -> result = new Ast.Constant(LuaBoolean.FALSE);
      case Lexer.DOTS -> {
        if (!scope.function.vararg) {
          throw lexer.errorAt("cannot use '...' outside a vararg function");
        }
        scope.function.needsArg = false;
        result = new Ast.Varargs(lexer.line);
      }
      case '{' -> {
        return table();
      }
      case Lexer.FUNCTION -> {
        lexer.next();
        return function(false, lexer.line);
      }
      default -> {
        return suffixed();
      }
    }
    lexer.next();
    return result;
  }

  private Ast.Expression suffixed() throws LuaSyntaxError {
    Ast.Expression e;
    switch (lexer.token) {
      case '(' -> {
        int line = lexer.line;
        lexer.next();
        e = new Ast.Parentheses(expression());
        expectMatch(')', '(', line);
      }
      case Lexer.NAME -> {
        LuaString name = lexer.text;
        lexer.next();
        e = resolve(name);
      }
      default -> throw lexer.errorAt("unexpected symbol");
    }
    while (true) {
      switch (lexer.token) {
        case '.' -> {
          lexer.next();
          LuaString key = name();
          e = new Ast.Index(e, new Ast.Constant(key), lexer.lastLine);
        }
        case '[' -> {
          lexer.next();
          Ast.Expression key = expression();
          expect(']');
          e = new Ast.Index(e, key, lexer.lastLine);
        }
        case ':' -> {
          lexer.next();
          LuaString method = name();
          int line = lexer.line;
          e = new Ast.MethodCall(e, method, arguments(), line);
        }
        case '(', Lexer.STRING, '{' -> {
          int line = lexer.line;
          e = new Ast.Call(e, arguments(), line);
        }
        default -> {
          return e;
        }
      }
    }
  }

  private List<Ast.Expression> arguments() throws LuaSyntaxError {
    int line = lexer.line;
    return switch (lexer.token) {
      case '(' -> {
        if (line != lexer.lastLine) {
          throw lexer.errorAt("ambiguous syntax (function call x new statement)");
        }
        lexer.next();
        if (accept(')')) {
          yield List.of();
        }
        List<Ast.Expression> list = expressions();
        expectMatch(')', '(', line);
        yield list;
      }
      case '{' -> List.of(table());
      case Lexer.STRING -> {
        Ast.Expression text = new Ast.Constant(lexer.text);
        lexer.next();
        yield List.of(text);
      }
      default -> throw lexer.errorAt("function arguments expected");
    };
  }

  private Ast.Expression table() throws LuaSyntaxError {
    int line = lexer.line;
    expect('{');
    List<Ast.Item> items = new ArrayList<>();
    while (lexer.token != '}') {
      Ast.Expression key = null;
      if (lexer.token == '[') {
        lexer.next();
        key = expression();
        expect(']');
        expect('=');
      } else if (lexer.token == Lexer.NAME && lexer.peek() == '=') {
        key = new Ast.Constant(name());
        expect('=');
      }
      Ast.Expression value = expression();
      items.add(new Ast.Item(key, value, lexer.lastLine));
      if (!accept(',') && !accept(';')) {
        break;
      }
    }
    expectMatch('}', '{', line);
    return new Ast.TableLiteral(items, lexer.lastLine);
  }

  private Ast.FunctionLiteral function(boolean method, int line) throws LuaSyntaxError {
    Ast.Function function = new Ast.Function(line);
    Scope outer = scope;
    scope = new Scope(outer, function);
    if (method) {
      parameter(lexer.name("self"));
    }
    expect('(');
    if (lexer.token != ')') {
      do {
        if (lexer.token == Lexer.NAME) {
          parameter(name());
        } else if (accept(Lexer.DOTS)) {
          function.vararg = true;
          function.needsArg = true;
          Ast.Variable arg = declare(lexer.name("arg"));
          function.arg = arg;
          activate(arg);
        } else {
          throw lexer.errorAt("<name> or '...' expected");
        }
      } while (!function.vararg && accept(','));
    }
    expect(')');
    function.body = chunk();
    function.lastLine = lexer.line;
    expectMatch(Lexer.END, Lexer.FUNCTION, line);
    scope = outer;
    return new Ast.FunctionLiteral(function, lexer.lastLine);
  }

  private void parameter(LuaString name) throws LuaSyntaxError {
    Ast.Variable v = declare(name);
    scope.function.parameters.add(v);
    activate(v);
  }
}

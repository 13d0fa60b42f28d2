package io.keyvalueserve.lua;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tree of a source text. Names are already resolved to locals, upvalues and globals. */
final class Ast {
  private Ast() {}

  /** A local variable. */
  static final class Variable {
    final LuaString name;

    /** True if a function inside uses it: it then lives in a cell. */
    boolean captured;

    int register = -1;

    Variable(LuaString name) {
      this.name = name;
    }
  }

  /**
   * An upvalue of a function.
   *
   * @param name its name
   * @param variable the local of the function around, or null
   * @param index the upvalue of the function around, if there is no variable
   */
  record Capture(LuaString name, @Nullable Variable variable, int index) {}

  /** A function. */
  static final class Function {
    final int line;
    final List<Variable> parameters = new ArrayList<>();
    final List<Capture> captures = new ArrayList<>();
    boolean vararg;
    @Nullable Variable arg;
    boolean needsArg;
    List<Statement> body = List.of();
    int lastLine;

    Function(int line) {
      this.line = line;
    }
  }

  sealed interface Expression {}

  record Constant(LuaValue value) implements Expression {}

  record Varargs(int line) implements Expression {}

  record FunctionLiteral(Function function, int line) implements Expression {}

  record Local(Variable variable) implements Expression {}

  record Upvalue(int index, LuaString name) implements Expression {}

  record Global(LuaString name, int line) implements Expression {}

  record Index(Expression object, Expression key, int line) implements Expression {}

  record Call(Expression function, List<Expression> arguments, int line) implements Expression {}

  record MethodCall(Expression object, LuaString method, List<Expression> arguments, int line)
      implements Expression {}

  /**
   * An operation on two values, whose code is of {@link Op}; or {@code ~=}, {@code >} and so on.
   */
  record Binary(Operator operator, Expression left, Expression right, int line)
      implements Expression {}

  record Concat(List<Expression> parts, int line) implements Expression {}

  record Unary(int op, Expression operand, int line) implements Expression {}

  record And(List<Expression> parts) implements Expression {}

  record Or(List<Expression> parts) implements Expression {}

  record Parentheses(Expression inner) implements Expression {}

  /** Items are in order; one without a key belongs to the array. */
  record TableLiteral(List<Item> items, int line) implements Expression {}

  record Item(@Nullable Expression key, Expression value, int line) {}

  /** An operator of two operands, with the instruction of it or of its counterpart. */
  enum Operator {
    ADD(Op.ADD),
    SUB(Op.SUB),
    MUL(Op.MUL),
    DIV(Op.DIV),
    MOD(Op.MOD),
    POW(Op.POW),
    EQ(Op.EQ),
    NE(Op.EQ),
    LT(Op.LT),
    LE(Op.LE),
    GT(Op.LT),
    GE(Op.LE);

    final int op;

    Operator(int op) {
      this.op = op;
    }

    boolean compares() {
      return op >= Op.EQ;
    }
  }

  sealed interface Statement {}

  record LocalStatement(List<Variable> variables, List<Expression> values, int line)
      implements Statement {}

  record LocalFunction(Variable variable, FunctionLiteral function) implements Statement {}

  record Assignment(List<Expression> targets, List<Expression> values, int line)
      implements Statement {}

  record CallStatement(Expression call) implements Statement {}

  record Block(List<Statement> body) implements Statement {}

  record While(Expression condition, List<Statement> body) implements Statement {}

  record Repeat(List<Statement> body, Expression condition) implements Statement {}

  /** The last body has no condition if there is an else. */
  record If(List<Expression> conditions, List<List<Statement>> bodies) implements Statement {}

  record NumericFor(
      Variable variable,
      Expression from,
      Expression to,
      @Nullable Expression step,
      List<Statement> body,
      int line)
      implements Statement {}

  record GenericFor(
      List<Variable> variables, List<Expression> values, List<Statement> body, int line)
      implements Statement {}

  record Return(List<Expression> values, int line) implements Statement {}

  record Break() implements Statement {}
}

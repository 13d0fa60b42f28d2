package io.keyvalueserve.lua;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tree to code for registers. Locals have a register each; values of expressions take the
 * registers above, in the order of a stack.
 */
final class Compiler {
  private static final int MAX_REGISTERS = 250;

  private final String chunk;
  private final Ast.Function function;
  private final boolean counted;
  private long[] code = new long[32];
  private int[] lines = new int[32];
  private @Nullable String[] @Nullable [] names = new String[32][];
  private int size;
  private int line;
  private final List<LuaValue> constants = new ArrayList<>();
  private final Map<Object, Integer> constantNumbers = new HashMap<>();
  private final List<Proto> protos = new ArrayList<>();

  /** The first register that is free, the first above all locals, and the most ever used. */
  private int free;

  private int locals;
  private int most;
  private @Nullable Jumps breaks;

  /** Jumps that go to a place that is not known yet. */
  private static final class Jumps {
    private int[] from = new int[4];
    private int count;

    void add(int at) {
      if (count == from.length) {
        from = Arrays.copyOf(from, count * 2);
      }
      from[count++] = at;
    }
  }

  private Compiler(String chunk, Ast.Function function, boolean counted) {
    this.chunk = chunk;
    this.counted = counted;
    this.function = function;
  }

  static Proto compile(Ast.Function function, String chunk, boolean counted) throws LuaSyntaxError {
    return new Compiler(chunk, function, counted).function();
  }

  private Proto function() throws LuaSyntaxError {
    line = function.line;
    for (Ast.Variable v : function.parameters) {
      declare(v, take());
    }
    Ast.Variable arg = function.arg;
    if (arg != null) {
      declare(arg, take());
    }
    for (Ast.Variable v : function.parameters) {
      makeCell(v);
    }
    if (arg != null) {
      if (!function.needsArg) {
        emit(Op.LOADNIL, arg.register, arg.register, 0);
      }
      makeCell(arg);
    }
    statements(function.body);
    line = function.lastLine;
    emit(Op.RETURN, 0, 0, 0);
    int[] captures = new int[function.captures.size()];
    for (int i = 0; i < captures.length; i++) {
      Ast.Capture c = function.captures.get(i);
      Ast.Variable v = c.variable();
      captures[i] = v != null ? v.register : ~c.index();
    }
    return new Proto(
        chunk,
        function.line,
        Arrays.copyOf(code, size),
        Arrays.copyOf(lines, size),
        Arrays.copyOf(names, size),
        constants.toArray(new LuaValue[0]),
        protos.toArray(new Proto[0]),
        captures,
        function.parameters.size(),
        function.vararg,
        function.needsArg,
        most + 1,
        counted);
  }

  // ---- code ------------------------------------------------------------------------------------

  private LuaSyntaxError tooComplex() {
    return new LuaSyntaxError(chunk + ":" + line + ": function or expression too complex");
  }

  private int add(long instruction) throws LuaSyntaxError {
    if (size == code.length) {
      code = Arrays.copyOf(code, size * 2);
      lines = Arrays.copyOf(lines, size * 2);
      names = Arrays.copyOf(names, size * 2);
    }
    if (size > Op.MAX_OPERAND * 64) {
      throw tooComplex();
    }
    code[size] = instruction;
    lines[size] = line;
    return size++;
  }

  private int emit(int op, int a, int b, int c) throws LuaSyntaxError {
    return add(Op.of(op, a, b, c));
  }

  /** Notes the names of the operands of the last instruction. */
  private void nameLast(@Nullable String... operands) {
    for (String name : operands) {
      if (name != null) {
        names[size - 1] = operands;
        return;
      }
    }
  }

  private int take() throws LuaSyntaxError {
    return take(1);
  }

  /** Takes registers, and returns the first. */
  private int take(int count) throws LuaSyntaxError {
    int first = free;
    free += count;
    if (free > most) {
      most = free;
      if (most > MAX_REGISTERS) {
        throw tooComplex();
      }
    }
    return first;
  }

  private int constant(LuaValue value) throws LuaSyntaxError {
    Object key = value;
    if (value instanceof LuaNumber n) {
      // As in Lua 5.1, 0 and -0 are one constant: the first in the function.
      key = n.value == 0 ? 0L : Double.doubleToRawLongBits(n.value);
    }
    Integer known = constantNumbers.get(key);
    if (known != null) {
      return known;
    }
    int number = constants.size();
    if (number > Op.MAX_OPERAND) {
      throw tooComplex();
    }
    constants.add(value);
    constantNumbers.put(key, number);
    return number;
  }

  private int jump(int op, int a) throws LuaSyntaxError {
    return add(Op.ofLong(op, a, 0));
  }

  private void jumpTo(int op, int a, int target) throws LuaSyntaxError {
    patch(jump(op, a), target);
  }

  private void patch(int at, int target) {
    long i = code[at];
    code[at] = Op.ofLong(Op.op(i), Op.a(i), target - at - 1);
  }

  private void patchHere(Jumps jumps) {
    patchTo(jumps, size);
  }

  private void patchTo(Jumps jumps, int target) {
    for (int i = 0; i < jumps.count; i++) {
      patch(jumps.from[i], target);
    }
  }

  // ---- locals ----------------------------------------------------------------------------------

  /** Makes a register that was taken last that of a local. */
  private void declare(Ast.Variable v, int register) {
    v.register = register;
    locals = register + 1;
  }

  private void makeCell(Ast.Variable v) throws LuaSyntaxError {
    if (v.captured) {
      emit(Op.NEWCELL, v.register, 0, 0);
    }
  }

  private void block(List<Ast.Statement> body) throws LuaSyntaxError {
    int keep = locals;
    statements(body);
    locals = keep;
    free = keep;
  }

  // ---- statements ------------------------------------------------------------------------------

  private void statements(List<Ast.Statement> body) throws LuaSyntaxError {
    for (Ast.Statement s : body) {
      statement(s);
      free = locals;
    }
  }

  private void statement(Ast.Statement statement) throws LuaSyntaxError {
    switch (statement) {
      case Ast.LocalStatement s -> local(s);
      case Ast.LocalFunction s -> localFunction(s);
      case Ast.Assignment s -> assignment(s);
      case Ast.CallStatement s -> call(s.call(), 1);
      case Ast.Block s -> block(s.body());
      case Ast.While s -> whileLoop(s);
      case Ast.Repeat s -> repeatLoop(s);
      case Ast.If s -> ifStatement(s);
      case Ast.NumericFor s -> numericFor(s);
      case Ast.GenericFor s -> genericFor(s);
      case Ast.Return s -> returnStatement(s);
      case Ast.Break s -> {
        if (breaks != null) {
          breaks.add(jump(Op.JMP, 0));
        }
      }
    }
  }

  private void local(Ast.LocalStatement s) throws LuaSyntaxError {
    line = s.line();
    int first = free;
    expressions(s.values(), s.variables().size());
    for (int i = 0; i < s.variables().size(); i++) {
      declare(s.variables().get(i), first + i);
    }
    for (Ast.Variable v : s.variables()) {
      makeCell(v);
    }
  }

  private void localFunction(Ast.LocalFunction s) throws LuaSyntaxError {
    Ast.Variable v = s.variable();
    declare(v, take());
    if (!v.captured) {
      value(s.function(), v.register);
      return;
    }
    emit(Op.LOADNIL, v.register, v.register, 0);
    makeCell(v);
    int register = take();
    value(s.function(), register);
    emit(Op.SETCELL, v.register, register, 0);
  }

  private void assignment(Ast.Assignment s) throws LuaSyntaxError {
    line = s.line();
    List<Ast.Expression> targets = s.targets();
    if (targets.size() == 1 && s.values().size() == 1) {
      assignOne(targets.getFirst(), s.values().getFirst(), s.line());
      return;
    }
    int[] objects = new int[targets.size()];
    int[] keys = new int[targets.size()];
    for (int i = 0; i < objects.length; i++) {
      if (targets.get(i) instanceof Ast.Index t) {
        objects[i] = fresh(t.object());
        keys[i] = t.key() instanceof Ast.Constant ? operand(t.key()) : fresh(t.key());
      }
    }
    int first = free;
    expressions(s.values(), targets.size());
    line = s.line();
    for (int i = objects.length - 1; i >= 0; i--) {
      store(targets.get(i), objects[i], keys[i], first + i);
    }
  }

  private void assignOne(Ast.Expression target, Ast.Expression value, int at)
      throws LuaSyntaxError {
    if (target instanceof Ast.Local l && !l.variable().captured) {
      value(value, l.variable().register);
      return;
    }
    int object = 0;
    int key = 0;
    if (target instanceof Ast.Index t) {
      object = any(t.object());
      key = operand(t.key());
    }
    int register = operand(value);
    line = at;
    store(target, object, key, register);
  }

  private void store(Ast.Expression target, int object, int key, int value) throws LuaSyntaxError {
    switch (target) {
      case Ast.Local t -> {
        if (t.variable().captured) {
          emit(Op.SETCELL, t.variable().register, value, 0);
        } else if (value < 0) {
          add(Op.ofLong(Op.LOADK, t.variable().register, ~value));
        } else {
          emit(Op.MOVE, t.variable().register, value, 0);
        }
      }
      case Ast.Upvalue t -> emit(Op.SETUPVAL, t.index(), value, 0);
      case Ast.Global t -> emit(Op.SETGLOBAL, 0, constant(t.name()), value);
      case Ast.Index t -> {
        emit(Op.SETINDEX, object, key, value);
        nameLast(nameOf(t.object()));
      }
      default -> throw new IllegalStateException("not a target: " + target);
    }
  }

  private void whileLoop(Ast.While s) throws LuaSyntaxError {
    Jumps outer = breaks;
    Jumps exit = new Jumps();
    breaks = exit;
    int start = size;
    jumpIf(s.condition(), false, exit);
    free = locals;
    block(s.body());
    jumpTo(Op.JMP, 0, start);
    patchHere(exit);
    breaks = outer;
  }

  private void repeatLoop(Ast.Repeat s) throws LuaSyntaxError {
    Jumps outer = breaks;
    Jumps exit = new Jumps();
    breaks = exit;
    int start = size;
    int keep = locals;
    statements(s.body());
    Jumps again = new Jumps();
    jumpIf(s.condition(), false, again);
    patchTo(again, start);
    locals = keep;
    free = keep;
    patchHere(exit);
    breaks = outer;
  }

  private void ifStatement(Ast.If s) throws LuaSyntaxError {
    Jumps end = new Jumps();
    int conditions = s.conditions().size();
    for (int i = 0; i < s.bodies().size(); i++) {
      if (i == conditions) {
        block(s.bodies().get(i));
        break;
      }
      Jumps otherwise = new Jumps();
      jumpIf(s.conditions().get(i), false, otherwise);
      free = locals;
      block(s.bodies().get(i));
      if (i < s.bodies().size() - 1) {
        end.add(jump(Op.JMP, 0));
      }
      patchHere(otherwise);
    }
    patchHere(end);
  }

  private void numericFor(Ast.NumericFor s) throws LuaSyntaxError {
    int keep = locals;
    int base = take(3);
    value(s.from(), base);
    value(s.to(), base + 1);
    Ast.Expression step = s.step();
    if (step != null) {
      value(step, base + 2);
    } else {
      add(Op.ofLong(Op.LOADK, base + 2, constant(LuaNumber.of(1))));
    }
    free = base + 3;
    line = s.line();
    int prepare = jump(Op.FORPREP, base);
    Jumps outer = breaks;
    Jumps exit = new Jumps();
    breaks = exit;
    declare(s.variable(), take());
    makeCell(s.variable());
    block(s.body());
    patch(prepare, size);
    line = s.line();
    jumpTo(Op.FORLOOP, base, prepare + 1);
    patchHere(exit);
    breaks = outer;
    locals = keep;
    free = keep;
  }

  private void genericFor(Ast.GenericFor s) throws LuaSyntaxError {
    int keep = locals;
    int base = free;
    expressions(s.values(), 3);
    line = s.line();
    int start = jump(Op.JMP, 0);
    Jumps outer = breaks;
    Jumps exit = new Jumps();
    breaks = exit;
    int count = s.variables().size();
    int first = take(Math.max(count, 3));
    free = first + count;
    for (int i = 0; i < count; i++) {
      declare(s.variables().get(i), first + i);
    }
    for (Ast.Variable v : s.variables()) {
      makeCell(v);
    }
    block(s.body());
    patch(start, size);
    line = s.line();
    emit(Op.TFORCALL, base, 0, count);
    nameLast("local '(for generator)'");
    jumpTo(Op.TFORLOOP, base, start + 1);
    patchHere(exit);
    breaks = outer;
    locals = keep;
    free = keep;
  }

  private void returnStatement(Ast.Return s) throws LuaSyntaxError {
    line = s.line();
    List<Ast.Expression> values = s.values();
    if (values.size() == 1) {
      Ast.Expression only = values.getFirst();
      if (only instanceof Ast.Call || only instanceof Ast.MethodCall) {
        int base = call(only, 0);
        long i = code[size - 1];
        code[size - 1] = Op.of(Op.TAILCALL, Op.a(i), Op.b(i), 0);
        emit(Op.RETURN, base, 1, 0);
        return;
      }
      if (!isMultiple(only)) {
        int register = any(only);
        line = s.line();
        emit(Op.RETURN, register, 2, 0);
        return;
      }
    }
    int first = free;
    boolean open = openExpressions(values);
    line = s.line();
    int fixed = open ? values.size() - 1 : values.size();
    emit(Op.RETURN, first, fixed * 2 + (open ? 1 : 0), 0);
  }

  // ---- lists of expressions --------------------------------------------------------------------

  private static boolean isMultiple(Ast.Expression e) {
    return e instanceof Ast.Call || e instanceof Ast.MethodCall || e instanceof Ast.Varargs;
  }

  /** Puts exactly {@code wanted} values into fresh registers in a row. */
  private void expressions(List<Ast.Expression> values, int wanted) throws LuaSyntaxError {
    int first = free;
    for (int i = 0; i < values.size(); i++) {
      Ast.Expression e = values.get(i);
      if (i == values.size() - 1 && isMultiple(e) && i < wanted) {
        int rest = wanted - i;
        multiple(e, rest + 1);
        free = first + i;
        take(rest);
        return;
      }
      fresh(e);
      if (i >= wanted) {
        free = first + wanted;
      }
    }
    if (values.size() < wanted) {
      int missing = wanted - values.size();
      int from = take(missing);
      emit(Op.LOADNIL, from, from + missing - 1, 0);
    }
  }

  /** Puts all values into fresh registers; returns whether the last gives any number of values. */
  private boolean openExpressions(List<Ast.Expression> values) throws LuaSyntaxError {
    for (int i = 0; i < values.size(); i++) {
      Ast.Expression e = values.get(i);
      if (i == values.size() - 1 && isMultiple(e)) {
        multiple(e, 0);
        return true;
      }
      fresh(e);
    }
    return false;
  }

  /** Evaluates a call or dots; {@code results} is their number plus one, or 0 for all. */
  private void multiple(Ast.Expression e, int results) throws LuaSyntaxError {
    if (e instanceof Ast.Varargs v) {
      line = v.line();
      int register = free;
      if (results > 1) {
        take(results - 1);
      }
      emit(Op.VARARG, register, 0, results);
    } else {
      call(e, results);
    }
  }

  // ---- expressions -----------------------------------------------------------------------------

  /** Evaluates into a register that is taken for it. */
  private int fresh(Ast.Expression e) throws LuaSyntaxError {
    int register = take();
    value(e, register);
    free = register + 1;
    return register;
  }

  /** Evaluates into any register: that of the local, if it is one. */
  private int any(Ast.Expression e) throws LuaSyntaxError {
    Ast.Expression inner = e;
    while (inner instanceof Ast.Parentheses p) {
      inner = p.inner();
    }
    if (inner instanceof Ast.Local l && !l.variable().captured) {
      return l.variable().register;
    }
    return fresh(e);
  }

  /** Evaluates into any register, or names a constant. */
  private int operand(Ast.Expression e) throws LuaSyntaxError {
    if (e instanceof Ast.Constant c) {
      return ~constant(c.value());
    }
    return any(e);
  }

  /** Evaluates into a register: one above all locals, or a local that the value is assigned to. */
  private void value(Ast.Expression e, int target) throws LuaSyntaxError {
    switch (e) {
      case Ast.Constant c -> {
        if (c.value() == LuaNil.NIL) {
          emit(Op.LOADNIL, target, target, 0);
        } else {
          add(Op.ofLong(Op.LOADK, target, constant(c.value())));
        }
      }
      case Ast.Varargs v -> {
        line = v.line();
        emit(Op.VARARG, target, 0, 2);
      }
      case Ast.FunctionLiteral f -> {
        protos.add(compile(f.function(), chunk, counted));
        line = f.line();
        add(Op.ofLong(Op.CLOSURE, target, protos.size() - 1));
      }
      case Ast.Local l -> {
        Ast.Variable v = l.variable();
        if (v.captured) {
          emit(Op.GETCELL, target, v.register, 0);
        } else if (v.register != target) {
          emit(Op.MOVE, target, v.register, 0);
        }
      }
      case Ast.Upvalue u -> emit(Op.GETUPVAL, target, u.index(), 0);
      case Ast.Global g -> {
        line = g.line();
        add(Op.ofLong(Op.GETGLOBAL, target, constant(g.name())));
      }
      case Ast.Index i -> chain(i, target);
      case Ast.Call c -> callInto(c, target);
      case Ast.MethodCall c -> callInto(c, target);
      case Ast.Binary b -> binary(b, target);
      case Ast.Concat c -> {
        int keep = free;
        int first = free;
        @Nullable String[] parts = new @Nullable String[c.parts().size()];
        for (int i = 0; i < parts.length; i++) {
          fresh(c.parts().get(i));
          parts[i] = nameOf(c.parts().get(i));
        }
        line = c.line();
        emit(Op.CONCAT, target, first, first + parts.length - 1);
        nameLast(parts);
        free = keep;
      }
      case Ast.Unary u -> {
        int keep = free;
        int operand = any(u.operand());
        line = u.line();
        emit(u.op(), target, operand, 0);
        nameLast(nameOf(u.operand()));
        free = keep;
      }
      case Ast.And a -> logical(a.parts(), Op.JMPF, target);
      case Ast.Or o -> logical(o.parts(), Op.JMPT, target);
      case Ast.Parentheses p -> value(p.inner(), target);
      case Ast.TableLiteral t -> {
        if (target < locals) {
          int register = fresh(t);
          emit(Op.MOVE, target, register, 0);
          free = register;
        } else {
          table(t, target);
        }
      }
    }
  }

  private void logical(List<Ast.Expression> parts, int op, int target) throws LuaSyntaxError {
    int keep = free;
    int register = target < locals ? take() : target;
    Jumps end = new Jumps();
    for (int i = 0; i < parts.size(); i++) {
      value(parts.get(i), register);
      if (i < parts.size() - 1) {
        end.add(jump(op, register));
      }
    }
    patchHere(end);
    if (register != target) {
      emit(Op.MOVE, target, register, 0);
    }
    free = keep;
  }

  /** Evaluates a chain of indexes, as {@code a.b.c}, from its beginning: it may be very long. */
  private void chain(Ast.Index index, int target) throws LuaSyntaxError {
    int keep = free;
    List<Ast.Index> links = new ArrayList<>();
    Ast.Expression e = index;
    while (e instanceof Ast.Index i) {
      links.add(i);
      e = i.object();
    }
    int object = any(e);
    int temporary = object >= locals ? object : -1;
    for (int i = links.size() - 1; i >= 0; i--) {
      Ast.Index link = links.get(i);
      int key = operand(link.key());
      int into = target;
      if (i > 0) {
        if (temporary < 0) {
          temporary = take();
        }
        into = temporary;
      }
      line = link.line();
      index(into, object, link.key(), key);
      nameLast(nameOf(link.object()));
      object = into;
      if (temporary >= 0) {
        free = temporary + 1;
      }
    }
    free = keep;
  }

  private void index(int target, int object, Ast.Expression keyExpression, int key)
      throws LuaSyntaxError {
    boolean text = keyExpression instanceof Ast.Constant c && c.value() instanceof LuaString;
    emit(text ? Op.INDEXS : Op.INDEX, target, object, key);
  }

  private void binary(Ast.Binary binary, int target) throws LuaSyntaxError {
    int keep = free;
    List<Ast.Binary> links = new ArrayList<>();
    Ast.Expression e = binary;
    while (e instanceof Ast.Binary b) {
      links.add(b);
      e = b.left();
    }
    int left = operand(e);
    int temporary = left >= locals ? left : -1;
    for (int i = links.size() - 1; i >= 0; i--) {
      Ast.Binary link = links.get(i);
      int right = operand(link.right());
      int into = target;
      if (i > 0) {
        if (temporary < 0) {
          temporary = take();
        }
        into = temporary;
      }
      line = link.line();
      if (link.operator().compares()) {
        compare(link.operator(), left, right, true);
        int yes = jump(Op.JMP, 0);
        emit(Op.LOADBOOL, into, 0, 1);
        patch(yes, size);
        emit(Op.LOADBOOL, into, 1, 0);
      } else {
        emit(link.operator().op, into, left, right);
        nameLast(nameOf(link.left()), nameOf(link.right()));
      }
      left = into;
      if (temporary >= 0) {
        free = temporary + 1;
      }
    }
    free = keep;
  }

  /** Emits a comparison: the jump that follows is taken if its result is {@code when}. */
  private void compare(Ast.Operator operator, int left, int right, boolean when)
      throws LuaSyntaxError {
    int yes = when ? 1 : 0;
    switch (operator) {
      case EQ -> emit(Op.EQ, yes, left, right);
      case NE -> emit(Op.EQ, 1 - yes, left, right);
      case LT -> emit(Op.LT, yes, left, right);
      case LE -> emit(Op.LE, yes, left, right);
      case GT -> emit(Op.LT, yes, right, left);
      case GE -> emit(Op.LE, yes, right, left);
      default -> throw new IllegalStateException("no comparison: " + operator);
    }
  }

  /** Jumps if a value is true or false; else goes on. */
  private void jumpIf(Ast.Expression e, boolean when, Jumps out) throws LuaSyntaxError {
    int keep = free;
    switch (e) {
      case Ast.Parentheses p -> jumpIf(p.inner(), when, out);
      case Ast.Constant c -> {
        if (c.value().truthy() == when) {
          out.add(jump(Op.JMP, 0));
        }
      }
      case Ast.Unary u when u.op() == Op.NOT -> jumpIf(u.operand(), !when, out);
      case Ast.And a -> jumpIfAll(a.parts(), when, out, true);
      case Ast.Or o -> jumpIfAll(o.parts(), when, out, false);
      case Ast.Binary b when b.operator().compares() -> {
        int left = operand(b.left());
        int right = operand(b.right());
        line = b.line();
        compare(b.operator(), left, right, when);
        out.add(jump(Op.JMP, 0));
      }
      default -> {
        int register = any(e);
        out.add(jump(when ? Op.JMPT : Op.JMPF, register));
      }
    }
    free = keep;
  }

  /** Jumps on the value of {@code and} (which goes on while true) or {@code or}. */
  private void jumpIfAll(List<Ast.Expression> parts, boolean when, Jumps out, boolean and)
      throws LuaSyntaxError {
    Jumps decided = when == and ? new Jumps() : out;
    for (int i = 0; i < parts.size() - 1; i++) {
      jumpIf(parts.get(i), !and, decided);
    }
    jumpIf(parts.getLast(), when, out);
    if (decided != out) {
      patchHere(decided);
    }
  }

  private void table(Ast.TableLiteral t, int target) throws LuaSyntaxError {
    int keep = free;
    int hashed = 0;
    for (Ast.Item item : t.items()) {
      if (item.key() != null) {
        hashed++;
      }
    }
    int create = emit(Op.NEWTABLE, target, 0, 0);
    int pending = 0;
    int stored = 0;
    int base = take();
    if (base != target + 1) {
      // The items follow the table.
      emit(Op.MOVE, base, target, 0);
    } else {
      free = base;
      base = target;
    }
    for (int i = 0; i < t.items().size(); i++) {
      Ast.Item item = t.items().get(i);
      Ast.Expression key = item.key();
      if (key != null) {
        int mark = free;
        int k = operand(key);
        int v = operand(item.value());
        line = item.line();
        emit(Op.SETINDEX, target, k, v);
        free = mark;
        continue;
      }
      if (i == t.items().size() - 1 && isMultiple(item.value())) {
        multiple(item.value(), 0);
        line = t.line();
        emit(Op.SETLIST, base, pending * 2 + 1, stored / Op.LIST_FLUSH);
        stored += pending;
        pending = 0;
        continue;
      }
      fresh(item.value());
      if (++pending == Op.LIST_FLUSH) {
        emit(Op.SETLIST, base, pending * 2, stored / Op.LIST_FLUSH);
        stored += pending;
        pending = 0;
        free = base + 1;
      }
    }
    if (pending > 0) {
      line = t.line();
      emit(Op.SETLIST, base, pending * 2, stored / Op.LIST_FLUSH);
      stored += pending;
    }
    code[create] =
        Op.of(
            Op.NEWTABLE,
            target,
            Math.min(roundSize(stored), Op.MAX_OPERAND),
            Math.min(roundSize(hashed), Op.MAX_OPERAND));
    free = keep;
  }

  /** Rounds a size as Lua 5.1 does, which keeps it in a byte: borders depend on it. */
  private static int roundSize(int size) {
    int exponent = 0;
    int mantissa = size;
    while (mantissa >= 16) {
      mantissa = (mantissa + 1) >> 1;
      exponent++;
    }
    return mantissa << exponent;
  }

  private void callInto(Ast.Expression call, int target) throws LuaSyntaxError {
    int keep = free;
    if (target == free - 1 && target >= locals) {
      free--;
    }
    int base = call(call, 2);
    if (base != target) {
      emit(Op.MOVE, target, base, 0);
    }
    free = keep;
  }

  /**
   * Evaluates a call. Its results are in a row of registers from the one returned on.
   *
   * @param results their number plus one, or 0 for any number
   */
  private int call(Ast.Expression call, int results) throws LuaSyntaxError {
    List<Ast.Expression> links = new ArrayList<>();
    Ast.Expression e = call;
    while (true) {
      if (e instanceof Ast.Call c) {
        links.add(c);
        e = c.function();
      } else if (e instanceof Ast.MethodCall m) {
        links.add(m);
        e = m.object();
      } else if (e instanceof Ast.Index i && !links.isEmpty()) {
        links.add(i);
        e = i.object();
      } else {
        break;
      }
    }
    int base = take();
    value(e, base);
    for (int i = links.size() - 1; i >= 0; i--) {
      free = base + 1;
      switch (links.get(i)) {
        case Ast.Index link -> {
          int key = operand(link.key());
          line = link.line();
          index(base, base, link.key(), key);
          nameLast(nameOf(link.object()));
        }
        case Ast.MethodCall link -> {
          take();
          line = link.line();
          emit(Op.SELF, base, base, ~constant(link.method()));
          nameLast(nameOf(link.object()));
          finishCall(base, 1, link.arguments(), link.line(), i == 0 ? results : 2);
          nameLast("method '" + link.method().latin() + "'");
        }
        case Ast.Call link -> {
          finishCall(base, 0, link.arguments(), link.line(), i == 0 ? results : 2);
          nameLast(nameOf(link.function()));
        }
        default -> throw new IllegalStateException("no link: " + links.get(i));
      }
    }
    free = base;
    if (results > 1) {
      take(results - 1);
    }
    return base;
  }

  private void finishCall(int base, int given, List<Ast.Expression> arguments, int at, int results)
      throws LuaSyntaxError {
    boolean open = openExpressions(arguments);
    int fixed = given + (open ? arguments.size() - 1 : arguments.size());
    line = at;
    emit(Op.CALL, base, fixed * 2 + (open ? 1 : 0), results);
  }

  /** Returns what messages call a value, as {@code local 'x'}; null if it has no name. */
  private static @Nullable String nameOf(Ast.Expression e) {
    return switch (e) {
      case Ast.Local l -> "local '" + l.variable().name.latin() + "'";
      case Ast.Upvalue u -> "upvalue '" + u.name().latin() + "'";
      case Ast.Global g -> "global '" + g.name().latin() + "'";
      case Ast.Index i ->
          i.key() instanceof Ast.Constant c && c.value() instanceof LuaString s
              ? "field '" + s.latin() + "'"
              : "field '?'";
      case Ast.Parentheses p -> nameOf(p.inner());
      default -> null;
    };
  }
}

package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script: carries out its code.
 *
 * <p>Calls between Lua functions are frames on the heap. Only calls through Java (metamethods,
 * pcall, sort and such) use the stack of the thread, and those are at most {@link #MAX_JAVA_CALLS}
 * deep, as in Lua 5.1.
 */
final class Run {
  private static final int MAX_JAVA_CALLS = 200;
  private static final int MAX_META_LOOPS = 100;
  private static final int STEPS_OF_FRACTION = 12;

  private static final LuaValue[] NONE = Frame.NONE;

  /** The kinds of running code: Lua code, or a native function that Lua or Java called. */
  private static final int IN_LUA = 0;

  private static final int CALLED_BY_LUA = 1;
  private static final int CALLED_BY_JAVA = 2;

  final Budget budget;
  final LuaTable globals;
  final Random random = new Random();
  final Json.Config json = new Json.Config();
  final LuaCoroutine main;
  LuaCoroutine current;

  /** True if the native function that just returned yields; the values are in transfer. */
  private boolean yielding;

  private LuaValue[] transfer = NONE;

  private int mode = CALLED_BY_JAVA;
  private int javaCalls;
  private LuaValue[][] pinned = new LuaValue[16][];
  private int pins;
  private int traces;

  /** The object that functions of the host get, or null. */
  final @Nullable Object host;

  Run(Budget budget, LuaTable globals, @Nullable Object host) {
    this.budget = budget;
    this.host = host;
    this.globals = globals;
    this.main = new LuaCoroutine(1, null);
    this.main.status = LuaCoroutine.Status.RUNNING;
    this.current = main;
    budget.traceWith(this::bytesAlive);
  }

  private long bytesAlive() {
    Tracer tracer = new Tracer(++traces);
    tracer.visit(globals);
    tracer.visit(main);
    tracer.visit(current);
    tracer.visitArray(transfer);
    for (int i = 0; i < pins; i++) {
      tracer.visitArray(pinned[i]);
    }
    return tracer.finish(budget);
  }

  /** Keeps values that only Java holds counted, until {@link #unpin}. */
  void pin(LuaValue[] values) {
    if (pins == pinned.length) {
      pinned = Arrays.copyOf(pinned, pins * 2);
    }
    pinned[pins++] = values;
  }

  void unpin() {
    pinned[--pins] = NONE;
  }

  // ---- the state that an error unwinds ---------------------------------------------------------

  /** The state that a caught error goes back to. */
  record Mark(LuaCoroutine coroutine, int depth, int mode, int javaCalls, int pins, long held) {}

  Mark mark() {
    return new Mark(current, current.depth, mode, javaCalls, pins, budget.held());
  }

  void unwind(Mark mark) {
    current = mark.coroutine;
    dropFrames(current, mark.depth);
    mode = mark.mode;
    javaCalls = mark.javaCalls;
    while (pins > mark.pins) {
      unpin();
    }
    budget.held(mark.held);
  }

  private void dropFrames(LuaCoroutine coroutine, int depth) {
    while (coroutine.depth > depth) {
      budget.free(coroutine.top().bytes());
      coroutine.pop();
    }
  }

  // ---- errors ----------------------------------------------------------------------------------

  /** Returns the place that runs at a level: 1 is the function that called the native one. */
  String where(int level) {
    Frame f = frameAt(level);
    return f == null ? "" : f.closure.proto.chunk + ":" + f.line() + ": ";
  }

  private @Nullable Frame frameAt(int level) {
    int left = level - 1;
    if (mode == CALLED_BY_JAVA) {
      left--;
    }
    for (int at = current.depth - 1; at >= 0 && left >= 0; at--) {
      Frame f = current.frame(at);
      if (left == 0) {
        return f;
      }
      left -= 1 + f.tailCalls;
      if (f.calledByNative) {
        left--;
      }
    }
    return null;
  }

  /** Returns an error of a library or an instruction, at the place that runs. */
  LuaError error(String message) {
    return thrown(string(where(1) + message));
  }

  LuaError errorWithoutPlace(String message) {
    return thrown(string(message));
  }

  /** Returns an error with a value, which notes the line. */
  LuaError thrown(LuaValue value) {
    return noted(new LuaError(value));
  }

  /** Notes in an error what line runs. */
  LuaError noted(LuaError e) {
    for (int i = current.depth - 1; i >= 0; i--) {
      Frame f = current.frame(i);
      e.at(f.closure.proto.chunk, f.line());
      break;
    }
    return e;
  }

  LuaError argumentError(int n, String message) {
    int number = n;
    String name = "?";
    if (mode == CALLED_BY_LUA) {
      Frame f = current.top();
      long i = f.pc > 0 ? f.closure.proto.code[f.pc - 1] : 0;
      int op = Op.op(i);
      if (op == Op.CALL || op == Op.TAILCALL || op == Op.TFORCALL) {
        String described = operandName(f, 0);
        if (described != null) {
          int quote = described.indexOf('\'');
          name = described.substring(quote + 1, described.length() - 1);
          if (described.startsWith("method")) {
            number--;
            if (number == 0) {
              return error("calling '" + name + "' on bad self (" + message + ")");
            }
          }
        }
      }
    }
    return error("bad argument #" + number + " to '" + name + "' (" + message + ")");
  }

  private static @Nullable String operandName(Frame f, int operand) {
    @Nullable String @Nullable [] names = f.closure.proto.names[f.pc - 1];
    return names == null || operand < 0 || operand >= names.length ? null : names[operand];
  }

  private LuaError typeError(String what, LuaValue value, int operand) {
    String name = mode == IN_LUA ? operandName(current.top(), operand) : null;
    String type = value.typeName();
    return runtimeError(
        name == null
            ? "attempt to " + what + " a " + type + " value"
            : "attempt to " + what + " " + name + " (a " + type + " value)");
  }

  /** Returns an error of an instruction: with the place if Lua code runs, not for Java's calls. */
  private LuaError runtimeError(String message) {
    return thrown(string(mode == IN_LUA ? here() + message : message));
  }

  private String here() {
    if (current.depth == 0) {
      return "";
    }
    Frame f = current.top();
    return f.closure.proto.chunk + ":" + f.line() + ": ";
  }

  // ---- strings and numbers ---------------------------------------------------------------------

  /** Makes a string that is charged; each character is a byte. */
  LuaString string(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    budget.allocate(LuaString.OVERHEAD + bytes.length);
    return LuaString.charged(bytes);
  }

  /** Makes a string that is charged, of a part of some bytes. */
  LuaString string(byte[] from, int start, int end) {
    if (start >= end) {
      return LuaString.EMPTY;
    }
    int length = end - start;
    budget.allocate(LuaString.OVERHEAD + length);
    budget.bulk(length);
    return LuaString.charged(Arrays.copyOfRange(from, start, end));
  }

  LuaString numberToString(LuaNumber n) {
    return string(format(n.value));
  }

  /** Returns the text of a number. Fractions cost more steps, as they take longer. */
  String format(double d) {
    budget.step(d == (long) d ? 1 : STEPS_OF_FRACTION);
    return Numbers.format(d);
  }

  static @Nullable LuaNumber toNumber(LuaValue value) {
    if (value instanceof LuaNumber n) {
      return n;
    }
    if (value instanceof LuaString s) {
      double d = Numbers.parse(s.bytes);
      if (!Double.isNaN(d)) {
        return LuaNumber.of(d);
      }
      return Numbers.isNan(s.bytes) ? LuaNumber.of(Numbers.POSITIVE_NAN) : null;
    }
    return null;
  }

  /** Returns the text of a value as {@code tostring} does. */
  LuaString toText(LuaValue value) {
    if (value instanceof LuaString s) {
      return s;
    }
    LuaValue method = Meta.method(value, Meta.TOSTRING);
    if (!method.isNil()) {
      LuaValue text = callOne(method, value);
      if (text instanceof LuaString s) {
        return s;
      }
      if (text instanceof LuaNumber n) {
        return numberToString(n);
      }
      throw error("'tostring' must return a string to 'print'");
    }
    return value instanceof LuaNumber n ? numberToString(n) : string(value.toString());
  }

  // ---- calls from Java -------------------------------------------------------------------------

  private void enterJava() {
    if (++javaCalls > MAX_JAVA_CALLS) {
      throw runtimeError("C stack overflow");
    }
  }

  /** Calls a value and returns its first result. */
  LuaValue callOne(LuaValue function, LuaValue... arguments) {
    LuaValue[] results = call(function, arguments);
    return results.length == 0 ? LuaNil.NIL : results[0];
  }

  /** Calls a value and returns all results. The arguments must not be used afterwards. */
  LuaValue[] call(LuaValue function, LuaValue... arguments) {
    int before = mode;
    enterJava();
    LuaValue[] results;
    if (function instanceof LuaClosure c) {
      pin(arguments);
      push(c, arguments, 0, arguments.length, NONE, true, 0);
      unpin();
      results = execute();
    } else if (function instanceof NativeFunction f) {
      results = callNative(f, arguments, before == IN_LUA ? CALLED_BY_LUA : CALLED_BY_JAVA);
    } else {
      LuaValue method = Meta.method(function, Meta.CALL);
      if (method.isNil()) {
        throw typeError("call", function, -1);
      }
      results = call(method, prepend(function, arguments, 0, arguments.length));
    }
    javaCalls--;
    mode = before;
    return results;
  }

  private static LuaValue[] prepend(LuaValue first, LuaValue[] rest, int from, int count) {
    LuaValue[] all = new LuaValue[count + 1];
    all[0] = first;
    System.arraycopy(rest, from, all, 1, count);
    return all;
  }

  private LuaValue[] callNative(NativeFunction f, LuaValue[] arguments, int how) {
    int before = mode;
    mode = how;
    long held = budget.held();
    pin(arguments);
    LuaValue[] results = f.body.call(this, new Args(this, arguments));
    unpin();
    budget.held(held);
    mode = before;
    return results;
  }

  /** Runs the main function of a script. */
  LuaValue[] start(LuaClosure function) {
    push(function, NONE, 0, 0, NONE, true, 0);
    return execute();
  }

  // ---- coroutines ------------------------------------------------------------------------------

  /** Returns whether a native function that now runs may yield. */
  boolean mayYield() {
    return current != main && mode == CALLED_BY_LUA && javaCalls == current.javaDepth;
  }

  /** Goes on with a coroutine; returns what it yields or returns. Throws what it throws. */
  LuaValue[] resume(LuaCoroutine co, LuaValue[] arguments) {
    int before = mode;
    enterJava();
    LuaCoroutine resumer = current;
    resumer.status = LuaCoroutine.Status.NORMAL;
    co.status = LuaCoroutine.Status.RUNNING;
    co.resumer = resumer;
    co.javaDepth = javaCalls;
    current = co;
    LuaValue[] results;
    try {
      LuaClosure start = co.start;
      if (start != null) {
        co.start = null;
        push(start, arguments, 0, arguments.length, NONE, true, 0);
      } else {
        deliver(co.top(), arguments);
      }
      results = execute();
    } catch (LuaError e) {
      dropFrames(co, 0);
      co.status = LuaCoroutine.Status.DEAD;
      co.resumer = null;
      resumer.status = LuaCoroutine.Status.RUNNING;
      throw e;
    }
    if (yielding) {
      yielding = false;
      results = transfer;
      transfer = NONE;
      co.status = LuaCoroutine.Status.SUSPENDED;
    } else {
      co.status = LuaCoroutine.Status.DEAD;
    }
    co.resumer = null;
    resumer.status = LuaCoroutine.Status.RUNNING;
    current = resumer;
    javaCalls--;
    mode = before;
    return results;
  }

  // ---- frames ----------------------------------------------------------------------------------

  private void push(
      LuaClosure closure,
      LuaValue[] from,
      int start,
      int count,
      LuaValue[] open,
      boolean fresh,
      int tailCalls) {
    LuaCoroutine co = current;
    budget.checkDepth(co.depth + 1);
    Proto p = closure.proto;
    if (open.length > 0) {
      pin(open);
    }
    int given = count + open.length;
    int extra = p.vararg ? Math.max(0, given - p.parameters) : 0;
    budget.allocateValue(96 + 32L * (p.registers + extra));
    LuaValue[] registers = new LuaValue[p.registers];
    int wanted = Math.min(p.parameters, given);
    int fixed = Math.min(wanted, count);
    System.arraycopy(from, start, registers, 0, fixed);
    if (wanted > fixed) {
      System.arraycopy(open, 0, registers, fixed, wanted - fixed);
    }
    for (int i = wanted; i < p.parameters; i++) {
      registers[i] = LuaNil.NIL;
    }
    LuaValue[] varargs = NONE;
    if (extra > 0) {
      budget.step(extra >> 2);
      varargs = new LuaValue[extra];
      int fromFixed = Math.max(0, count - p.parameters);
      System.arraycopy(from, start + count - fromFixed, varargs, 0, fromFixed);
      System.arraycopy(
          open, open.length - (extra - fromFixed), varargs, fromFixed, extra - fromFixed);
    }
    if (open.length > 0) {
      unpin();
    }
    boolean byNative = fresh && mode != IN_LUA;
    co.push(new Frame(closure, registers, varargs, fresh, byNative, tailCalls));
    if (p.needsArg) {
      long held = budget.held();
      LuaTable arg = new LuaTable(budget, varargs.length, 1);
      for (int i = 0; i < varargs.length; i++) {
        arg.set(i + 1, varargs[i]);
      }
      arg.set(N, LuaNumber.of((long) varargs.length));
      registers[p.parameters] = arg;
      budget.held(held);
    }
  }

  private static final LuaString N = LuaString.constant("n");

  /** Gives the results of a call to the instruction that made it. */
  private static void deliver(Frame caller, LuaValue[] results) {
    long i = caller.closure.proto.code[caller.pc - 1];
    int a = Op.a(i);
    LuaValue[] r = caller.registers;
    int wanted;
    switch (Op.op(i)) {
      case Op.CALL -> wanted = Op.c(i) - 1;
      case Op.TFORCALL -> {
        wanted = Op.c(i);
        a += 3;
      }
      default -> wanted = -1;
    }
    if (wanted < 0) {
      caller.open = results;
      return;
    }
    int n = Math.min(wanted, results.length);
    for (int k = 0; k < n; k++) {
      r[a + k] = results[k];
    }
    for (int k = n; k < wanted; k++) {
      r[a + k] = LuaNil.NIL;
    }
  }

  private LuaValue[] gather(LuaValue[] r, int from, int count, LuaValue[] open) {
    int total = count + open.length;
    if (total == 0) {
      return NONE;
    }
    if (total > 16) {
      pin(open);
      pin(r);
      budget.allocateValue(Tracer.ARRAY_BYTES + 8L * total);
      budget.step(total >> 3);
      unpin();
      unpin();
    }
    LuaValue[] all = new LuaValue[total];
    System.arraycopy(r, from, all, 0, count);
    System.arraycopy(open, 0, all, count, open.length);
    return all;
  }

  /** Makes a call for an instruction; returns whether frames changed, or the coroutine yields. */
  private boolean instructionCall(Frame f, int a, int count, LuaValue[] open, boolean tail) {
    LuaValue[] r = f.registers;
    LuaValue function = r[a];
    if (function instanceof LuaClosure c) {
      if (tail) {
        LuaCoroutine co = current;
        co.pop();
        budget.free(f.bytes());
        pin(r);
        push(c, r, a + 1, count, open, f.fresh, f.tailCalls + 1);
        unpin();
      } else {
        push(c, r, a + 1, count, open, false, 0);
      }
      return true;
    }
    LuaValue[] arguments = gather(r, a + 1, count, open);
    if (function instanceof NativeFunction nf) {
      LuaValue[] results = callNative(nf, arguments, CALLED_BY_LUA);
      if (yielding) {
        return true;
      }
      deliver(f, results);
      return false;
    }
    return callMethod(f, function, arguments);
  }

  private boolean callMethod(Frame f, LuaValue function, LuaValue[] arguments) {
    LuaValue method = Meta.method(function, Meta.CALL);
    if (method.isNil()) {
      boolean iterator = Op.op(f.closure.proto.code[f.pc - 1]) == Op.TFORCALL;
      throw typeError("call", function, iterator ? -1 : 0);
    }
    LuaValue[] all = prepend(function, arguments, 0, arguments.length);
    if (method instanceof LuaClosure c) {
      push(c, all, 0, all.length, NONE, false, 0);
      return true;
    }
    if (method instanceof NativeFunction nf) {
      LuaValue[] results = callNative(nf, all, CALLED_BY_LUA);
      if (yielding) {
        return true;
      }
      deliver(f, results);
      return false;
    }
    throw typeError("call", function, 0);
  }

  // ---- instructions ----------------------------------------------------------------------------

  /** Carries out the top frame until it returns to Java, or yields. */
  private LuaValue[] execute() {
    mode = IN_LUA;
    LuaCoroutine co = current;
    Budget b = budget;
    while (true) {
      Frame f = co.top();
      LuaValue[] r = f.registers;
      Proto p = f.closure.proto;
      long[] code = p.code;
      LuaValue[] k = p.constants;
      int pc = f.pc;
      boolean same = true;
      while (same) {
        if (--b.fuel < 0) {
          b.refill();
        }
        long i = code[pc++];
        f.pc = pc;
        int a = (int) (i >>> 8) & 0xFFFF;
        switch ((int) i & 0xFF) {
          case Op.MOVE -> r[a] = r[Op.b(i)];
          case Op.LOADK -> r[a] = k[Op.bc(i)];
          case Op.LOADNIL -> {
            int last = Op.b(i);
            for (int n = a; n <= last; n++) {
              r[n] = LuaNil.NIL;
            }
          }
          case Op.LOADBOOL -> {
            r[a] = Op.b(i) != 0 ? LuaBoolean.TRUE : LuaBoolean.FALSE;
            pc += Op.c(i);
          }
          case Op.NEWCELL -> {
            b.allocateValue(Cell.BYTES);
            r[a] = new Cell(r[a]);
          }
          case Op.GETCELL -> r[a] = ((Cell) r[Op.b(i)]).value;
          case Op.SETCELL -> ((Cell) r[a]).value = rk(r, k, Op.b(i));
          case Op.GETUPVAL -> r[a] = f.closure.upvalues[Op.b(i)].value;
          case Op.SETUPVAL -> f.closure.upvalues[a].value = rk(r, k, Op.b(i));
          case Op.GETGLOBAL -> r[a] = global((LuaString) k[Op.bc(i)]);
          case Op.SETGLOBAL -> setIndex(globals, k[Op.b(i)], rk(r, k, Op.c(i)));
          case Op.INDEX -> {
            LuaValue o = r[Op.b(i)];
            LuaValue key = rk(r, k, Op.c(i));
            if (o instanceof LuaTable t && key instanceof LuaNumber n) {
              int at = (int) n.value;
              LuaValue v = at == n.value ? t.get(at) : t.get(key);
              r[a] = v == LuaNil.NIL && t.metatable != null ? index(o, key) : v;
            } else {
              r[a] = index(o, key);
            }
          }
          case Op.INDEXS -> {
            LuaValue o = r[Op.b(i)];
            LuaString key = (LuaString) k[~Op.c(i)];
            if (o instanceof LuaTable t) {
              LuaValue v = t.get(key);
              r[a] = v == LuaNil.NIL && t.metatable != null ? index(o, key) : v;
            } else {
              r[a] = index(o, key);
            }
          }
          case Op.SETINDEX -> setIndex(r[a], rk(r, k, Op.b(i)), rk(r, k, Op.c(i)));
          case Op.NEWTABLE -> newTable(r, a, Op.b(i), Op.c(i));
          case Op.SETLIST -> setList(f, a, Op.b(i), Op.c(i) * Op.LIST_FLUSH);
          case Op.SELF -> {
            LuaValue o = r[Op.b(i)];
            r[a + 1] = o;
            r[a] = index(o, k[~Op.c(i)]);
          }
          case Op.ADD -> {
            LuaValue x = rk(r, k, Op.b(i));
            LuaValue y = rk(r, k, Op.c(i));
            r[a] =
                x instanceof LuaNumber m && y instanceof LuaNumber n
                    ? new LuaNumber(m.value + n.value)
                    : arithmetic(Op.ADD, x, y);
          }
          case Op.SUB -> {
            LuaValue x = rk(r, k, Op.b(i));
            LuaValue y = rk(r, k, Op.c(i));
            r[a] =
                x instanceof LuaNumber m && y instanceof LuaNumber n
                    ? new LuaNumber(m.value - n.value)
                    : arithmetic(Op.SUB, x, y);
          }
          case Op.MUL -> {
            LuaValue x = rk(r, k, Op.b(i));
            LuaValue y = rk(r, k, Op.c(i));
            r[a] =
                x instanceof LuaNumber m && y instanceof LuaNumber n
                    ? new LuaNumber(m.value * n.value)
                    : arithmetic(Op.MUL, x, y);
          }
          case Op.DIV, Op.MOD, Op.POW ->
              r[a] = arithmetic((int) i & 0xFF, rk(r, k, Op.b(i)), rk(r, k, Op.c(i)));
          case Op.UNM -> r[a] = arithmetic(Op.UNM, r[Op.b(i)], r[Op.b(i)]);
          case Op.NOT -> r[a] = r[Op.b(i)].truthy() ? LuaBoolean.FALSE : LuaBoolean.TRUE;
          case Op.LEN -> r[a] = length(r[Op.b(i)]);
          case Op.CONCAT -> r[a] = concat(r, Op.b(i), Op.c(i));
          case Op.JMP -> pc += Op.bc(i);
          case Op.JMPT -> {
            if (r[a].truthy()) {
              pc += Op.bc(i);
            }
          }
          case Op.JMPF -> {
            if (!r[a].truthy()) {
              pc += Op.bc(i);
            }
          }
          case Op.EQ -> {
            boolean yes = equal(rk(r, k, Op.b(i)), rk(r, k, Op.c(i)));
            pc += (yes == (a != 0)) ? Op.bc(code[pc]) + 1 : 1;
          }
          case Op.LT -> {
            LuaValue x = rk(r, k, Op.b(i));
            LuaValue y = rk(r, k, Op.c(i));
            boolean yes = lessThan(x, y);
            pc += (yes == (a != 0)) ? Op.bc(code[pc]) + 1 : 1;
          }
          case Op.LE -> {
            LuaValue x = rk(r, k, Op.b(i));
            LuaValue y = rk(r, k, Op.c(i));
            boolean yes = lessOrEqual(x, y);
            pc += (yes == (a != 0)) ? Op.bc(code[pc]) + 1 : 1;
          }
          case Op.CALL, Op.TAILCALL -> {
            int count = Op.b(i);
            LuaValue[] open = NONE;
            if ((count & 1) != 0) {
              open = f.open;
              f.open = NONE;
            }
            if (instructionCall(f, a, count >> 1, open, ((int) i & 0xFF) == Op.TAILCALL)) {
              if (yielding) {
                return NONE;
              }
              same = false;
            }
          }
          case Op.RETURN -> {
            LuaValue @Nullable [] results = leave(f, a, Op.b(i));
            if (results != null) {
              return results;
            }
            same = false;
          }
          case Op.FORPREP -> {
            forPrepare(r, a);
            pc += Op.bc(i);
          }
          case Op.FORLOOP -> {
            if (forLoop(r, a)) {
              pc += Op.bc(i);
            }
          }
          case Op.TFORCALL -> {
            if (iterate(f, a, Op.c(i))) {
              if (yielding) {
                return NONE;
              }
              same = false;
            }
          }
          case Op.TFORLOOP -> {
            if (r[a + 3] != LuaNil.NIL) {
              r[a + 2] = r[a + 3];
              pc += Op.bc(i);
            }
          }
          case Op.CLOSURE -> r[a] = closure(f, Op.bc(i));
          case Op.VARARG -> vararg(f, a, Op.c(i));
          default -> throw new IllegalStateException("no instruction: " + i);
        }
      }
    }
  }

  /** Leaves the coroutine with some values, if {@link #mayYield}. */
  LuaValue[] leaveCoroutine(LuaValue[] values) {
    transfer = values;
    yielding = true;
    return NONE;
  }

  private static LuaValue rk(LuaValue[] r, LuaValue[] k, int operand) {
    return operand >= 0 ? r[operand] : k[~operand];
  }

  private LuaValue global(LuaString name) {
    LuaValue v = globals.get(name);
    return v == LuaNil.NIL ? index(globals, name) : v;
  }

  private void newTable(LuaValue[] r, int a, int arraySize, int hashSize) {
    long held = budget.held();
    r[a] = new LuaTable(budget, arraySize, hashSize);
    budget.held(held);
  }

  private void setList(Frame f, int a, int countAndOpen, int stored) {
    LuaTable t = (LuaTable) f.registers[a];
    int count = countAndOpen >> 1;
    long held = budget.held();
    for (int n = 1; n <= count; n++) {
      t.set(stored + n, f.registers[a + n]);
    }
    if ((countAndOpen & 1) != 0) {
      LuaValue[] open = f.open;
      int start = stored + count;
      t.reserveArray(start + open.length);
      budget.step(open.length >> 2);
      for (int n = 0; n < open.length; n++) {
        t.set(start + n + 1, open[n]);
      }
      f.open = NONE;
    }
    budget.held(held);
  }

  /** Leaves a frame; returns the results if they go to Java, else null. */
  private LuaValue @Nullable [] leave(Frame f, int a, int countAndOpen) {
    LuaCoroutine co = current;
    int count = countAndOpen >> 1;
    co.pop();
    budget.free(f.bytes());
    if (!f.fresh && (countAndOpen & 1) == 0) {
      Frame caller = co.top();
      long i = caller.closure.proto.code[caller.pc - 1];
      if (Op.op(i) == Op.CALL && Op.c(i) > 0) {
        int wanted = Op.c(i) - 1;
        int to = Op.a(i);
        LuaValue[] r = f.registers;
        LuaValue[] into = caller.registers;
        for (int n = 0; n < wanted; n++) {
          into[to + n] = n < count ? r[a + n] : LuaNil.NIL;
        }
        return null;
      }
    }
    LuaValue[] results = gather(f.registers, a, count, (countAndOpen & 1) != 0 ? f.open : NONE);
    if (f.fresh) {
      return results;
    }
    deliver(co.top(), results);
    return null;
  }

  private LuaClosure closure(Frame f, int number) {
    Proto p = f.closure.proto.protos[number];
    budget.allocateValue(LuaClosure.bytes(p));
    int[] captures = p.captures;
    Cell[] upvalues = new Cell[captures.length];
    for (int n = 0; n < captures.length; n++) {
      int from = captures[n];
      upvalues[n] = from >= 0 ? (Cell) f.registers[from] : f.closure.upvalues[~from];
    }
    return new LuaClosure(budget.nextId(), p, upvalues);
  }

  private void vararg(Frame f, int a, int wantedPlusOne) {
    LuaValue[] varargs = f.varargs;
    if (wantedPlusOne == 0) {
      f.open = varargs;
      return;
    }
    for (int n = 0; n < wantedPlusOne - 1; n++) {
      f.registers[a + n] = n < varargs.length ? varargs[n] : LuaNil.NIL;
    }
  }

  private void forPrepare(LuaValue[] r, int a) {
    LuaNumber from = toNumber(r[a]);
    LuaNumber to = toNumber(r[a + 1]);
    LuaNumber step = toNumber(r[a + 2]);
    if (from == null) {
      throw runtimeError("'for' initial value must be a number");
    }
    if (to == null) {
      throw runtimeError("'for' limit must be a number");
    }
    if (step == null) {
      throw runtimeError("'for' step must be a number");
    }
    r[a] = new LuaNumber(from.value - step.value);
    r[a + 1] = to;
    r[a + 2] = step;
  }

  private static boolean forLoop(LuaValue[] r, int a) {
    double step = ((LuaNumber) r[a + 2]).value;
    double index = ((LuaNumber) r[a]).value + step;
    double limit = ((LuaNumber) r[a + 1]).value;
    if (step > 0 ? index <= limit : limit <= index) {
      LuaNumber n = new LuaNumber(index);
      r[a] = n;
      r[a + 3] = n;
      return true;
    }
    return false;
  }

  /** Calls the function of a generic for; returns whether frames changed. */
  private boolean iterate(Frame f, int a, int count) {
    LuaValue[] r = f.registers;
    LuaValue function = r[a];
    if (function == BaseLib.IPAIRS_STEP
        && r[a + 1] instanceof LuaTable t
        && r[a + 2] instanceof LuaNumber n) {
      int at = (int) n.value + 1;
      LuaValue v = t.get(at);
      r[a + 3] = v == LuaNil.NIL ? v : LuaNumber.of((long) at);
      for (int m = 1; m < count; m++) {
        r[a + 3 + m] = m == 1 ? v : LuaNil.NIL;
      }
      return false;
    }
    if (function == BaseLib.NEXT && r[a + 1] instanceof LuaTable t) {
      int slot = t.next(r[a + 2]);
      if (slot >= -1) {
        r[a + 3] = slot < 0 ? LuaNil.NIL : t.keyAt(slot);
        if (count > 1) {
          r[a + 4] = slot < 0 ? LuaNil.NIL : t.valueAt(slot);
          for (int n = 2; n < count; n++) {
            r[a + 3 + n] = LuaNil.NIL;
          }
        }
        return false;
      }
    }
    if (function instanceof LuaClosure c) {
      push(c, r, a + 1, 2, NONE, false, 0);
      return true;
    }
    LuaValue[] arguments = {r[a + 1], r[a + 2]};
    if (function instanceof NativeFunction nf) {
      LuaValue[] results = callNative(nf, arguments, CALLED_BY_LUA);
      if (yielding) {
        return true;
      }
      deliver(f, results);
      return false;
    }
    return callMethod(f, function, arguments);
  }

  // ---- operations with metamethods -------------------------------------------------------------

  LuaValue index(LuaValue object, LuaValue key) {
    LuaValue o = object;
    for (int loop = 0; loop < MAX_META_LOOPS; loop++) {
      LuaValue method;
      if (o instanceof LuaTable t) {
        LuaValue v = t.get(key);
        LuaTable metatable = t.metatable;
        if (v != LuaNil.NIL || metatable == null) {
          return v;
        }
        method = Meta.index(metatable);
        if (method == LuaNil.NIL) {
          return v;
        }
      } else {
        method = Meta.method(o, Meta.INDEX);
        if (method == LuaNil.NIL) {
          throw loop == 0 ? typeError("index", o, 0) : typeError("index", o, -1);
        }
      }
      if (method instanceof LuaFunction) {
        return callOne(method, o, key);
      }
      budget.step(1);
      o = method;
    }
    throw runtimeError("loop in gettable");
  }

  void setIndex(LuaValue object, LuaValue key, LuaValue value) {
    LuaValue o = object;
    for (int loop = 0; loop < MAX_META_LOOPS; loop++) {
      LuaValue method;
      if (o instanceof LuaTable t) {
        LuaTable metatable = t.metatable;
        if (metatable == null
            || (method = Meta.newIndex(metatable)) == LuaNil.NIL
            || t.get(key) != LuaNil.NIL) {
          rawSet(t, key, value);
          return;
        }
      } else {
        method = Meta.method(o, Meta.NEWINDEX);
        if (method == LuaNil.NIL) {
          throw loop == 0 ? typeError("index", o, 0) : typeError("index", o, -1);
        }
      }
      if (method instanceof LuaFunction) {
        call(method, o, key, value);
        return;
      }
      budget.step(1);
      o = method;
    }
    throw runtimeError("loop in settable");
  }

  /** Sets a field without metamethods, for an instruction. */
  private void rawSet(LuaTable t, LuaValue key, LuaValue value) {
    if (t.isReadOnly()) {
      throw runtimeError("Attempt to modify a readonly table");
    }
    if (key == LuaNil.NIL) {
      throw runtimeError("table index is nil");
    }
    if (key instanceof LuaNumber n && Double.isNaN(n.value)) {
      throw runtimeError("table index is NaN");
    }
    long held = budget.held();
    t.set(key, value);
    if (mode == IN_LUA) {
      budget.held(held);
    }
  }

  private LuaValue arithmetic(int op, LuaValue x, LuaValue y) {
    LuaNumber m = toNumber(x);
    LuaNumber n = toNumber(y);
    if (m != null && n != null) {
      return new LuaNumber(calculate(op, m.value, n.value));
    }
    LuaString name = Meta.ARITHMETIC[op - Op.ADD];
    LuaValue method = Meta.method(x, name);
    if (method == LuaNil.NIL) {
      method = Meta.method(y, name);
    }
    if (method == LuaNil.NIL) {
      throw m == null
          ? typeError("perform arithmetic on", x, 0)
          : typeError("perform arithmetic on", y, 1);
    }
    return callOne(method, x, y);
  }

  private static double calculate(int op, double x, double y) {
    return switch (op) {
      case Op.ADD -> x + y;
      case Op.SUB -> x - y;
      case Op.MUL -> x * y;
      case Op.DIV -> x / y;
      case Op.MOD -> x - Math.floor(x / y) * y;
      case Op.POW -> power(x, y);
      default -> Numbers.negate(x);
    };
  }

  /**
   * Raises to a power as C's pow: 1 to any power and any number to the power 0 are 1, even for NaN.
   */
  static double power(double x, double y) {
    if (x == 1 || (x == -1 && Double.isInfinite(y))) {
      return 1;
    }
    return Math.pow(x, y);
  }

  private LuaValue length(LuaValue value) {
    if (value instanceof LuaTable t) {
      return LuaNumber.of((long) t.length());
    }
    if (value instanceof LuaString s) {
      return LuaNumber.of((long) s.bytes.length);
    }
    LuaValue method = Meta.method(value, Meta.LEN);
    if (method == LuaNil.NIL) {
      throw typeError("get length of", value, 0);
    }
    return callOne(method, value, value);
  }

  private LuaValue concat(LuaValue[] r, int first, int last) {
    int end = last;
    while (end > first) {
      LuaValue x = r[end - 1];
      LuaValue y = r[end];
      boolean texts =
          (x instanceof LuaString || x instanceof LuaNumber)
              && (y instanceof LuaString || y instanceof LuaNumber);
      if (!texts) {
        LuaValue method = Meta.method(x, Meta.CONCAT);
        if (method == LuaNil.NIL) {
          method = Meta.method(y, Meta.CONCAT);
        }
        if (method == LuaNil.NIL) {
          boolean left = x instanceof LuaString || x instanceof LuaNumber;
          throw typeError("concatenate", left ? y : x, (left ? end : end - 1) - first);
        }
        r[--end] = callOne(method, x, y);
        continue;
      }
      int start = end - 1;
      while (start > first
          && (r[start - 1] instanceof LuaString || r[start - 1] instanceof LuaNumber)) {
        start--;
      }
      r[start] = join(r, start, end);
      end = start;
    }
    return r[first];
  }

  private LuaString join(LuaValue[] r, int start, int end) {
    long total = 0;
    long held = budget.held();
    for (int n = start; n <= end; n++) {
      if (r[n] instanceof LuaNumber x) {
        r[n] = numberToString(x);
      }
      total += ((LuaString) r[n]).bytes.length;
    }
    budget.held(held);
    if (total > Integer.MAX_VALUE - 64) {
      throw new BudgetExceeded(BudgetExceeded.Bound.MEMORY);
    }
    budget.allocateValue(LuaString.OVERHEAD + total);
    budget.bulk(total);
    byte[] all = new byte[(int) total];
    int at = 0;
    for (int n = start; n <= end; n++) {
      byte[] part = ((LuaString) r[n]).bytes;
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return LuaString.charged(all);
  }

  boolean equal(LuaValue x, LuaValue y) {
    if (x == y) {
      return !(x instanceof LuaNumber n) || !Double.isNaN(n.value);
    }
    if (x instanceof LuaTable t && y instanceof LuaTable u) {
      LuaValue method = comparison(t, u, Meta.EQ);
      return method != LuaNil.NIL && callOne(method, x, y).truthy();
    }
    if (x instanceof LuaString s && s.bytes.length > 64) {
      budget.bulk(s.bytes.length);
    }
    return LuaValue.rawEquals(x, y);
  }

  /** Returns the metamethod that both values have in common; nil if there is none. */
  private static LuaValue comparison(LuaValue x, LuaValue y, LuaString name) {
    LuaValue method = Meta.method(x, name);
    if (method == LuaNil.NIL) {
      return method;
    }
    LuaTable a = Meta.of(x);
    LuaTable b = Meta.of(y);
    if (a == b) {
      return method;
    }
    LuaValue other = Meta.method(y, name);
    return LuaValue.rawEquals(method, other) ? method : LuaNil.NIL;
  }

  boolean lessThan(LuaValue x, LuaValue y) {
    if (x instanceof LuaNumber m && y instanceof LuaNumber n) {
      return m.value < n.value;
    }
    if (x instanceof LuaString s && y instanceof LuaString t) {
      budget.bulk(Math.min(s.bytes.length, t.bytes.length));
      return s.compareTo(t) < 0;
    }
    LuaValue method = sameType(x, y) ? comparison(x, y, Meta.LT) : LuaNil.NIL;
    if (method == LuaNil.NIL) {
      throw compareError(x, y);
    }
    return callOne(method, x, y).truthy();
  }

  private boolean lessOrEqual(LuaValue x, LuaValue y) {
    if (x instanceof LuaNumber m && y instanceof LuaNumber n) {
      return m.value <= n.value;
    }
    if (x instanceof LuaString s && y instanceof LuaString t) {
      budget.bulk(Math.min(s.bytes.length, t.bytes.length));
      return s.compareTo(t) <= 0;
    }
    if (sameType(x, y)) {
      LuaValue method = comparison(x, y, Meta.LE);
      if (method != LuaNil.NIL) {
        return callOne(method, x, y).truthy();
      }
      method = comparison(y, x, Meta.LT);
      if (method != LuaNil.NIL) {
        return !callOne(method, y, x).truthy();
      }
    }
    throw compareError(x, y);
  }

  private static boolean sameType(LuaValue x, LuaValue y) {
    return x.typeName().equals(y.typeName());
  }

  private LuaError compareError(LuaValue x, LuaValue y) {
    String a = x.typeName();
    String b = y.typeName();
    return runtimeError(
        a.equals(b)
            ? "attempt to compare two " + a + " values"
            : "attempt to compare " + a + " with " + b);
  }
}

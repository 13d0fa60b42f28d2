package io.keyvalueserve.lua;

/** One call of a Lua function. */
final class Frame {
  static final LuaValue[] NONE = new LuaValue[0];

  final LuaClosure closure;
  final LuaValue[] registers;
  final LuaValue[] varargs;

  /** True if Java called: the results go to it. */
  final boolean fresh;

  /** True if a native function called, not a metamethod of Lua code. */
  final boolean calledByNative;

  /** Calls that this one replaced, as tail calls. */
  final int tailCalls;

  /** The number of the next instruction. */
  int pc;

  /** Values of the last instruction that gave any number of them. */
  LuaValue[] open = NONE;

  Frame(
      LuaClosure closure,
      LuaValue[] registers,
      LuaValue[] varargs,
      boolean fresh,
      boolean calledByNative,
      int tailCalls) {
    this.closure = closure;
    this.registers = registers;
    this.varargs = varargs;
    this.fresh = fresh;
    this.calledByNative = calledByNative;
    this.tailCalls = tailCalls;
  }

  /** Returns the bytes that the frame is charged. */
  long bytes() {
    return 96 + 32L * (registers.length + varargs.length);
  }

  int line() {
    int at = pc - 1;
    return at < 0 ? closure.proto.line : closure.proto.lines[at];
  }
}

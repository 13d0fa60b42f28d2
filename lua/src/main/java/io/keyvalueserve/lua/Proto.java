package io.keyvalueserve.lua;

import org.jspecify.annotations.Nullable;

/** The code of one function. Never changes; shared by all runs. */
final class Proto {
  /** The name of the chunk, as messages show it. */
  final String chunk;

  /** The line where the function begins, 0 for a chunk. */
  final int line;

  /** The instructions, see {@link Op}. */
  final long[] code;

  /** The line of each instruction. */
  final int[] lines;

  /** The names of the operands of each instruction that may fail, as messages show them. */
  final @Nullable String[] @Nullable [] names;

  /** Numbers and strings. */
  final LuaValue[] constants;

  /** The functions inside. */
  final Proto[] protos;

  /**
   * Where a closure finds its upvalues: a register of the function around, or the complement of an
   * upvalue's number.
   */
  final int[] captures;

  /** The number of named parameters. */
  final int parameters;

  /** True if further arguments are kept. */
  final boolean vararg;

  /** True if the register after the parameters is the table {@code arg}. */
  final boolean needsArg;

  /** The number of registers. */
  final int registers;

  /** True if the code belongs to one run, and counts as its memory. */
  final boolean counted;

  /** The last trace that counted this code, if it is counted at all. */
  int mark;

  Proto(
      String chunk,
      int line,
      long[] code,
      int[] lines,
      @Nullable String[] @Nullable [] names,
      LuaValue[] constants,
      Proto[] protos,
      int[] captures,
      int parameters,
      boolean vararg,
      boolean needsArg,
      int registers,
      boolean counted) {
    this.chunk = chunk;
    this.line = line;
    this.code = code;
    this.lines = lines;
    this.names = names;
    this.constants = constants;
    this.protos = protos;
    this.captures = captures;
    this.parameters = parameters;
    this.vararg = vararg;
    this.needsArg = needsArg;
    this.registers = registers;
    this.counted = counted;
  }

  /** Returns the bytes of this function, without those of functions inside. */
  long bytes() {
    long bytes = 400 + 16L * code.length + 4L * captures.length;
    for (@Nullable String @Nullable [] operands : names) {
      if (operands != null) {
        bytes += 24 + 60L * operands.length;
      }
    }
    for (LuaValue v : constants) {
      bytes += v instanceof LuaString s ? LuaString.OVERHEAD + s.length() : 24;
    }
    return bytes;
  }

  /** Returns the bytes of this function and of those inside. */
  long allBytes() {
    long bytes = bytes();
    for (Proto p : protos) {
      bytes += p.allBytes();
    }
    return bytes;
  }
}

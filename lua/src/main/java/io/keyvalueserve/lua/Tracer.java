package io.keyvalueserve.lua;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Adds up the bytes of all values that a run can still reach. */
final class Tracer {
  /** Bytes charged for an array without elements. */
  static final int ARRAY_BYTES = 24;

  private static final int STEPS_SHIFT = 2;

  private final int mark;
  private final Deque<LuaValue> todo = new ArrayDeque<>();
  private long bytes;
  private long visited;

  /** Makes a tracer; {@code mark} differs from those of all tracers of the run before. */
  Tracer(int mark) {
    this.mark = mark;
  }

  void visitAll(@Nullable LuaValue[] values) {
    visited += values.length;
    for (LuaValue v : values) {
      if (v != null) {
        visit(v);
      }
    }
  }

  /** Counts an array too. */
  void visitArray(@Nullable LuaValue[] values) {
    if (values.length > 0) {
      bytes += ARRAY_BYTES + 8L * values.length;
      visitAll(values);
    }
  }

  void visit(LuaValue value) {
    switch (value) {
      case LuaString s -> {
        if (s.mark != mark && !s.shared()) {
          s.mark = mark;
          bytes += LuaString.OVERHEAD + s.bytes.length;
        }
      }
      case LuaTable t -> {
        if (t.mark != mark && !t.shared()) {
          t.mark = mark;
          todo.add(t);
        }
      }
      case LuaClosure c -> {
        if (c.mark != mark) {
          c.mark = mark;
          todo.add(c);
        }
      }
      case LuaCoroutine c -> {
        if (c.mark != mark) {
          c.mark = mark;
          todo.add(c);
        }
      }
      case NativeFunction f -> {
        Cell captured = f.captured;
        if (captured != null) {
          bytes += LuaClosure.BYTES;
          visit(captured);
        }
      }
      case Cell c -> {
        bytes += Cell.BYTES;
        // A cell's value is not a cell, so this does not go deeper.
        visit(c.value);
      }
      default -> {}
    }
  }

  /** Follows everything; returns the bytes, and charges steps for the work. */
  long finish(Budget budget) {
    while (!todo.isEmpty()) {
      switch (todo.removeLast()) {
        case LuaTable t -> {
          bytes += t.bytes();
          visitAll(t.arraySlots());
          visitAll(t.nodeKeys());
          visitAll(t.nodeValues());
          LuaTable metatable = t.metatable;
          if (metatable != null) {
            visit(metatable);
          }
        }
        case LuaClosure c -> {
          bytes += LuaClosure.bytes(c.proto);
          visitCode(c.proto);
          visitAll(c.upvalues);
        }
        case LuaCoroutine c -> coroutine(c);
        default -> {}
      }
      visited++;
    }
    budget.step(visited >> STEPS_SHIFT);
    return bytes;
  }

  private void visitCode(Proto p) {
    if (p.counted && p.mark != mark) {
      p.mark = mark;
      bytes += p.bytes();
      visited += p.constants.length;
      for (Proto inner : p.protos) {
        visitCode(inner);
      }
    }
  }

  private void coroutine(LuaCoroutine c) {
    bytes += LuaCoroutine.BYTES;
    LuaClosure start = c.start;
    if (start != null) {
      visit(start);
    }
    LuaCoroutine resumer = c.resumer;
    if (resumer != null) {
      visit(resumer);
    }
    for (int i = 0; i < c.depth; i++) {
      Frame f = c.frame(i);
      bytes += f.bytes();
      visit(f.closure);
      visitAll(f.registers);
      visitAll(f.varargs);
      visitArray(f.open);
    }
  }
}

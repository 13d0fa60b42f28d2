package io.keyvalueserve.lua;

import org.jspecify.annotations.Nullable;

/** A function in Java. Those of libraries are shared by all runs. */
final class NativeFunction extends LuaFunction {
  /** The function itself. */
  @FunctionalInterface
  interface Body {
    LuaValue[] call(Run run, Args args);
  }

  final Body body;

  /** The values that the function refers to, or null. */
  final @Nullable Cell captured;

  NativeFunction(int id, Body body) {
    this(id, body, null);
  }

  NativeFunction(int id, Body body, @Nullable Cell captured) {
    super(id);
    this.body = body;
    this.captured = captured;
  }
}

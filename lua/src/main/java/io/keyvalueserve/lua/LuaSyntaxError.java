package io.keyvalueserve.lua;

/** A source text that is not Lua, in Lua's words: {@code chunk:line: what near 'token'}. */
public final class LuaSyntaxError extends Exception {
  private static final long serialVersionUID = 1;

  LuaSyntaxError(String message) {
    super(message, null, false, false);
  }
}

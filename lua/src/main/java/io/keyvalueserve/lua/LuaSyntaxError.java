package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;

/** A source text that is not Lua, in Lua's words: {@code chunk:line: what near 'token'}. */
public final class LuaSyntaxError extends Exception {
  private static final long serialVersionUID = 1;

  private final String latin;

  /** Makes an error; each character of the message is a byte. */
  LuaSyntaxError(String message) {
    super(
        new String(message.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8),
        null,
        false,
        false);
    this.latin = message;
  }

  String latin() {
    return latin;
  }
}

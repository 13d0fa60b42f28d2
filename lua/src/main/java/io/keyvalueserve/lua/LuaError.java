package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An error of a script: raised by it, by a library, or by a function of the host. */
public final class LuaError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient LuaValue value;
  private @Nullable String chunk;
  private int line;

  /** Makes an error with a value of any type, as a table with a field {@code err}. */
  public LuaError(LuaValue value) {
    super(null, null, false, false);
    this.value = value;
  }

  /** Makes an error with a text. */
  public LuaError(String message) {
    this(LuaString.constant(message));
  }

  /** Returns the error value. */
  public LuaValue value() {
    return value;
  }

  /** Returns the name of the chunk whose function was running, or null if none was. */
  public @Nullable String chunk() {
    return chunk == null
        ? null
        : new String(chunk.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Returns the line that was running, 0 if unknown. */
  public int line() {
    return line;
  }

  /** Notes where the error was raised. The first note stays. */
  void at(String where, int atLine) {
    if (chunk == null) {
      chunk = where;
      line = atLine;
    }
  }

  /** Returns the text of the error value; for a table its field {@code err}. */
  @Override
  public String getMessage() {
    if (value instanceof LuaTable t && t.get("err") instanceof LuaString s) {
      return s.toString();
    }
    return value.toString();
  }
}

package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;

/** Compiles scripts in Lua 5.1. */
public final class Lua {
  private static final int MAX_NAME = 52;
  private static final int MAX_SOURCE_NAME = 43;

  private Lua() {}

  /**
   * Compiles a source text, in time and memory that are linear in its length.
   *
   * @param source the text
   * @param chunkName how messages call it: as it is after {@code @} or {@code =}, else as a text
   * @throws LuaSyntaxError if it is not Lua
   */
  public static Script compile(byte[] source, String chunkName) throws LuaSyntaxError {
    String name = chunkName(chunkName.getBytes(StandardCharsets.UTF_8));
    try {
      return new Script(compileProto(source, name, false));
    } catch (StackOverflowError e) {
      // Not expected, as nesting is bounded; but a thread may have a very small stack.
      throw new LuaSyntaxError(name + ":1: chunk has too many syntax levels");
    }
  }

  /** Compiles; the code of a chunk that a script itself compiles counts as its memory. */
  static Proto compileProto(byte[] source, String chunk, boolean counted) throws LuaSyntaxError {
    return Compiler.compile(Parser.parse(source, chunk), chunk, counted);
  }

  /** Returns a name of a chunk as messages show it. */
  static String chunkName(byte[] name) {
    String text = new String(name, StandardCharsets.ISO_8859_1);
    if (text.startsWith("=")) {
      return text.substring(1, Math.min(text.length(), 60));
    }
    if (text.startsWith("@")) {
      String path = text.substring(1);
      return path.length() > MAX_NAME ? "..." + path.substring(path.length() - MAX_NAME) : path;
    }
    int end = 0;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    int shown = Math.min(end, MAX_SOURCE_NAME);
    String dots = shown < text.length() ? "..." : "";
    return "[string \"" + text.substring(0, shown) + dots + "\"]";
  }
}

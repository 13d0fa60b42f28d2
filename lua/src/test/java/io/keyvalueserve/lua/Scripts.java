package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.StringJoiner;

/** Runs scripts for tests, and writes down how they end. */
final class Scripts {
  private Scripts() {}

  /** Returns bounds that no harmless script reaches. */
  static Budget plenty() {
    return new Budget(20_000_000, 32 << 20, Duration.ofSeconds(60), 20_000, 10_000);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static Script compile(String source) {
    try {
      return Lua.compile(bytes(source), "@user_script");
    } catch (LuaSyntaxError e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static LuaValue[] run(String source) {
    return compile(source).run(new Environment(), plenty());
  }

  /** Returns a value as text, a byte of a string as a character. */
  static String show(LuaValue value) {
    return value instanceof LuaString s
        ? new String(s.toBytes(), StandardCharsets.ISO_8859_1)
        : value.toString();
  }

  /** Returns the values that a script returns, with bars between; or how else it ended. */
  static String outcome(String source) {
    return outcome(source, new Environment(), plenty());
  }

  static String outcome(String source, Environment environment, Budget budget) {
    try {
      Script script = Lua.compile(bytes(source), "@user_script");
      StringJoiner all = new StringJoiner("|");
      for (LuaValue v : script.run(environment, budget)) {
        all.add(show(v));
      }
      return all.toString();
    } catch (LuaSyntaxError e) {
      return "SYNTAX " + e.getMessage();
    } catch (LuaError e) {
      return "ERROR " + show(e.value());
    } catch (BudgetExceeded e) {
      return "BUDGET " + e.bound();
    }
  }
}

package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes values and errors for a function of the host. Every value is charged. */
public final class CallContext {
  private static final int EXACT_DIGITS = 17;

  /** Integers below this have no more than 17 digits. */
  private static final double EXACT = 1e17;

  private final Run run;

  CallContext(Run run) {
    this.run = run;
  }

  /** Returns the budget of the run. */
  public Budget budget() {
    return run.budget;
  }

  /**
   * Returns what the host gave to the run.
   *
   * @throws IllegalStateException if it gave nothing
   */
  public Object host() {
    Object given = run.host;
    if (given == null) {
      throw new IllegalStateException("the run was started without a host");
    }
    return given;
  }

  /** Makes a string of bytes that nobody changes from now on. */
  public LuaString lasting(byte[] bytes) {
    run.budget.allocate(LuaString.OVERHEAD + bytes.length);
    run.budget.step(bytes.length >> 4);
    return LuaString.charged(bytes);
  }

  /** Makes a string of a copy of some bytes. */
  public LuaString string(byte[] bytes) {
    return run.string(bytes, 0, bytes.length);
  }

  /** Makes a string in UTF-8. */
  public LuaString string(String text) {
    return string(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Makes an empty table. */
  public LuaTable table() {
    return new LuaTable(run.budget);
  }

  /**
   * Returns the bytes of a string or a number, as a command takes it; null for other values. A
   * number has up to 17 digits, so that it is read as the same number.
   */
  public byte @Nullable [] bytes(LuaValue value) {
    return switch (value) {
      case LuaString s -> s.toBytes();
      case LuaNumber n -> exactText(n.value()).getBytes(StandardCharsets.ISO_8859_1);
      default -> null;
    };
  }

  /** Returns a number as {@code %.17g} writes it. */
  public static String exactText(double d) {
    if (d == (long) d && Math.abs(d) < EXACT && d != 0) {
      return Long.toString((long) d);
    }
    return Numbers.general(d, EXACT_DIGITS, false, false);
  }

  /** Returns an error whose text begins with the place in the script that made the call. */
  public LuaError error(String message) {
    return run.thrown(
        BaseLib.at(run, run.where(1), string(message.getBytes(StandardCharsets.UTF_8))));
  }

  /** Returns an error with a table that has the text in its field {@code err}, as Redis 7. */
  public LuaError errorTable(String message) {
    return errorTable(message.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an error with a table that has these bytes in its field {@code err}. */
  public LuaError errorTable(byte[] message) {
    LuaTable t = table();
    t.set("err", string(message));
    return run.thrown(t);
  }
}

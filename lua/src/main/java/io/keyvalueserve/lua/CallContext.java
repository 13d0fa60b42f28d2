package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes values and errors for a function of the host. Every value is charged. */
public final class CallContext {
  private final Run run;

  CallContext(Run run) {
    this.run = run;
  }

  /** Returns the budget of the run. */
  public Budget budget() {
    return run.budget;
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

  /** Returns the bytes of a string or a number, as a command takes it; null for other values. */
  public byte @Nullable [] bytes(LuaValue value) {
    return switch (value) {
      case LuaString s -> s.toBytes();
      case LuaNumber n -> Numbers.format(n.value()).getBytes(StandardCharsets.ISO_8859_1);
      default -> null;
    };
  }

  /** Returns an error whose text begins with the place in the script that made the call. */
  public LuaError error(String message) {
    return run.thrown(
        BaseLib.at(run, run.where(1), string(message.getBytes(StandardCharsets.UTF_8))));
  }

  /** Returns an error with a table that has the text in its field {@code err}, as Redis 7. */
  public LuaError errorTable(String message) {
    LuaTable t = table();
    t.set("err", string(message));
    return run.thrown(t);
  }
}

package io.keyvalueserve.lua;

/** A function: of a script, of a library, or of the host. */
public abstract sealed class LuaFunction extends LuaValue permits LuaClosure, NativeFunction {
  private final int id;

  LuaFunction(int id) {
    this.id = id;
  }

  @Override
  public String typeName() {
    return "function";
  }

  @Override
  int hash() {
    return id;
  }

  @Override
  public String toString() {
    return String.format("function: 0x%08x", id);
  }
}

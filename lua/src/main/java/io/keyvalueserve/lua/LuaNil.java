package io.keyvalueserve.lua;

/** The value nil. */
public final class LuaNil extends LuaValue {
  public static final LuaNil NIL = new LuaNil();

  private LuaNil() {}

  @Override
  public String typeName() {
    return "nil";
  }

  @Override
  public String toString() {
    return "nil";
  }
}

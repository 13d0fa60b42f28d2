package io.keyvalueserve.lua;

/** True or false. */
public final class LuaBoolean extends LuaValue {
  public static final LuaBoolean TRUE = new LuaBoolean(1);
  public static final LuaBoolean FALSE = new LuaBoolean(0);

  private final int hash;

  private LuaBoolean(int hash) {
    this.hash = hash;
  }

  /** Returns the value for a Java boolean. */
  public static LuaBoolean of(boolean value) {
    return value ? TRUE : FALSE;
  }

  @Override
  public String typeName() {
    return "boolean";
  }

  @Override
  int hash() {
    return hash;
  }

  @Override
  public String toString() {
    return this == TRUE ? "true" : "false";
  }
}

package io.keyvalueserve.lua;

/** The null pointer that stands for JSON's null: {@code cjson.null}. */
public final class LuaPointer extends LuaValue {
  public static final LuaPointer NULL = new LuaPointer();

  private LuaPointer() {}

  @Override
  public String typeName() {
    return "userdata";
  }

  @Override
  public String toString() {
    return "userdata: (nil)";
  }
}

package io.keyvalueserve.lua;

/** A value of Lua. Values other than nil, booleans and numbers belong to one run. */
public abstract sealed class LuaValue
    permits LuaNil,
        LuaBoolean,
        LuaNumber,
        LuaString,
        LuaTable,
        LuaFunction,
        LuaCoroutine,
        LuaPointer,
        Cell {
  LuaValue() {}

  /** Returns the name of the type, as the function {@code type} returns it. */
  public abstract String typeName();

  /** Returns whether a condition takes this value as true: all values but nil and false. */
  public final boolean truthy() {
    return this != LuaNil.NIL && this != LuaBoolean.FALSE;
  }

  /** Returns whether this is nil. */
  public final boolean isNil() {
    return this == LuaNil.NIL;
  }

  /** Returns a number that orders keys in the hash part of a table. Same in every run. */
  int hash() {
    return 0;
  }

  /** Returns whether two values are equal without metamethods. */
  static boolean rawEquals(LuaValue a, LuaValue b) {
    if (a == b) {
      return !(a instanceof LuaNumber n) || !Double.isNaN(n.value);
    }
    if (a instanceof LuaNumber x) {
      return b instanceof LuaNumber y && x.value == y.value;
    }
    if (a instanceof LuaString x) {
      return b instanceof LuaString y && x.sameAs(y);
    }
    return false;
  }
}

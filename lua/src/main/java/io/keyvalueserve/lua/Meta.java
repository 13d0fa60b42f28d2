package io.keyvalueserve.lua;

import org.jspecify.annotations.Nullable;

/** Names of metamethods, and metatables of types. */
final class Meta {
  static final LuaString INDEX = LuaString.constant("__index");
  static final LuaString NEWINDEX = LuaString.constant("__newindex");
  static final LuaString CALL = LuaString.constant("__call");
  static final LuaString EQ = LuaString.constant("__eq");
  static final LuaString LT = LuaString.constant("__lt");
  static final LuaString LE = LuaString.constant("__le");
  static final LuaString UNM = LuaString.constant("__unm");
  static final LuaString LEN = LuaString.constant("__len");
  static final LuaString CONCAT = LuaString.constant("__concat");
  static final LuaString TOSTRING = LuaString.constant("__tostring");
  static final LuaString METATABLE = LuaString.constant("__metatable");

  /** Names by the number of the operation, less {@link Op#ADD}. */
  static final LuaString[] ARITHMETIC = {
    LuaString.constant("__add"),
    LuaString.constant("__sub"),
    LuaString.constant("__mul"),
    LuaString.constant("__div"),
    LuaString.constant("__mod"),
    LuaString.constant("__pow"),
    UNM
  };

  /** Bits of {@link LuaTable#absent}. */
  private static final int INDEX_BIT = 1;

  private static final int NEWINDEX_BIT = 2;

  private Meta() {}

  static LuaValue index(LuaTable metatable) {
    return cached(metatable, INDEX, INDEX_BIT);
  }

  static LuaValue newIndex(LuaTable metatable) {
    return cached(metatable, NEWINDEX, NEWINDEX_BIT);
  }

  private static LuaValue cached(LuaTable metatable, LuaString name, int bit) {
    if ((metatable.absent & bit) != 0) {
      return LuaNil.NIL;
    }
    LuaValue method = metatable.get(name);
    if (method == LuaNil.NIL) {
      metatable.absent |= bit;
    }
    return method;
  }

  static @Nullable LuaTable of(LuaValue value) {
    if (value instanceof LuaTable t) {
      return t.metatable;
    }
    return value instanceof LuaString ? StringLib.METATABLE : null;
  }

  static LuaValue method(LuaValue value, LuaString name) {
    LuaTable metatable = of(value);
    return metatable == null ? LuaNil.NIL : metatable.get(name);
  }
}

package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

/** The library {@code os}, of which scripts have the clock alone. */
final class OsLib {
  private static final double NANOS = 1e9;

  static final LuaTable TABLE =
      new Library(0x800)
          .add("clock", (run, args) -> one(LuaNumber.of(System.nanoTime() / NANOS)))
          .protect();

  private OsLib() {}
}

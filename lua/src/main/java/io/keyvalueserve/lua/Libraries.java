package io.keyvalueserve.lua;

/** The globals of every run but those that the host gives. */
final class Libraries {
  /** The metatable of the globals: a name without a value is an error. */
  private static final LuaTable STRICT =
      new Library(0xE00)
          .add(
              "__index",
              (run, args) -> {
                throw run.error(
                    "Script attempted to access nonexistent global variable '"
                        + (args.at(2) instanceof LuaString s ? s.latin() : args.at(2).typeName())
                        + "'");
              })
          .protect();

  private static final LuaTable GLOBALS = globals();

  private Libraries() {}

  private static LuaTable globals() {
    Library globals = new Library(0x110);
    BaseLib.addTo(globals);
    globals
        .add("string", StringLib.TABLE)
        .add("table", TableLib.TABLE)
        .add("math", MathLib.TABLE)
        .add("coroutine", CoroutineLib.TABLE)
        .add("os", OsLib.TABLE)
        .add("bit", BitLib.TABLE)
        .add("struct", StructLib.TABLE)
        .add("cjson", Json.TABLE)
        .add("cmsgpack", MsgPack.TABLE);
    LuaTable table = globals.table();
    table.metatable = STRICT;
    return table;
  }

  /** Returns a copy of the globals that can be added to. */
  static LuaTable newGlobals() {
    return GLOBALS.sharedCopy();
  }
}

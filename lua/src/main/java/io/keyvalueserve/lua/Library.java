package io.keyvalueserve.lua;

/** Fills a table that all runs share with functions. */
final class Library {
  private final LuaTable table;
  private int id;

  /** Makes an empty one. Ids of tables and functions begin with {@code id}. */
  Library(int id) {
    this.id = id;
    this.table = new LuaTable(id);
  }

  Library add(String name, NativeFunction.Body body) {
    return add(name, new NativeFunction(++id, body));
  }

  Library add(String name, LuaValue value) {
    table.set(name, value);
    return this;
  }

  /** Returns the table, which from now on is read-only. */
  LuaTable protect() {
    table.protect();
    return table;
  }

  LuaTable table() {
    return table;
  }
}

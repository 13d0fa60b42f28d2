package io.keyvalueserve.lua;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what the host gives to a run: keys, arguments, functions and constants. May be used for
 * many runs, on several threads, if it is not changed meanwhile.
 */
public final class Environment {
  private final Map<String, Map<String, Object>> modules = new LinkedHashMap<>();
  private List<byte[]> keys = List.of();
  private List<byte[]> arguments = List.of();

  /** Sets the strings of the table {@code KEYS}. */
  public Environment keys(List<byte[]> values) {
    keys = new ArrayList<>(values);
    return this;
  }

  /** Sets the strings of the table {@code ARGV}. */
  public Environment arguments(List<byte[]> values) {
    arguments = new ArrayList<>(values);
    return this;
  }

  /** Adds a function to a global table, as {@code call} to {@code redis}. */
  public Environment function(String table, String name, HostFunction function) {
    module(table).put(name, function);
    return this;
  }

  /** Adds a constant number to a global table. */
  public Environment constant(String table, String name, double value) {
    module(table).put(name, LuaNumber.of(value));
    return this;
  }

  /** Adds a constant text to a global table. */
  public Environment constant(String table, String name, String value) {
    module(table).put(name, LuaString.constant(value));
    return this;
  }

  private Map<String, Object> module(String table) {
    return modules.computeIfAbsent(table, key -> new LinkedHashMap<>());
  }

  /** Returns the globals of a run, which are read-only but for what is in KEYS and ARGV. */
  LuaTable globals(Budget budget) {
    LuaTable globals = Libraries.globalsFor(budget);
    modules.forEach((name, fields) -> globals.set(name, table(budget, fields)));
    globals.set("KEYS", strings(budget, keys));
    globals.set("ARGV", strings(budget, arguments));
    globals.protect();
    return globals;
  }

  private static LuaTable table(Budget budget, Map<String, Object> fields) {
    LuaTable t = new LuaTable(budget);
    fields.forEach(
        (name, field) -> {
          LuaValue value =
              field instanceof HostFunction f
                  ? new NativeFunction(
                      budget.nextId(), (run, args) -> f.call(new CallContext(run), args.values))
                  : (LuaValue) field;
          t.set(name, value);
        });
    t.protect();
    return t;
  }

  private static LuaTable strings(Budget budget, List<byte[]> values) {
    LuaTable t = new LuaTable(budget);
    for (int i = 0; i < values.size(); i++) {
      byte[] bytes = values.get(i);
      budget.allocate(LuaString.OVERHEAD + bytes.length);
      t.set(i + 1, LuaString.charged(bytes.clone()));
    }
    return t;
  }
}

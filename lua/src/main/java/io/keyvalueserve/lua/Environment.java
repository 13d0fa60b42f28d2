package io.keyvalueserve.lua;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the host gives to a run: keys, arguments, functions and constants. May be used for
 * many runs, on several threads, if it is not changed after the first of them.
 */
public final class Environment {
  /** The ids of tables and functions that the host gives begin here. */
  private static final int FIRST_ID = 0xF00;

  private static final int IDS_OF_A_TABLE = 0x40;

  private static final LuaString SELF = LuaString.constant("_G");
  private static final LuaString KEYS = LuaString.constant("KEYS");
  private static final LuaString ARGV = LuaString.constant("ARGV");

  private final Map<String, Map<String, Object>> modules = new LinkedHashMap<>();
  private volatile @Nullable LuaTable template;
  private List<byte[]> keys = List.of();
  private List<byte[]> arguments = List.of();

  /** Sets the strings of the table {@code KEYS}. Nobody may change the arrays afterwards. */
  public Environment keys(List<byte[]> values) {
    keys = new ArrayList<>(values);
    return this;
  }

  /** Sets the strings of the table {@code ARGV}. Nobody may change the arrays afterwards. */
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
    return globals(budget, keys, arguments);
  }

  /** Returns the globals of a run with other keys and arguments. */
  LuaTable globals(Budget budget, List<byte[]> runKeys, List<byte[]> runArguments) {
    LuaTable known = template;
    if (known == null) {
      known = newTemplate();
      template = known;
    }
    LuaTable globals = new LuaTable(budget, known);
    globals.set(SELF, globals);
    globals.set(KEYS, strings(budget, runKeys));
    globals.set(ARGV, strings(budget, runArguments));
    globals.protect();
    return globals;
  }

  /** Makes the globals that each run gets a copy of. */
  private LuaTable newTemplate() {
    LuaTable globals = Libraries.newGlobals();
    int id = FIRST_ID;
    for (Map.Entry<String, Map<String, Object>> module : modules.entrySet()) {
      globals.set(module.getKey(), table(id, module.getValue()));
      id += IDS_OF_A_TABLE;
    }
    for (LuaString name : List.of(SELF, KEYS, ARGV)) {
      globals.set(name, LuaBoolean.FALSE); // has a place, so that a run need not make one
    }
    return globals;
  }

  private static LuaTable table(int id, Map<String, Object> fields) {
    Library library = new Library(id);
    fields.forEach(
        (name, field) -> {
          if (field instanceof HostFunction f) {
            library.add(name, (run, args) -> f.call(new CallContext(run), args.values));
          } else {
            library.add(name, (LuaValue) field);
          }
        });
    return library.protect();
  }

  private static LuaTable strings(Budget budget, List<byte[]> values) {
    int count = values.size();
    LuaTable t = new LuaTable(budget, count, 0);
    for (int i = 0; i < count; i++) {
      byte[] bytes = values.get(i);
      budget.allocate(LuaString.OVERHEAD + bytes.length);
      t.set(i + 1, LuaString.charged(bytes));
    }
    return t;
  }
}

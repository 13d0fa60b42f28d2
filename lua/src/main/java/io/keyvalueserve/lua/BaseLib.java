package io.keyvalueserve.lua;

import java.util.Arrays;

/** The basic functions. */
final class BaseLib {
  static final NativeFunction NEXT = new NativeFunction(0x101, BaseLib::next);
  static final NativeFunction IPAIRS_STEP = new NativeFunction(0x102, BaseLib::ipairsStep);

  /** The most values that {@code unpack} and the like return, as in Redis. */
  static final int MAX_RESULTS = 8000;

  private static final int BYTES_PER_SOURCE_BYTE = 200;
  private static final int MAX_HANDLER_ERRORS = 10;
  private static final LuaString ERR = LuaString.constant("err");
  private static final LuaString HASH = LuaString.constant("#");

  private BaseLib() {}

  static void addTo(Library globals) {
    globals
        .add("assert", BaseLib::assertTrue)
        .add("collectgarbage", BaseLib::collectGarbage)
        .add("error", BaseLib::error)
        .add("gcinfo", (run, args) -> one(LuaNumber.of(run.budget.bytes() >> 10)))
        .add("getmetatable", BaseLib::getMetatable)
        .add("ipairs", BaseLib::ipairs)
        .add("load", BaseLib::load)
        .add("loadstring", BaseLib::loadString)
        .add("next", NEXT)
        .add("pairs", BaseLib::pairs)
        .add("pcall", BaseLib::pcall)
        .add("rawequal", BaseLib::rawEqual)
        .add("rawget", BaseLib::rawGet)
        .add("rawset", BaseLib::rawSet)
        .add("select", BaseLib::select)
        .add("setmetatable", BaseLib::setMetatable)
        .add("tonumber", BaseLib::toNumber)
        .add("tostring", (run, args) -> one(run.toText(args.any(1))))
        .add("type", (run, args) -> one(typeName(args.any(1))))
        .add("unpack", BaseLib::unpack)
        .add("xpcall", BaseLib::xpcall)
        .add("_VERSION", LuaString.constant("Lua 5.1"));
  }

  static LuaValue[] one(LuaValue value) {
    return new LuaValue[] {value};
  }

  private static final LuaString TYPE_NIL = LuaString.constant("nil");
  private static final LuaString TYPE_BOOLEAN = LuaString.constant("boolean");
  private static final LuaString TYPE_NUMBER = LuaString.constant("number");
  private static final LuaString TYPE_STRING = LuaString.constant("string");
  private static final LuaString TYPE_TABLE = LuaString.constant("table");
  private static final LuaString TYPE_FUNCTION = LuaString.constant("function");
  private static final LuaString TYPE_THREAD = LuaString.constant("thread");
  private static final LuaString TYPE_USERDATA = LuaString.constant("userdata");

  private static LuaString typeName(LuaValue value) {
    return switch (value) {
      case LuaNil v -> TYPE_NIL;
      case LuaBoolean v -> TYPE_BOOLEAN;
      case LuaNumber v -> TYPE_NUMBER;
      case LuaString v -> TYPE_STRING;
      case LuaTable v -> TYPE_TABLE;
      case LuaFunction v -> TYPE_FUNCTION;
      case LuaCoroutine v -> TYPE_THREAD;
      default -> TYPE_USERDATA;
    };
  }

  private static LuaValue[] assertTrue(Run run, Args args) {
    if (!args.any(1).truthy()) {
      LuaString message =
          args.at(2).isNil() ? LuaString.constant("assertion failed!") : args.string(2);
      throw run.thrown(at(run, run.where(1), message));
    }
    return args.values;
  }

  private static LuaValue[] collectGarbage(Run run, Args args) {
    String option = args.at(1).isNil() ? "collect" : args.string(1).latin();
    return switch (option) {
      case "count" -> one(LuaNumber.of(run.budget.bytes() / 1024.0));
      case "collect", "stop", "restart", "setpause", "setstepmul" -> one(LuaNumber.of(0));
      case "step" -> one(LuaBoolean.TRUE);
      default -> throw args.error(1, "invalid option '" + option + "'");
    };
  }

  /** Returns a message with a place before it. */
  static LuaString at(Run run, String where, LuaString message) {
    return where.isEmpty() ? message : new Buffer(run.budget).add(where).add(message).finish();
  }

  private static LuaValue[] error(Run run, Args args) {
    LuaValue value = args.at(1);
    int level = (int) args.integer(2, 1);
    if (level > 0 && (value instanceof LuaString || value instanceof LuaNumber)) {
      value = at(run, run.where(level), args.string(1));
    }
    throw run.thrown(value);
  }

  private static LuaValue[] getMetatable(Run run, Args args) {
    LuaTable metatable = Meta.of(args.any(1));
    if (metatable == null) {
      return one(LuaNil.NIL);
    }
    LuaValue shown = metatable.get(Meta.METATABLE);
    return one(shown.isNil() ? metatable : shown);
  }

  private static LuaValue[] setMetatable(Run run, Args args) {
    LuaTable table = args.table(1);
    LuaValue metatable = args.at(2);
    if (!args.has(2) || !(metatable.isNil() || metatable instanceof LuaTable)) {
      throw args.error(2, "nil or table expected");
    }
    LuaTable before = table.metatable;
    if (before != null && !before.get(Meta.METATABLE).isNil()) {
      throw run.error("cannot change a protected metatable");
    }
    table.checkWritable();
    table.metatable = metatable instanceof LuaTable t ? t : null;
    return one(table);
  }

  private static LuaValue[] ipairs(Run run, Args args) {
    return new LuaValue[] {IPAIRS_STEP, args.table(1), LuaNumber.of(0)};
  }

  private static LuaValue[] ipairsStep(Run run, Args args) {
    int at = (int) args.integer(2) + 1;
    LuaValue v = args.table(1).get(at);
    return v.isNil() ? one(v) : new LuaValue[] {LuaNumber.of((long) at), v};
  }

  private static LuaValue[] pairs(Run run, Args args) {
    return new LuaValue[] {NEXT, args.table(1), LuaNil.NIL};
  }

  private static LuaValue[] next(Run run, Args args) {
    LuaTable t = args.table(1);
    int slot = t.next(args.at(2));
    if (slot == -2) {
      throw run.errorWithoutPlace("invalid key to 'next'");
    }
    return slot < 0 ? one(LuaNil.NIL) : new LuaValue[] {t.keyAt(slot), t.valueAt(slot)};
  }

  private static LuaValue[] load(Run run, Args args) {
    LuaFunction reader = args.function(1);
    LuaString name = args.at(2).isNil() ? LuaString.constant("=(load)") : args.string(2);
    Buffer source = new Buffer(run.budget);
    while (true) {
      LuaValue piece = run.callOne(reader);
      if (piece.isNil()) {
        break;
      }
      if (!(piece instanceof LuaString) && !(piece instanceof LuaNumber)) {
        return new LuaValue[] {
          LuaNil.NIL, LuaString.constant("reader function must return a string")
        };
      }
      LuaString text = piece instanceof LuaNumber n ? run.numberToString(n) : (LuaString) piece;
      if (text.length() == 0) {
        break;
      }
      source.add(text);
    }
    return compile(run, source.finish(), name);
  }

  private static LuaValue[] loadString(Run run, Args args) {
    LuaString source = args.string(1);
    return compile(run, source, args.at(2).isNil() ? source : args.string(2));
  }

  private static LuaValue[] compile(Run run, LuaString source, LuaString name) {
    run.budget.step(source.length());
    run.budget.allocate((long) BYTES_PER_SOURCE_BYTE * source.length());
    try {
      Proto proto = Lua.compileProto(source.bytes, Lua.chunkName(name.bytes), true);
      run.budget.allocate(proto.allBytes());
      return one(new LuaClosure(run.budget.nextId(), proto, new Cell[0]));
    } catch (LuaSyntaxError e) {
      return new LuaValue[] {LuaNil.NIL, run.string(e.latin())};
    }
  }

  private static LuaValue[] rest(LuaValue[] values, int from) {
    return from >= values.length ? Args.NONE : Arrays.copyOfRange(values, from, values.length);
  }

  private static LuaValue[] prepend(LuaValue first, LuaValue[] values) {
    LuaValue[] all = new LuaValue[values.length + 1];
    all[0] = first;
    System.arraycopy(values, 0, all, 1, values.length);
    return all;
  }

  private static LuaValue[] pcall(Run run, Args args) {
    LuaValue function = args.any(1);
    Run.Mark mark = run.mark();
    try {
      LuaValue[] results = run.call(function, rest(args.values, 1));
      return prepend(LuaBoolean.TRUE, results);
    } catch (LuaError e) {
      run.unwind(mark);
      return new LuaValue[] {LuaBoolean.FALSE, messageOf(e.value())};
    }
  }

  /** Returns the text of an error of the host, as Redis 7.0 does; other values as they are. */
  private static LuaValue messageOf(LuaValue error) {
    return error instanceof LuaTable t && t.get(ERR) instanceof LuaString text ? text : error;
  }

  private static LuaValue[] xpcall(Run run, Args args) {
    LuaValue handler = args.any(2);
    Run.Mark mark = run.mark();
    LuaValue error;
    try {
      return prepend(LuaBoolean.TRUE, run.call(args.at(1)));
    } catch (LuaError e) {
      run.unwind(mark);
      error = e.value();
    }
    for (int i = 0; i < MAX_HANDLER_ERRORS; i++) {
      try {
        return new LuaValue[] {LuaBoolean.FALSE, run.callOne(handler, error)};
      } catch (LuaError e) {
        run.unwind(mark);
        error = e.value();
      }
    }
    return new LuaValue[] {LuaBoolean.FALSE, LuaString.constant("error in error handling")};
  }

  private static LuaValue[] rawEqual(Run run, Args args) {
    return one(LuaBoolean.of(LuaValue.rawEquals(args.any(1), args.any(2))));
  }

  private static LuaValue[] rawGet(Run run, Args args) {
    return one(args.table(1).get(args.any(2)));
  }

  private static LuaValue[] rawSet(Run run, Args args) {
    LuaTable t = args.table(1);
    LuaValue key = args.any(2);
    LuaValue value = args.any(3);
    t.checkWritable();
    if (key.isNil()) {
      throw run.errorWithoutPlace("table index is nil");
    }
    if (key instanceof LuaNumber n && Double.isNaN(n.value)) {
      throw run.errorWithoutPlace("table index is NaN");
    }
    t.set(key, value);
    return one(t);
  }

  private static LuaValue[] select(Run run, Args args) {
    int count = args.count();
    if (args.at(1) instanceof LuaString s && s.sameAs(HASH)) {
      return one(LuaNumber.of((long) count - 1));
    }
    long n = args.integer(1);
    if (n < 0) {
      n += count;
    } else if (n > count) {
      n = count;
    }
    if (n < 1) {
      throw args.error(1, "index out of range");
    }
    return rest(args.values, (int) n);
  }

  private static LuaValue[] toNumber(Run run, Args args) {
    long base = args.integer(2, 10);
    if (base == 10) {
      LuaNumber n = Run.toNumber(args.any(1));
      return one(n == null ? LuaNil.NIL : n);
    }
    byte[] s = args.string(1).bytes;
    if (base < 2 || base > 36) {
      throw args.error(2, "base out of range");
    }
    return one(parse(s, (int) base));
  }

  /** Reads an unsigned integer as C's strtoul does, with its wrap-around of negative ones. */
  private static LuaValue parse(byte[] s, int base) {
    int at = 0;
    while (at < s.length && isSpace(s[at])) {
      at++;
    }
    boolean negative = at < s.length && s[at] == '-';
    if (at < s.length && (s[at] == '-' || s[at] == '+')) {
      at++;
    }
    if (base == 16
        && at + 2 < s.length
        && s[at] == '0'
        && (s[at + 1] | 0x20) == 'x'
        && Character.digit(s[at + 2], 16) >= 0) {
      at += 2;
    }
    int first = at;
    long value = 0;
    boolean overflow = false;
    while (at < s.length && Character.digit((char) (s[at] & 0xFF), base) >= 0 && s[at] > 0) {
      int digit = Character.digit(s[at], base);
      overflow |= Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, base)) > 0;
      value = value * base + digit;
      at++;
    }
    if (at == first) {
      return LuaNil.NIL;
    }
    while (at < s.length && isSpace(s[at])) {
      at++;
    }
    if (at < s.length) {
      return LuaNil.NIL;
    }
    long unsigned = overflow ? -1 : negative ? -value : value;
    double d = unsigned >= 0 ? unsigned : ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
    return LuaNumber.of(d);
  }

  private static boolean isSpace(int c) {
    return c == ' ' || (c >= 9 && c <= 13);
  }

  private static LuaValue[] unpack(Run run, Args args) {
    LuaTable t = args.table(1);
    long from = (int) args.integer(2, 1);
    long to = args.at(3).isNil() ? t.length() : (int) args.integer(3);
    if (from > to) {
      return Args.NONE;
    }
    long count = to - from + 1;
    if (count + args.count() > MAX_RESULTS) {
      throw run.error("too many results to unpack");
    }
    run.budget.step(count >> 2);
    run.budget.allocate(Tracer.ARRAY_BYTES + 8 * count);
    LuaValue[] values = new LuaValue[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = t.get((int) from + i);
    }
    return values;
  }
}

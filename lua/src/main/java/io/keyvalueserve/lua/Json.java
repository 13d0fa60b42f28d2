package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.util.ArrayDeque;
import java.util.Deque;

/** The library {@code cjson}. Its settings last as long as the run. */
final class Json {
  /** Bytes charged for a level of nesting that is read or written. */
  private static final int BYTES_OF_LEVEL = 64;

  private static final int DEFAULT_NESTING = 1000;
  private static final int MAX_PRECISION = 14;
  private static final String HEX = "0123456789abcdef";

  static final LuaTable TABLE = table(0xB00);

  /** The settings of a run. */
  static final class Config {
    boolean sparseConvert;
    int sparseRatio = 2;
    int sparseSafe = 10;
    int encodeDepth = DEFAULT_NESTING;
    int decodeDepth = DEFAULT_NESTING;
    int precision = MAX_PRECISION;
    boolean keepBuffer = true;

    /** 0 refuses NaN and infinity, 1 writes them, 2 writes null. */
    int encodeInvalid;

    boolean decodeInvalid = true;
  }

  private Json() {}

  private static LuaTable table(int id) {
    return new Library(id)
        .add("encode", Json::encode)
        .add("decode", Json::decode)
        .add("encode_sparse_array", Json::sparseArray)
        .add("encode_max_depth", Json::encodeMaxDepth)
        .add("decode_max_depth", Json::decodeMaxDepth)
        .add("encode_number_precision", Json::numberPrecision)
        .add("encode_keep_buffer", Json::keepBuffer)
        .add("encode_invalid_numbers", Json::encodeInvalid)
        .add("decode_invalid_numbers", Json::decodeInvalid)
        .add("new", (run, args) -> one(Json.TABLE))
        .add("null", LuaPointer.NULL)
        .add("_NAME", LuaString.constant("cjson"))
        .add("_VERSION", LuaString.constant("2.1.0"))
        .protect();
  }

  // ---- settings --------------------------------------------------------------------------------

  private static void atMost(Args args, int count) {
    if (args.count() > count) {
      throw args.error(count + 1, "found too many arguments");
    }
  }

  private static int integer(Args args, int n, int now, int least, int most) {
    if (args.at(n).isNil()) {
      return now;
    }
    long value = args.integer(n);
    if (value < least || value > most) {
      throw args.error(n, "expected integer between " + least + " and " + most);
    }
    return (int) value;
  }

  private static boolean onOrOff(Args args, int n, boolean now) {
    LuaValue v = args.at(n);
    if (v.isNil()) {
      return now;
    }
    if (v instanceof LuaBoolean b) {
      return b.truthy();
    }
    LuaString s = args.string(n);
    if (s.is("on") || s.is("off")) {
      return s.is("on");
    }
    throw args.error(n, "invalid option '" + s.latin() + "'");
  }

  private static LuaValue[] sparseArray(Run run, Args args) {
    Config c = run.json;
    atMost(args, 3);
    c.sparseConvert = onOrOff(args, 1, c.sparseConvert);
    c.sparseRatio = integer(args, 2, c.sparseRatio, 0, Integer.MAX_VALUE);
    c.sparseSafe = integer(args, 3, c.sparseSafe, 0, Integer.MAX_VALUE);
    return new LuaValue[] {
      LuaBoolean.of(c.sparseConvert),
      LuaNumber.of((long) c.sparseRatio),
      LuaNumber.of((long) c.sparseSafe)
    };
  }

  private static LuaValue[] encodeMaxDepth(Run run, Args args) {
    atMost(args, 1);
    run.json.encodeDepth = integer(args, 1, run.json.encodeDepth, 1, Integer.MAX_VALUE);
    return one(LuaNumber.of((long) run.json.encodeDepth));
  }

  private static LuaValue[] decodeMaxDepth(Run run, Args args) {
    atMost(args, 1);
    run.json.decodeDepth = integer(args, 1, run.json.decodeDepth, 1, Integer.MAX_VALUE);
    return one(LuaNumber.of((long) run.json.decodeDepth));
  }

  private static LuaValue[] numberPrecision(Run run, Args args) {
    atMost(args, 1);
    run.json.precision = integer(args, 1, run.json.precision, 1, MAX_PRECISION);
    return one(LuaNumber.of((long) run.json.precision));
  }

  private static LuaValue[] keepBuffer(Run run, Args args) {
    atMost(args, 1);
    run.json.keepBuffer = onOrOff(args, 1, run.json.keepBuffer);
    return one(LuaBoolean.of(run.json.keepBuffer));
  }

  private static LuaValue[] encodeInvalid(Run run, Args args) {
    atMost(args, 1);
    Config c = run.json;
    if (args.at(1) instanceof LuaString s && s.is("null")) {
      c.encodeInvalid = 2;
    } else if (!args.at(1).isNil()) {
      c.encodeInvalid = onOrOff(args, 1, false) ? 1 : 0;
    }
    return one(
        c.encodeInvalid == 2 ? LuaString.constant("null") : LuaBoolean.of(c.encodeInvalid == 1));
  }

  private static LuaValue[] decodeInvalid(Run run, Args args) {
    atMost(args, 1);
    run.json.decodeInvalid = onOrOff(args, 1, run.json.decodeInvalid);
    return one(LuaBoolean.of(run.json.decodeInvalid));
  }

  // ---- encoding --------------------------------------------------------------------------------

  private static LuaValue[] encode(Run run, Args args) {
    if (args.count() != 1) {
      throw args.error(1, "expected 1 argument");
    }
    Buffer out = new Buffer(run.budget, 64);
    new Encoder(run, out, new ArrayDeque<>()).document(args.at(1));
    return one(out.finish());
  }

  /** A table that is being written: an array of a length, or an object. */
  private static final class Open {
    final LuaTable table;
    final long length;

    /** The index of the last element, or the last slot. */
    int at;

    Open(LuaTable table, long length) {
      this.table = table;
      this.length = length;
      this.at = length > 0 ? 0 : -1;
    }
  }

  private record Encoder(Run run, Buffer out, Deque<Open> open) {
    private LuaError cannot(LuaValue value, String why) {
      return run.error("Cannot serialise " + value.typeName() + ": " + why);
    }

    /** Writes a value and all inside. Nesting is on the heap, not on the stack of the thread. */
    void document(LuaValue value) {
      value(value);
      while (!open.isEmpty()) {
        Open o = open.getLast();
        if (o.length > 0) {
          element(o);
        } else {
          field(o);
        }
      }
    }

    private void element(Open o) {
      if (o.at == o.length) {
        out.add(']');
        open.removeLast();
        return;
      }
      if (o.at > 0) {
        out.add(',');
      }
      value(o.table.get(++o.at));
    }

    private void field(Open o) {
      int slot = o.table.nextSlot(o.at + 1);
      if (slot < 0) {
        out.add('}');
        open.removeLast();
        return;
      }
      if (o.at >= 0) {
        out.add(',');
      }
      o.at = slot;
      switch (o.table.keyAt(slot)) {
        case LuaNumber n -> {
          out.add('"');
          number(n);
          out.add("\":");
        }
        case LuaString s -> {
          string(s);
          out.add(':');
        }
        case LuaValue key -> throw cannot(key, "table key must be a number or string");
      }
      value(o.table.valueAt(slot));
    }

    private void value(LuaValue value) {
      run.budget.step(1);
      switch (value) {
        case LuaString s -> string(s);
        case LuaNumber n -> number(n);
        case LuaBoolean b -> out.add(b.toString());
        case LuaTable t -> table(t);
        case LuaNil n -> out.add("null");
        case LuaPointer p -> out.add("null");
        default -> throw cannot(value, "type not supported");
      }
    }

    private void table(LuaTable t) {
      int depth = open.size() + 1;
      if (depth > run.json.encodeDepth) {
        throw run.error("Cannot serialise, excessive nesting (" + depth + ")");
      }
      run.budget.allocate(BYTES_OF_LEVEL);
      Open o = new Open(t, arrayLength(t));
      out.add(o.length > 0 ? '[' : '{');
      open.addLast(o);
    }

    private void string(LuaString s) {
      out.add('"');
      run.budget.step(s.length() >> 3);
      byte[] bytes = s.bytes;
      int done = 0;
      for (int i = 0; i < bytes.length; i++) {
        int c = bytes[i] & 0xFF;
        if (c >= 32 && c != '"' && c != '\\' && c != '/' && c != 127) {
          continue;
        }
        out.add(bytes, done, i - done);
        done = i + 1;
        switch (c) {
          case '"', '\\', '/' -> out.add('\\').add(c);
          case '\b' -> out.add("\\b");
          case '\f' -> out.add("\\f");
          case '\n' -> out.add("\\n");
          case '\r' -> out.add("\\r");
          case '\t' -> out.add("\\t");
          default -> out.add("\\u00").add(HEX.charAt(c >> 4)).add(HEX.charAt(c & 15));
        }
      }
      out.add(bytes, done, bytes.length - done);
      out.add('"');
    }

    private void number(LuaNumber n) {
      double d = n.value;
      if (Double.isNaN(d) || Double.isInfinite(d)) {
        switch (run.json.encodeInvalid) {
          case 0 -> throw cannot(n, "must not be NaN or Inf");
          case 1 -> out.add(Double.isNaN(d) ? "nan" : Numbers.special(d));
          default -> out.add("null");
        }
        return;
      }
      out.add(
          run.json.precision == MAX_PRECISION
              ? run.format(d)
              : Numbers.general(d, run.json.precision, false, false));
    }

    /** Returns the length of an array; -1 for an object. */
    private long arrayLength(LuaTable t) {
      double most = 0;
      int items = 0;
      for (int slot = t.nextSlot(0); slot >= 0; slot = t.nextSlot(slot + 1)) {
        run.budget.step(1);
        if (!(t.keyAt(slot) instanceof LuaNumber n)
            || n.value < 1
            || Math.floor(n.value) != n.value) {
          return -1;
        }
        most = Math.max(most, n.value);
        items++;
      }
      Config c = run.json;
      int max = (int) most;
      if (c.sparseRatio > 0 && max > (long) items * c.sparseRatio && max > c.sparseSafe) {
        if (!c.sparseConvert) {
          throw run.error("Cannot serialise table: excessively sparse array");
        }
        return -1;
      }
      return max;
    }
  }

  // ---- decoding --------------------------------------------------------------------------------

  private static LuaValue[] decode(Run run, Args args) {
    if (args.count() != 1) {
      throw args.error(1, "expected 1 argument");
    }
    byte[] text = args.string(1).bytes;
    if (text.length >= 2 && (text[0] == 0 || text[1] == 0)) {
      throw run.error("JSON parser does not support UTF-16 or UTF-32");
    }
    return one(new Decoder(run, text).document());
  }

  /** A parser that goes down once for each level of nesting. */
  private static final class Decoder {
    private static final int END = 0;
    private static final int STRING = 1;
    private static final int NUMBER = 2;
    private static final int BOOLEAN = 3;
    private static final int NULL = 4;
    private static final int ERROR = 5;
    private static final String[] NAMES = {
      "T_END", "T_STRING", "T_NUMBER", "T_BOOLEAN", "T_NULL", "T_ERROR"
    };

    private final Run run;
    private final byte[] s;
    private int at;

    /** The current token: one of those above, or the character itself. */
    private int token;

    private int tokenStart;
    private LuaValue value = LuaNil.NIL;
    private String fault = "";

    Decoder(Run run, byte[] s) {
      this.run = run;
      this.s = s;
    }

    private int byteAt(int index) {
      return index < s.length ? s[index] & 0xFF : 0;
    }

    LuaValue document() {
      next();
      LuaValue result = value();
      next();
      if (token != END) {
        throw expected("the end");
      }
      return result;
    }

    private LuaError expected(String what) {
      String found =
          switch (token) {
            case ERROR -> fault;
            case '{' -> "T_OBJ_BEGIN";
            case '}' -> "T_OBJ_END";
            case '[' -> "T_ARR_BEGIN";
            case ']' -> "T_ARR_END";
            case ':' -> "T_COLON";
            case ',' -> "T_COMMA";
            default -> NAMES[token];
          };
      return run.error(
          "Expected " + what + " but found " + found + " at character " + (tokenStart + 1));
    }

    private void fail(String why) {
      token = ERROR;
      fault = why;
      tokenStart = at;
    }

    private void next() {
      run.budget.step(1);
      while (at < s.length && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r')) {
        at++;
        if ((at & 15) == 0) {
          run.budget.step(1);
        }
      }
      tokenStart = at;
      int c = byteAt(at);
      switch (c) {
        // A zero byte ends the text, as in C.
        case 0 -> token = END;
        case '{', '}', '[', ']', ':', ',' -> {
          token = c;
          at++;
        }
        case '"' -> string();
        case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
          if (!run.json.decodeInvalid && invalidNumber()) {
            fail("invalid number");
          } else {
            number();
          }
        }
        default -> word();
      }
    }

    private boolean startsWith(String word) {
      for (int i = 0; i < word.length(); i++) {
        if (byteAt(at + i) != word.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    private void word() {
      if (startsWith("true")) {
        token = BOOLEAN;
        value = LuaBoolean.TRUE;
        at += 4;
      } else if (startsWith("false")) {
        token = BOOLEAN;
        value = LuaBoolean.FALSE;
        at += 5;
      } else if (startsWith("null")) {
        token = NULL;
        value = LuaPointer.NULL;
        at += 4;
      } else if ("iInN+".indexOf(byteAt(at)) >= 0 && run.json.decodeInvalid && invalidNumber()) {
        number();
      } else {
        fail("invalid token");
      }
    }

    private boolean letters(int from, String word) {
      for (int i = 0; i < word.length(); i++) {
        if ((byteAt(from + i) | 0x20) != word.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    /** Returns whether what C reads as a number is none in JSON. */
    private boolean invalidNumber() {
      int p = at;
      if (byteAt(p) == '+') {
        return true;
      }
      if (byteAt(p) == '-') {
        p++;
      }
      int c = byteAt(p);
      if (c == '0') {
        int d = byteAt(p + 1);
        return (d | 0x20) == 'x' || (d >= '0' && d <= '9');
      }
      return c > '9' && (letters(p, "inf") || letters(p, "nan"));
    }

    private void number() {
      int length = Numbers.prefix(s, at, s.length);
      if (length == 0) {
        fail("invalid number");
        return;
      }
      run.budget.bulk(length);
      token = NUMBER;
      value = LuaNumber.of(Numbers.prefixValue(s, at, length));
      at += length;
    }

    private void string() {
      int from = ++at;
      int end = from;
      while (end < s.length && s[end] != '"' && s[end] != '\\' && s[end] != 0) {
        end++;
      }
      if (byteAt(end) == '"' && end < s.length) {
        at = end + 1;
        token = STRING;
        value = run.string(s, from, end);
        return;
      }
      Buffer out = new Buffer(run.budget);
      while (true) {
        int c = byteAt(at);
        if (c == '"') {
          break;
        }
        if (c == 0) {
          fail("unexpected end of string");
          return;
        }
        if (c != '\\') {
          out.add(c);
          at++;
        } else if (!escape(out)) {
          return;
        }
        if ((at & 7) == 0) {
          run.budget.step(1);
        }
      }
      at++;
      token = STRING;
      value = out.finish();
    }

    private boolean escape(Buffer out) {
      int c = byteAt(at + 1);
      switch (c) {
        case '"', '\\', '/' -> out.add(c);
        case 'b' -> out.add('\b');
        case 't' -> out.add('\t');
        case 'n' -> out.add('\n');
        case 'f' -> out.add('\f');
        case 'r' -> out.add('\r');
        case 'u' -> {
          if (!unicode(out)) {
            fail("invalid unicode escape code");
            return false;
          }
          return true;
        }
        default -> {
          fail("invalid escape code");
          return false;
        }
      }
      at += 2;
      return true;
    }

    private int hex4(int from) {
      int code = 0;
      for (int i = 0; i < 4; i++) {
        int c = byteAt(from + i);
        int digit = c < 128 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
          return -1;
        }
        code = code << 4 | digit;
      }
      return code;
    }

    private boolean unicode(Buffer out) {
      int code = hex4(at + 2);
      int length = 6;
      if (code < 0) {
        return false;
      }
      if ((code & 0xF800) == 0xD800) {
        if ((code & 0x400) != 0 || byteAt(at + 6) != '\\' || byteAt(at + 7) != 'u') {
          return false;
        }
        int low = hex4(at + 8);
        if (low < 0 || (low & 0xFC00) != 0xDC00) {
          return false;
        }
        code = ((code & 0x3FF) << 10 | (low & 0x3FF)) + 0x10000;
        length = 12;
      }
      utf8(out, code);
      at += length;
      return true;
    }

    private static void utf8(Buffer out, int code) {
      if (code <= 0x7F) {
        out.add(code);
      } else if (code <= 0x7FF) {
        out.add(code >> 6 | 0xC0).add((code & 0x3F) | 0x80);
      } else if (code <= 0xFFFF) {
        out.add(code >> 12 | 0xE0).add((code >> 6 & 0x3F) | 0x80).add((code & 0x3F) | 0x80);
      } else {
        out.add(code >> 18 | 0xF0)
            .add((code >> 12 & 0x3F) | 0x80)
            .add((code >> 6 & 0x3F) | 0x80)
            .add((code & 0x3F) | 0x80);
      }
    }

    /** An array or object that is being read. */
    private static final class Level {
      final LuaTable table;
      final boolean object;
      LuaValue key = LuaNil.NIL;
      int count;

      Level(LuaTable table, boolean object) {
        this.table = table;
        this.object = object;
      }
    }

    private final Deque<Level> levels = new ArrayDeque<>();

    /** Reads a value and all inside. Nesting is on the heap, not on the stack of the thread. */
    private LuaValue value() {
      while (true) {
        LuaValue done;
        switch (token) {
          case STRING, NUMBER, BOOLEAN, NULL -> done = value;
          case '{', '[' -> {
            boolean object = token == '{';
            Level level = descend(object);
            next();
            if (token != (object ? '}' : ']')) {
              if (object) {
                key(level);
              }
              continue;
            }
            levels.removeLast();
            done = level.table;
          }
          default -> throw expected("value");
        }
        while (true) {
          Level level = levels.peekLast();
          if (level == null) {
            return done;
          }
          if (!ends(level, done)) {
            break;
          }
          levels.removeLast();
          done = level.table;
        }
      }
    }

    /** Puts a value into its table, and reads on; returns whether the table ends there. */
    private boolean ends(Level level, LuaValue value) {
      if (level.object) {
        level.table.set(level.key, value);
      } else {
        level.table.set(++level.count, value);
      }
      next();
      if (token == (level.object ? '}' : ']')) {
        return true;
      }
      if (token != ',') {
        throw expected(level.object ? "comma or object end" : "comma or array end");
      }
      next();
      if (level.object) {
        key(level);
      }
      return false;
    }

    /** Reads a key, and goes to the value. */
    private void key(Level level) {
      if (token != STRING) {
        throw expected("object key string");
      }
      level.key = value;
      next();
      if (token != ':') {
        throw expected("colon");
      }
      next();
    }

    private Level descend(boolean object) {
      int depth = levels.size() + 1;
      if (depth > run.json.decodeDepth) {
        throw run.error("Found too many nested data structures (" + depth + ") at character " + at);
      }
      run.budget.allocate(BYTES_OF_LEVEL);
      Level level = new Level(new LuaTable(run.budget), object);
      levels.addLast(level);
      return level;
    }
  }
}

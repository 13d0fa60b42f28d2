package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The library {@code string}. */
final class StringLib {
  private static final int MAX_LENGTH = Integer.MAX_VALUE - 64;

  static final LuaTable TABLE =
      new Library(0x200)
          .add("byte", StringLib::bytes)
          .add("char", StringLib::chars)
          .add("find", (run, args) -> find(run, args, true))
          .add("format", StringLib::format)
          .add("gfind", StringLib::gmatch)
          .add("gmatch", StringLib::gmatch)
          .add("gsub", StringLib::gsub)
          .add("len", (run, args) -> one(LuaNumber.of((long) args.string(1).length())))
          .add("lower", (run, args) -> one(mapCase(run, args.string(1), 'A', 'Z', 32)))
          .add("match", (run, args) -> find(run, args, false))
          .add("rep", StringLib::repeat)
          .add("reverse", StringLib::reverse)
          .add("sub", StringLib::sub)
          .add("upper", (run, args) -> one(mapCase(run, args.string(1), 'a', 'z', -32)))
          .protect();

  /** The metatable of all strings. */
  static final LuaTable METATABLE = new Library(0x2F0).add("__index", TABLE).protect();

  private StringLib() {}

  /** Returns a position from the start, 0 before the first byte, for one that may be negative. */
  private static long position(long at, int length) {
    return at >= 0 ? at : Math.max(0, length + at + 1);
  }

  private static LuaValue[] sub(Run run, Args args) {
    LuaString s = args.string(1);
    int length = s.length();
    long from = Math.max(1, position(args.integer(2), length));
    long to = Math.min(length, position(args.integer(3, -1), length));
    if (from > to) {
      return one(LuaString.EMPTY);
    }
    if (from == 1 && to == length) {
      return one(s);
    }
    return one(run.string(s.bytes, (int) from - 1, (int) to));
  }

  private static LuaValue[] bytes(Run run, Args args) {
    LuaString s = args.string(1);
    int length = s.length();
    long first = position(args.integer(2, 1), length);
    long to = Math.min(length, position(args.integer(3, first), length));
    long from = Math.max(1, first);
    if (from > to) {
      return Args.NONE;
    }
    long count = to - from + 1;
    if (count + args.count() > BaseLib.MAX_RESULTS) {
      throw run.error("stack overflow (string slice too long)");
    }
    run.budget.step(count >> 2);
    LuaValue[] values = new LuaValue[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = LuaNumber.of((long) (s.bytes[(int) from - 1 + i] & 0xFF));
    }
    return values;
  }

  private static LuaValue[] chars(Run run, Args args) {
    int count = args.count();
    run.budget.allocate(LuaString.OVERHEAD + count);
    byte[] all = new byte[count];
    for (int i = 1; i <= count; i++) {
      long c = args.integer(i);
      if ((c & 0xFF) != c) {
        throw args.error(i, "invalid value");
      }
      all[i - 1] = (byte) c;
    }
    return one(LuaString.charged(all));
  }

  private static LuaValue[] repeat(Run run, Args args) {
    LuaString s = args.string(1);
    int n = (int) args.integer(2);
    if (n <= 0 || s.length() == 0) {
      return one(LuaString.EMPTY);
    }
    long total = (long) n * s.length();
    if (total > MAX_LENGTH) {
      throw new BudgetExceeded(BudgetExceeded.Bound.MEMORY);
    }
    run.budget.allocate(LuaString.OVERHEAD + total);
    run.budget.bulk(total);
    byte[] all = new byte[(int) total];
    System.arraycopy(s.bytes, 0, all, 0, s.length());
    int done = s.length();
    while (done < all.length) {
      int more = Math.min(done, all.length - done);
      System.arraycopy(all, 0, all, done, more);
      done += more;
    }
    return one(LuaString.charged(all));
  }

  private static LuaValue[] reverse(Run run, Args args) {
    byte[] from = args.string(1).bytes;
    run.budget.allocate(LuaString.OVERHEAD + from.length);
    run.budget.bulk(from.length);
    byte[] all = new byte[from.length];
    for (int i = 0; i < from.length; i++) {
      all[i] = from[from.length - 1 - i];
    }
    return one(LuaString.charged(all));
  }

  private static LuaString mapCase(Run run, LuaString s, int first, int last, int by) {
    byte[] from = s.bytes;
    run.budget.allocate(LuaString.OVERHEAD + from.length);
    run.budget.bulk(from.length);
    byte[] all = new byte[from.length];
    for (int i = 0; i < from.length; i++) {
      byte c = from[i];
      all[i] = c >= first && c <= last ? (byte) (c + by) : c;
    }
    return LuaString.charged(all);
  }

  // ---- patterns --------------------------------------------------------------------------------

  private static boolean isPlain(byte[] pattern) {
    for (byte c : pattern) {
      if ("^$*+?.([%-".indexOf(c) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(Run run, byte[] s, byte[] wanted, int from) {
    if (wanted.length == 0) {
      return from;
    }
    int last = s.length - wanted.length;
    for (int i = from; i <= last; i++) {
      int n = 0;
      while (n < wanted.length && s[i + n] == wanted[n]) {
        n++;
      }
      if (n == wanted.length) {
        return i;
      }
      if ((i & 15) == 0 || n > 4) {
        run.budget.step(1 + (n >> 2));
      }
    }
    return -1;
  }

  private static LuaValue[] find(Run run, Args args, boolean find) {
    LuaString s = args.string(1);
    LuaString p = args.string(2);
    long from = position(args.integer(3, 1), s.length()) - 1;
    int start = (int) Math.clamp(from, 0L, (long) s.length());
    if (find && (args.at(4).truthy() || isPlain(p.bytes))) {
      int at = indexOf(run, s.bytes, p.bytes, start);
      return at < 0
          ? one(LuaNil.NIL)
          : new LuaValue[] {LuaNumber.of((long) at + 1), LuaNumber.of((long) at + p.length())};
    }
    boolean anchor = p.length() > 0 && p.bytes[0] == '^';
    Pattern matcher = new Pattern(run, s, p);
    for (int at = start; at <= s.length(); at++) {
      int end = matcher.match(at, anchor ? 1 : 0);
      if (end >= 0) {
        if (!find) {
          return matcher.allCaptures(at, end, true);
        }
        LuaValue[] captures = matcher.allCaptures(at, end, false);
        LuaValue[] all = new LuaValue[captures.length + 2];
        all[0] = LuaNumber.of((long) at + 1);
        all[1] = LuaNumber.of((long) end);
        System.arraycopy(captures, 0, all, 2, captures.length);
        return all;
      }
      if (anchor) {
        break;
      }
    }
    return one(LuaNil.NIL);
  }

  /** The state of {@code gmatch} between calls. */
  private static final class Matches {
    int at;
  }

  private static LuaValue[] gmatch(Run run, Args args) {
    LuaString s = args.string(1);
    LuaString p = args.string(2);
    Matches state = new Matches();
    LuaTable keep = new LuaTable(run.budget, 2, 0);
    keep.set(1, s);
    keep.set(2, p);
    return one(
        new NativeFunction(
            run.budget.nextId(), (r, a) -> nextMatch(r, s, p, state), new Cell(keep)));
  }

  private static LuaValue[] nextMatch(Run run, LuaString s, LuaString p, Matches state) {
    Pattern matcher = new Pattern(run, s, p);
    for (int at = state.at; at <= s.length(); at++) {
      int end = matcher.match(at, 0);
      if (end >= 0) {
        state.at = end == at ? end + 1 : end;
        return matcher.allCaptures(at, end, true);
      }
    }
    state.at = s.length() + 1;
    return one(LuaNil.NIL);
  }

  private static LuaValue[] gsub(Run run, Args args) {
    LuaString s = args.string(1);
    LuaString p = args.string(2);
    LuaValue replacement = args.at(3);
    if (replacement instanceof LuaNumber n) {
      replacement = run.numberToString(n);
    }
    if (!(replacement instanceof LuaString
        || replacement instanceof LuaTable
        || replacement instanceof LuaFunction)) {
      throw args.error(3, "string/function/table expected");
    }
    int most = args.at(4).isNil() ? s.length() + 1 : (int) args.integer(4);
    boolean anchor = p.length() > 0 && p.bytes[0] == '^';
    Pattern matcher = new Pattern(run, s, p);
    Buffer out = new Buffer(run.budget);
    int at = 0;
    int count = 0;
    while (count < most) {
      int end = matcher.match(at, anchor ? 1 : 0);
      if (end >= 0) {
        count++;
        replace(run, matcher, out, s, at, end, replacement);
      }
      if (end > at) {
        at = end;
      } else if (at < s.length()) {
        out.add(s.bytes[at++]);
      } else {
        break;
      }
      if (anchor) {
        break;
      }
    }
    if (at < s.length()) {
      out.add(s.bytes, at, s.length() - at);
    }
    return new LuaValue[] {out.finish(), LuaNumber.of((long) count)};
  }

  private static void replace(
      Run run, Pattern m, Buffer out, LuaString s, int start, int end, LuaValue replacement) {
    LuaValue value;
    switch (replacement) {
      case LuaString text -> {
        expand(run, m, out, text.bytes, start, end);
        return;
      }
      case LuaTable t -> value = run.index(t, m.capture(0, start, end));
      default -> value = run.callOne(replacement, m.allCaptures(start, end, true));
    }
    if (!value.truthy()) {
      out.add(s.bytes, start, end - start);
    } else if (value instanceof LuaString text) {
      out.add(text);
    } else if (value instanceof LuaNumber n) {
      out.add(run.format(n.value));
    } else {
      throw run.error("invalid replacement value (a " + value.typeName() + ")");
    }
  }

  private static void expand(Run run, Pattern m, Buffer out, byte[] text, int start, int end) {
    int at = 0;
    while (at < text.length) {
      int c = text[at++];
      if (c != '%') {
        out.add(c);
        continue;
      }
      int d = at < text.length ? text[at++] : 0;
      if (d < '0' || d > '9') {
        out.add(d);
        continue;
      }
      LuaValue value = d == '0' ? m.whole(start, end) : m.capture(d - '1', start, end);
      if (value instanceof LuaNumber n) {
        out.add(run.format(n.value));
      } else {
        out.add((LuaString) value);
      }
    }
    run.budget.bulk(text.length);
  }

  // ---- format ----------------------------------------------------------------------------------

  /** One item of a format: flags, width, precision. */
  private static final class Spec {
    boolean left;
    boolean plus;
    boolean space;
    boolean alternative;
    boolean zero;
    int width;
    int precision = -1;
    int end;

    static Spec parse(Run run, byte[] f, int from) {
      Spec spec = new Spec();
      int at = from;
      while (at < f.length && "-+ #0".indexOf(f[at]) >= 0) {
        switch (f[at]) {
          case '-' -> spec.left = true;
          case '+' -> spec.plus = true;
          case ' ' -> spec.space = true;
          case '#' -> spec.alternative = true;
          default -> spec.zero = true;
        }
        at++;
      }
      if (at - from >= 6) {
        throw run.error("invalid format (repeated flags)");
      }
      for (int i = 0; i < 2 && at < f.length && digit(f[at]); i++) {
        spec.width = spec.width * 10 + (f[at++] - '0');
      }
      if (at < f.length && f[at] == '.') {
        at++;
        spec.precision = 0;
        for (int i = 0; i < 2 && at < f.length && digit(f[at]); i++) {
          spec.precision = spec.precision * 10 + (f[at++] - '0');
        }
      }
      if (at < f.length && digit(f[at])) {
        throw run.error("invalid format (width or precision too long)");
      }
      spec.end = at;
      return spec;
    }

    private static boolean digit(int c) {
      return c >= '0' && c <= '9';
    }

    /** Returns a text up to its first zero byte, as C does, and no longer than the precision. */
    byte[] cut(byte[] s) {
      int end = 0;
      int most = precision < 0 ? s.length : Math.min(precision, s.length);
      while (end < most && s[end] != 0) {
        end++;
      }
      return Arrays.copyOf(s, end);
    }

    /** Adds a text with its sign, padded. */
    void pad(Buffer out, String prefix, byte[] body, boolean zeros) {
      int fill = width - prefix.length() - body.length;
      if (!left && !zeros) {
        fill(out, fill, ' ');
      }
      out.add(prefix);
      if (!left && zeros) {
        fill(out, fill, '0');
      }
      out.add(body, 0, body.length);
      if (left) {
        fill(out, fill, ' ');
      }
    }

    private static void fill(Buffer out, int count, int with) {
      for (int i = 0; i < count; i++) {
        out.add(with);
      }
    }
  }

  private static LuaValue[] format(Run run, Args args) {
    byte[] f = args.string(1).bytes;
    Buffer out = new Buffer(run.budget);
    int arg = 1;
    int at = 0;
    while (at < f.length) {
      if (f[at] != '%') {
        out.add(f[at++]);
        continue;
      }
      at++;
      if (at < f.length && f[at] == '%') {
        out.add('%');
        at++;
        continue;
      }
      Spec spec = Spec.parse(run, f, at);
      int kind = spec.end < f.length ? f[spec.end] & 0xFF : 0;
      at = spec.end + 1;
      run.budget.step(4);
      if (arg >= args.count()) {
        throw args.error(arg + 1, "no value");
      }
      item(run, args, out, spec, kind, ++arg);
    }
    run.budget.bulk(f.length);
    return one(out.finish());
  }

  private static void item(Run run, Args args, Buffer out, Spec spec, int kind, int arg) {
    switch (kind) {
      case 'c' -> {
        byte c = (byte) args.integer(arg);
        if (c != 0) {
          spec.pad(out, "", new byte[] {c}, false);
        } else if (!spec.left) {
          // As in C, the text ends at the zero byte.
          Spec.fill(out, spec.width - 1, ' ');
        }
      }
      case 'd', 'i' -> integer(out, spec, args.integer(arg));
      case 'o', 'u', 'x', 'X' -> unsigned(out, spec, kind, args.number(arg));
      case 'e', 'E', 'f', 'g', 'G' -> floating(run, out, spec, kind, args.number(arg));
      case 'q' -> quoted(out, args.string(arg).bytes);
      case 's' -> {
        byte[] s = args.string(arg).bytes;
        spec.pad(out, "", spec.precision < 0 && s.length >= 100 ? s : spec.cut(s), false);
      }
      default ->
          throw run.error(
              "invalid option '%"
                  + (kind == 0 ? "" : String.valueOf((char) kind))
                  + "' to 'format'");
    }
  }

  private static byte[] ascii(String s) {
    return s.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void integer(Buffer out, Spec spec, long n) {
    String digits = n < 0 ? Long.toString(n).substring(1) : Long.toString(n);
    String sign = n < 0 ? "-" : spec.plus ? "+" : spec.space ? " " : "";
    spec.pad(out, sign, ascii(precise(spec, digits, n == 0)), spec.zero && spec.precision < 0);
  }

  private static String precise(Spec spec, String digits, boolean isZero) {
    if (spec.precision == 0 && isZero) {
      return "";
    }
    return spec.precision > digits.length()
        ? "0".repeat(spec.precision - digits.length()) + digits
        : digits;
  }

  private static void unsigned(Buffer out, Spec spec, int kind, double d) {
    long n =
        d >= 0x1p63 && d < 0x1p64 ? (long) (d - 0x1p63) ^ Long.MIN_VALUE : Numbers.toInteger(d);
    String digits =
        switch (kind) {
          case 'o' -> Long.toOctalString(n);
          case 'u' -> Long.toUnsignedString(n);
          case 'x' -> Long.toHexString(n);
          default -> Long.toHexString(n).toUpperCase(Locale.ROOT);
        };
    String prefix = "";
    if (spec.alternative && n != 0) {
      prefix = kind == 'x' ? "0x" : kind == 'X' ? "0X" : "";
      if (kind == 'o') {
        digits = "0" + digits;
      }
    }
    spec.pad(out, prefix, ascii(precise(spec, digits, n == 0)), spec.zero && spec.precision < 0);
  }

  private static void floating(Run run, Buffer out, Spec spec, int kind, double d) {
    int precision = spec.precision < 0 ? 6 : spec.precision;
    run.budget.step(40);
    boolean upper = kind < 'a';
    String text =
        switch (kind | 0x20) {
          case 'e' -> Numbers.scientific(d, precision, spec.alternative, upper);
          case 'f' -> Numbers.fixed(d, precision, spec.alternative);
          default -> Numbers.general(d, precision, spec.alternative, upper);
        };
    boolean finite = !Double.isNaN(d) && !Double.isInfinite(d);
    if (upper) {
      text = text.toUpperCase(Locale.ROOT);
    }
    String sign = "";
    if (text.startsWith("-")) {
      sign = "-";
      text = text.substring(1);
    } else if (spec.plus) {
      sign = "+";
    } else if (spec.space) {
      sign = " ";
    }
    spec.pad(out, sign, ascii(text), spec.zero && finite);
  }

  private static void quoted(Buffer out, byte[] s) {
    out.add('"');
    for (byte c : s) {
      switch (c) {
        case '"', '\\', '\n' -> out.add('\\').add(c);
        case '\r' -> out.add("\\r");
        case 0 -> out.add("\\000");
        default -> out.add(c);
      }
    }
    out.add('"');
  }
}

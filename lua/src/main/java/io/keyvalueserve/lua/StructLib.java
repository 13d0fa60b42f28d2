package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.util.ArrayList;
import java.util.List;

/** The library {@code struct}: C structures to strings and back. */
final class StructLib {
  private static final int MAX_INTEGER = 32;
  private static final int MAX_ALIGN = 8;

  static final LuaTable TABLE =
      new Library(0xA00)
          .add("pack", StructLib::pack)
          .add("size", StructLib::size)
          .add("unpack", StructLib::unpack)
          .protect();

  private StructLib() {}

  /** Reads a format, item by item. */
  private static final class Format {
    private final Run run;
    private final Args args;
    private final byte[] text;
    private int at;
    boolean little = true;
    private int align = 1;
    int option;
    int size;

    Format(Run run, Args args) {
      this.run = run;
      this.args = args;
      this.text = args.string(1).bytes;
    }

    /** Moves on to the next item; a zero byte ends a format too. */
    boolean next() {
      run.budget.step(1);
      if (at >= text.length || text[at] == 0) {
        return false;
      }
      option = text[at++] & 0xFF;
      size = optionSize();
      return true;
    }

    private int number(int otherwise) {
      if (at >= text.length || text[at] < '0' || text[at] > '9') {
        return otherwise;
      }
      long n = 0;
      while (at < text.length && text[at] >= '0' && text[at] <= '9') {
        n = n * 10 + (text[at++] - '0');
        if (n > Integer.MAX_VALUE) {
          throw run.error("integral size overflow");
        }
      }
      return (int) n;
    }

    private int optionSize() {
      return switch (option) {
        case 'B', 'b', 'x' -> 1;
        case 'H', 'h' -> 2;
        case 'L', 'l', 'T', 'd' -> 8;
        case 'f' -> 4;
        case 'c' -> number(1);
        case 'i', 'I' -> {
          int n = number(4);
          if (n > MAX_INTEGER) {
            throw run.error("integral size " + n + " is larger than limit of " + MAX_INTEGER);
          }
          yield n;
        }
        default -> 0;
      };
    }

    int padding(long position) {
      if (size == 0 || option == 'c') {
        return 0;
      }
      int bound = Math.min(size, align);
      return (int) ((bound - (position & (bound - 1))) & (bound - 1));
    }

    void control() {
      switch (option) {
        case ' ' -> {}
        case '>' -> little = false;
        case '<' -> little = true;
        case '!' -> {
          int a = number(MAX_ALIGN);
          if (a <= 0 || (a & (a - 1)) != 0) {
            throw run.error("alignment " + a + " is not a power of 2");
          }
          align = a;
        }
        default -> throw args.error(1, "invalid format option '" + (char) option + "'");
      }
    }
  }

  private static LuaValue[] pack(Run run, Args args) {
    Format f = new Format(run, args);
    Buffer out = new Buffer(run.budget);
    int arg = 2;
    long total = 0;
    while (f.next()) {
      int padding = f.padding(total);
      total += padding;
      for (int i = 0; i < padding; i++) {
        out.add(0);
      }
      switch (f.option) {
        case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I' -> putInteger(out, number(args, arg++), f);
        case 'x' -> out.add(0);
        case 'f' -> put(out, Numbers.toFloatBits(number(args, arg++)) & 0xFFFFFFFFL, f);
        case 'd' -> put(out, Numbers.toBits(number(args, arg++)), f);
        case 'c', 's' -> {
          if (arg > args.count()) {
            throw args.error(arg, "string expected, got nil");
          }
          LuaString s = args.string(arg++);
          int size = f.size == 0 ? s.length() : f.size;
          if (s.length() < size) {
            throw args.error(arg, "string too short");
          }
          out.add(s.bytes, 0, size);
          f.size = size;
          if (f.option == 's') {
            out.add(0);
            f.size++;
          }
        }
        default -> f.control();
      }
      total += f.size;
    }
    return one(out.finish());
  }

  private static double number(Args args, int n) {
    if (n > args.count()) {
      throw args.error(n, "number expected, got nil");
    }
    return args.number(n);
  }

  private static void putInteger(Buffer out, double d, Format f) {
    long n =
        d >= 0x1p63 && d < 0x1p64 ? (long) (d - 0x1p63) ^ Long.MIN_VALUE : Numbers.toInteger(d);
    put(out, n, f);
  }

  /** Writes the low bytes of a number; beyond 8 they are 0, as in C. */
  private static void put(Buffer out, long n, Format f) {
    for (int i = 0; i < f.size; i++) {
      int at = f.little ? i : f.size - 1 - i;
      out.add(at < 8 ? (int) (n >>> (8 * at)) & 0xFF : 0);
    }
  }

  private static LuaValue[] unpack(Run run, Args args) {
    Format f = new Format(run, args);
    byte[] data = args.string(2).bytes;
    long start = args.integer(3, 1);
    if (start <= 0) {
      throw args.error(3, "offset must be 1 or greater");
    }
    long at = start - 1;
    List<LuaValue> results = new ArrayList<>();
    while (f.next()) {
      at += f.padding(at);
      checkRoom(args, data, at, f.size);
      if (results.size() >= BaseLib.MAX_RESULTS) {
        throw run.error("stack overflow (too many results)");
      }
      run.budget.allocate(24);
      int from = (int) at;
      switch (f.option) {
        case 'b', 'h', 'l', 'i' -> results.add(LuaNumber.of(getInteger(data, from, f, true)));
        case 'B', 'H', 'L', 'T', 'I' -> results.add(LuaNumber.of(getInteger(data, from, f, false)));
        case 'x' -> {}
        case 'f' ->
            results.add(
                LuaNumber.of(Numbers.fromBits(Float.intBitsToFloat((int) get(data, from, f)))));
        case 'd' ->
            results.add(
                LuaNumber.of(Numbers.fromBits(Double.longBitsToDouble(get(data, from, f)))));
        case 'c' -> {
          if (f.size == 0) {
            LuaNumber size = results.isEmpty() ? null : Run.toNumber(results.getLast());
            if (size == null) {
              throw run.error("format 'c0' needs a previous size");
            }
            results.removeLast();
            double d = size.value;
            if (!(d >= 0 && d <= data.length)) {
              throw args.error(2, "data string too short");
            }
            f.size = (int) d;
            checkRoom(args, data, at, f.size);
          }
          results.add(run.string(data, from, from + f.size));
        }
        case 's' -> {
          int end = from;
          while (end < data.length && data[end] != 0) {
            end++;
          }
          if (end >= data.length) {
            throw run.error("unfinished string in data");
          }
          f.size = end - from + 1;
          results.add(run.string(data, from, end));
        }
        default -> f.control();
      }
      at += f.size;
    }
    results.add(LuaNumber.of(at + 1));
    return results.toArray(new LuaValue[0]);
  }

  private static void checkRoom(Args args, byte[] data, long at, int size) {
    if (size > data.length || at > data.length - size) {
      throw args.error(2, "data string too short");
    }
  }

  private static long get(byte[] data, int from, Format f) {
    long n = 0;
    for (int i = 0; i < f.size; i++) {
      int at = f.little ? f.size - 1 - i : i;
      n = n << 8 | (data[from + at] & 0xFF);
    }
    return n;
  }

  private static double getInteger(byte[] data, int from, Format f, boolean signed) {
    long n = get(data, from, f);
    if (!signed) {
      return n >= 0 ? n : ((n >>> 1) | (n & 1)) * 2.0;
    }
    int bits = f.size * 8;
    return bits > 0 && bits < 64 ? n << (64 - bits) >> (64 - bits) : n;
  }

  private static LuaValue[] size(Run run, Args args) {
    Format f = new Format(run, args);
    long total = 0;
    while (f.next()) {
      total += f.padding(total);
      if (f.option == 's') {
        throw args.error(1, "option 's' has no fixed size");
      }
      if (f.option == 'c' && f.size == 0) {
        throw args.error(1, "option 'c0' has no fixed size");
      }
      boolean alphanumeric =
          (f.option >= 'a' && f.option <= 'z')
              || (f.option >= 'A' && f.option <= 'Z')
              || (f.option >= '0' && f.option <= '9');
      if (!alphanumeric) {
        f.control();
      }
      total += f.size;
    }
    return one(LuaNumber.of(total));
  }
}

package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The library {@code cmsgpack}. */
final class MsgPack {
  private static final int MAX_NESTING = 16;

  /** Bytes charged for a level of nesting that is read. */
  private static final int BYTES_OF_LEVEL = 64;

  static final LuaTable TABLE =
      new Library(0xC00)
          .add("pack", MsgPack::pack)
          .add("unpack", (run, args) -> unpack(run, args, 0, 0))
          .add("unpack_limit", MsgPack::unpackLimit)
          .add("unpack_one", (run, args) -> unpack(run, args, 1, args.integer(2, 0)))
          .add("_COPYRIGHT", LuaString.constant("Copyright (C) 2012, Salvatore Sanfilippo"))
          .add("_DESCRIPTION", LuaString.constant("MessagePack C implementation for Lua"))
          .add("_NAME", LuaString.constant("cmsgpack"))
          .add("_VERSION", LuaString.constant("lua-cmsgpack 0.4.0"))
          .protect();

  private MsgPack() {}

  // ---- encoding --------------------------------------------------------------------------------

  private static LuaValue[] pack(Run run, Args args) {
    if (args.count() == 0) {
      throw args.error(0, "MessagePack pack needs input.");
    }
    Buffer out = new Buffer(run.budget, 64);
    for (int i = 1; i <= args.count(); i++) {
      encode(run, out, args.at(i), 0);
    }
    return one(out.finish());
  }

  private static void bigEndian(Buffer out, long n, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) {
      out.add((int) (n >>> (8 * i)) & 0xFF);
    }
  }

  private static void encode(Run run, Buffer out, LuaValue value, int level) {
    run.budget.step(1);
    switch (value) {
      case LuaString s -> string(out, s);
      case LuaBoolean b -> out.add(b.truthy() ? 0xC3 : 0xC2);
      case LuaNumber n -> number(out, n.value);
      case LuaTable t when level < MAX_NESTING -> table(run, out, t, level);
      default -> out.add(0xC0);
    }
  }

  private static void string(Buffer out, LuaString s) {
    int length = s.length();
    if (length < 32) {
      out.add(0xA0 | length);
    } else if (length <= 0xFF) {
      out.add(0xD9).add(length);
    } else if (length <= 0xFFFF) {
      out.add(0xDA);
      bigEndian(out, length, 2);
    } else {
      out.add(0xDB);
      bigEndian(out, length, 4);
    }
    out.add(s);
  }

  private static void number(Buffer out, double d) {
    if (d == (long) d && d < 0x1p63) {
      integer(out, (long) d);
    } else if (d == (float) d) {
      out.add(0xCA);
      bigEndian(out, Float.floatToRawIntBits((float) d), 4);
    } else {
      out.add(0xCB);
      bigEndian(out, Numbers.toBits(d), 8);
    }
  }

  private static void integer(Buffer out, long n) {
    if (n >= 0) {
      if (n <= 127) {
        out.add((int) n);
      } else if (n <= 0xFF) {
        out.add(0xCC);
        bigEndian(out, n, 1);
      } else if (n <= 0xFFFF) {
        out.add(0xCD);
        bigEndian(out, n, 2);
      } else if (n <= 0xFFFFFFFFL) {
        out.add(0xCE);
        bigEndian(out, n, 4);
      } else {
        out.add(0xCF);
        bigEndian(out, n, 8);
      }
    } else if (n >= -32) {
      out.add((int) n & 0xFF);
    } else if (n >= -128) {
      out.add(0xD0);
      bigEndian(out, n, 1);
    } else if (n >= -32768) {
      out.add(0xD1);
      bigEndian(out, n, 2);
    } else if (n >= Integer.MIN_VALUE) {
      out.add(0xD2);
      bigEndian(out, n, 4);
    } else {
      out.add(0xD3);
      bigEndian(out, n, 8);
    }
  }

  private static void head(Buffer out, int count, int fixed, int wide) {
    if (count <= 15) {
      out.add(fixed | count);
    } else if (count <= 65535) {
      out.add(wide);
      bigEndian(out, count, 2);
    } else {
      out.add(wide + 1);
      bigEndian(out, count, 4);
    }
  }

  private static void table(Run run, Buffer out, LuaTable t, int level) {
    int count = 0;
    double most = 0;
    boolean array = true;
    for (int slot = t.nextSlot(0); slot >= 0; slot = t.nextSlot(slot + 1)) {
      run.budget.step(1);
      count++;
      if (t.keyAt(slot) instanceof LuaNumber n && n.value > 0 && n.value == (int) n.value) {
        most = Math.max(most, n.value);
      } else {
        array = false;
      }
    }
    if (array && most == count) {
      int length = t.length();
      head(out, length, 0x90, 0xDC);
      for (int i = 1; i <= length; i++) {
        encode(run, out, t.get(i), level + 1);
      }
      return;
    }
    head(out, count, 0x80, 0xDE);
    for (int slot = t.nextSlot(0); slot >= 0; slot = t.nextSlot(slot + 1)) {
      encode(run, out, t.keyAt(slot), level + 1);
      encode(run, out, t.valueAt(slot), level + 1);
    }
  }

  // ---- decoding --------------------------------------------------------------------------------

  private static LuaValue[] unpackLimit(Run run, Args args) {
    return unpack(run, args, args.integer(2), args.integer(3, 0));
  }

  private static LuaValue[] unpack(Run run, Args args, long limit, long offset) {
    byte[] s = args.string(1).bytes;
    if (offset < 0 || limit < 0) {
      throw run.error(
          "Invalid request to unpack with offset of "
              + (int) offset
              + " and limit of "
              + s.length
              + ".");
    }
    if (offset > s.length) {
      throw run.error(
          "Start offset " + (int) offset + " greater than input length " + s.length + ".");
    }
    boolean all = limit == 0 && offset == 0;
    long most = all ? Integer.MAX_VALUE : limit;
    Decoder decoder = new Decoder(run, s, (int) offset);
    List<LuaValue> results = new ArrayList<>();
    if (!all) {
      results.add(LuaNil.NIL);
    }
    for (long n = 0; n < most && decoder.at < s.length; n++) {
      if (results.size() >= BaseLib.MAX_RESULTS) {
        throw run.error(
            "stack overflow (too many return values at once; "
                + "use unpack_one or unpack_limit instead.)");
      }
      run.budget.allocate(24);
      results.add(decoder.value());
    }
    if (!all) {
      results.set(0, LuaNumber.of(decoder.at >= s.length ? -1L : (long) decoder.at));
    }
    return results.toArray(new LuaValue[0]);
  }

  private static final class Decoder {
    private final Run run;
    private final byte[] s;
    private int at;

    Decoder(Run run, byte[] s, int at) {
      this.run = run;
      this.s = s;
      this.at = at;
    }

    private void need(long bytes) {
      if (s.length - at < bytes) {
        throw run.error("Missing bytes in input.");
      }
    }

    /** Reads a number after the byte at hand, and passes both. */
    private long number(int bytes) {
      need(1L + bytes);
      long n = 0;
      for (int i = 1; i <= bytes; i++) {
        n = n << 8 | (s[at + i] & 0xFF);
      }
      at += 1 + bytes;
      return n;
    }

    private LuaString string(long length) {
      need(length);
      LuaString result = run.string(s, at, at + (int) length);
      at += (int) length;
      return result;
    }

    /** An array or map that is being read. */
    private static final class Level {
      final LuaTable table;
      final boolean map;

      /** Values that are still to come. */
      long left;

      int count;
      @Nullable LuaValue key;

      Level(LuaTable table, boolean map, long left) {
        this.table = table;
        this.map = map;
        this.left = left;
      }
    }

    private final Deque<Level> levels = new ArrayDeque<>();

    /** Reads a value and all inside. Nesting is on the heap, not on the stack of the thread. */
    LuaValue value() {
      while (true) {
        LuaValue done = token();
        while (true) {
          Level level = levels.peekLast();
          if (level != null && done == level.table && level.left > 0) {
            break;
          }
          if (level != null && done == level.table) {
            levels.removeLast();
            level = levels.peekLast();
          }
          if (level == null) {
            return done;
          }
          put(level, done);
          if (level.left > 0) {
            break;
          }
          done = level.table;
        }
      }
    }

    private void put(Level level, LuaValue value) {
      level.left--;
      if (!level.map) {
        level.table.set(++level.count, value);
        return;
      }
      LuaValue key = level.key;
      if (key == null) {
        level.key = value;
        return;
      }
      level.key = null;
      if (key.isNil()) {
        throw run.errorWithoutPlace("table index is nil");
      }
      if (key instanceof LuaNumber n && Double.isNaN(n.value)) {
        throw run.errorWithoutPlace("table index is NaN");
      }
      level.table.set(key, value);
    }

    /** Reads one value; of an array or map only its head. */
    private LuaValue token() {
      run.budget.step(1);
      need(1);
      int c = s[at] & 0xFF;
      return switch (c) {
        case 0xCC -> LuaNumber.of(number(1));
        case 0xD0 -> LuaNumber.of((long) (byte) number(1));
        case 0xCD -> LuaNumber.of(number(2));
        case 0xD1 -> LuaNumber.of((long) (short) number(2));
        case 0xCE -> LuaNumber.of(number(4));
        case 0xD2 -> LuaNumber.of((long) (int) number(4));
        // As in Redis, where large unsigned numbers come out negative.
        case 0xCF, 0xD3 -> LuaNumber.of(number(8));
        case 0xC0 -> simple(LuaNil.NIL);
        case 0xC3 -> simple(LuaBoolean.TRUE);
        case 0xC2 -> simple(LuaBoolean.FALSE);
        case 0xCA -> LuaNumber.of(Numbers.fromBits(Float.intBitsToFloat((int) number(4))));
        case 0xCB -> LuaNumber.of(Numbers.fromBits(Double.longBitsToDouble(number(8))));
        case 0xD9 -> string(number(1));
        case 0xDA -> string(number(2));
        case 0xDB -> string(number(4));
        case 0xDC -> table(number(2), false);
        case 0xDD -> table(number(4), false);
        case 0xDE -> table(number(2), true);
        case 0xDF -> table(number(4), true);
        default -> small(c);
      };
    }

    private LuaValue simple(LuaValue value) {
      at++;
      return value;
    }

    private LuaValue small(int c) {
      at++;
      if (c < 0x80) {
        return LuaNumber.of((long) c);
      }
      if (c >= 0xE0) {
        return LuaNumber.of((long) (byte) c);
      }
      if ((c & 0xE0) == 0xA0) {
        return string(c & 0x1F);
      }
      if ((c & 0xF0) == 0x90) {
        return table(c & 0xF, false);
      }
      if ((c & 0xF0) == 0x80) {
        return table(c & 0xF, true);
      }
      throw run.error("Bad data format in input.");
    }

    private LuaTable table(long count, boolean map) {
      run.budget.allocate(BYTES_OF_LEVEL);
      LuaTable t = new LuaTable(run.budget);
      levels.addLast(new Level(t, map, map ? 2 * count : count));
      return t;
    }
  }
}

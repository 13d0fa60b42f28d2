package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.util.Locale;
import java.util.function.IntBinaryOperator;

/** The library {@code bit}: operations on numbers of 32 bits. */
final class BitLib {
  private static final int MAX_SHIFT = 31;
  private static final int MAX_DIGITS = 8;

  static final LuaTable TABLE =
      new Library(0x900)
          .add("arshift", shift((b, n) -> b >> n))
          .add("band", fold((a, b) -> a & b))
          .add("bnot", (run, args) -> number(~bits(args, 1)))
          .add("bor", fold((a, b) -> a | b))
          .add("bswap", (run, args) -> number(Integer.reverseBytes(bits(args, 1))))
          .add("bxor", fold((a, b) -> a ^ b))
          .add("lshift", shift((b, n) -> b << n))
          .add("rol", shift(Integer::rotateLeft))
          .add("ror", shift(Integer::rotateRight))
          .add("rshift", shift((b, n) -> b >>> n))
          .add("tobit", (run, args) -> number(bits(args, 1)))
          .add("tohex", BitLib::toHex)
          .protect();

  private BitLib() {}

  private static LuaValue[] number(int b) {
    return one(LuaNumber.of((long) b));
  }

  /** Returns the low 32 bits of a number, rounded to the nearest even integer. */
  private static int bits(Args args, int n) {
    double d = args.number(n) + 0x1.8p52;
    return (int) Double.doubleToRawLongBits(d);
  }

  private static NativeFunction.Body fold(IntBinaryOperator operator) {
    return (run, args) -> {
      int b = bits(args, 1);
      for (int i = args.count(); i > 1; i--) {
        b = operator.applyAsInt(b, bits(args, i));
      }
      return number(b);
    };
  }

  private static NativeFunction.Body shift(IntBinaryOperator operator) {
    return (run, args) -> number(operator.applyAsInt(bits(args, 1), bits(args, 2) & MAX_SHIFT));
  }

  private static LuaValue[] toHex(Run run, Args args) {
    int b = bits(args, 1);
    int n = args.has(2) ? bits(args, 2) : MAX_DIGITS;
    boolean upper = n < 0;
    int digits = n == Integer.MIN_VALUE ? MAX_DIGITS : Math.min(MAX_DIGITS, Math.abs(n));
    String all = String.format("%08x", b);
    String text = all.substring(MAX_DIGITS - digits);
    return one(run.string(upper ? text.toUpperCase(Locale.ROOT) : text));
  }
}

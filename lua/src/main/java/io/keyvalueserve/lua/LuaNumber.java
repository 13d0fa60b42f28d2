package io.keyvalueserve.lua;

/** A number: a double, as all numbers of Lua 5.1. */
public final class LuaNumber extends LuaValue {
  private static final int CACHED = 256;
  private static final LuaNumber[] CACHE = new LuaNumber[CACHED];

  static {
    for (int i = 0; i < CACHED; i++) {
      CACHE[i] = new LuaNumber(i);
    }
  }

  final double value;

  LuaNumber(double value) {
    this.value = value;
  }

  /** Returns the value for a double. */
  public static LuaNumber of(double value) {
    return new LuaNumber(value);
  }

  /** Returns the value for an integer. Beyond 2^53 the nearest double. */
  public static LuaNumber of(long value) {
    return value >= 0 && value < CACHED ? CACHE[(int) value] : new LuaNumber(value);
  }

  /** Returns the number. */
  public double value() {
    return value;
  }

  @Override
  public String typeName() {
    return "number";
  }

  @Override
  int hash() {
    if (value == 0) {
      return 0;
    }
    long bits = Double.doubleToRawLongBits(value);
    return (int) bits + (int) (bits >>> 32);
  }

  @Override
  public String toString() {
    return Numbers.format(value);
  }
}

package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A string of bytes. Never changes. */
public final class LuaString extends LuaValue {
  static final LuaString EMPTY = constant("");

  /** Bytes that a string is charged beside its content. */
  static final int OVERHEAD = 48;

  /** A mark that says: outside every run, not charged to any. */
  private static final int SHARED = -1;

  final byte[] bytes;
  private int hash;

  /** The last trace that counted this string. */
  int mark;

  private LuaString(byte[] bytes, int mark) {
    this.bytes = bytes;
    this.mark = mark;
  }

  /** Makes a string that its run was charged for. The bytes must not change afterwards. */
  static LuaString charged(byte[] bytes) {
    return new LuaString(bytes, 0);
  }

  /** Makes a string that any number of runs share. Not charged: for names and source text. */
  static LuaString constant(byte[] bytes) {
    return new LuaString(bytes, SHARED);
  }

  /** Makes a string that any number of runs share, in UTF-8. Not charged. */
  public static LuaString constant(String text) {
    return constant(text.getBytes(StandardCharsets.UTF_8));
  }

  boolean shared() {
    return mark == SHARED;
  }

  /** Returns a copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Returns the length in bytes. */
  public int length() {
    return bytes.length;
  }

  /** Returns whether the other string has the same bytes. */
  public boolean sameAs(LuaString other) {
    return bytes.length == other.bytes.length
        && hash() == other.hash()
        && Arrays.equals(bytes, other.bytes);
  }

  /** Returns the text with a character for each byte, as messages are put together. */
  String latin() {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  boolean is(String text) {
    if (text.length() != bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (text.charAt(i) != (bytes[i] & 0xFF)) {
        return false;
      }
    }
    return true;
  }

  int compareTo(LuaString other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  /**
   * Returns the hash by which Redis' Lua orders strings in a table: pairs() then orders as there.
   */
  @Override
  int hash() {
    int h = hash;
    if (h == 0) {
      h = bytes.length;
      for (int i = bytes.length - 1; i >= 0; i--) {
        h ^= (h << 5) + (h >>> 2) + (bytes[i] & 0xFF);
      }
      hash = h;
    }
    return h;
  }

  @Override
  public String typeName() {
    return "string";
  }

  /** Returns the text, read as UTF-8. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

package io.keyvalueserve.lua;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow. Charged to the budget as they do: memory, and steps for what is copied. */
final class Buffer {
  private static final int MAX = Integer.MAX_VALUE - 64;

  private final Budget budget;
  private byte[] bytes;
  private int size;

  Buffer(Budget budget) {
    this(budget, 32);
  }

  Buffer(Budget budget, int capacity) {
    this.budget = budget;
    budget.allocate(capacity + 32L);
    this.bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  private void reserve(int more) {
    long wanted = (long) size + more;
    if (wanted > bytes.length) {
      if (wanted > MAX) {
        throw new BudgetExceeded(BudgetExceeded.Bound.MEMORY);
      }
      int capacity = (int) Math.min(MAX, Math.max(wanted, bytes.length * 2L));
      budget.allocate(capacity);
      bytes = Arrays.copyOf(bytes, capacity);
    }
  }

  Buffer add(int b) {
    if (size == bytes.length) {
      reserve(1);
    }
    bytes[size++] = (byte) b;
    return this;
  }

  Buffer add(byte[] from, int start, int length) {
    reserve(length);
    budget.bulk(length);
    System.arraycopy(from, start, bytes, size, length);
    size += length;
    return this;
  }

  Buffer add(LuaString s) {
    return add(s.bytes, 0, s.bytes.length);
  }

  Buffer add(String ascii) {
    byte[] b = ascii.getBytes(StandardCharsets.ISO_8859_1);
    return add(b, 0, b.length);
  }

  /** Returns the bytes so far as a string. */
  LuaString finish() {
    if (size == 0) {
      return LuaString.EMPTY;
    }
    if (size == bytes.length) {
      return LuaString.charged(bytes);
    }
    budget.allocate(LuaString.OVERHEAD + size);
    return LuaString.charged(Arrays.copyOf(bytes, size));
  }
}

package io.keyvalueserve.maps;

import org.jspecify.annotations.Nullable;

/**
 * Holds a time for each of many keys, by the keys' hashes: two numbers a key, by open addressing.
 * The hashes have 64 bits and depend on a secret: two keys are taken for one by chance only, once
 * in about 2^64 pairs. Not thread-safe.
 */
final class KeyTimes {
  private static final int FIRST_SLOTS = 16;

  /** A slot has a hash and a time; what has no time is free. */
  private static final int SLOT = 2;

  private long[] slots = {};
  private int size;

  /** Grants memory. */
  @FunctionalInterface
  interface Room {
    /** Returns whether so many bytes more may be taken; they then are. */
    boolean take(long bytes);
  }

  /** Is shown a key's hash and its time. */
  @FunctionalInterface
  interface Visitor {
    void visit(long hash, long time);
  }

  int size() {
    return size;
  }

  long bytes() {
    return (long) slots.length * Long.BYTES;
  }

  /** Returns the time of a key, 0 if it has none. */
  long of(long hash) {
    return slots.length == 0 ? 0 : slots[slot(slots, hash) + 1];
  }

  /**
   * Sets the time of a key, unless it has a later one.
   *
   * @param time positive
   * @return false if there was no room for one more key
   */
  boolean note(long hash, long time, @Nullable Room room) {
    if (4L * SLOT * (size + 1) > 3L * slots.length && !grow(hash, room)) {
      return false;
    }
    int slot = slot(slots, hash);
    if (slots[slot + 1] == 0) {
      slots[slot] = hash;
      size++;
    }
    slots[slot + 1] = Math.max(slots[slot + 1], time);
    return true;
  }

  /** Makes room for one key more; returns true, too, if a known key needs none. */
  private boolean grow(long hash, @Nullable Room room) {
    int length = Math.max(FIRST_SLOTS * SLOT, slots.length * 2);
    if (length < 0 || (room != null && !room.take((long) (length - slots.length) * Long.BYTES))) {
      return of(hash) != 0;
    }
    long[] next = new long[length];
    for (int i = 0; i < slots.length; i += SLOT) {
      if (slots[i + 1] != 0) {
        int slot = slot(next, slots[i]);
        next[slot] = slots[i];
        next[slot + 1] = slots[i + 1];
      }
    }
    slots = next;
    return true;
  }

  private static int slot(long[] slots, long hash) {
    int mask = slots.length - 1;
    int slot = (int) (hash >>> 32) * SLOT & mask;
    while (slots[slot + 1] != 0 && slots[slot] != hash) {
      slot = slot + SLOT & mask;
    }
    return slot;
  }

  void forEach(Visitor visitor) {
    for (int i = 0; i < slots.length; i += SLOT) {
      if (slots[i + 1] != 0) {
        visitor.visit(slots[i], slots[i + 1]);
      }
    }
  }

  /** Forgets all; returns how many bytes that gives back. */
  long clear() {
    long freed = bytes();
    slots = new long[0];
    size = 0;
    return freed;
  }
}

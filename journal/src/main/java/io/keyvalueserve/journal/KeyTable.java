package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;

/**
 * A table of keys outside the Java heap: open addressing with linear probing, at most three
 * quarters full, which is 43 to 86 bytes for each key, and half as much again while it grows.
 *
 * <pre>
 *   0            8                16          20          24       28
 *   +------------+----------------+-----------+-----------+--------+-----------+
 *   | hash       | position, or 0 | more hash | payload's | map    | partition |
 *   |            | if it is free  |           | length    |        |           |
 *   +------------+----------------+-----------+-----------+--------+-----------+   32 bytes
 * </pre>
 *
 * <p>A slot is known by its address until the next {@link #put} or {@link #remove}. For one thread.
 */
final class KeyTable implements AutoCloseable {
  private static final int SLOT_BYTES = 32;
  private static final int POSITION = 8;
  private static final int MORE_HASH = 16;
  private static final int PAYLOAD = 20;
  private static final int MAP = 24;
  private static final int PARTITION = 28;
  private static final int FIRST_SLOTS = 1 << 10;

  private AlignedMemory memory;
  private long slots;
  private long count;

  KeyTable() {
    slots = FIRST_SLOTS;
    memory = AlignedMemory.allocate(slots * SLOT_BYTES);
  }

  /** The slot of a key, or the free one where it would be. */
  long find(long hash, int moreHash, int map, int partition) {
    long i = hash & (slots - 1);
    while (true) {
      long slot = slot(i);
      if (isFree(slot)
          || (Memory.getLong(slot) == hash
              && Memory.getInt(slot + MORE_HASH) == moreHash
              && map(slot) == map
              && partition(slot) == partition)) {
        return slot;
      }
      i = (i + 1) & (slots - 1);
    }
  }

  /** Fills a slot that {@link #find} gave for the same key. */
  void put(
      long slot, long hash, int moreHash, int map, int partition, long position, int payloadBytes) {
    count += isFree(slot) ? 1 : 0;
    Memory.putLong(slot, hash);
    Memory.putInt(slot + MORE_HASH, moreHash);
    Memory.putInt(slot + MAP, map);
    Memory.putInt(slot + PARTITION, partition);
    Memory.putLong(slot + POSITION, position);
    Memory.putInt(slot + PAYLOAD, payloadBytes);
    if (count > slots / 4 * 3) {
      grow();
    }
  }

  void move(long slot, long position) {
    Memory.putLong(slot + POSITION, position);
  }

  /** Frees a slot; another key may have it then. */
  void remove(long slot) {
    count--;
    long mask = slots - 1;
    long free = (slot - memory.address()) / SLOT_BYTES;
    Memory.putLong(slot + POSITION, 0);
    for (long i = (free + 1) & mask; !isFree(slot(i)); i = (i + 1) & mask) {
      long home = Memory.getLong(slot(i)) & mask;
      if (((i - home) & mask) >= ((i - free) & mask)) { // it may move nearer to its home
        Memory.copy(slot(i), slot(free), SLOT_BYTES);
        Memory.putLong(slot(i) + POSITION, 0);
        free = i;
      }
    }
  }

  static boolean isFree(long slot) {
    return position(slot) == Position.NONE;
  }

  static long position(long slot) {
    return Memory.getLong(slot + POSITION);
  }

  static int payloadBytes(long slot) {
    return Memory.getInt(slot + PAYLOAD);
  }

  static int map(long slot) {
    return Memory.getInt(slot + MAP);
  }

  static int partition(long slot) {
    return Memory.getInt(slot + PARTITION);
  }

  /** Returns the number of slots; {@link #slot} goes through them. */
  long slots() {
    return slots;
  }

  long slot(long i) {
    return memory.address() + i * SLOT_BYTES;
  }

  long count() {
    return count;
  }

  private void grow() {
    AlignedMemory old = memory;
    long oldSlots = slots;
    memory = AlignedMemory.allocate(2 * oldSlots * SLOT_BYTES);
    slots = 2 * oldSlots;
    try (old) {
      for (long i = 0; i < oldSlots; i++) {
        long from = old.address() + i * SLOT_BYTES;
        if (!isFree(from)) {
          long hash = Memory.getLong(from);
          long to = find(hash, Memory.getInt(from + MORE_HASH), map(from), partition(from));
          Memory.copy(from, to, SLOT_BYTES);
        }
      }
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}

package io.keyvalueserve.maps.predicate;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.store.Table;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A set of keys in few objects: their bytes in chunks, and a table that says where each begins.
 *
 * <pre>
 *   0      4        8
 *   | hash | length | type and payload of the key |
 * </pre>
 *
 * <p>The hash has a seed of its own, so that nobody can choose keys that collide. Owned by one
 * query.
 */
final class SeenKeys {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int HEAD_BYTES = 8;
  private static final int LENGTH = 4;
  private static final int FIRST_SLOTS = 64; // a power of two, as any later size

  /** The bytes of a key from here on are what makes it the same: before is where it lies. */
  private static final int IDENTITY = HeapData.TYPE_OFFSET;

  private final long seed = ThreadLocalRandom.current().nextLong();
  private final List<byte[]> chunks = new ArrayList<>();
  private int used = CHUNK_BYTES;

  /** The places where keys begin, 1 for the first byte of the first chunk; 0 for none. */
  private long[] slots = new long[FIRST_SLOTS];

  private int count;

  /** Adds a key; returns false if it was there. */
  boolean add(Data key) {
    byte[] bytes = key.toByteArray();
    int hash = hash(bytes);
    int slot = slotOf(bytes, hash);
    if (slots[slot] != 0) {
      return false;
    }
    slots[slot] = keep(bytes, hash);
    count++;
    if (2 * count > slots.length) {
      grow();
    }
    return true;
  }

  /** Returns whether a key was added. */
  boolean contains(Data key) {
    byte[] bytes = key.toByteArray();
    return slots[slotOf(bytes, hash(bytes))] != 0;
  }

  private int hash(byte[] key) {
    return (int) Table.position(seed, key, IDENTITY, key.length - IDENTITY, 0);
  }

  /** The slot that a key has, or would have. */
  private int slotOf(byte[] key, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0 && !isAt(slots[slot], key, hash)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isAt(long place, byte[] key, int hash) {
    byte[] chunk = chunkOf(place);
    int at = offsetOf(place);
    int length = key.length - IDENTITY;
    return (int) INT.get(chunk, at) == hash
        && (int) INT.get(chunk, at + LENGTH) == length
        && Arrays.equals(
            chunk, at + HEAD_BYTES, at + HEAD_BYTES + length, key, IDENTITY, key.length);
  }

  private long keep(byte[] key, int hash) {
    int length = key.length - IDENTITY;
    if (chunks.isEmpty() || chunks.getLast().length - used < HEAD_BYTES + length) {
      chunks.add(new byte[Math.max(CHUNK_BYTES, HEAD_BYTES + length)]);
      used = 0;
    }
    byte[] chunk = chunks.getLast();
    INT.set(chunk, used, hash);
    INT.set(chunk, used + LENGTH, length);
    System.arraycopy(key, IDENTITY, chunk, used + HEAD_BYTES, length);
    long place = (((long) (chunks.size() - 1) << Integer.SIZE) | used) + 1;
    used += HEAD_BYTES + length;
    return place;
  }

  private void grow() {
    long[] before = slots;
    slots = new long[2 * before.length];
    int mask = slots.length - 1;
    for (long place : before) {
      if (place != 0) {
        int slot = (int) INT.get(chunkOf(place), offsetOf(place)) & mask;
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = place;
      }
    }
  }

  private byte[] chunkOf(long place) {
    return chunks.get((int) ((place - 1) >>> Integer.SIZE));
  }

  private static int offsetOf(long place) {
    return (int) (place - 1);
  }
}

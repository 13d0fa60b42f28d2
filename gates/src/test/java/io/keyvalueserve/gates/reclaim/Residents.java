package io.keyvalueserve.gates.reclaim;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The keys that are in memory: to be found, counted, sampled and removed. */
final class Residents {
  private final int[] at; // by key: its index, -1 if it is not there
  private int[] keys = new int[16];
  private int size;

  Residents(int allKeys) {
    at = new int[allKeys];
    Arrays.fill(at, -1);
  }

  boolean has(int key) {
    return at[key] >= 0;
  }

  int size() {
    return size;
  }

  void add(int key) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
    }
    at[key] = size;
    keys[size++] = key;
  }

  void remove(int key) {
    int index = at[key];
    int last = keys[--size];
    keys[index] = last;
    at[last] = index;
    at[key] = -1;
  }

  int any(SplittableRandom random) {
    return keys[random.nextInt(size)];
  }
}

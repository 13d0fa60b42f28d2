package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where each key of a log is, for whoever has the log and no records: 28 bytes of Java heap for
 * each key and free slot, in an open-addressing table that is at most three fifths full. A key is
 * known by 64 bits of its hash; among a hundred million keys two have the same with a chance of one
 * in 3,700.
 *
 * <p>For one thread.
 */
final class LiveKeys implements RecoverySink, RecordOwner {
  private static final int FIRST_SLOTS = 1 << 10;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Map<String, JournalContents.MapFigures> maps = new TreeMap<>();
  private long[] hashes = new long[FIRST_SLOTS];
  private long[] positions = new long[FIRST_SLOTS]; // 0: free
  private int[] payloads = new int[FIRST_SLOTS];
  private int[] mapNumbers = new int[FIRST_SLOTS];
  private int[] partitions = new int[FIRST_SLOTS];
  private String[] names = new String[0];
  private int count;
  private DeadBytes dead = (position, bytes) -> {};

  void setDead(DeadBytes dead) {
    this.dead = dead;
  }

  /** How many records each map has, and their payloads' bytes. */
  Map<String, JournalContents.MapFigures> maps() {
    maps.clear();
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] != 0) {
        String name = names[mapNumbers[i]];
        maps.merge(
            name,
            new JournalContents.MapFigures(name, 1, payloads[i]),
            JournalContents.MapFigures::plus);
      }
    }
    return maps;
  }

  // ---- recovery

  @Override
  public void begin(DeadBytes dead) {
    this.dead = dead;
  }

  @Override
  public void put(Frame frame) {
    long hash = hash(frame);
    int slot = find(hash);
    if (positions[slot] != 0) {
      dead.dead(positions[slot], payloads[slot]);
    } else {
      count++;
    }
    hashes[slot] = hash;
    positions[slot] = frame.position();
    payloads[slot] = frame.payloadBytes();
    mapNumbers[slot] = frame.map();
    partitions[slot] = frame.partition();
    name(frame);
    if (count > positions.length / 5 * 3) {
      grow();
    }
  }

  @Override
  public void remove(Frame frame) {
    int slot = find(hash(frame));
    if (positions[slot] != 0) {
      removeAt(slot);
    }
  }

  @Override
  public void clear(Frame frame) {
    removeAll(frame.partition(), frame.map(), frame.before());
  }

  @Override
  public void drop(Frame frame) {
    removeAll(frame.partition(), -1, frame.before());
  }

  private void removeAll(int partition, int map, long before) {
    for (int i = 0; i < positions.length; i++) {
      // What moves into the slot is looked at too; what moves over the end was looked at before.
      while (positions[i] != 0
          && partitions[i] == partition
          && (map < 0 || mapNumbers[i] == map)
          && positions[i] < before) {
        removeAt(i);
      }
    }
  }

  // ---- compaction

  @Override
  public void exclusively(int partition, Runnable slice) {
    slice.run();
  }

  @Override
  public long positionOf(Frame frame) {
    return positions[find(hash(frame))];
  }

  @Override
  public void moved(Frame frame, long position) {
    positions[find(hash(frame))] = position;
  }

  // ---- the table

  private void name(Frame frame) {
    if (frame.map() >= names.length) {
      names = Arrays.copyOf(names, Math.max(16, 2 * (frame.map() + 1)));
    }
    names[frame.map()] = frame.mapName();
  }

  private static long hash(Frame frame) {
    long hash = mixed(((long) frame.partition() << 32) ^ frame.map(), frame.keyForm());
    long key = frame.keyAddress();
    int bytes = frame.keyBytes();
    int i = 0;
    for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
      hash = mixed(hash, Memory.getLong(key + i));
    }
    for (; i < bytes; i++) {
      hash = mixed(hash, Memory.getByte(key + i));
    }
    return mixed(hash, bytes);
  }

  private static long mixed(long hash, long word) {
    long h = (hash ^ word) * MULTIPLIER;
    return h ^ (h >>> 32);
  }

  private int find(long hash) {
    int mask = positions.length - 1;
    int slot = (int) (hash & mask);
    while (positions[slot] != 0 && hashes[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void removeAt(int removed) {
    dead.dead(positions[removed], payloads[removed]);
    count--;
    int mask = positions.length - 1;
    int free = removed;
    positions[free] = 0;
    for (int i = (free + 1) & mask; positions[i] != 0; i = (i + 1) & mask) {
      int home = (int) (hashes[i] & mask);
      if (((i - home) & mask) >= ((i - free) & mask)) { // it may move nearer to its home
        copy(i, free);
        positions[i] = 0;
        free = i;
      }
    }
  }

  private void copy(int from, int to) {
    hashes[to] = hashes[from];
    positions[to] = positions[from];
    payloads[to] = payloads[from];
    mapNumbers[to] = mapNumbers[from];
    partitions[to] = partitions[from];
  }

  private void grow() {
    long[] oldHashes = hashes;
    long[] oldPositions = positions;
    int[] oldPayloads = payloads;
    int[] oldMaps = mapNumbers;
    int[] oldPartitions = partitions;
    int slots = Math.multiplyExact(2, positions.length);
    hashes = new long[slots];
    positions = new long[slots];
    payloads = new int[slots];
    mapNumbers = new int[slots];
    partitions = new int[slots];
    for (int i = 0; i < oldPositions.length; i++) {
      if (oldPositions[i] != 0) {
        int slot = find(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        positions[slot] = oldPositions[i];
        payloads[slot] = oldPayloads[i];
        mapNumbers[slot] = oldMaps[i];
        partitions[slot] = oldPartitions[i];
      }
    }
  }
}

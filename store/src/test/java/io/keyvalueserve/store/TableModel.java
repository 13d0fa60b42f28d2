package io.keyvalueserve.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * A table beside the plain map that it should be; what the table refuses does not happen. Values
 * are spilled to another map, from which each has to be freed once.
 */
final class TableModel implements Departures {
  private record Entry(byte[] value, int version, long expiresAt) {}

  private final Table table;
  private final Map<Integer, Entry> model = new HashMap<>();
  private final Map<Long, byte[]> disk = new HashMap<>();
  private long handle;
  private int version;

  TableModel(NativeHeap heap, long seed) {
    this.table = new Table(heap, 0, seed, false, this);
  }

  @Override
  public void left(long position, int bytes) {
    throw new AssertionError("nothing was logged: position=" + position);
  }

  @Override
  public void leftDisk(long gone, int length) {
    byte[] value = disk.remove(gone);
    assertThat(value).as("freed twice, or never spilled").isNotNull().hasSize(length);
  }

  /** One operation; false if there was no memory for it. */
  boolean step(Random random, int keys) {
    int key = random.nextInt(keys);
    try {
      switch (random.nextInt(16)) {
        case 0, 1 -> remove(key);
        case 2 -> replace(key, value(random));
        case 3 -> expire(key, random.nextBoolean() ? random.nextInt(1_000) : Attributes.NEVER);
        case 4 -> {
          if (random.nextInt(200) == 0) {
            clear();
          }
        }
        case 12, 13 -> spill(key);
        case 14 -> promote(key);
        case 15 -> relocate(key);
        default -> put(key, value(random), random.nextInt(4) == 0 ? 77 : Attributes.NEVER);
      }
      return true;
    } catch (OutOfNativeMemoryException e) {
      return false;
    }
  }

  /** One operation from bytes; nothing happens if there is no memory for it. */
  void step(int operation, ByteBuffer in) {
    try {
      switch (operation & 7) {
        case 2 -> remove(in.getShort() & 0xFFFF);
        case 3 -> replace(in.getShort() & 0xFFFF, value(in));
        case 4 -> expire(in.getShort() & 0xFFFF, (operation & 8) != 0 ? 9 : Attributes.NEVER);
        case 5 -> {
          if (operation == 5) {
            clear();
          }
        }
        case 6 -> {
          int key = in.getShort() & 0xFFFF;
          switch (operation & 24) {
            case 8 -> spill(key);
            case 16 -> promote(key);
            case 24 -> relocate(key);
            default -> compareKey(key);
          }
        }
        case 7 -> removeAround(in.getInt() & 0xFFFF_FFFFL);
        default ->
            put(in.getShort() & 0xFFFF, value(in), (operation & 8) != 0 ? 9 : Attributes.NEVER);
      }
    } catch (OutOfNativeMemoryException e) {
      // so it has not happened: compare() will see
    }
  }

  /** The longest are of whole pages. */
  private static byte[] value(ByteBuffer in) {
    int length = in.get() & 255;
    byte[] value = new byte[length < 240 ? length : (length - 239) * 20_000];
    Arrays.fill(value, (byte) length);
    return value;
  }

  /** Removes what one page of a scan visits, while it is visited. */
  private void removeAround(long cursor) {
    table.scan(
        cursor,
        record -> {
          byte[] key = new byte[Records.keyLength(record)];
          Records.copyKey(record, key, 0);
          assertThat(table.remove(record)).isTrue();
          assertThat(model.remove(Integer.parseInt(new String(key, US_ASCII).substring(4))))
              .isNotNull();
        });
  }

  private static byte[] value(Random random) {
    int length =
        switch (random.nextInt(6)) {
          case 0 -> random.nextInt(200);
          case 1 -> 270;
          default -> 130;
        };
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }

  void put(int key, byte[] value, long expiresAt) {
    Attributes attributes = new Attributes();
    attributes.version = ++version;
    attributes.expiresAt = expiresAt;
    byte[] bytes = bytes(key);
    long record = table.put(bytes, 0, bytes.length, 1, 0, value, 0, value.length, 1, attributes);
    model.put(key, new Entry(value, version, expiresAt));
    assertThat(find(key)).isEqualTo(record);
  }

  void replace(int key, byte[] value) {
    long record = find(key);
    Entry old = model.get(key);
    assertThat(record != 0).isEqualTo(old != null);
    if (old != null) {
      table.replaceValue(record, value, 0, value.length, 1);
      model.put(key, new Entry(value, old.version, old.expiresAt));
    }
  }

  void expire(int key, long expiresAt) {
    long record = find(key);
    Entry old = model.get(key);
    if (record != 0 && old != null) {
      Attributes attributes = new Attributes();
      attributes.expiresAt = expiresAt;
      attributes.maxIdle = 5;
      table.setExpiry(record, attributes);
      model.put(key, new Entry(old.value, old.version, expiresAt));
    }
  }

  void remove(int key) {
    long record = find(key);
    assertThat(record != 0).isEqualTo(model.containsKey(key));
    if (record != 0) {
      assertThat(table.remove(record)).isTrue();
      model.remove(key);
    }
  }

  void spill(int key) {
    long record = find(key);
    Entry entry = model.get(key);
    if (record != 0 && entry != null && !Records.isSpilled(record)) {
      disk.put(++handle, entry.value);
      try {
        assertThat(table.spill(record, handle)).isEqualTo(find(key)).isNotEqualTo(record);
      } catch (OutOfNativeMemoryException e) {
        disk.remove(handle);
        throw e;
      }
    }
  }

  void promote(int key) {
    long record = find(key);
    if (record != 0 && Records.isSpilled(record)) {
      byte[] value = read(record);
      assertThat(table.promote(record, value, 0)).isEqualTo(find(key)).isNotEqualTo(record);
    }
  }

  void relocate(int key) {
    long record = find(key);
    if (record != 0) {
      assertThat(table.relocate(record)).isEqualTo(find(key)).isNotEqualTo(record);
    }
  }

  private byte[] read(long record) {
    if (Records.isSpilled(record)) {
      return Objects.requireNonNull(disk.get(Records.spillHandle(record)));
    }
    byte[] value = new byte[Records.valueLength(record)];
    Records.copyValue(record, value, 0);
    return value;
  }

  void clear() {
    table.clear();
    model.clear();
    assertThat(disk).isEmpty();
  }

  void close() {
    table.close();
    assertThat(disk).isEmpty();
  }

  /** Every record, found and scanned, is the model's. */
  void compare() {
    assertThat(table.size()).isEqualTo(model.size());
    assertThat(table.expiring())
        .isEqualTo(
            (int) model.values().stream().filter(e -> e.expiresAt != Attributes.NEVER).count());
    model.keySet().forEach(this::compareKey);
    Set<Long> scanned = new HashSet<>();
    long[] bytes = {0};
    for (long cursor = 0; cursor != Table.END; ) {
      cursor =
          table.scan(
              cursor,
              record -> {
                assertThat(scanned.add(record)).isTrue();
                bytes[0] += Records.bytes(record);
              });
    }
    assertThat(scanned).hasSize(model.size());
    Set<Long> several = new HashSet<>();
    for (long cursor = 0; cursor != Table.END; ) {
      cursor = table.scanMany(cursor, 20, record -> assertThat(several.add(record)).isTrue());
    }
    assertThat(several).isEqualTo(scanned);
    assertThat(table.bytes()).isGreaterThan(bytes[0]);
    Set<Long> sampled = new HashSet<>();
    table.sample(7, sampled::add);
    assertThat(sampled).hasSizeGreaterThanOrEqualTo(Math.min(7, model.size()));
    assertThat(scanned).containsAll(sampled);
  }

  /** A key's record is the model's, or there is none in both. */
  void compareKey(int key) {
    Entry entry = model.get(key);
    long record = find(key);
    if (entry == null) {
      assertThat(record).isZero();
      return;
    }
    assertThat(record).isNotZero();
    assertThat(read(record)).isEqualTo(entry.value).hasSize(Records.valueLength(record));
    assertThat(Records.version(record)).isEqualTo(entry.version);
    assertThat(Records.expiresAt(record)).isEqualTo(entry.expiresAt);
  }

  private long find(int key) {
    byte[] bytes = bytes(key);
    return table.find(bytes, 0, bytes.length, 1);
  }

  private static byte[] bytes(int key) {
    return ("key-" + key).getBytes(US_ASCII);
  }
}

package io.keyvalueserve.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: a table is a map. Method: random operations on a table and on a plain map with a virtual
 * clock, everything compared after each phase; at the end no byte is left.
 */
class TableModelTest {
  private static final long HEAP_BYTES = 1L << 30;

  private record Entry(String value, int valueForm, int extra, int version, long expiresAt) {}

  @Property(tries = 60)
  void behavesAsAMap(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, Entry> model = new HashMap<>();
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 2)) {
      Table table = new Table(heap, random.nextInt(5), random.nextLong());
      long clock = 1_000;
      int keys = 1 << (3 + random.nextInt(10));
      for (int phase = 0; phase < 6; phase++) {
        int writes = random.nextInt(100); // of a hundred; the rest removes
        for (int i = 0; i < keys; i++) {
          clock += random.nextInt(3);
          step(table, model, random, keys, writes, clock);
        }
        same(table, model);
      }
      if (random.nextBoolean()) {
        table.clear();
        model.clear();
        same(table, model);
        step(table, model, random, keys, 100, clock);
        same(table, model);
      }
      table.close();
      heap.trim();
      assertThat(heap.blocks().blocks()).isZero();
      assertThat(heap.blocks().held()).isZero();
    }
  }

  private static void step(
      Table table, Map<String, Entry> model, Random random, int keys, int writes, long clock) {
    String key = "key-" + random.nextInt(keys);
    byte[] bytes = key.getBytes(UTF_8);
    long record = table.find(bytes, 0, bytes.length, 1);
    assertThat(record != 0).isEqualTo(model.containsKey(key));
    if (random.nextInt(100) >= writes) {
      if (record != 0) {
        assertThat(table.remove(record)).isTrue();
        model.remove(key);
      }
      return;
    }
    String value = "v".repeat(size(random)) + clock;
    byte[] valueBytes = value.getBytes(UTF_8);
    Entry old = model.get(key);
    if (record != 0 && old != null && random.nextInt(3) == 0) {
      long next = table.replaceValue(record, valueBytes, 0, valueBytes.length, 2);
      Records.setVersion(next, old.version + 1);
      model.put(key, new Entry(value, 2, old.extra, old.version + 1, old.expiresAt));
    } else if (record != 0 && old != null && random.nextInt(2) == 0) {
      Attributes expiry = expiry(random, clock);
      table.setExpiry(record, expiry);
      model.put(key, new Entry(old.value, old.valueForm, old.extra, old.version, expiry.expiresAt));
    } else {
      Attributes attributes = expiry(random, clock);
      attributes.version = random.nextInt();
      attributes.tenant = 7;
      attributes.statistics = random.nextBoolean();
      attributes.hits = 3;
      int extra = random.nextInt(3);
      table.put(bytes, 0, bytes.length, 1, extra, valueBytes, 0, valueBytes.length, 1, attributes);
      model.put(key, new Entry(value, 1, extra, attributes.version, attributes.expiresAt));
    }
  }

  private static int size(Random random) {
    return random.nextInt(50) == 0 ? random.nextInt(300_000) : random.nextInt(200);
  }

  private static Attributes expiry(Random random, long clock) {
    Attributes attributes = new Attributes();
    if (random.nextInt(3) == 0) {
      attributes.timeToLive = random.nextInt(1_000);
      attributes.lastUpdate = clock;
      attributes.expiresAt = clock + attributes.timeToLive;
      if (random.nextBoolean()) {
        attributes.maxIdle = random.nextInt(1_000);
      }
    }
    return attributes;
  }

  private static void same(Table table, Map<String, Entry> model) {
    assertThat(table.size()).isEqualTo(model.size());
    assertThat(table.expiring())
        .isEqualTo(
            (int) model.values().stream().filter(e -> e.expiresAt != Attributes.NEVER).count());
    model.forEach((key, entry) -> same(table, key, entry));
    Set<String> seen = new HashSet<>();
    long[] sum = {0};
    for (long cursor = 0; cursor != Table.END; ) {
      cursor =
          table.scan(
              cursor,
              record -> {
                assertThat(seen.add(key(record))).isTrue();
                sum[0] += Records.bytes(record);
              });
    }
    assertThat(seen).isEqualTo(model.keySet());
    assertThat(table.bytes()).isGreaterThan(sum[0]);
    Set<String> sampled = new HashSet<>();
    table.sample(5, record -> sampled.add(key(record)));
    assertThat(sampled).hasSizeGreaterThanOrEqualTo(Math.min(5, model.size()));
    assertThat(model.keySet()).containsAll(sampled);
  }

  private static void same(Table table, String key, Entry entry) {
    byte[] bytes = key.getBytes(UTF_8);
    long record = table.find(bytes, 0, bytes.length, 1);
    assertThat(record).isNotZero();
    assertThat(table.find(bytes, 0, bytes.length, 2)).isZero();
    byte[] value = new byte[Records.valueLength(record)];
    Records.copyValue(record, value, 0);
    assertThat(
            new Entry(
                new String(value, UTF_8),
                Records.valueForm(record),
                Records.extra(record),
                Records.version(record),
                Records.expiresAt(record)))
        .isEqualTo(entry);
    assertThat(table.position(record)).isEqualTo(table.position(bytes, 0, bytes.length, 1));
  }

  private static String key(long record) {
    byte[] bytes = new byte[Records.keyLength(record)];
    Records.copyKey(record, bytes, 0);
    return new String(bytes, UTF_8);
  }
}

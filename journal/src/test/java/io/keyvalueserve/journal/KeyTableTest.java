package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The table against a map, with hashes that meet and keys that differ in one part only. */
class KeyTableTest {
  private record Key(long hash, int moreHash, int map, int partition) {}

  private record Value(long position, int payloadBytes) {}

  private final Map<Key, Value> model = new HashMap<>();
  private long slots;

  @Test
  void agreesWithAMapWhateverIsPutMovedAndRemoved() {
    SplittableRandom random = new SplittableRandom(7);
    long before = AlignedMemory.outstandingBytes();
    try (KeyTable table = new KeyTable()) {
      slots = table.slots();
      for (int i = 1; i <= 60_000; i++) {
        Key key = key(random);
        long slot = table.find(key.hash, key.moreHash, key.map, key.partition);
        assertThat(KeyTable.isFree(slot)).isEqualTo(!model.containsKey(key));
        int what = random.nextInt(10);
        if (what < 6) {
          table.put(slot, key.hash, key.moreHash, key.map, key.partition, i, i % 100);
          model.put(key, new Value(i, i % 100));
        } else if (!KeyTable.isFree(slot) && what < 9) {
          table.remove(slot);
          model.remove(key);
        } else if (!KeyTable.isFree(slot)) {
          table.move(slot, i);
          model.put(key, new Value(i, KeyTable.payloadBytes(slot)));
        }
        assertThat(table.count()).isEqualTo(model.size());
        if (i % 5_000 == 0) {
          assertAgrees(table);
        }
      }
      assertThat(table.slots()).as("it has grown").isGreaterThan(slots);
    }
    assertThat(AlignedMemory.outstandingBytes()).isEqualTo(before);
  }

  private void assertAgrees(KeyTable table) {
    model.forEach(
        (key, value) -> {
          long slot = table.find(key.hash, key.moreHash, key.map, key.partition);
          assertThat(new Value(KeyTable.position(slot), KeyTable.payloadBytes(slot)))
              .isEqualTo(value);
        });
    long used = 0;
    for (long i = 0; i < table.slots(); i++) {
      used += KeyTable.isFree(table.slot(i)) ? 0 : 1;
    }
    assertThat(used).isEqualTo(model.size());
  }

  /** Some thousand keys whose homes crowd at both ends of the table, so that chains go over it. */
  private static Key key(SplittableRandom random) {
    long hash = random.nextLong(-300, 300);
    return new Key(hash, random.nextInt(2), random.nextInt(2), random.nextInt(2));
  }
}

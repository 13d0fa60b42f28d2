package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: what was received where it stays is a record like any other, and what never became one
 * leaves nothing behind. Method: a model, random changes between staging and putting.
 */
class StagedRecordTest {
  private static final int KEYS = 12;
  private static final int STEPS = 400;

  private record Staged(byte[] key, StagedRecord record, byte[] value, boolean expires) {}

  @Property(tries = 40)
  void staysWhatWasReceived(@ForAll long seed) {
    Random random = new Random(seed);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      List<Staged> staged = new ArrayList<>();
      try (Table table = new Table(heap, 0, seed)) {
        Map<Byte, byte[]> model = new HashMap<>();
        for (int i = 0; i < STEPS; i++) {
          step(table, model, staged, random);
        }
        assertThat(table.size()).isEqualTo(model.size());
        model.forEach((key, value) -> assertThat(valueOf(table, key)).isEqualTo(value));
        assertThat(heap.pins()).isEqualTo(staged.size());
      }
      staged.forEach(each -> each.record().discard());
      assertThat(heap.pins()).isZero();
      heap.trim();
      assertThat(heap.usedBytes()).isZero();
    }
  }

  private static byte[] valueOf(Table table, byte key) {
    long record = table.find(new byte[] {key}, 0, 1, 0);
    assertThat(record).isNotZero();
    byte[] value = new byte[Records.valueLength(record)];
    Records.copyValue(record, value, 0);
    return value;
  }

  private static void step(
      Table table, Map<Byte, byte[]> model, List<Staged> staged, Random random) {
    byte[] key = {(byte) random.nextInt(KEYS)};
    byte[] value = new byte[random.nextInt(5_000)];
    random.nextBytes(value);
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        long _ = table.put(key, 0, 1, 0, 0, value, 0, value.length, 0, new Attributes());
        model.put(key[0], value);
      }
      case 2 -> {
        long record = table.find(key, 0, 1, 0);
        assertThat(record != 0 && table.remove(record)).isEqualTo(model.remove(key[0]) != null);
      }
      case 3 -> {
        if (random.nextInt(20) == 0) {
          table.clear();
          model.clear();
        }
      }
      case 4 -> {
        if (!staged.isEmpty()) {
          StagedRecord record = staged.remove(random.nextInt(staged.size())).record();
          record.discard();
          record.discard(); // nothing more
        }
      }
      case 5, 6, 7 -> {
        boolean expires = random.nextBoolean();
        StagedRecord record = table.stage(1, value.length, expires);
        record.value().put(value);
        staged.add(new Staged(key, record, value, expires));
      }
      default -> {
        if (!staged.isEmpty()) {
          put(table, model, staged.remove(random.nextInt(staged.size())));
        }
      }
    }
  }

  private static void put(Table table, Map<Byte, byte[]> model, Staged staged) {
    Attributes attributes = new Attributes();
    attributes.expiresAt = staged.expires() ? Long.MAX_VALUE - 1 : Attributes.NEVER;
    attributes.version = 7;
    long record = table.putStaged(staged.key(), 0, 1, 0, staged.record(), 1, attributes);
    staged.record().discard(); // nothing any more
    assertThat(record).isEqualTo(table.find(staged.key(), 0, 1, 0));
    assertThat(Records.version(record)).isEqualTo(7);
    assertThat(Records.valueForm(record)).isEqualTo(1);
    assertThat(Records.expires(record)).isEqualTo(staged.expires());
    assertThatThrownBy(() -> staged.record().value()).isInstanceOf(IllegalStateException.class);
    model.put(staged.key()[0], staged.value());
  }

  @Test
  void onlyWhatItWasMadeForIsTaken() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
        Table table = new Table(heap, 0, 1);
        Table other = new Table(heap, 0, 1)) {
      StagedRecord staged = table.stage(2, 100, false);
      Attributes never = new Attributes();
      Attributes expires = new Attributes();
      expires.expiresAt = 5_000;
      Attributes withStatistics = new Attributes();
      withStatistics.statistics = true;
      assertThat(table.takes(staged, 2, never)).isTrue();
      assertThat(table.takes(staged, 3, never)).isFalse();
      assertThat(table.takes(staged, 2, expires)).isFalse();
      assertThat(table.takes(staged, 2, withStatistics)).isFalse();
      assertThat(other.takes(staged, 2, never)).isFalse();
      assertThatThrownBy(() -> other.putStaged(new byte[2], 0, 2, 0, staged, 0, never))
          .isInstanceOf(IllegalArgumentException.class);
      table.setLogged(true);
      assertThat(table.takes(staged, 2, never)).isFalse(); // it has no room for where it is
      table.setLogged(false);
      staged.discard();
      assertThat(table.takes(staged, 2, never)).isFalse();
    }
  }

  /** What does not become a record as the log refuses it stays staged. */
  @Test
  void isNoRecordIfItMayNotArrive() {
    RuntimeException refusal = new IllegalStateException("no");
    Departures refusing =
        new Departures() {
          @Override
          public void arriving(long record) {
            throw refusal;
          }

          @Override
          public void left(long position, int bytes) {}
        };
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
        Table table = new Table(heap, 0, 1, false, refusing)) {
      StagedRecord staged = table.stage(1, 3, false);
      staged.value().put(new byte[] {1, 2, 3});
      assertThatThrownBy(() -> table.putStaged(new byte[1], 0, 1, 0, staged, 0, new Attributes()))
          .isSameAs(refusal);
      assertThat(table.size()).isZero();
      assertThat(table.find(new byte[1], 0, 1, 0)).isZero();
      byte[] value = new byte[3];
      staged.value().get(value);
      assertThat(value).containsExactly(1, 2, 3);
      staged.discard();
      assertThat(heap.pins()).isZero();
    }
  }
}

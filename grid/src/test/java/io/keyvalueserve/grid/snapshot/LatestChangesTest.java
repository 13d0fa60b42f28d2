package io.keyvalueserve.grid.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.maps.MapChange;
import io.keyvalueserve.maps.StoredEntry;
import io.keyvalueserve.snapshots.Change;
import io.keyvalueserve.snapshots.SnapshotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: of all changes that come, the last ones count, both while a snapshot is taken and when
 * archived changes are put upon one. Method: random changes, beside a plain map.
 */
final class LatestChangesTest {
  private static final int PARTITIONS = 3;
  private static final int KEYS = 20;
  private static final int STEPS = 400;

  private static byte[] key(int number) {
    return ("key-" + number).getBytes(UTF_8);
  }

  private static int partition(int key) {
    return key % PARTITIONS;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theLastChangeOfAKeyCounts(long seed) {
    Random random = new Random(seed);
    LatestChanges changes = new LatestChanges();
    Overlay overlay = new Overlay(1 << 20);
    Map<Integer, String> base = new TreeMap<>();
    for (int i = 0; i < KEYS; i += 2) {
      base.put(i, "base");
    }
    Map<Integer, String> expected = new TreeMap<>(base);
    boolean cleared = false;
    for (int step = 0; step < STEPS; step++) {
      int number = random.nextInt(KEYS);
      switch (random.nextInt(12)) {
        case 0 -> {
          int partition = random.nextInt(PARTITIONS);
          changes.take(
              new MapChange("m", partition, MapChange.Kind.CLEAR, step, 0, new byte[0], null));
          overlay.take(Change.clear(step, step, partition, "m"));
          expected.keySet().removeIf(each -> partition(each) == partition);
          cleared = true;
        }
        case 1, 2, 3 -> {
          changes.take(
              new MapChange(
                  "m", partition(number), MapChange.Kind.REMOVE, step, 0, key(number), null));
          overlay.take(Change.remove(step, step, partition(number), "m", key(number)));
          String _ = expected.remove(number);
        }
        default -> {
          byte[] value = ("value-" + step).getBytes(UTF_8);
          StoredEntry entry = new StoredEntry(0, key(number), value, 1, 2, 3);
          changes.take(
              new MapChange(
                  "m", partition(number), MapChange.Kind.PUT, step, 0, key(number), entry));
          overlay.take(
              Change.put(
                  step,
                  step,
                  partition(number),
                  "m",
                  new SnapshotEntry(key(number), value, 1, 2, 3)));
          expected.put(number, "value-" + step);
        }
      }
    }
    assertThat(changes.takeCleared()).isEqualTo(cleared ? List.of("m") : List.of());
    assertThat(changes.takeCleared()).isEmpty();

    Map<String, String> restored = new TreeMap<>();
    base.forEach(
        (number, value) -> {
          SnapshotEntry entry = new SnapshotEntry(key(number), value.getBytes(UTF_8), 1, 2, 3);
          if (overlay.isUnchanged("m", partition(number), entry)) {
            restored.put("key-" + number, value);
          }
        });
    overlay
        .put("m")
        .forEach(
            entry ->
                restored.put(new String(entry.key(), UTF_8), new String(entry.value(), UTF_8)));
    Map<String, String> wanted = new TreeMap<>();
    expected.forEach((number, value) -> wanted.put("key-" + number, value));
    assertThat(restored).isEqualTo(wanted);

    List<Integer> partitions = new ArrayList<>();
    changes.forEach(
        "m",
        (partition, entry) -> {
          partitions.add(partition);
          if (entry.value().length > 0) {
            assertThat(wanted)
                .containsEntry(new String(entry.key(), UTF_8), new String(entry.value(), UTF_8));
          } else {
            assertThat(wanted).doesNotContainKey(new String(entry.key(), UTF_8));
          }
        });
    assertThat(partitions).isSorted();
    assertThat(overlay.maps()).containsExactly("m");
    assertThat(overlay.put("other")).isEmpty();
  }

  @Test
  void changesAreBounded() {
    Overlay overlay = new Overlay(10_000);
    SnapshotEntry entry = new SnapshotEntry(key(1), new byte[6_000], 1, 2, 3);
    overlay.put("m", 0, entry);
    overlay.put("m", 0, entry); // the same key: takes its place
    assertThatThrownBy(
            () -> overlay.put("m", 0, new SnapshotEntry(key(2), new byte[6_000], 1, 2, 3)))
        .isInstanceOf(SnapshotFailure.class)
        .hasMessageContaining("restore to an earlier time");
  }
}

package io.keyvalueserve.engine.collection;

import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A packed set beside Java's own, and beside bytes that are none. */
final class PackedSetTest {
  private static final int ROUNDS = 20_000;

  @Test
  void doesWhatASetDoes() {
    Random random = new Random(5);
    Set<String> model = new LinkedHashSet<>();
    CollectionValue packed = null;
    for (int round = 0; round < ROUNDS; round++) {
      PackedSet set = new PackedSet(packed);
      int steps = random.nextInt(10) == 0 ? 30 : 1 + random.nextInt(3);
      for (int step = 0; step < steps; step++) {
        String name = "m".repeat(random.nextInt(3) * 70) + random.nextInt(12);
        Bytes member = Bytes.of(utf8(name));
        switch (random.nextInt(3)) {
          case 0 -> assertThat(set.add(member)).isEqualTo(model.add(name));
          case 1 -> assertThat(set.remove(member)).isEqualTo(model.remove(name));
          default -> assertThat(set.contains(member)).isEqualTo(model.contains(name));
        }
      }
      assertThat(set.size()).isEqualTo(model.size());
      assertThat(contents(set)).containsExactlyElementsOf(model);
      packed = set.isChanged() ? set.pack() : packed;
      assertThat(contents(new PackedSet(packed))).containsExactlyElementsOf(model);
    }
  }

  @Test
  void bytesThatAreNoSetAreRefusedOrReadButNothingElse() {
    Random random = new Random(6);
    PackedSet set = new PackedSet(null);
    for (int i = 0; i < 40; i++) {
      set.add(Bytes.of(utf8("member" + "m".repeat(i * 5) + i)));
    }
    CollectionValue value = set.pack();
    byte[] whole = new Bytes(value.bytes(), value.offset(), value.length()).toArray();
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = whole.clone();
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = random.nextInt(3) == 0 ? random.nextInt(6) : random.nextInt(bytes.length);
        bytes[at] = (byte) random.nextInt(256);
      }
      try {
        PackedSet damaged =
            new PackedSet(new CollectionValue(CollectionType.SET, bytes, 0, length));
        damaged.contains(Bytes.of(utf8("member0")));
        damaged.add(Bytes.of(utf8("new")));
        damaged.remove(Bytes.of(utf8("member0")));
        assertThat(contents(damaged).size()).isLessThan(length);
        assertThat(contents(new PackedSet(damaged.pack()))).contains("new");
      } catch (CorruptCollectionException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 4);
  }

  private static List<String> contents(SetView set) {
    List<String> all = new ArrayList<>();
    set.forEach(member -> all.add(latin(member.toArray())));
    return all;
  }
}

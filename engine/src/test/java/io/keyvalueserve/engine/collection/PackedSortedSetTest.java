package io.keyvalueserve.engine.collection;

import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.collection.SortedSetView.Scored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A packed sorted set beside a map that is sorted anew each time, and beside bytes that are none.
 */
final class PackedSortedSetTest {
  private static final int ROUNDS = 10_000;
  private static final double[] SCORES = {
    0, -0.0, 1, 1.5, -3, 1e300, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
  };

  @Test
  void doesWhatAMapThatIsSortedDoes() {
    Random random = new Random(5);
    Map<String, Double> model = new HashMap<>();
    CollectionValue packed = null;
    for (int round = 0; round < ROUNDS; round++) {
      PackedSortedSet set = new PackedSortedSet(packed);
      int steps = random.nextInt(10) == 0 ? 30 : 1 + random.nextInt(3);
      for (int step = 0; step < steps; step++) {
        step(random, set, model);
      }
      List<String> ordered = ordered(model);
      assertThat(contents(set.range(0, set.size()))).isEqualTo(ordered);
      packed = set.isChanged() ? set.pack() : packed;
      PackedSortedSet again = new PackedSortedSet(packed);
      assertThat(contents(again.range(0, again.size()))).isEqualTo(ordered);
      double limit = SCORES[random.nextInt(SCORES.length)];
      assertThat(again.countBelow(limit, true))
          .isEqualTo(model.values().stream().filter(score -> score <= limit).count());
      assertThat(again.countBelow(limit, false))
          .isEqualTo(model.values().stream().filter(score -> score < limit).count());
    }
  }

  private static void step(Random random, PackedSortedSet set, Map<String, Double> model) {
    String name = "m".repeat(random.nextInt(3) * 70) + random.nextInt(12);
    Bytes member = Bytes.of(utf8(name));
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        double score = SCORES[random.nextInt(SCORES.length)];
        assertThat(set.put(member, score)).isEqualTo(model.put(name, score) == null);
      }
      case 2 -> assertThat(set.remove(member)).isEqualTo(model.remove(name) != null);
      case 3 -> assertThat(set.score(member)).isEqualTo(model.get(name));
      case 4 -> {
        List<Scored> all = set.range(0, set.size());
        long rank = set.rank(member);
        assertThat(rank >= 0).isEqualTo(model.containsKey(name));
        if (rank >= 0) {
          assertThat(all.get((int) rank).member()).isEqualTo(member);
        }
      }
      default -> {
        int from = random.nextInt(model.size() + 1);
        int count = Math.min(model.size() - from, random.nextInt(3));
        for (Scored each : set.range(from, count)) {
          model.remove(latin(each.member().toArray()));
        }
        set.removeRange(from, count);
      }
    }
    assertThat(set.size()).isEqualTo(model.size());
  }

  @Test
  void countsMembersByTheirBytes() {
    PackedSortedSet set = new PackedSortedSet(null);
    for (String member : List.of("a", "b", "bb", "c")) {
      set.put(Bytes.of(utf8(member)), 0);
    }
    for (PackedSortedSet each : List.of(set, new PackedSortedSet(set.pack()))) {
      assertThat(each.countBelow(Bytes.of(utf8("b")), false)).isEqualTo(1);
      assertThat(each.countBelow(Bytes.of(utf8("b")), true)).isEqualTo(2);
      assertThat(each.countBelow(Bytes.of(utf8("bc")), false)).isEqualTo(3);
    }
  }

  @Test
  void bytesThatAreNoSortedSetAreRefusedOrReadButNothingElse() {
    Random random = new Random(6);
    PackedSortedSet set = new PackedSortedSet(null);
    for (int i = 0; i < 40; i++) {
      set.put(Bytes.of(utf8("m".repeat(i * 5))), i);
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
        PackedSortedSet damaged =
            new PackedSortedSet(new CollectionValue(CollectionType.SORTED_SET, bytes, 0, length));
        damaged.put(Bytes.of(utf8("x")), 7);
        damaged.remove(Bytes.of(utf8("mmmmm")));
        assertThat(new PackedSortedSet(damaged.pack()).score(Bytes.of(utf8("x")))).isEqualTo(7);
      } catch (CorruptCollectionException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 8);
  }

  private static List<String> contents(List<Scored> members) {
    return members.stream()
        .map(each -> latin(each.member().toArray()) + "=" + each.score())
        .toList();
  }

  private static List<String> ordered(Map<String, Double> model) {
    List<Scored> all = new ArrayList<>();
    model.forEach((name, score) -> all.add(new Scored(Bytes.of(utf8(name)), score)));
    return contents(all.stream().sorted().toList());
  }
}

package io.keyvalueserve.engine.collection;

import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A packed list beside Java's own, and beside bytes that are none. */
final class PackedListTest {
  private static final int ROUNDS = 20_000;

  @Test
  void doesWhatAnArrayListDoes() {
    Random random = new Random(5);
    List<String> model = new ArrayList<>();
    CollectionValue packed = null;
    for (int round = 0; round < ROUNDS; round++) {
      PackedList list = new PackedList(packed);
      for (int step = random.nextInt(3); step >= 0; step--) {
        int from = random.nextInt(model.size() + 1);
        int removed = Math.min(model.size() - from, random.nextInt(4));
        List<String> inserted =
            IntStream.range(0, random.nextInt(model.size() > 40 ? 2 : 5))
                .mapToObj(i -> "e".repeat(random.nextInt(3) * 70) + random.nextInt(1000))
                .toList();
        list.splice(from, removed, inserted.stream().map(each -> Bytes.of(utf8(each))).toList());
        model.subList(from, from + removed).clear();
        model.addAll(from, inserted);
      }
      assertThat(contents(list)).isEqualTo(model);
      assertThat(list.isChanged()).isTrue();
      packed = list.pack();
      int from = random.nextInt(model.size() + 1);
      int count = random.nextInt(5);
      assertThat(
              new PackedList(packed).range(from, count).stream().map(each -> latin(each.toArray())))
          .isEqualTo(model.subList(from, Math.min(model.size(), from + count)));
    }
  }

  @Test
  void bytesThatAreNoListAreRefusedOrReadButNothingElse() {
    Random random = new Random(6);
    PackedList list = new PackedList(null);
    list.splice(
        0, 0, IntStream.range(0, 40).mapToObj(i -> Bytes.of(utf8("v".repeat(i * 5)))).toList());
    CollectionValue value = list.pack();
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
        PackedList damaged =
            new PackedList(new CollectionValue(CollectionType.LIST, bytes, 0, length));
        long size = damaged.size();
        damaged.splice(size / 2, Math.min(1, size), List.of(Bytes.of(utf8("x"))));
        assertThat(contents(damaged).size()).isLessThanOrEqualTo(length);
        assertThat(contents(new PackedList(damaged.pack()))).hasSize((int) Math.max(1, size));
      } catch (CorruptCollectionException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 10);
  }

  private static List<String> contents(ListView list) {
    return list.range(0, list.size()).stream().map(each -> latin(each.toArray())).toList();
  }
}

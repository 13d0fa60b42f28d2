package io.keyvalueserve.resp.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A sort in slices beside that of the library. */
class SlicedSortTest {
  /** An element, and where it was. */
  private record Item(int value, int place) {}

  private static final Comparator<Item> ORDER = Comparator.comparingInt(Item::value);

  @Test
  void sortsAllAndKeepsTheOrderOfEqualOnes() {
    Random random = new Random(1);
    for (int size : new int[] {1, 2, 511, 512, 513, 1024, 1025, 1536, 5000, 40_000}) {
      Item[] items = items(random, size, 1 + size / 3);
      Item[] expected = items.clone();
      Arrays.sort(expected, ORDER);
      int steps = steps(SlicedSort.all(items, ORDER));
      assertThat(items).as("size %d", size).isEqualTo(expected);
      assertThat(steps).isGreaterThanOrEqualTo(size / 2048);
    }
  }

  @Test
  void sortsAPart() {
    Random random = new Random(2);
    for (int round = 0; round < 2000; round++) {
      int size = 1 + random.nextInt(random.nextInt(10) == 0 ? 3000 : 60);
      Item[] items = items(random, size, 1 + random.nextInt(size));
      int[] expected = Arrays.stream(items).mapToInt(Item::value).sorted().toArray();
      int first = random.nextInt(size);
      int last = first + random.nextInt(size - first);
      int steps = steps(SlicedSort.part(items, ORDER, first, last));
      assertThat(steps).isPositive();
      for (int i = first; i <= last; i++) {
        assertThat(items[i].value()).isEqualTo(expected[i]);
      }
      assertThat(Arrays.stream(items).mapToInt(Item::place).sorted().toArray())
          .isEqualTo(java.util.stream.IntStream.range(0, size).toArray());
    }
  }

  private static int steps(SlicedSort<Item> sort) {
    int steps = 1;
    while (!sort.step()) {
      steps++;
    }
    return steps;
  }

  private static Item[] items(Random random, int size, int values) {
    Item[] items = new Item[size];
    for (int i = 0; i < size; i++) {
      items[i] = new Item(random.nextInt(values), i);
    }
    return items;
  }
}

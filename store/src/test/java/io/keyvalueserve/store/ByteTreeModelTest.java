package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/**
 * Goal: a tree is an ordered set. Method: random or given changes to a tree and to Java's own set,
 * committed or rolled back in groups, everything compared; at the end no byte is left.
 */
class ByteTreeModelTest {
  private static final long HEAP_BYTES = 64 << 20;

  @Property(tries = 30)
  void behavesAsAnOrderedSet(@ForAll long seed) {
    Random random = new Random(seed);
    int keys = 1 << (2 + random.nextInt(12));
    int spread = 1 + random.nextInt(3);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 2)) {
      ByteTree tree = new ByteTree(heap, random.nextInt(5));
      TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
      for (int phase = 0; phase < 5; phase++) {
        int adds = random.nextInt(101); // of a hundred; the rest removes
        for (int i = 0; i < keys; ) {
          TreeSet<byte[]> next = new TreeSet<>(model);
          for (int group = 1 + random.nextInt(4); group > 0; group--, i++) {
            byte[] key = key(random, keys, spread);
            if (random.nextInt(100) < adds) {
              assertThat(tree.add(key, 0, key.length)).isEqualTo(next.add(key));
            } else {
              assertThat(tree.remove(key, 0, key.length)).isEqualTo(next.remove(key));
            }
          }
          if (random.nextInt(10) == 0) {
            tree.rollback();
          } else {
            tree.commit();
            model = next;
          }
        }
        same(heap, tree, model, random);
      }
      tree.close();
      assertNothingLeft(heap, tree);
    }
  }

  @Property(tries = 100)
  void survivesAnyProgram(@ForAll @Size(max = 600) byte[] program) {
    ByteTreeProgram.run(program);
  }

  @Example
  void keepsLongKeysAndRefusesLongerOnes() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 2)) {
      ByteTree tree = new ByteTree(heap, 0);
      TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
      Random random = new Random(7);
      for (int i = 0; i < 2_000; i++) {
        byte[] key =
            new byte[random.nextInt(3) == 0 ? ByteTree.MOST_KEY_BYTES : random.nextInt(40)];
        for (int at = Math.max(0, key.length - 2); at < key.length; at++) {
          key[at] = (byte) random.nextInt();
        }
        assertThat(tree.add(key, 0, key.length)).isEqualTo(model.add(key));
        tree.commit();
      }
      same(heap, tree, model, random);
      for (byte[] key : List.copyOf(model)) {
        assertThat(tree.remove(key, 0, key.length)).isTrue();
        tree.commit();
      }
      assertThatThrownBy(() -> tree.add(new byte[9 << 10], 0, 9 << 10))
          .isInstanceOf(IllegalArgumentException.class);
      assertNothingLeft(heap, tree);
    }
  }

  @Property(tries = 10)
  void runningOutOfMemoryChangesNothing(@ForAll long seed) {
    Random random = new Random(seed);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(2 << 20), 1)) {
      ByteTree tree = new ByteTree(heap, 0);
      TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
      int refused = 0;
      while (refused < 20) {
        TreeSet<byte[]> added = new TreeSet<>(Arrays::compareUnsigned);
        try {
          for (int group = 0; group < 20; group++) {
            byte[] key = new byte[8 + random.nextInt(100)];
            random.nextBytes(key);
            boolean _ = tree.add(key, 0, key.length);
            added.add(key);
          }
          tree.commit();
          model.addAll(added);
        } catch (OutOfNativeMemoryException e) {
          refused++;
          assertThat(tree.size()).isEqualTo(model.size());
          if (refused % 5 == 0) {
            same(heap, tree, model, random);
          }
        }
      }
      tree.clear();
      assertNothingLeft(heap, tree);
    }
  }

  static byte[] key(Random random, int keys, int spread) {
    byte[] key = new byte[random.nextInt(spread * 8)];
    int number = random.nextInt(keys);
    for (int i = key.length - 1; i >= 0; i--) {
      key[i] = (byte) (i < key.length - 3 ? 'p' : number);
      number >>>= i < key.length - 3 ? 0 : 7;
    }
    return key;
  }

  static void same(NativeHeap heap, ByteTree tree, NavigableSet<byte[]> model, Random random) {
    assertThat(tree.size()).isEqualTo(model.size());
    int guard = heap.epochs().enter();
    try {
      TreeCursor cursor = new TreeCursor().open(tree);
      sameStrings(walk(cursor, new byte[0], true), List.copyOf(model));
      byte[] end = new byte[ByteTree.MOST_KEY_BYTES];
      Arrays.fill(end, (byte) 0xFF);
      sameStrings(walk(cursor, end, false), List.copyOf(model.descendingSet()));
      for (int i = 0; i < 30; i++) {
        byte[] from = bound(random, model);
        byte[] before = bound(random, model);
        boolean ordered = Arrays.compareUnsigned(from, before) <= 0;
        assertThat(tree.count(from, before))
            .isEqualTo(ordered ? model.subSet(from, true, before, false).size() : 0);
        byte[] ceiling = model.ceiling(from);
        assertThat(cursor.seek(from, 0, from.length)).isEqualTo(ceiling != null);
        if (ceiling != null) {
          assertThat(string(cursor)).isEqualTo(ceiling);
        }
        byte[] lower = model.lower(from);
        assertThat(cursor.seekBefore(from, 0, from.length)).isEqualTo(lower != null);
        if (lower != null) {
          assertThat(string(cursor)).isEqualTo(lower);
          assertThat(cursor.compare(lower, 0, lower.length)).isZero();
        }
      }
    } finally {
      heap.epochs().exit(guard);
    }
  }

  private static byte[] bound(Random random, NavigableSet<byte[]> model) {
    byte[] any = key(random, 1 << 14, 2);
    byte[] near = model.ceiling(any);
    return near != null && random.nextBoolean() ? near : any;
  }

  private static void sameStrings(List<byte[]> found, List<byte[]> expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < found.size(); i++) {
      assertThat(Arrays.equals(found.get(i), expected.get(i))).isTrue();
    }
  }

  static List<byte[]> walk(TreeCursor cursor, byte[] start, boolean up) {
    List<byte[]> found = new ArrayList<>();
    boolean there =
        up ? cursor.seek(start, 0, start.length) : cursor.seekBefore(start, 0, start.length);
    while (there) {
      found.add(string(cursor));
      there = up ? cursor.next() : cursor.previous();
    }
    return found;
  }

  static byte[] string(TreeCursor cursor) {
    int offset = cursor.offset();
    return Arrays.copyOfRange(cursor.array(), offset, offset + cursor.length());
  }

  static void assertNothingLeft(NativeHeap heap, ByteTree tree) {
    assertThat(tree.size()).isZero();
    assertThat(tree.bytes()).isZero();
    heap.trim();
    assertThat(heap.blocks().blocks()).isZero();
    assertThat(heap.blocks().held()).isZero();
  }
}

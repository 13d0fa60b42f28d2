package io.keyvalueserve.engine.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ElementTreeTest {
  private static final Bytes NOTHING = Bytes.of(new byte[0]);

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final StoredPages pages = new StoredPages();
  private ElementTree.State state = ElementTree.State.EMPTY;

  /** The most elements after a command. */
  private long largest;

  /** How far the pages were filled on average, at the worst, when there were some. */
  private double leastFill = 1;

  /** The most levels above the leaves after a command. */
  private int highest;

  @Test
  void keysStayInTheirOrder() {
    keyed(700, 150, this::shortKey, () -> value(random.nextInt(20)));
    assertThat(largest).as(name(0)).isGreaterThan(500);
    assertThat(leastFill).as(name(0)).isGreaterThan(0.45);
    assertThat(highest).as(name(0)).isLessThanOrEqualTo(2);
  }

  @Test
  void longCommonPrefixesStayOutOfInnerPages() {
    byte[] prefix = new byte[500];
    random.nextBytes(prefix);
    keyed(
        150,
        100,
        () -> {
          byte[] key = Arrays.copyOf(prefix, prefix.length + 2);
          key[prefix.length] = (byte) random.nextInt(30);
          key[prefix.length + 1] = (byte) random.nextInt(256);
          return Bytes.of(random.nextInt(50) == 0 ? prefix : key);
        },
        () -> value(random.nextInt(20)));
  }

  @Test
  void oneOtherKeyLeavesPagesOfSimilarKeysFull() {
    byte[] prefix = new byte[500];
    command(
        true,
        tree -> {
          for (int i = 0; i < 10_000; i++) {
            byte[] key = Arrays.copyOf(prefix, prefix.length + Long.BYTES);
            ByteBuffer.wrap(key).putLong(prefix.length, i);
            tree.put(Bytes.of(key), NOTHING);
          }
        });
    pages.check(state, "similar");
    assertThat(state.height()).isLessThanOrEqualTo(4);
    int before = pages.pages().size();
    command(
        true,
        tree -> {
          for (int i = 0; i < 10; i++) {
            tree.put(bytes("z".repeat(400) + i), NOTHING);
            tree.put(Bytes.of(new byte[] {0, (byte) i}), NOTHING);
          }
        });
    pages.check(state, "others");
    assertThat(state.height()).isLessThanOrEqualTo(4);
    assertThat(pages.pages().size()).isLessThan(before + 30);
  }

  @Test
  void largeElementsHavePagesOfTheirOwn() {
    keyed(
        60,
        100,
        () ->
            random.nextInt(20) == 0
                ? Bytes.of(Arrays.copyOf(shortKey().toArray(), 100_000))
                : shortKey(),
        () -> value(random.nextInt(20) == 0 ? 100_000 : random.nextInt(400)));
  }

  @Test
  void emptyKeysAndValuesAreElements() {
    List<Bytes> keys = List.of(NOTHING, bytes("a"), bytes("aa"));
    keyed(100, 10, () -> keys.get(random.nextInt(keys.size())), () -> value(random.nextInt(2)));
  }

  @Test
  void listKeepsItsElementsInPlace() {
    list(400, 200, () -> value(random.nextInt(40)));
    assertThat(largest).as(name(0)).isGreaterThan(500);
    assertThat(leastFill).as(name(0)).isGreaterThan(0.45);
    assertThat(highest).as(name(0)).isLessThanOrEqualTo(2);
  }

  @Test
  void listKeepsLargeAndEmptyElements() {
    list(80, 100, () -> value(random.nextInt(15) == 0 ? 100_000 : random.nextInt(3) * 200));
  }

  @Test
  void ascendingElementsFillTheirPages() {
    command(
        true,
        tree -> {
          for (int i = 0; i < 100_000; i++) {
            assertThat(tree.put(number(i), NOTHING)).isTrue();
          }
        });
    pages.check(state, "ascending");
    assertThat(state.size()).isEqualTo(100_000);
    assertThat(pages.fill()).isGreaterThan(0.85);
    assertThat(state.height()).isLessThanOrEqualTo(3);
    ElementTree tree = open(true);
    for (int i = 0; i < 100_000; i += 97) {
      assertThat(tree.rank(number(i), false)).isEqualTo(i);
      assertThat(tree.get(number(i))).isEqualTo(NOTHING);
    }
  }

  @Test
  void descendingElementsFillTheirPages() {
    for (int i = 20_000; i > 0; ) {
      int first = i;
      i -= 50;
      command(
          true,
          tree -> {
            for (int j = 0; j < 50; j++) {
              tree.put(number(first - j), NOTHING);
            }
          });
    }
    pages.check(state, "descending");
    assertThat(pages.fill()).isGreaterThan(0.85);
  }

  @Test
  void queueFillsItsPagesAtBothEnds() {
    for (int i = 0; i < 1000; i++) {
      List<Bytes> added = List.of(number(i), number(i + 1), number(i + 2));
      command(false, tree -> tree.insert(0, added));
      command(false, tree -> tree.insert(tree.size(), added));
    }
    pages.check(state, "filled");
    assertThat(pages.fill()).isGreaterThan(0.85);
    for (int i = 0; i < 5990; i++) {
      command(false, tree -> tree.removeRange(0, 1));
    }
    pages.check(state, "taken");
    assertThat(state.size()).isEqualTo(10);
    assertThat(state.height()).isZero();
  }

  @Test
  void manyElementsAtOnceAreOneInsertion() {
    List<Bytes> values = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      values.add(number(i));
    }
    command(false, tree -> tree.insert(0, values));
    pages.check(state, "at once");
    assertThat(pages.fill()).isGreaterThan(0.85);
    command(false, tree -> tree.insert(20_000, values));
    pages.check(state, "twice");
    assertThat(elements(open(false), 20_000, 50_000)).isEqualTo(values);
  }

  @Test
  void rangeIsRemovedWithoutReadingIt() {
    command(
        true,
        tree -> {
          for (int i = 0; i < 50_000; i++) {
            tree.put(number(i), NOTHING);
          }
        });
    int[] reads = {0};
    PageDraft draft =
        new PageDraft(
            number -> {
              reads[0]++;
              return pages.read(number);
            });
    ElementTree tree = new ElementTree(draft, true, state);
    tree.removeRange(1000, 48_000);
    state = tree.finish();
    pages.apply(draft.changes());
    pages.check(state, "range");
    assertThat(state.size()).isEqualTo(2000);
    assertThat(reads[0]).isLessThan(20);
  }

  @Test
  void droppedTreeHasNoPages() {
    command(true, tree -> fill(tree, 5000));
    command(
        true,
        tree -> {
          tree.put(number(7), bytes("changed"));
          tree.put(number(9_999), bytes("new"));
          tree.drop();
          assertThat(tree.size()).isZero();
          assertThat(tree.get(number(7))).isNull();
          assertThat(tree.rank(number(7), true)).isZero();
        });
    assertThat(state).isEqualTo(ElementTree.State.EMPTY);
    assertThat(pages.pages()).isEmpty();
    command(true, tree -> fill(tree, 5000));
    PageDraft draft = new PageDraft(number -> new byte[0]);
    ElementTree tree = new ElementTree(draft, true, state);
    tree.drop();
    assertThat(tree.finish()).isEqualTo(ElementTree.State.EMPTY);
    assertThat(draft.changes().dropped())
        .containsExactly(new PageChanges.Subtree(state.root(), state.height()));
  }

  @Test
  void whatChangesNothingWritesNothing() {
    command(true, tree -> fill(tree, 5000));
    PageDraft draft = new PageDraft(pages);
    ElementTree tree = new ElementTree(draft, true, state);
    assertThat(tree.put(number(8), NOTHING)).isFalse();
    assertThat(tree.remove(number(5000))).isFalse();
    tree.removeRange(17, 0);
    assertThat(tree.isChanged()).isFalse();
    assertThat(tree.finish()).isSameAs(state);
    assertThat(draft.changes()).isSameAs(PageChanges.NONE);
  }

  @Test
  void oneChangeWritesOnePagePerLevel() {
    command(true, tree -> fill(tree, 50_000));
    PageDraft draft = new PageDraft(pages);
    ElementTree tree = new ElementTree(draft, true, state);
    tree.put(number(8), bytes("changed"));
    tree.put(number(9), bytes("changed"));
    state = tree.finish();
    assertThat(draft.changes().removed()).hasSize(state.height() + 1);
    // The page of the element was full: it is two now.
    assertThat(draft.changes().written()).hasSizeBetween(state.height() + 1, state.height() + 2);
  }

  @Test
  void walkRefusesWhatIsNoPage() {
    for (byte[] page : List.of(new byte[0], new byte[2], new byte[1024], new byte[] {0x11, 1})) {
      assertThatThrownBy(() -> PageWalk.children(page))
          .isInstanceOf(CorruptCollectionException.class);
    }
  }

  @Test
  void damagedPagesAreReportedOrAnswered() {
    damage(true, tree -> fill(tree, 20_000));
    pages.pages().clear();
    state = ElementTree.State.EMPTY;
    damage(
        false,
        tree -> {
          for (int i = 0; i < 20_000; i++) {
            tree.insert(tree.size(), List.of(value(random.nextInt(12))));
          }
        });
  }

  /** Changes bytes of pages, and does something each time. */
  private void damage(boolean keyed, Consumer<ElementTree> filling) {
    command(keyed, filling);
    List<Long> numbers = new ArrayList<>(pages.pages().keySet());
    numbers.sort(null);
    List<Long> inner = new ArrayList<>();
    for (long number : numbers) {
      if (TreePage.height(pages.read(number)) > 0) {
        inner.add(number);
      }
    }
    int reported = 0;
    for (int round = 0; round < 1500; round++) {
      Map<Long, byte[]> damaged = new TreeMap<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        List<Long> from = random.nextBoolean() ? inner : numbers;
        long number = random.nextInt(4) == 0 ? state.root() : from.get(random.nextInt(from.size()));
        damaged.put(number, damaged(pages.read(number)));
      }
      PageDraft draft =
          new PageDraft(
              number -> {
                byte[] page = damaged.get(number);
                return page == null ? pages.read(number) : page;
              });
      try {
        ElementTree tree = new ElementTree(draft, keyed, state);
        for (int i = 0; i < 20; i++) {
          step(tree, keyed);
        }
        tree.finish();
        draft.changes();
        for (byte[] page : damaged.values()) {
          assertThat(PageWalk.children(page)).doesNotContain(0L);
        }
      } catch (CorruptCollectionException e) {
        reported++;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(name(round), e);
      }
    }
    assertThat(reported).as(name(0)).isPositive();
  }

  private void step(ElementTree tree, boolean keyed) {
    long size = tree.size();
    long at = size == 0 ? 0 : random.nextLong(size);
    switch (random.nextInt(5)) {
      case 0 -> tree.visit(at, random.nextInt(100), (key, value) -> key.length() < value.length());
      case 1 -> tree.removeRange(at, Math.min(size - at, random.nextInt(300)));
      case 2 -> {
        if (keyed) {
          tree.rank(number(random.nextInt(20_000)), random.nextBoolean());
          tree.get(number(random.nextInt(20_000)));
        }
      }
      case 3 -> {
        if (keyed) {
          tree.remove(number(random.nextInt(20_000)));
        }
      }
      default -> {
        if (keyed) {
          tree.put(number(random.nextInt(40_000)), value(random.nextInt(300)));
        } else {
          tree.insert(at, List.of(value(random.nextInt(300)), NOTHING));
        }
      }
    }
  }

  private byte[] damaged(byte[] page) {
    byte[] damaged = random.nextInt(8) == 0 ? Arrays.copyOf(page, page.length - 1) : page.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(random.nextBoolean() ? damaged.length : Math.min(60, damaged.length));
      damaged[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (damaged[at] + 1);
    }
    return damaged;
  }

  /** Checks that the tree is low, and takes note of its form. */
  private void checkForm(String when) {
    largest = Math.max(largest, state.size());
    highest = Math.max(highest, state.height());
    if (pages.pages().size() > 20) {
      leastFill = Math.min(leastFill, pages.fill());
    }
    // Each inner page has two children at least, however large its separators are.
    int pages = this.pages.pages().size();
    assertThat(state.height())
        .as(when)
        .isLessThanOrEqualTo(32 - Integer.numberOfLeadingZeros(pages));
  }

  /** Runs random commands on a tree and a map. */
  private void keyed(int commands, int most, Supplier<Bytes> keys, Supplier<Bytes> values) {
    NavigableMap<Bytes, Bytes> model = new TreeMap<>();
    for (int i = 0; i < commands; i++) {
      String when = name(i);
      boolean growing = i % 120 < 80;
      command(
          true,
          tree -> {
            for (int step = random.nextInt(50); step >= 0; step--) {
              keyedStep(tree, model, growing, most, keys, values, when);
            }
          });
      assertThat(state.size()).as(when).isEqualTo(model.size());
      pages.check(state, when);
      checkForm(when);
      checkKeyed(open(true), model, keys, when);
    }
  }

  private void keyedStep(
      ElementTree tree,
      NavigableMap<Bytes, Bytes> model,
      boolean growing,
      int most,
      Supplier<Bytes> keys,
      Supplier<Bytes> values,
      String when) {
    Bytes key = keys.get();
    int kind = random.nextInt(1000);
    if (kind < (growing ? 750 : 250)) {
      Bytes value = values.get();
      assertThat(tree.put(key, value)).as(when).isEqualTo(model.put(key, value) == null);
    } else if (kind < 950) {
      Bytes present = model.ceilingKey(key);
      Bytes removed = present == null || random.nextInt(4) == 0 ? key : present;
      assertThat(tree.remove(removed)).as(when).isEqualTo(model.remove(removed) != null);
    } else if (kind < 953 && !model.isEmpty()) {
      int from = random.nextInt(model.size());
      int count = Math.min(model.size() - from, random.nextInt(most));
      tree.removeRange(from, count);
      List<Bytes> range = List.copyOf(model.keySet()).subList(from, from + count);
      range.forEach(model::remove);
    } else if (kind == 999 && random.nextInt(20) == 0) {
      tree.drop();
      model.clear();
    } else {
      checkKey(tree, model, key, when);
    }
    assertThat(tree.size()).as(when).isEqualTo(model.size());
    if (random.nextInt(100) == 0) {
      checkKeyed(tree, model, keys, when);
    }
  }

  private void checkKeyed(
      ElementTree tree, NavigableMap<Bytes, Bytes> model, Supplier<Bytes> keys, String when) {
    for (int i = 0; i < 5; i++) {
      checkKey(tree, model, keys.get(), when);
    }
    List<Bytes> expected = new ArrayList<>();
    model.forEach(
        (key, value) -> {
          expected.add(key);
          expected.add(value);
        });
    List<Bytes> found = new ArrayList<>();
    int from = random.nextBoolean() ? 0 : random.nextInt(model.size() + 1);
    int count = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(model.size() + 1);
    tree.visit(
        from,
        count,
        (key, value) -> {
          found.add(key);
          found.add(value);
          return true;
        });
    int to = Math.min(model.size() - from, count) + from;
    assertThat(found.equals(expected.subList(2 * from, 2 * to))).as(when).isTrue();
  }

  private void checkKey(
      ElementTree tree, NavigableMap<Bytes, Bytes> model, Bytes key, String when) {
    assertThat(tree.get(key)).as(when).isEqualTo(model.get(key));
    boolean orAt = random.nextBoolean();
    assertThat(tree.rank(key, orAt)).as(when).isEqualTo(model.headMap(key, orAt).size());
  }

  /** Runs random commands on a list of each kind. */
  private void list(int commands, int most, Supplier<Bytes> values) {
    List<Bytes> model = new ArrayList<>();
    for (int i = 0; i < commands; i++) {
      String when = name(i);
      boolean growing = i % 120 < 80;
      command(
          false,
          tree -> {
            for (int step = random.nextInt(50); step >= 0; step--) {
              listStep(tree, model, growing, most, values);
              assertThat(tree.size()).as(when).isEqualTo(model.size());
            }
          });
      assertThat(state.size()).as(when).isEqualTo(model.size());
      pages.check(state, when);
      checkForm(when);
      int from = random.nextBoolean() ? 0 : random.nextInt(model.size() + 1);
      int count = random.nextBoolean() ? model.size() - from : random.nextInt(20);
      int to = Math.min(model.size(), from + count);
      assertThat(elements(open(false), from, count).equals(model.subList(from, to)))
          .as(when)
          .isTrue();
    }
  }

  private void listStep(
      ElementTree tree, List<Bytes> model, boolean growing, int most, Supplier<Bytes> values) {
    int at = random.nextInt(model.size() + 1);
    int where = random.nextInt(4);
    if (random.nextInt(10) < (growing ? 7 : 4)) {
      int index = where == 0 ? 0 : where == 1 ? model.size() : at;
      List<Bytes> added = new ArrayList<>();
      for (int i = random.nextInt(random.nextInt(20) == 0 ? most : 3); i >= 0; i--) {
        added.add(values.get());
      }
      tree.insert(index, added);
      model.addAll(index, added);
    } else {
      int count = Math.min(model.size() - at, random.nextInt(random.nextInt(20) == 0 ? most : 4));
      int from = where == 0 ? 0 : where == 1 ? model.size() - count : at;
      tree.removeRange(from, count);
      model.subList(from, from + count).clear();
    }
  }

  /** Runs a command: opens the tree, changes it, and stores what became of it. */
  private void command(boolean keyed, Consumer<ElementTree> command) {
    PageDraft draft = new PageDraft(pages);
    ElementTree tree = new ElementTree(draft, keyed, state);
    command.accept(tree);
    state = tree.finish();
    pages.apply(draft.changes());
  }

  private ElementTree open(boolean keyed) {
    return new ElementTree(new PageDraft(pages), keyed, state);
  }

  private static void fill(ElementTree tree, int count) {
    for (int i = 0; i < count; i++) {
      tree.put(number(i), NOTHING);
    }
  }

  private static List<Bytes> elements(ElementTree tree, long from, long count) {
    List<Bytes> elements = new ArrayList<>();
    tree.visit(
        from,
        count,
        (key, value) -> {
          return key.length() == 0 && elements.add(value);
        });
    return elements;
  }

  private Bytes shortKey() {
    byte[] key = new byte[random.nextInt(1, 12)];
    random.nextBytes(key);
    return Bytes.of(key);
  }

  private Bytes value(int length) {
    byte[] value = new byte[length];
    random.nextBytes(value);
    return Bytes.of(value);
  }

  private static Bytes number(int value) {
    return Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private String name(int command) {
    return "command " + command + ", -Dkvs.seed=" + seed;
  }
}

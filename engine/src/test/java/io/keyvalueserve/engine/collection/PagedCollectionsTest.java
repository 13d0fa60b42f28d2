package io.keyvalueserve.engine.collection;

import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.SortedSetOperation.Limits;
import io.keyvalueserve.engine.collection.SortedSetOperation.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collections in pages beside the same in one piece. */
final class PagedCollectionsTest {
  private static final int ROUNDS = 4_000;
  private static final int PHASE = 250;
  private static final int NAMES = 150;
  private static final double[] SCORES = {
    0.0, -0.0, 1, 2.5, -3, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE
  };

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final CollectionEntry paged = new CollectionEntry(true);
  private final CollectionEntry whole = new CollectionEntry(false);
  private long now = 1_000_000;
  private boolean grows;

  /** Whether all scores are equal, so that there is an order of members. */
  private boolean uniform;

  @ParameterizedTest
  @EnumSource
  void doWhatCollectionsInOnePieceDo(CollectionType type) {
    int intoPages = 0;
    int intoOnePiece = 0;
    for (int round = 0; round < ROUNDS; round++) {
      if (round % PHASE == 0) {
        grows = !grows;
      }
      if (type == CollectionType.SORTED_SET && !whole.exists()) {
        uniform = random.nextBoolean();
      }
      boolean before = paged.isPaged();
      String step =
          switch (type) {
            case HASH -> hashStep();
            case LIST -> listStep();
            case SET -> setStep();
            case SORTED_SET -> sortedSetStep();
          };
      String place = "seed " + seed + ", round " + round + ", " + step;
      assertThat(paged.exists()).as(place).isEqualTo(whole.exists());
      assertThat(paged.expireAtMillis()).as(place).isEqualTo(whole.expireAtMillis());
      if (random.nextInt(20) == 0) {
        assertThat(contents(type, paged)).as(place).isEqualTo(contents(type, whole));
        assertThat(scanned(type))
            .as(place)
            .isEqualTo(
                contents(type, whole, false).stream()
                    .map(each -> each.replace("=-0.0", "=0.0")) // a scan answers texts
                    .sorted()
                    .toList());
      }
      if (paged.isPaged() != before) {
        intoPages += before ? 0 : 1;
        intoOnePiece += before && paged.exists() ? 1 : 0;
      }
      now += random.nextInt(3);
    }
    assertThat(intoPages).as("seed %d", seed).isGreaterThan(2);
    assertThat(intoOnePiece).as("seed %d", seed).isGreaterThan(1);
  }

  // ---- steps

  private String hashStep() {
    boolean adds = random.nextInt(10) < (grows ? 8 : 3);
    if (adds && random.nextInt(4) > 0) {
      return both(HashOperation.SET, Arguments.of(pairs(few())), true);
    }
    if (adds) {
      long at = random.nextInt(10) == 0 ? Expiry.KEEP : now + random.nextInt(600);
      return both(
          HashOperation.SET_AND_EXPIRE,
          Arguments.of(pairs(few())).with(at, random.nextInt(3)),
          true);
    }
    Arguments names = Arguments.of(names(few()));
    long at = random.nextInt(6) == 0 ? Expiry.NONE : now - 5 + random.nextInt(300);
    return switch (random.nextInt(grows ? 16 : 22)) {
      case 0 -> both(HashOperation.GET, names, true);
      case 1 -> both(HashOperation.GET_MANY, names, true);
      case 2 -> both(HashOperation.SIZE, Arguments.NONE, true);
      case 3 -> both(HashOperation.EXPIRY, names, true);
      case 4 -> both(HashOperation.PERSIST, names, true);
      case 5 -> both(HashOperation.EXPIRE, names.with(Math.max(1, at), random.nextInt(5)), true);
      case 6 -> both(HashOperation.GET_AND_EXPIRE, names.with(at), true);
      case 7 -> both(HashOperation.SET_IF_ABSENT, Arguments.of(pairs(1)), true);
      case 8 -> both(HashOperation.INCREMENT, Arguments.of(names(1)).with(7), true);
      case 9 -> both(HashOperation.ALL, Arguments.NONE, false);
      case 10 -> both(HashOperation.NAMES, Arguments.NONE, false);
      case 11 -> both(HashOperation.VALUES, Arguments.NONE, false);
      case 12 -> chosen(HashOperation.RANDOM, 2);
      case 13 -> expire();
      case 14, 15 -> both(HashOperation.GET_AND_REMOVE, names, true);
      default -> both(HashOperation.REMOVE, Arguments.of(names(20)), true);
    };
  }

  private String setStep() {
    if (random.nextInt(10) < (grows ? 6 : 2)) {
      return both(SetOperation.ADD, Arguments.of(names(few())), true);
    }
    return switch (random.nextInt(grows ? 8 : 15)) {
      case 0 -> both(SetOperation.CONTAINS, Arguments.of(names(1)), true);
      case 1 -> both(SetOperation.CONTAINS_MANY, Arguments.of(names(few())), true);
      case 2 -> both(SetOperation.SIZE, Arguments.NONE, true);
      case 3 -> both(SetOperation.ALL, Arguments.NONE, false);
      case 4 -> chosen(SetOperation.RANDOM, 1);
      case 5 -> popped();
      case 6 ->
          random.nextInt(5) == 0
              ? both(SetOperation.REPLACE, Arguments.of(names(random.nextInt(300))), true)
              : expire();
      default -> both(SetOperation.REMOVE, Arguments.of(names(few())), true);
    };
  }

  private String listStep() {
    if (random.nextInt(10) < (grows ? 6 : 3)) {
      ListOperation push =
          List.of(
                  ListOperation.PUSH_FIRST,
                  ListOperation.PUSH_LAST,
                  ListOperation.PUSH_FIRST_IF_PRESENT,
                  ListOperation.PUSH_LAST_IF_PRESENT)
              .get(random.nextInt(4));
      return both(push, Arguments.of(names(few())), true);
    }
    Arguments one = Arguments.of(names(1));
    long index = random.nextInt(200) - 100L;
    return switch (random.nextInt(grows ? 14 : 25)) {
      case 0 -> both(ListOperation.SIZE, Arguments.NONE, true);
      case 1 -> both(ListOperation.RANGE, Arguments.NONE.with(index, index + 50), true);
      case 2 -> both(ListOperation.RANGE, Arguments.NONE.with(0, -1), true);
      case 3 -> both(ListOperation.GET, Arguments.NONE.with(index), true);
      case 4 -> both(ListOperation.SET, one.with(index), true);
      case 5 -> both(ListOperation.INSERT, Arguments.of(names(2)).with(random.nextInt(2)), true);
      case 6, 7 -> both(ListOperation.REMOVE, one.with(random.nextInt(5) - 2), true);
      case 8 ->
          both(
              ListOperation.POSITIONS,
              one.with(
                  (random.nextBoolean() ? 1L : -1L) * (1 + random.nextInt(2)),
                  random.nextInt(3),
                  random.nextInt(3) * 50L),
              true);
      case 9 ->
          both(
              ListOperation.ROTATE,
              Arguments.NONE.with(random.nextInt(2), random.nextInt(2)),
              true);
      case 10 -> expire();
      case 11 ->
          random.nextInt(4) == 0
              ? both(ListOperation.REPLACE, Arguments.of(names(random.nextInt(200))), true)
              : both(ListOperation.TRIM, Arguments.NONE.with(random.nextInt(5), -3), true);
      case 12 -> both(ListOperation.POP_FIRST, Arguments.NONE, true);
      case 13 -> both(ListOperation.POP_LAST, Arguments.NONE, true);
      case 14, 15, 16, 17 ->
          both(ListOperation.POP_LAST_MANY, Arguments.NONE.with(random.nextInt(10)), true);
      default -> both(ListOperation.POP_FIRST_MANY, Arguments.NONE.with(random.nextInt(10)), true);
    };
  }

  private String sortedSetStep() {
    if (random.nextInt(10) < (grows ? 7 : 3)) {
      List<byte[]> members = names(few());
      int flags = List.of(0, 0, 0, 0, 1, 2, 4, 8, 16).get(random.nextInt(9));
      if (random.nextInt(12) == 0) {
        flags = SortedSetOperation.INCREMENT;
        members = members.subList(0, 1);
      }
      if (uniform) {
        flags = 0;
      }
      long[] numbers = new long[1 + members.size()];
      numbers[0] = flags;
      for (int i = 1; i < numbers.length; i++) {
        numbers[i] = Double.doubleToRawLongBits(score());
      }
      return both(SortedSetOperation.ADD, Arguments.of(members).with(numbers), true);
    }
    return switch (random.nextInt(grows ? 13 : 22)) {
      case 0 -> both(SortedSetOperation.SCORE, Arguments.of(names(1)), true);
      case 1 -> both(SortedSetOperation.SCORES, Arguments.of(names(few())), true);
      case 2 -> both(SortedSetOperation.SIZE, Arguments.NONE, true);
      case 3 -> both(SortedSetOperation.COUNT, range(), true);
      case 4 -> both(SortedSetOperation.RANK, Arguments.of(names(1)).with(random.nextInt(2)), true);
      case 5, 6 -> both(SortedSetOperation.RANGE, range(), true);
      case 7 -> chosen(SortedSetOperation.RANDOM, 2);
      case 8 ->
          both(
              SortedSetOperation.WITHIN,
              Arguments.of(names(1))
                  .with(
                      Double.doubleToRawLongBits(score()),
                      Double.doubleToRawLongBits(score()),
                      Double.doubleToRawLongBits(-1),
                      Double.doubleToRawLongBits(2)),
              true);
      case 9 -> expire();
      case 10 -> {
        if (random.nextInt(4) > 0) {
          yield both(SortedSetOperation.SIZE, Arguments.NONE, true);
        }
        List<byte[]> members = names(random.nextInt(200));
        long[] scores = new long[members.size()];
        for (int i = 0; i < scores.length; i++) {
          scores[i] = Double.doubleToRawLongBits(score());
        }
        yield both(SortedSetOperation.REPLACE, Arguments.of(members).with(scores), true);
      }
      case 11 ->
          random.nextInt(5) == 0
              ? both(SortedSetOperation.REMOVE_RANGE, range(), true)
              : both(SortedSetOperation.COUNT, range(), true);
      case 12, 13, 14 ->
          both(SortedSetOperation.POP_LOWEST, Arguments.NONE.with(random.nextInt(6)), true);
      case 15, 16, 17 ->
          both(SortedSetOperation.POP_HIGHEST, Arguments.NONE.with(random.nextInt(6)), true);
      default -> both(SortedSetOperation.REMOVE, Arguments.of(names(few())), true);
    };
  }

  private double score() {
    return uniform ? 5 : SCORES[random.nextInt(SCORES.length)];
  }

  private Arguments range() {
    boolean reverse = random.nextBoolean();
    long offset = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
    long count = random.nextBoolean() ? -1 : random.nextInt(20);
    int low = random.nextInt(2);
    int high = random.nextInt(2);
    if (uniform && random.nextBoolean()) {
      low |= random.nextInt(4) == 0 ? Range.LEAST : 0;
      high |= random.nextInt(4) == 0 ? Range.GREATEST : 0;
      return Arguments.of(names(2))
          .with(new Range(Limits.MEMBERS, 0, 0, low, high, reverse, offset, count).numbers());
    }
    if (random.nextBoolean()) {
      return Arguments.NONE.with(
          new Range(
                  Limits.RANKS,
                  random.nextInt(60) - 30,
                  random.nextInt(60) - 30,
                  0,
                  0,
                  reverse,
                  offset,
                  count)
              .numbers());
    }
    return Arguments.NONE.with(
        new Range(
                Limits.SCORES,
                Double.doubleToRawLongBits(score()),
                Double.doubleToRawLongBits(score()),
                low,
                high,
                reverse,
                offset,
                count)
            .numbers());
  }

  // ---- how steps are compared

  private String both(CollectionOperation operation, Arguments arguments, boolean ordered) {
    List<String> inPages = texts(paged.run(operation, arguments, now));
    List<String> inOnePiece = texts(whole.run(operation, arguments, now));
    int group = operation == HashOperation.ALL ? 2 : 1;
    assertThat(ordered ? inPages : sorted(inPages, group))
        .as("seed %d, %s", seed, operation)
        .isEqualTo(ordered ? inOnePiece : sorted(inOnePiece, group));
    return operation.toString();
  }

  private String expire() {
    long at = random.nextBoolean() ? Expiry.NONE : now + 100_000 + random.nextInt(5);
    KeyCommand command = new KeyCommand.Expire(new byte[0], at, ExpireCondition.ALWAYS);
    assertThat(texts(paged.run(command, now))).isEqualTo(texts(whole.run(command, now)));
    return "expire";
  }

  /** Elements at random are those that there are, and so many as they should be. */
  private String chosen(CollectionOperation operation, int group) {
    int count = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(12) - 5;
    List<String> all = texts(paged.run(all(operation.type()), allOf(operation.type()), now));
    List<String> chosen =
        texts(paged.run(operation, Arguments.NONE.with(count, random.nextLong()), now));
    String place = "seed " + seed + ", " + count + " of " + operation;
    List<String> groups = sorted(chosen, group);
    List<String> there = sorted(all, group);
    assertThat(there).as(place).containsAll(groups);
    if (count < 0) {
      assertThat(groups).as(place).hasSize(there.isEmpty() ? 0 : -count);
    } else {
      assertThat(groups).as(place).hasSize(Math.min(count, there.size()));
      assertThat(groups).as(place).doesNotHaveDuplicates();
    }
    return operation.toString();
  }

  private String popped() {
    int count = random.nextInt(6);
    List<String> popped =
        texts(paged.run(SetOperation.POP, Arguments.NONE.with(count, random.nextLong()), now));
    List<byte[]> members = popped.stream().map(PagedCollectionsTest::bytes).toList();
    assertThat(texts(whole.run(SetOperation.REMOVE, Arguments.of(members), now)))
        .as("seed %d", seed)
        .containsExactly("" + popped.size());
    return "pop";
  }

  private static CollectionOperation all(CollectionType type) {
    return switch (type) {
      case HASH -> HashOperation.ALL;
      case LIST -> ListOperation.RANGE;
      case SET -> SetOperation.ALL;
      case SORTED_SET -> SortedSetOperation.RANGE;
    };
  }

  private static Arguments allOf(CollectionType type) {
    return switch (type) {
      case HASH, SET -> Arguments.NONE;
      case LIST -> Arguments.NONE.with(0, -1);
      case SORTED_SET ->
          Arguments.NONE.with(new Range(Limits.RANKS, 0, -1, 0, 0, false, 0, -1).numbers());
    };
  }

  private List<String> contents(CollectionType type, CollectionEntry entry) {
    return contents(type, entry, type == CollectionType.LIST || type == CollectionType.SORTED_SET);
  }

  private List<String> contents(CollectionType type, CollectionEntry entry, boolean ordered) {
    List<String> all = texts(entry.run(all(type), allOf(type), now));
    boolean pairs = type == CollectionType.HASH || type == CollectionType.SORTED_SET;
    return ordered ? all : sorted(all, pairs ? 2 : 1);
  }

  private List<String> scanned(CollectionType type) {
    if (type == CollectionType.LIST) {
      return contents(type, paged, false);
    }
    boolean scored = type == CollectionType.SORTED_SET;
    List<String> found = scanned(type, 1 + random.nextInt(30), () -> {});
    if (scored) {
      for (int i = 1; i < found.size(); i += 2) {
        found.set(i, "" + Double.parseDouble(found.get(i).replace("inf", "Infinity")));
      }
    }
    return sorted(found, type == CollectionType.SET ? 1 : 2);
  }

  private List<String> scanned(CollectionType type, int count, Runnable between) {
    CollectionOperation scan =
        switch (type) {
          case HASH -> HashOperation.SCAN;
          case SET -> SetOperation.SCAN;
          case SORTED_SET -> SortedSetOperation.SCAN;
          case LIST -> throw new IllegalArgumentException();
        };
    List<String> found = new ArrayList<>();
    long cursor = 0;
    do {
      Outcome.Elements step =
          (Outcome.Elements) paged.run(scan, Arguments.NONE.with(cursor, count, 0), now);
      cursor = Long.parseUnsignedLong(text(step.elements().getFirst()));
      assertThat(cursor).isBetween(0L, (1L << 53) - 1);
      ((Element.Group) step.elements().getLast())
          .elements()
          .forEach(element -> found.add(text(element)));
      between.run();
    } while (cursor != 0);
    return found;
  }

  // ---- texts

  private static List<String> texts(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Elements elements ->
          new ArrayList<>(elements.elements().stream().map(PagedCollectionsTest::text).toList());
      case Outcome.Entry entry -> List.of(latin(entry.value()));
      case Outcome.IntegerResult result -> List.of("" + result.value());
      default -> List.of(outcome.toString().replaceAll("@[0-9a-f]+", ""));
    };
  }

  private static String text(Element element) {
    return switch (element) {
      case Element.Text text -> latin(text.bytes());
      case Element.Real real -> "" + real.value();
      case Element.Whole number -> "" + number.value();
      case Element.Nothing _ -> "nothing";
      case Element.Group group -> group.elements().toString();
    };
  }

  private static List<String> sorted(List<String> texts, int group) {
    List<String> groups = new ArrayList<>();
    for (int i = 0; i < texts.size(); i += group) {
      groups.add(String.join("=", texts.subList(i, Math.min(i + group, texts.size()))));
    }
    Collections.sort(groups);
    return groups;
  }

  private int few() {
    return random.nextInt(40) == 0 ? 100 : 1 + random.nextInt(4);
  }

  private List<byte[]> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> name(random.nextInt(NAMES))).toList();
  }

  private static byte[] name(int number) {
    return number == 0 ? new byte[0] : bytes("n".repeat(number % 7 * 10) + (char) number + number);
  }

  private List<byte[]> pairs(int count) {
    List<byte[]> pairs = new ArrayList<>();
    names(count)
        .forEach(
            name -> {
              pairs.add(name);
              int length = random.nextInt(300) == 0 ? 6_000 : random.nextInt(80);
              pairs.add(
                  random.nextInt(4) == 0
                      ? bytes("" + random.nextInt(100))
                      : bytes("v".repeat(length)));
            });
    return pairs;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  // ---- what is apart from collections in one piece

  @Test
  void elementsThatStayAreScannedOnceWhateverElseChanges() {
    Set<String> staying = new TreeSet<>();
    for (int i = 0; i < 700; i++) {
      staying.add("stays" + i);
    }
    List<byte[]> members = staying.stream().map(PagedCollectionsTest::bytes).toList();
    int[] next = {0};
    assertThat(texts(paged.run(SetOperation.ADD, Arguments.of(members), now))).contains("700");
    List<String> found =
        scanned(
            CollectionType.SET,
            7,
            () -> {
              Arguments added = Arguments.of(utf8("x" + next[0]), utf8("y" + next[0]++));
              paged.run(SetOperation.ADD, added, now);
              Arguments gone = Arguments.of(utf8("x" + random.nextInt(next[0])));
              paged.run(SetOperation.REMOVE, gone, now);
            });
    found.removeIf(member -> !staying.contains(member));
    assertThat(found).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(staying);
    assertThat(next[0]).isGreaterThan(90);
  }

  @Test
  void aCursorOfAnotherSeedBeginsAnew() {
    List<byte[]> members = IntStream.range(0, 2_000).mapToObj(i -> utf8("member" + i)).toList();
    paged.run(SetOperation.ADD, Arguments.of(members), now);
    Outcome.Elements step =
        (Outcome.Elements) paged.run(SetOperation.SCAN, Arguments.NONE.with(0, 1_000), now);
    long cursor = Long.parseLong(text(step.elements().getFirst()));
    paged.run(SetOperation.REPLACE, Arguments.of(members), now);
    Outcome.Elements all =
        (Outcome.Elements) paged.run(SetOperation.SCAN, Arguments.NONE.with(cursor, 5_000), now);
    assertThat(((Element.Group) all.elements().getLast()).elements()).hasSize(2_000);
  }

  @Test
  void fieldsThatHaveExpiredAreGoneAtOnceAndLeaveWithWrites() {
    List<byte[]> expiring = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      expiring.add(utf8("e" + i));
      expiring.add(utf8("v"));
    }
    paged.run(HashOperation.SET_AND_EXPIRE, Arguments.of(expiring).with(now + 10, 0), now);
    List<byte[]> staying = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      staying.add(utf8("s" + i));
      staying.add(utf8("v".repeat(100)));
    }
    paged.run(HashOperation.SET, Arguments.of(staying), now);
    int pages = paged.stored().size();
    now += 10;
    assertThat(texts(paged.run(HashOperation.SIZE, Arguments.NONE, now))).containsExactly("20");
    assertThat(scanned(CollectionType.HASH, 10, () -> {})).hasSize(40);
    for (int count : new int[] {1, 5, 15, 20, 30, -1, -50}) {
      List<String> chosen =
          texts(paged.run(HashOperation.RANDOM, Arguments.NONE.with(count, seed + count), now));
      assertThat(chosen).hasSize(2 * (count < 0 ? -count : Math.min(count, 20)));
      assertThat(chosen).allMatch(text -> text.startsWith("s") || text.startsWith("vvv"));
    }
    assertThat(paged.stored()).hasSize(pages);
    for (int i = 0; i < 8; i++) {
      assertThat(LargeCollections.trees(Objects.requireNonNull(paged.collection()))).hasSize(2);
      paged.run(HashOperation.REMOVE, Arguments.of(utf8("none")), now);
    }
    assertThat(LargeCollections.trees(Objects.requireNonNull(paged.collection()))).hasSize(1);
    paged.run(HashOperation.SET, Arguments.of(staying.getFirst(), utf8("v")), now);
    assertThat(texts(paged.run(HashOperation.SIZE, Arguments.NONE, now))).containsExactly("20");
  }

  @ParameterizedTest
  @EnumSource
  void comeBackFromOnePieceAsTheyWere(CollectionType type) {
    for (int i = 0; i < 200; i++) {
      grows = true;
      switch (type) {
        case HASH -> hashStep();
        case LIST -> listStep();
        case SET -> setStep();
        case SORTED_SET -> sortedSetStep();
      }
    }
    CollectionValue value = Objects.requireNonNull(paged.collection());
    CollectionValue packed =
        paged.isPaged()
            ? LargeCollections.packed(
                value, Objects.requireNonNull(paged.pages()), now, Integer.MAX_VALUE)
            : value;
    byte[] bytes = new Bytes(packed.bytes(), packed.offset(), packed.length()).toArray();
    CollectionEntry copy = new CollectionEntry(true);
    List<byte[]> old = IntStream.range(0, 900).mapToObj(i -> utf8("member" + i)).toList();
    copy.run(SetOperation.ADD, Arguments.of(old), now);
    assertThat(copy.isPaged()).isTrue();
    copy.run(
        new KeyCommand.WriteCollection(
            new byte[0], type, bytes, Expiry.NONE, WriteCondition.ALWAYS),
        now);
    assertThat(copy.isPaged()).isEqualTo(bytes.length > LargeCollections.MOST_PACKED_BYTES);
    assertThat(contents(type, copy)).as("seed %d", seed).isEqualTo(contents(type, whole));
  }

  @ParameterizedTest
  @EnumSource
  void damageIsRefusedOrReadButNothingElse(CollectionType type) {
    grows = true;
    while (!paged.isPaged() || paged.stored().size() < 4) {
      List<byte[]> names = names(100);
      switch (type) {
        case HASH ->
            paged.run(HashOperation.SET_AND_EXPIRE, Arguments.of(pairs(50)).with(now + 1, 0), now);
        case LIST -> paged.run(ListOperation.PUSH_LAST, Arguments.of(names), now);
        case SET -> paged.run(SetOperation.ADD, Arguments.of(names), now);
        case SORTED_SET -> {
          long[] numbers = new long[101];
          numbers[1] = Double.doubleToRawLongBits(-0.0);
          paged.run(SortedSetOperation.ADD, Arguments.of(names).with(numbers), now);
        }
      }
    }
    CollectionValue head = Objects.requireNonNull(paged.collection());
    Map<Long, byte[]> pages = paged.stored();
    int refused = 0;
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = head.bytes().clone();
      Map<Long, byte[]> damaged = new HashMap<>(pages);
      if (random.nextBoolean()) {
        bytes[head.offset() + random.nextInt(head.length())] = (byte) random.nextInt(256);
      } else {
        long number = new ArrayList<>(pages.keySet()).get(random.nextInt(pages.size()));
        byte[] page = Objects.requireNonNull(pages.get(number)).clone();
        page[random.nextInt(3) == 0 ? random.nextInt(20) : random.nextInt(page.length)] =
            (byte) random.nextInt(256);
        damaged.put(number, page);
      }
      CollectionEntry entry = new CollectionEntry(true);
      entry.put(new CollectionValue(type, bytes, head.offset(), head.length()), damaged);
      Set<String> outcomes = new HashSet<>();
      for (CollectionOperation operation : reads(type)) {
        Outcome outcome =
            operation.apply(entry, allOf(type), Integer.MAX_VALUE, now + round % 2).outcome();
        outcomes.add(outcome.toString());
      }
      Arguments written =
          type == CollectionType.SORTED_SET
              ? Arguments.of(names(1)).with(0, 0)
              : Arguments.of(pairs(1));
      outcomes.add(
          Objects.requireNonNull(type.operation(1))
              .apply(entry, written, Integer.MAX_VALUE, now + round % 2)
              .outcome()
              .toString());
      refused += outcomes.stream().anyMatch(outcome -> outcome.contains("damaged")) ? 1 : 0;
    }
    assertThat(refused).as("seed %d", seed).isGreaterThan(100);
  }

  private static List<CollectionOperation> reads(CollectionType type) {
    return switch (type) {
      case HASH -> List.of(HashOperation.ALL, HashOperation.SIZE);
      case LIST -> List.of(ListOperation.RANGE, ListOperation.SIZE);
      case SET -> List.of(SetOperation.ALL, SetOperation.SIZE);
      case SORTED_SET -> List.of(SortedSetOperation.RANGE, SortedSetOperation.SIZE);
    };
  }
}

package io.keyvalueserve.maps.index;

import static com.hazelcast.query.impl.AbstractIndex.NULL;
import static com.hazelcast.query.impl.CompositeValue.NEGATIVE_INFINITY;
import static com.hazelcast.query.impl.CompositeValue.POSITIVE_INFINITY;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.monitor.impl.HDGlobalIndexOperationStats;
import com.hazelcast.internal.monitor.impl.IndexOperationStats;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.Comparison;
import com.hazelcast.query.impl.CompositeValue;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.IndexKeyEntries;
import com.hazelcast.query.impl.IndexStore;
import com.hazelcast.query.impl.OrderedIndexStore;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.UnorderedIndexStore;
import com.hazelcast.query.impl.getters.Extractors;
import com.hazelcast.query.impl.getters.MultiResult;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.Year;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: an index off the heap answers every question as Hazelcast's own does. Method: random
 * changes to one of each, of values of all kinds, then all kinds of questions to both; an error of
 * one must be an error of the other.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
class StoreComparisonTest {
  private static final int STRIPES = 3;
  private static final List<Comparison> COMPARISONS = List.of(Comparison.values());

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int keys = 300;
  private int questions;
  private final InternalSerializationService serialization =
      new DefaultSerializationServiceBuilder().build();
  private final Extractors extractors = Extractors.newBuilder(serialization).build();

  @Test
  void numbers() {
    compare(true, this::number, false);
    compare(false, this::number, false);
  }

  @Test
  void texts() {
    compare(true, this::text, false);
    compare(false, this::text, false);
  }

  @Test
  void decimalsAndDays() {
    compare(true, () -> new BigDecimal(random.nextInt(20)).setScale(random.nextInt(2)), false);
    compare(false, () -> new BigDecimal(random.nextInt(20)).setScale(random.nextInt(2)), false);
    compare(true, () -> LocalDate.ofEpochDay(random.nextInt(20)), false);
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // as in users' values
  void boundsOfAnotherTypeThatCompare() {
    Supplier<Object> values =
        () -> questions % 2 == 1 ? new Timestamp(random.nextInt(20)) : new Date(random.nextInt(20));
    compare(true, values, false);
  }

  @Test
  void enumsAndBooleans() {
    compare(true, () -> Row.UNITS.get(random.nextInt(7)), false);
    compare(false, () -> Row.UNITS.get(random.nextInt(7)), false);
    compare(false, random::nextBoolean, false);
  }

  @Test
  void severalValuesOfOneEntry() {
    Supplier<Object> several =
        () -> {
          List<Object> values = new ArrayList<>();
          for (int count = random.nextInt(4); count > 0; count--) {
            values.add(random.nextInt(10) == 0 ? null : number());
          }
          return new MultiResult<>(values);
        };
    compare(true, several, false);
    compare(false, several, false);
  }

  @Test
  void compositeValues() {
    compare(true, () -> new Pair(text(), number()), false);
    compare(false, () -> new Pair(text(), number()), false);
  }

  @Test
  void valuesOfManyTypesInAHashIndex() {
    compare(false, () -> random.nextBoolean() ? text() : number(), false);
  }

  @Test
  void valuesThatDoNotCompareAreRefusedAsHazelcastRefusesThem() {
    compare(true, () -> random.nextInt(20) == 0 ? text() : number(), false);
  }

  @Test
  void theLastValueOfAKindMakesRoomForAnotherKind() {
    keys = 4;
    boolean[] texts = {false};
    Supplier<Object> values =
        () -> {
          texts[0] ^= questions == 0 && random.nextInt(4) == 0;
          return texts[0] ? text() : number();
        };
    for (int i = 0; i < 20; i++) {
      compare(true, values, false);
    }
  }

  @Test
  @Timeout(30)
  void valuesOfOneEntryMustCompareWithEachOtherToo() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), STRIPES)) {
      NativeIndexStore store =
          new NativeIndexStore(
              "index",
              new String[] {"this"},
              true,
              IndexCopyBehavior.COPY_ON_READ,
              PerIndexStats.EMPTY);
      Map<Data, @Nullable Object> entries = new HashMap<>();
      store.attach(heap, STRIPES, new FakeMap(entries, new LongAdder()), () -> null);
      Data key = serialization.toData("a");
      MultiResult<Object> several = new MultiResult<>(new ArrayList<>(List.of(1, "one")));
      CachedQueryEntry entry = entry(key, several);
      assertThat(run(() -> store.insert(several, entry, entry, IndexOperationStats.EMPTY)))
          .isEqualTo(ClassCastException.class);
      assertThat(run(() -> store.insert("one", entry, entry, IndexOperationStats.EMPTY))).isNull();
      assertThat(run(() -> store.update("one", several, entry, entry, IndexOperationStats.EMPTY)))
          .isEqualTo(ClassCastException.class);
      assertThat(store.isMoved()).isFalse();
      store.destroy();
    }
  }

  @Test
  void valuesThatCompareWithNothingHaveNoPlace() {
    byte[] bytes = {1};
    IndexOperationStats none = IndexOperationStats.EMPTY;
    for (Comparable value : List.of(5, Year.of(5))) { // off the heap, and on it
      try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), STRIPES)) {
        NativeIndexStore store =
            new NativeIndexStore(
                "index",
                new String[] {"this"},
                true,
                IndexCopyBehavior.COPY_ON_READ,
                PerIndexStats.EMPTY);
        Map<Data, @Nullable Object> entries = new HashMap<>();
        store.attach(heap, STRIPES, new FakeMap(entries, new LongAdder()), () -> null);
        Data key = serialization.toData("a");
        entries.put(key, value);
        CachedQueryEntry entry = entry(key, value);
        store.insert(bytes, entry, entry, none);
        assertThat(store.getRecords(value)).isEmpty();
        store.update(bytes, value, entry, entry, none);
        assertThat(store.getRecords(value)).hasSize(1);
        store.update(value, bytes, entry, entry, none);
        assertThat(store.getRecords(value)).isEmpty();
        store.update(bytes, new MultiResult<>(List.of(bytes, value)), entry, entry, none);
        assertThat(store.getRecords(value)).hasSize(1);
        store.remove(new MultiResult<>(List.of(value, bytes)), entry, none);
        store.remove(bytes, entry, none);
        assertThat(store.getRecords(value)).isEmpty();
        assertThat(store.isMoved()).isEqualTo(value instanceof Year);
        store.destroy();
      }
    }
  }

  @Test
  void valuesWithoutCodeMoveTheIndexToTheHeap() {
    int[] calls = {0};
    compare(true, () -> Year.of(random.nextInt(30)), true);
    compare(false, () -> calls[0]++ > 500 ? Year.of(random.nextInt(30)) : number(), true);
  }

  /** The map is ahead of its indexes for a moment with each write. */
  @Test
  void aMovedIndexFindsNothingThatIsGoneOrDiffersSince() {
    for (boolean ordered : new boolean[] {true, false}) {
      try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), STRIPES)) {
        NativeIndexStore store =
            new NativeIndexStore(
                "index",
                new String[] {"this"},
                ordered,
                IndexCopyBehavior.COPY_ON_READ,
                PerIndexStats.EMPTY);
        Map<Data, @Nullable Object> entries = new HashMap<>();
        store.attach(heap, STRIPES, new FakeMap(entries, new LongAdder()), () -> null);
        for (int year = 1; year <= 5; year++) {
          Data key = serialization.toData("key-" + year);
          CachedQueryEntry entry = entry(key, Year.of(year));
          store.insert(Year.of(year), entry, entry, IndexOperationStats.EMPTY);
          entries.put(key, Year.of(year));
        }
        assertThat(store.isMoved()).isTrue();
        entries.remove(serialization.toData("key-2"));
        entries.put(serialization.toData("key-3"), Year.of(9));
        entries.put(serialization.toData("key-4"), "four");

        assertThat(keysOf(store.getRecords(Year.of(1), true, Year.of(4), true).iterator()))
            .containsExactly("key-1");
        assertThat(keysOf(store.getRecords(Comparison.GREATER, Year.of(2)).iterator()))
            .containsExactlyInAnyOrder("key-3", "key-5");
        for (int gone = 2; gone <= 4; gone++) {
          assertThat(store.getRecords(Year.of(gone)).iterator().hasNext()).isFalse();
        }
        assertThat(keysOf(store.getRecords(Set.of(Year.of(1), Year.of(3), Year.of(5))).iterator()))
            .containsExactlyInAnyOrder("key-1", "key-5");
        Set<Comparable> many = new HashSet<>(); // more than would be asked one within the other
        for (int year = 3; year < 50_000; year++) {
          many.add(Year.of(year));
        }
        assertThat(keysOf(store.getRecords(many).iterator()))
            .containsExactlyInAnyOrder("key-3", "key-5");
        if (ordered) {
          assertThat(keysOf(store.getSqlRecordIterator(false))).containsExactly("key-1", "key-5");
          assertThat(keysOf(store.getSqlRecordIterator(Year.of(3)))).isEmpty();
        }
        store.destroy();
      }
    }
  }

  private List<Object> keysOf(Iterator<QueryableEntry> found) {
    List<Object> keys = new ArrayList<>();
    found.forEachRemaining(entry -> keys.add(serialization.toObject(entry.getKeyData())));
    return keys;
  }

  /** A value with two attributes. */
  public record Pair(@Nullable Comparable first, @Nullable Comparable second) {}

  private Comparable number() {
    int number = random.nextInt(40) - 20;
    return switch (random.nextInt(8)) {
      case 0 -> (long) number;
      case 1 -> (double) number;
      case 2 -> number / 2.0;
      case 3 -> number / 2.0f;
      case 4 -> (short) number;
      case 5 -> Long.MAX_VALUE - random.nextInt(3);
      default -> number;
    };
  }

  private Comparable text() {
    return "aab\u00E4\uFFFF".substring(0, random.nextInt(6)) + (char) ('a' + random.nextInt(3));
  }

  private void compare(boolean ordered, Supplier<?> values, boolean moves) {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), STRIPES)) {
      Map<Data, @Nullable Object> entries = new HashMap<>();
      LongAdder bytes = new LongAdder();
      boolean composite = values.get() instanceof Pair;
      String[] components = composite ? new String[] {"first", "second"} : new String[] {"this"};
      NativeIndexStore store =
          new NativeIndexStore(
              "index", components, ordered, IndexCopyBehavior.COPY_ON_READ, PerIndexStats.EMPTY);
      store.attach(heap, STRIPES, new FakeMap(entries, bytes), () -> null);
      IndexStore stock =
          ordered
              ? new OrderedIndexStore(IndexCopyBehavior.COPY_ON_READ)
              : new UnorderedIndexStore(IndexCopyBehavior.COPY_ON_READ);
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 400; i++) {
          change(store, stock, entries, values);
        }
        for (int i = 1; i <= 60; i++) {
          questions = i;
          ask(store, stock, ordered, values);
        }
        questions = 0;
      }
      assertThat(store.isMoved()).describedAs("seed=%d", seed).isEqualTo(moves);
      assertThat(bytes.sum() > 0).isEqualTo(!moves && !entries.isEmpty());
      store.clear();
      assertThat(store.isMoved()).isFalse();
      assertThat(bytes.sum()).isZero();
      heap.trim();
      assertThat(heap.usedBytes()).isZero();
    }
  }

  private void change(
      NativeIndexStore store,
      IndexStore stock,
      Map<Data, @Nullable Object> entries,
      Supplier<?> values) {
    Data key = serialization.toData("key-" + random.nextInt(keys));
    boolean there = entries.containsKey(key);
    Object old = entries.get(key);
    if (there && random.nextInt(3) == 0) {
      same(
          operation -> run(() -> store.remove(indexed(old), entry(key, old), operation)),
          operation -> run(() -> stock.remove(indexed(old), entry(key, old), operation)));
      entries.remove(key);
      return;
    }
    Object value = random.nextInt(12) == 0 ? null : values.get();
    value = value == null && old instanceof Pair ? old : value;
    Object fresh = value == null && values.get() instanceof Pair ? new Pair(null, 1) : value;
    CachedQueryEntry entry = entry(key, fresh);
    boolean done =
        there
            ? same(
                operation ->
                    run(() -> store.update(indexed(old), indexed(fresh), entry, entry, operation)),
                operation ->
                    run(() -> stock.update(indexed(old), indexed(fresh), entry, entry, operation)))
            : same(
                operation -> run(() -> store.insert(indexed(fresh), entry, entry, operation)),
                operation -> run(() -> stock.insert(indexed(fresh), entry, entry, operation)));
    if (done) {
      entries.put(key, fresh);
    } else {
      entries.remove(key); // both have removed the old value before they refused the new one
    }
  }

  /** What the index's own code would hand to its store. */
  private static @Nullable Object indexed(@Nullable Object value) {
    return value instanceof Pair pair
        ? new CompositeValue(new Comparable[] {pair.first, pair.second})
        : value;
  }

  private void ask(NativeIndexStore store, IndexStore stock, boolean ordered, Supplier<?> values) {
    Comparable from = argument(values, ordered);
    Comparable to = argument(values, ordered);
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    Comparison comparison = COMPARISONS.get(random.nextInt(4));
    boolean composite = from instanceof CompositeValue;
    Comparable exact = indexed(values.get()) instanceof Comparable value ? value : NULL;
    sameKeys(store, stock, index -> index.getRecords(composite ? sanitized(exact) : from));
    sameKeys(store, stock, index -> index.getRecords(comparison, from));
    if (ordered || !composite) {
      sameKeys(store, stock, index -> index.getRecords(from, fromInclusive, to, toInclusive));
    }
    if (!composite) {
      Set<Comparable> some = new HashSet<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        Comparable one = argument(values, ordered);
        some.add(store.canonicalizeQueryArgumentScalar(one));
        assertThat(store.canonicalizeQueryArgumentScalar(one))
            .isEqualTo(stock.canonicalizeQueryArgumentScalar(one));
      }
      sameKeys(store, stock, index -> index.getRecords(some));
    }
    if (ordered) {
      boolean descending = random.nextBoolean();
      sameWalk(store, stock, index -> index.getSqlRecordIteratorBatch(descending));
      sameWalk(store, stock, index -> index.getSqlRecordIteratorBatch(from, descending));
      sameWalk(
          store, stock, index -> index.getSqlRecordIteratorBatch(comparison, from, descending));
      sameWalk(
          store,
          stock,
          index ->
              index.getSqlRecordIteratorBatch(from, fromInclusive, to, toInclusive, descending));
      walkInSteps(store, from, to, descending);
    }
  }

  private Comparable argument(Supplier<?> values, boolean ordered) {
    Object value = values.get();
    if (value instanceof MultiResult) {
      value = number();
    }
    if (value instanceof Pair pair) {
      Comparable[] parts = {orNull(pair.first), orNull(pair.second)};
      if (ordered && random.nextInt(2) == 0) {
        parts[1] = random.nextBoolean() ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
      }
      return new CompositeValue(parts);
    }
    return random.nextInt(15) == 0 ? NULL : sanitized((Comparable) value);
  }

  private static Comparable orNull(@Nullable Comparable value) {
    return value == null ? NULL : value;
  }

  private static Comparable sanitized(Comparable value) {
    return value instanceof Enum<?> constant ? constant.name() : value;
  }

  private void sameKeys(
      NativeIndexStore store,
      IndexStore stock,
      Function<IndexStore, Collection<QueryableEntry>> question) {
    Object mine = keys(store, question);
    Object theirs = keys(stock, question);
    assertThat(mine).describedAs("seed=%d", seed).isEqualTo(theirs);
  }

  private static Object keys(
      IndexStore store, Function<IndexStore, Collection<QueryableEntry>> question) {
    try {
      Collection<QueryableEntry> found = question.apply(store);
      List<String> keys = new ArrayList<>();
      for (QueryableEntry entry : found) {
        keys.add(entry.getKey().toString());
        if (store instanceof NativeIndexStore) {
          assertThat(found.contains(entry)).isTrue();
        }
      }
      assertThat(found).hasSize(keys.size());
      keys.sort(null);
      return keys;
    } catch (ClassCastException | UnsupportedOperationException e) {
      return e.getClass();
    }
  }

  private void sameWalk(
      NativeIndexStore store,
      IndexStore stock,
      Function<IndexStore, Iterator<IndexKeyEntries>> question) {
    Object mine = walk(store, question);
    Object theirs = walk(stock, question);
    if (mine instanceof List<?> left && theirs instanceof List<?> right) {
      assertThat(left).describedAs("seed=%d", seed).hasSameSizeAs(right);
      for (int i = 0; i < left.size(); i++) {
        Group here = (Group) left.get(i);
        Group there = (Group) right.get(i);
        assertThat(here.keys).describedAs("seed=%d", seed).isEqualTo(there.keys);
        assertThat(
                OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(
                    sanitized(here.value), sanitized(there.value)))
            .isZero();
      }
    } else {
      assertThat(mine).describedAs("seed=%d", seed).isEqualTo(theirs);
    }
  }

  private record Group(Comparable value, Set<String> keys) {}

  private static Object walk(
      IndexStore store, Function<IndexStore, Iterator<IndexKeyEntries>> question) {
    try {
      List<Group> groups = new ArrayList<>();
      Iterator<IndexKeyEntries> iterator = question.apply(store);
      while (iterator.hasNext()) {
        IndexKeyEntries next = iterator.next();
        Set<String> keys = new TreeSet<>();
        next.getEntries().forEachRemaining(entry -> keys.add(entry.getKey().toString()));
        groups.add(new Group((Comparable) next.getIndexKey(), keys));
      }
      return groups;
    } catch (ClassCastException e) {
      return e.getClass();
    }
  }

  /** As SQL does: some entries, then from there on. */
  private void walkInSteps(
      NativeIndexStore store, Comparable from, Comparable to, boolean descending) {
    List<String> whole = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    try {
      new FlatIterator(store.getSqlRecordIteratorBatch(from, true, to, true, descending))
          .forEachRemaining(entry -> whole.add(entry.getKey().toString()));
      Comparable low = from;
      Comparable high = to;
      Data last = null;
      int before = -1;
      while (steps.size() > before && steps.size() <= whole.size()) {
        before = steps.size();
        int count = 1 + random.nextInt(20);
        Iterator<IndexKeyEntries> groups =
            store.getSqlRecordIteratorBatch(low, true, high, true, descending, last);
        while (groups.hasNext() && count > 0) {
          IndexKeyEntries group = groups.next();
          Iterator<QueryableEntry> entries = group.getEntries();
          while (entries.hasNext() && count-- > 0) {
            QueryableEntry entry = entries.next();
            steps.add(entry.getKey().toString());
            last = entry.getKeyData();
            low = descending ? low : (Comparable) group.getIndexKey();
            high = descending ? (Comparable) group.getIndexKey() : high;
          }
        }
      }
    } catch (ClassCastException e) {
      return;
    }
    assertThat(steps).describedAs("seed=%d", seed).isEqualTo(whole);
  }

  private boolean same(
      Function<IndexOperationStats, @Nullable Class<?>> mine,
      Function<IndexOperationStats, @Nullable Class<?>> theirs) {
    IndexOperationStats mineCounts = new HDGlobalIndexOperationStats();
    IndexOperationStats theirCounts = new HDGlobalIndexOperationStats();
    Class<?> mineError = mine.apply(mineCounts);
    assertThat(mineError).describedAs("seed=%d", seed).isEqualTo(theirs.apply(theirCounts));
    if (mineError == null) {
      assertThat(mineCounts.getEntryCountDelta()).isEqualTo(theirCounts.getEntryCountDelta());
    }
    return mineError == null;
  }

  private static @Nullable Class<?> run(Runnable task) {
    try {
      task.run();
      return null;
    } catch (ClassCastException | IllegalArgumentException e) {
      return e.getClass();
    }
  }

  private CachedQueryEntry entry(Data key, @Nullable Object value) {
    return new Entry(serialization, extractors, key, value);
  }

  /** An entry whose attribute may be several values, as if it were an extractor's. */
  private static final class Entry extends CachedQueryEntry {
    private final @Nullable Object value;

    private Entry(
        InternalSerializationService serialization,
        Extractors extractors,
        Data key,
        @Nullable Object value) {
      super(serialization, key, value, extractors);
      this.value = value;
    }

    @Override
    public @Nullable Object getAttributeValue(String attribute) {
      return value instanceof Pair pair
          ? attribute.equals("first") ? pair.first : pair.second
          : value;
    }
  }

  private final class FakeMap implements IndexedMap {
    private final Map<Data, @Nullable Object> entries;
    private final LongAdder bytes;

    FakeMap(Map<Data, @Nullable Object> entries, LongAdder bytes) {
      this.entries = entries;
      this.bytes = bytes;
    }

    @Override
    public String name() {
      return "map";
    }

    @Override
    public int writerOf(Data key) {
      return Arrays.hashCode(key.toByteArray()) & 0xFF;
    }

    @Override
    public @Nullable QueryableEntry read(Data key) {
      return entries.containsKey(key) ? entry(key, entries.get(key)) : null;
    }

    @Override
    public QueryableEntry reference(Data key) {
      return entry(key, entries.get(key));
    }

    @Override
    public void addBytes(long delta) {
      bytes.add(delta);
    }
  }
}

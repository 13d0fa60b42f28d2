package io.keyvalueserve.maps.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.grid.space.TestGrid;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A scan of one member's entries: rows, slices, positions, and fields of every type. */
class MapScanTest {
  private static final int PARTITIONS = 13;
  private static final Condition ALL = new Condition.Constant(true);

  private static @Nullable TestGrid grid;

  @BeforeAll
  static void start() {
    grid = new TestGrid(1, PARTITIONS, config -> {});
  }

  @AfterAll
  static void stop() {
    grid().close();
  }

  private static TestGrid grid() {
    if (grid == null) {
      throw new IllegalStateException("not started");
    }
    return grid;
  }

  private static <V> IMap<String, V> map(String name) {
    IMap<String, V> map = grid().member(0).getMap(name);
    map.clear();
    return map;
  }

  private static MapScan scan(String map, Condition condition, Field... fields) {
    return MapScan.of(grid().maps(0), map, condition, List.of(fields));
  }

  private static BitSet all() {
    BitSet all = new BitSet();
    all.set(0, PARTITIONS);
    return all;
  }

  @Test
  void visitsEachRowOnceHoweverItIsSliced() {
    IMap<String, Integer> map = map("slices");
    IntStream.range(0, 1000).forEach(i -> map.set("key-" + i, i));
    MapScan scan = scan("slices", ALL, Field.of(""));
    for (int step : new int[] {1, 3, 64, 5000}) {
      Set<Object> seen = new HashSet<>();
      ScanPosition position = ScanPosition.begin(all());
      while (!position.isDone()) {
        int[] left = {step};
        position =
            scan.run(
                ScanPosition.of(position.toBytes()),
                row -> {
                  assertThat(seen.add(row.field(0))).isTrue();
                  return --left[0] > 0;
                },
                TimeUnit.SECONDS.toNanos(1));
      }
      assertThat(seen).hasSize(1000);
      assertThat(position.unreachable().isEmpty()).isTrue();
    }
  }

  @Test
  void endsASliceWhenItsTimeIsOver() {
    IMap<String, Integer> map = map("time");
    IntStream.range(0, 3000).forEach(i -> map.set("key-" + i, i));
    MapScan scan = scan("time", ALL);
    List<String> keys = new ArrayList<>();
    int slices = 0;
    for (ScanPosition at = ScanPosition.begin(all()); !at.isDone(); slices++) {
      at = scan.run(at, row -> keys.add(row.key().toString()), 0);
    }
    assertThat(keys).hasSize(3000);
    assertThat(slices).isGreaterThanOrEqualTo(10); // each ends within some hundred entries
  }

  @Test
  void looksOnlyAtWhatTwoIndexesHave() {
    IMap<String, HazelcastJsonValue> map = map("two");
    map.addIndex(IndexType.SORTED, "a");
    map.addIndex(IndexType.SORTED, "b");
    IntStream.range(0, 5000)
        .forEach(
            i ->
                map.set(
                    "key-" + i,
                    new HazelcastJsonValue("{\"a\": %d, \"b\": %d}".formatted(i % 50, i % 41))));
    Condition both =
        new Condition.And(
            List.of(
                new Condition.Compare(Field.of("a"), Comparison.LESS, 4),
                new Condition.Compare(Field.of("b"), Comparison.LESS, 4)));
    MapScan scan = scan("two", both, new Field(true, "", FieldType.VARCHAR));
    assertThat(scan.access()).contains("a, range and index").contains("b, range");
    Set<Object> found = new TreeSet<>();
    long[] examined = {0};
    ScanPosition end =
        scan.run(
            ScanPosition.begin(all()),
            new RowVisitor() {
              @Override
              public boolean visit(EntryRow row) {
                return found.add(Objects.requireNonNull(row.field(0)));
              }

              @Override
              public void examined(long entries) {
                examined[0] += entries;
              }
            },
            Long.MAX_VALUE / 2);
    Set<Object> expected = new TreeSet<>();
    IntStream.range(0, 5000)
        .filter(i -> i % 50 < 4 && i % 41 < 4)
        .forEach(i -> expected.add("key-" + i));
    assertThat(end.isDone()).isTrue();
    assertThat(found).isEqualTo(expected);
    assertThat(examined[0]).isEqualTo(expected.size());
  }

  @Test
  void findsFractionsByTheirWholeParts() {
    IMap<String, HazelcastJsonValue> map = map("fractions");
    map.addIndex(IndexType.SORTED, "a");
    IntStream.range(0, 500)
        .forEach(i -> map.set("key-" + i, new HazelcastJsonValue("{\"a\": %d}".formatted(i))));
    Field whole = new Field(false, "a", FieldType.BIGINT);
    Field key = new Field(true, "", FieldType.VARCHAR);
    Condition five = new Condition.Compare(whole, Comparison.EQUAL, 5L);
    Condition atMostFive = new Condition.Compare(whole, Comparison.LESS_OR_EQUAL, 5L);
    MapScan known = scan("fractions", five, key);
    MapScan counting = scan("fractions", atMostFive);
    assertThat(known.access()).contains("equal");
    assertThat(counting.count(all())).isEqualTo(6);
    map.set("fraction", new HazelcastJsonValue("{\"a\": 5.5}"));
    for (MapScan scan : List.of(known, scan("fractions", five, key))) {
      Set<Object> found = new TreeSet<>();
      ScanPosition end =
          scan.run(
              ScanPosition.begin(all()),
              row -> found.add(Objects.requireNonNull(row.field(0))),
              Long.MAX_VALUE / 2);
      assertThat(end.isDone()).isTrue();
      assertThat(found).containsExactly("fraction", "key-5");
    }
    assertThat(counting.count(all())).isNegative();
    assertThat(scan("fractions", atMostFive).count(all())).isNegative();
  }

  @Test
  void findsTextByItsBeginning() {
    IMap<String, String> map = map("prefixes");
    map.addIndex(IndexType.SORTED, "this");
    IntStream.range(0, 100).forEach(i -> map.set("key-" + i, "x" + i));
    map.set("a", "ab");
    map.set("b", "ab\uFFFFx");
    map.set("c", "abz");
    map.set("d", "ac");
    map.set("e", "aa");
    MapScan scan =
        scan(
            "prefixes",
            new Condition.Like(Field.of(""), "ab%", -1, false),
            new Field(true, "", FieldType.VARCHAR));
    assertThat(scan.access()).contains("range");
    Set<Object> found = new TreeSet<>();
    ScanPosition _ =
        scan.run(
            ScanPosition.begin(all()),
            row -> found.add(Objects.requireNonNull(row.field(0))),
            Long.MAX_VALUE / 2);
    assertThat(found).containsExactly("a", "b", "c");
  }

  @Test
  void endsWithAMessageIfAPatternIsTooDeepForAValue() {
    IMap<String, String> map = map("deep");
    map.set("long", "a".repeat(100_000));
    @Nullable RuntimeException[] failure = {null};
    new RowScan(
            scan("deep", new Condition.Regex(Field.of(""), "(a|b)*")),
            _ -> true,
            (_, slice) -> slice.run(),
            1,
            () -> true,
            (_, why) -> failure[0] = why)
        .run(ScanPosition.begin(all()));
    assertThat(failure[0]).isInstanceOf(QueryException.class);
  }

  @Test
  void countsWithoutALookAtEntries() {
    IMap<String, Integer> map = map("count");
    map.addIndex(IndexType.SORTED, "this");
    IntStream.range(0, 1000).forEach(i -> map.set("key-" + i, i));
    MapScan everything = scan("count", ALL);
    Field value = Field.of("");
    Condition.Compare large = new Condition.Compare(value, Comparison.GREATER, 989);
    Condition.Compare small = new Condition.Compare(value, Comparison.LESS_OR_EQUAL, 994L);
    assertThat(everything.count(all())).isEqualTo(1000);
    assertThat(scan("count", large).count(all())).isEqualTo(10);
    assertThat(scan("count", new Condition.And(List.of(large, small))).count(all())).isEqualTo(5);
    assertThat(scan("count", new Condition.Compare(value, Comparison.EQUAL, 7)).count(all()))
        .isEqualTo(1);
    assertThat(scan("count", new Condition.Compare(value, Comparison.GREATER, 989.5)).count(all()))
        .isEqualTo(10);
    assertThat(scan("count", new Condition.Not(large)).count(all())).isNegative();
    assertThat(scan("count", new Condition.And(List.of())).count(all())).isNegative();
    BitSet some = all();
    some.clear(1);
    assertThat(everything.count(some)).isBetween(1L, 999L);
    assertThat(scan("count", large).count(some)).as("an index of more").isNegative();
    map.set("expires", 1, 1, TimeUnit.HOURS);
    assertThat(everything.count(all())).isNegative();
    assertThat(scan("count", large).count(all())).isNegative();
  }

  @Test
  void copiesWhatIsSerialized() {
    IMap<String, Object> map = map("copies");
    map.set("a", "text");
    map.set("b", new byte[] {1, 2, 3});
    map.set("c", 17L);
    Set<String> rows = new TreeSet<>();
    scan("copies", ALL)
        .run(
            ScanPosition.begin(all()),
            row -> {
              byte[] key = new byte[row.keySize()];
              row.copyKey(key, 0);
              assertThat(key).isEqualTo(row.key().toByteArray());
              byte[] value = new byte[row.valueSize()];
              row.copyValue(value, 0);
              assertThat(value).isEqualTo(Objects.requireNonNull(row.value()).toByteArray());
              rows.add(
                  TestGrid.nodeEngine(grid().member(0))
                      .getSerializationService()
                      .toObject(row.key()));
              return true;
            },
            Long.MAX_VALUE / 2);
    assertThat(rows).containsExactly("a", "b", "c");
  }

  @Test
  void leavesOutWhatHasExpired() {
    IMap<String, Integer> map = map("expired");
    map.set("stays", 1);
    map.set("goes", 2, 1, TimeUnit.MILLISECONDS);
    map.set("later", 3, 1, TimeUnit.HOURS);
    long begin = System.currentTimeMillis();
    while (System.currentTimeMillis() <= begin + 2) {
      Thread.onSpinWait();
    }
    assertThat(found("expired", ALL)).containsExactly("later", "stays");
  }

  @Test
  void saysWhichPartitionsAreElsewhere() {
    IMap<String, Integer> map = map("elsewhere");
    map.set("a", 1);
    BitSet beyond = all();
    MapScan scan = scan("elsewhere", ALL);
    ScanPosition end = scan.run(ScanPosition.begin(beyond), row -> true, 1_000_000_000L);
    assertThat(end.isDone()).isTrue();
    assertThat(end.left().isEmpty()).isTrue();
    assertThat(scan.readable()).isEqualTo(all());
  }

  private static Set<String> found(String map, Condition condition) {
    Set<String> keys = new TreeSet<>();
    MapScan scan = scan(map, condition, new Field(true, "", FieldType.VARCHAR));
    ScanPosition position = ScanPosition.begin(all());
    while (!position.isDone()) {
      position = scan.run(position, row -> keys.add(String.valueOf(row.field(0))), 1_000_000_000L);
    }
    return keys;
  }

  @Test
  void readsTextAsJson() {
    IMap<String, Object> map = map("json");
    map.set("a", "{\"n\": 5, \"who\": {\"name\": \"ada\"}, \"tags\": [\"x\", \"y\"]}");
    map.set("b", new HazelcastJsonValue("{\"n\": 7.5, \"who\": {\"name\": \"bob\"}}"));
    map.set("c", "no json");
    map.set("d", "{\"n\": null}".getBytes(StandardCharsets.UTF_8));
    map.set("e", 3);
    Field n = new Field(false, "$.n", FieldType.DOUBLE);
    assertThat(found("json", new Condition.Compare(n, Comparison.GREATER, 4.0)))
        .containsExactly("a", "b");
    assertThat(found("json", new Condition.Compare(n, Comparison.EQUAL, 7.5))).containsExactly("b");
    assertThat(found("json", new Condition.IsNull(n))).containsExactly("c", "d", "e");
    Field name = new Field(false, "$.who.name", FieldType.VARCHAR);
    assertThat(found("json", new Condition.Like(name, "a%", -1, false))).containsExactly("a");
    Field tags = new Field(false, "$.tags[any]", FieldType.VARCHAR);
    assertThat(found("json", new Condition.Compare(tags, Comparison.EQUAL, "y")))
        .containsExactly("a");
    List<@Nullable Object> who = new ArrayList<>();
    scan(
            "json",
            ALL,
            new Field(false, "$.who", FieldType.JSON),
            new Field(false, "$.n", FieldType.DECIMAL))
        .run(
            ScanPosition.begin(all()),
            row -> {
              who.add(row.field(0));
              who.add(row.field(1));
              return true;
            },
            1_000_000_000L);
    assertThat(who)
        .contains(new JsonText("{\"name\": \"ada\"}"), new BigDecimal("7.5"), new BigDecimal(5));
  }

  @Test
  void refusesWhatCannotBeConverted() {
    IMap<String, Object> map = map("types");
    map.set("a", "17");
    map.set("b", 17);
    Field number = new Field(false, "", FieldType.BIGINT);
    assertThat(found("types", new Condition.Compare(number, Comparison.EQUAL, 17L)))
        .containsExactly("a", "b");
    map.set("c", "seventeen");
    assertThatThrownBy(() -> found("types", new Condition.Compare(number, Comparison.EQUAL, 17L)))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("field=this")
        .hasMessageContaining("seventeen");
  }

  @Test
  void comparesNothingWithNull() {
    IMap<String, Object> map = map("nulls");
    map.set("a", new HazelcastJsonValue("{\"n\": 1}"));
    map.set("b", new HazelcastJsonValue("{\"n\": null}"));
    Field n = Field.of("n");
    Condition is = new Condition.Compare(n, Comparison.EQUAL, 1);
    assertThat(found("nulls", is)).containsExactly("a");
    assertThat(found("nulls", new Condition.Not(is))).containsExactly("b");
    assertThat(found("nulls", new Condition.Compare(n, Comparison.LESS, 5))).containsExactly("a");
    assertThat(found("nulls", new Condition.IsNull(n))).containsExactly("b");
  }
}

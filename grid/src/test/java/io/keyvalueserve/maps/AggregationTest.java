package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.PagingPredicate;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers computed where the entries are: aggregations, projections, pages. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}, indexed={1}")
@CsvSource({"1,false", "1,true", "3,false", "3,true"})
final class AggregationTest {
  private static final int COUNT = 300;

  private final HdGrid grid;
  private final boolean indexed;
  private IMap<String, Person> map;

  AggregationTest(int members, boolean indexed) {
    this.grid = SharedGrids.of(members);
    this.indexed = indexed;
    this.map = grid.map();
  }

  @BeforeEach
  void fill() {
    map = grid.map();
    for (int i = 0; i < COUNT; i++) {
      map.set("p" + i, Person.of(i));
    }
    if (indexed) {
      map.addIndex(IndexType.SORTED, "age");
      map.addIndex(IndexType.HASH, "city");
    }
  }

  @Test
  void aggregatesAll() {
    assertThat(map.aggregate(Aggregators.count())).isEqualTo(COUNT);
    assertThat(map.aggregate(Aggregators.integerSum("age"))).isEqualTo(3L * 4_950);
    assertThat(map.aggregate(Aggregators.integerAvg("age"))).isEqualTo(49.5);
    assertThat(map.aggregate(Aggregators.integerMax("age"))).isEqualTo(99);
    assertThat(map.aggregate(Aggregators.integerMin("age"))).isEqualTo(0);
    assertThat(map.aggregate(Aggregators.<Map.Entry<String, Person>, String>distinct("city")))
        .hasSize(10);
    assertThat(map.aggregate(Aggregators.<Map.Entry<String, Person>>maxBy("age")).getValue().age())
        .isEqualTo(99);
  }

  @Test
  void aggregatesWhatAPredicateHolds() {
    Predicate<String, Person> young = Predicates.lessThan("age", 10);
    assertThat(map.aggregate(Aggregators.count(), young)).isEqualTo(30);
    assertThat(map.aggregate(Aggregators.integerSum("age"), young)).isEqualTo(3L * 45);
    assertThat(map.aggregate(Aggregators.count(), Predicates.equal("city", "none"))).isZero();
  }

  @Test
  void projects() {
    Collection<String> names = map.project(Projections.singleAttribute("name"));
    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, COUNT).mapToObj(i -> "name-" + i).toList());
    Collection<Object[]> pairs =
        map.project(
            Projections.multiAttribute("__key", "age"), Predicates.equal("name", "name-42"));
    assertThat(pairs).singleElement().isEqualTo(new Object[] {"p42", 42});
    assertThat(
            map.project(
                entry -> entry.getValue().age() + entry.getKey(), Predicates.sql("age < 1")))
        .containsExactlyInAnyOrder("0p0", "0p100", "0p200");
  }

  @Test
  void pagesThroughInOrder() {
    Predicate<String, Person> half = Predicates.lessThan("age", 50);
    PagingPredicate<String, Person> pages = Predicates.pagingPredicate(half, new ByAge(), 40);
    List<Person> seen = new ArrayList<>();
    for (Collection<Person> page = map.values(pages); !page.isEmpty(); page = map.values(pages)) {
      assertThat(page.size()).isLessThanOrEqualTo(40);
      seen.addAll(page);
      pages.nextPage();
    }
    assertThat(seen).hasSize(150).isSortedAccordingTo(Comparator.comparingInt(Person::age));
    assertThat(new TreeSet<>(seen.stream().map(Person::name).toList())).hasSize(150);
    pages.setPage(1);
    assertThat(map.values(pages)).containsExactlyElementsOf(seen.subList(40, 80));
    pages.previousPage();
    assertThat(map.values(pages)).containsExactlyElementsOf(seen.subList(0, 40));
    assertThat(map.keySet(pages)).hasSize(40);
    assertThat(map.entrySet(pages)).hasSize(40);
  }

  @Test
  void pagesOfAllInNoOrderHoldEveryEntry() {
    PagingPredicate<String, Person> pages = Predicates.pagingPredicate(64);
    TreeSet<String> seen = new TreeSet<>();
    for (var page = map.keySet(pages); !page.isEmpty(); page = map.keySet(pages)) {
      seen.addAll(page);
      pages.nextPage();
    }
    assertThat(seen).hasSize(COUNT);
  }

  @Test
  void asksOnePartition() {
    Collection<String> keys =
        map.keySet(Predicates.partitionPredicate("p7", Predicates.alwaysTrue()));
    var partitions = grid.member(0).getPartitionService();
    int partition = partitions.getPartition("p7").getPartitionId();
    assertThat(keys).contains("p7");
    assertThat(keys)
        .containsExactlyInAnyOrderElementsOf(
            map.keySet().stream()
                .filter(key -> partitions.getPartition(key).getPartitionId() == partition)
                .toList());
  }

  /** By age, then by name. */
  private record ByAge() implements Comparator<Map.Entry<String, Person>>, Serializable {
    @Override
    public int compare(Map.Entry<String, Person> a, Map.Entry<String, Person> b) {
      int byAge = Integer.compare(a.getValue().age(), b.getValue().age());
      return byAge != 0 ? byAge : a.getKey().compareTo(b.getKey());
    }
  }
}

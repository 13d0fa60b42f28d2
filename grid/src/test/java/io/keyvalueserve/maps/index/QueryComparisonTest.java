package io.keyvalueserve.maps.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.PagingPredicate;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.grid.space.TestGrid;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: an index changes nothing but the time a query takes. Method: random entries, changed in all
 * ways, in a map without and in maps with each kind of index; random predicates to all of them.
 */
class QueryComparisonTest {
  private static final int KEYS = 250;

  /** In each of three rounds; more are asked with {@code -Dkvs.questions}. */
  private static final int QUESTIONS = Integer.getInteger("kvs.questions", 20);

  private static final List<String> SCALARS =
      List.of("number", "real", "text", "city", "day", "price", "unit", "flag");

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void findsTheSameWithAndWithoutIndexes(int members) {
    try (TestGrid grid = new TestGrid(members, 13, config -> {})) {
      IMap<String, Row> plain = grid.member(0).getMap("plain");
      List<IMap<String, Row>> indexed =
          List.of(
              grid.member(0).getMap("hash"),
              grid.member(0).getMap("sorted"),
              grid.member(members - 1).getMap("composite"),
              grid.member(0).getMap("late"));
      addIndexes(indexed.get(0), IndexType.HASH);
      addIndexes(indexed.get(1), IndexType.SORTED);
      addCompositeIndexes(indexed.get(2));
      for (int round = 0; round < 3; round++) {
        change(plain, indexed);
        if (round == 0) {
          addIndexes(indexed.get(3), IndexType.SORTED);
          addIndexes(indexed.get(3), IndexType.HASH);
        }
        for (int i = 0; i < QUESTIONS; i++) {
          compare(plain, indexed, predicate(2));
        }
      }
      long entries = plain.size();
      for (IMap<String, Row> map : indexed) {
        assertThat(map.size()).isEqualTo((int) entries);
        map.destroy();
      }
    }
  }

  private static void addIndexes(IMap<String, Row> map, IndexType type) {
    for (String attribute : SCALARS) {
      map.addIndex(new IndexConfig(type, attribute));
    }
    map.addIndex(new IndexConfig(type, "tags[any]"));
    map.addIndex(new IndexConfig(type, "__key"));
  }

  private static void addCompositeIndexes(IMap<String, Row> map) {
    map.addIndex(new IndexConfig(IndexType.SORTED, "city", "number"));
    map.addIndex(new IndexConfig(IndexType.SORTED, "flag", "real", "text"));
    map.addIndex(new IndexConfig(IndexType.HASH, "text", "unit"));
  }

  private void change(IMap<String, Row> plain, List<IMap<String, Row>> indexed) {
    List<IMap<String, Row>> all = new ArrayList<>(indexed);
    all.add(plain);
    if (random.nextInt(3) == 0) {
      all.forEach(IMap::clear);
    }
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + random.nextInt(KEYS);
      Row row = Row.random(random);
      switch (random.nextInt(6)) {
        case 0 -> all.forEach(map -> map.delete(key));
        case 1 -> all.forEach(map -> map.set(key, row));
        case 2 -> {
          Map<String, Row> some = new HashMap<>();
          for (int n = 0; n < 10; n++) {
            some.put("key-" + random.nextInt(KEYS), Row.random(random));
          }
          all.forEach(map -> map.putAll(some));
        }
        case 3 ->
            all.forEach(
                map ->
                    map.executeOnKey(
                        key,
                        entry -> {
                          Row old = entry.getValue();
                          if (old != null) {
                            old.number = -old.number;
                            entry.setValue(old);
                          }
                          return null;
                        }));
        case 4 -> all.forEach(map -> map.replace(key, row));
        default -> all.forEach(map -> map.put(key, row));
      }
    }
  }

  private void compare(
      IMap<String, Row> plain, List<IMap<String, Row>> indexed, Predicate<String, Row> predicate) {
    Set<String> expected = new TreeSet<>(plain.keySet(predicate));
    long count = plain.aggregate(Aggregators.count(), predicate);
    assertThat(count).isEqualTo(expected.size());
    long sum = plain.aggregate(Aggregators.integerSum("number"), predicate);
    for (IMap<String, Row> map : indexed) {
      String what = "seed=" + seed + " map=" + map.getName() + " " + predicate;
      Set<String> found = new TreeSet<>(map.keySet(predicate));
      assertThat(differences(plain, found, expected)).describedAs(what).isEmpty();
      assertThat(map.aggregate(Aggregators.count(), predicate)).describedAs(what).isEqualTo(count);
      assertThat(map.aggregate(Aggregators.integerSum("number"), predicate))
          .describedAs(what)
          .isEqualTo(sum);
      if (random.nextInt(4) == 0) {
        assertThat(keys(map.entrySet(predicate))).describedAs(what).isEqualTo(expected);
        assertThat(map.values(predicate)).describedAs(what).hasSameSizeAs(expected);
        assertThat(pages(map, predicate)).describedAs(what).isEqualTo(new ArrayList<>(expected));
      }
    }
  }

  private static List<String> differences(
      IMap<String, Row> plain, Set<String> found, Set<String> expected) {
    List<String> differences = new ArrayList<>();
    for (String key : found) {
      if (!expected.contains(key)) {
        differences.add("too much: " + plain.get(key));
      }
    }
    for (String key : expected) {
      if (!found.contains(key)) {
        differences.add("missing: " + plain.get(key));
      }
    }
    return differences;
  }

  private static Set<String> keys(Collection<Map.Entry<String, Row>> entries) {
    Set<String> keys = new TreeSet<>();
    entries.forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  private static List<String> pages(IMap<String, Row> map, Predicate<String, Row> predicate) {
    List<String> keys = new ArrayList<>();
    PagingPredicate<String, Row> paging = Predicates.pagingPredicate(predicate, new ByKey(), 17);
    for (Collection<String> page = map.keySet(paging); !page.isEmpty(); page = map.keySet(paging)) {
      keys.addAll(page);
      paging.nextPage();
    }
    return keys;
  }

  private static final class ByKey implements Comparator<Map.Entry<String, Row>>, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public int compare(Map.Entry<String, Row> left, Map.Entry<String, Row> right) {
      return left.getKey().compareTo(right.getKey());
    }
  }

  private Predicate<String, Row> predicate(int depth) {
    if (depth > 0 && random.nextInt(2) == 0) {
      return switch (random.nextInt(3)) {
        case 0 -> Predicates.and(predicate(depth - 1), predicate(depth - 1));
        case 1 -> Predicates.or(predicate(depth - 1), predicate(depth - 1));
        default -> Predicates.not(predicate(depth - 1));
      };
    }
    String attribute =
        random.nextInt(8) == 0 ? "tags[any]" : SCALARS.get(random.nextInt(SCALARS.size()));
    if (random.nextInt(15) == 0) {
      return Predicates.between("__key", "key-1", "key-" + random.nextInt(KEYS));
    }
    return switch (random.nextInt(9)) {
      case 0, 1 -> Predicates.equal(attribute, orNull(argument(attribute)));
      case 2 -> Predicates.between(attribute, argument(attribute), argument(attribute));
      case 3 -> Predicates.greaterThan(attribute, argument(attribute));
      case 4 -> Predicates.greaterEqual(attribute, argument(attribute));
      case 5 -> Predicates.lessThan(attribute, argument(attribute));
      case 6 -> Predicates.lessEqual(attribute, argument(attribute));
      case 7 ->
          Predicates.in(attribute, argument(attribute), argument(attribute), argument(attribute));
      default ->
          Predicates.like(
              "text", "name-" + (char) ('a' + random.nextInt(4)) + random.nextInt(3) + "%");
    };
  }

  private @Nullable Comparable<?> orNull(Comparable<?> value) {
    return random.nextInt(8) == 0 ? null : value;
  }

  private Comparable<?> argument(String attribute) {
    return switch (attribute) {
      case "number" -> {
        int number = random.nextInt(64) - 32;
        yield switch (random.nextInt(6)) {
          case 0 -> (long) number;
          case 1 -> number / 2.0;
          case 2 -> Integer.toString(number);
          case 3 -> (float) number;
          case 4 -> Long.MAX_VALUE;
          default -> number;
        };
      }
      case "real" -> random.nextInt(4) == 0 ? (Comparable<?>) random.nextInt(30) : Row.real(random);
      case "text" -> Row.text(random);
      case "city" -> "city-" + random.nextInt(10);
      case "day" -> LocalDate.ofEpochDay(random.nextInt(44) - 2);
      case "price" -> Row.price(random);
      case "unit" -> Row.UNITS.get(random.nextInt(7)).name();
      case "flag" -> random.nextBoolean();
      default -> "tag-" + random.nextInt(8);
    };
  }
}

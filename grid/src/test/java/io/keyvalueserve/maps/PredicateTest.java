package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.BitmapIndexOptions.UniqueKeyTransformation;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of predicate finds what plain Java finds in a plain map, without an index and with
 * each kind of index; before and after changes, and after the map was cleared and filled anew.
 */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}, index={1}")
@MethodSource("clustersAndIndexes")
final class PredicateTest {
  private static final int COUNT = 600;
  private static final long SEED = 20_260_117;

  enum Indexing {
    NONE,
    HASH,
    SORTED,
    BITMAP,
    COMPOSITE_HASH,
    COMPOSITE_SORTED
  }

  /** A predicate in Hazelcast's words and in Java's. */
  private record Question(
      String name, Predicate<String, Person> asked, BiPredicate<String, Person> meant) {}

  private static final List<Question> QUESTIONS =
      List.of(
          question("equal", Predicates.equal("city", "city-3"), p -> "city-3".equals(p.city())),
          question("equal null", Predicates.equal("city", null), p -> p.city() == null),
          question("not equal", Predicates.notEqual("age", 7), p -> p.age() != 7),
          question("greater", Predicates.greaterThan("age", 90), p -> p.age() > 90),
          question("greater equal", Predicates.greaterEqual("age", 90), p -> p.age() >= 90),
          question("less", Predicates.lessThan("age", 5), p -> p.age() < 5),
          question("less equal", Predicates.lessEqual("age", 5), p -> p.age() <= 5),
          question(
              "between", Predicates.between("age", 20, 25), p -> p.age() >= 20 && p.age() <= 25),
          question("between none", Predicates.between("age", 25, 20), p -> false),
          question(
              "in", Predicates.in("age", 1, 5, 1_000), p -> Set.of(1, 5, 1_000).contains(p.age())),
          question("like", Predicates.like("name", "name-1%"), p -> starts(p.name(), "name-1")),
          question(
              "like one letter", Predicates.like("name", "name-_"), p -> p.name().length() == 6),
          question("ilike", Predicates.ilike("name", "NAME-2%"), p -> starts(p.name(), "name-2")),
          question(
              "regex", Predicates.regex("name", "name-\\d7"), p -> p.name().matches("name-\\d7")),
          question("boolean", Predicates.equal("active", true), Person::active),
          question(
              "and",
              Predicates.and(Predicates.equal("city", "city-3"), Predicates.greaterThan("age", 50)),
              p -> "city-3".equals(p.city()) && p.age() > 50),
          question(
              "or",
              Predicates.or(Predicates.equal("city", "city-3"), Predicates.equal("age", 50)),
              p -> "city-3".equals(p.city()) || p.age() == 50),
          question(
              "not",
              Predicates.not(Predicates.equal("city", "city-3")),
              p -> !"city-3".equals(p.city())),
          question(
              "sql",
              Predicates.sql("active AND (age BETWEEN 10 AND 60 OR city IN ('city-1', 'city-2'))"),
              p ->
                  p.active()
                      && ((p.age() >= 10 && p.age() <= 60)
                          || "city-1".equals(p.city())
                          || "city-2".equals(p.city()))),
          question(
              "composite",
              Predicates.and(Predicates.equal("city", "city-4"), Predicates.equal("age", 44)),
              p -> "city-4".equals(p.city()) && p.age() == 44),
          question(
              "composite range",
              Predicates.and(Predicates.equal("city", "city-4"), Predicates.between("age", 4, 50)),
              p -> "city-4".equals(p.city()) && p.age() >= 4 && p.age() <= 50),
          new Question("key", Predicates.equal("__key", "p7"), (key, p) -> key.equals("p7")),
          new Question("all", Predicates.alwaysTrue(), (key, p) -> true),
          new Question("none", Predicates.alwaysFalse(), (key, p) -> false));

  private final HdGrid grid;
  private final Indexing indexing;
  private final IMap<String, Person> map;
  private final Map<String, Person> model = new HashMap<>();
  private final Random random = new Random(SEED);

  PredicateTest(int members, Indexing indexing) {
    this.grid = SharedGrids.of(members);
    this.indexing = indexing;
    this.map = grid.map();
  }

  static Stream<Arguments> clustersAndIndexes() {
    return Stream.of(1, 3)
        .flatMap(
            n ->
                Stream.of(Indexing.values())
                    .filter(i -> i != Indexing.BITMAP || HdGrid.FORMAT != InMemoryFormat.NATIVE)
                    .map(i -> Arguments.of(n, i)));
  }

  private static Question question(
      String name, Predicate<String, Person> asked, java.util.function.Predicate<Person> meant) {
    return new Question(name, asked, (key, person) -> meant.test(person));
  }

  private static boolean starts(String text, String prefix) {
    return text.startsWith(prefix);
  }

  @AfterEach
  void destroy() {
    map.destroy();
  }

  @Test
  void findsWhatPlainJavaFinds() {
    fill(0, COUNT / 2);
    addIndexes(); // over what is there
    fill(COUNT / 2, COUNT); // and over what comes
    assertAnswers("filled");
    change();
    assertAnswers("changed");
    map.clear();
    model.clear();
    assertAnswers("cleared");
    fill(0, COUNT);
    assertAnswers("filled again");
    map.evictAll();
    model.clear();
    assertAnswers("evicted");
  }

  private void addIndexes() {
    switch (indexing) {
      case NONE -> {}
      case HASH -> index(IndexType.HASH, "city", "age", "name", "active");
      case SORTED -> index(IndexType.SORTED, "city", "age", "name", "__key");
      case BITMAP -> {
        for (String attribute : List.of("city", "age", "active")) {
          IndexConfig config = new IndexConfig(IndexType.BITMAP, attribute);
          config.getBitmapIndexOptions().setUniqueKey("__key");
          config.getBitmapIndexOptions().setUniqueKeyTransformation(UniqueKeyTransformation.OBJECT);
          map.addIndex(config);
        }
      }
      case COMPOSITE_HASH -> map.addIndex(new IndexConfig(IndexType.HASH, "city", "age"));
      case COMPOSITE_SORTED -> map.addIndex(new IndexConfig(IndexType.SORTED, "city", "age"));
    }
  }

  private void index(IndexType type, String... attributes) {
    for (String attribute : attributes) {
      map.addIndex(type, attribute);
    }
  }

  private void fill(int from, int to) {
    for (int i = from; i < to; i++) {
      put("p" + i, person());
    }
  }

  private Person person() {
    int i = random.nextInt(1_000);
    Person person = Person.of(i);
    return i % 20 == 0 ? new Person(person.name(), person.age(), null, person.active()) : person;
  }

  private void put(String key, Person person) {
    map.set(key, person);
    model.put(key, person);
  }

  private void change() {
    for (int i = 0; i < COUNT; i++) {
      String key = "p" + random.nextInt(COUNT);
      switch (random.nextInt(4)) {
        case 0 -> {
          assertThat(map.remove(key)).isEqualTo(model.remove(key));
        }
        case 1 -> {
          Person person = person();
          map.<Boolean>executeOnKey(
              key, new Setting(person.name(), person.age(), person.city(), person.active()));
          model.put(key, person);
        }
        case 2 -> {
          Person person = person();
          assertThat(map.putIfAbsent(key, person)).isEqualTo(model.putIfAbsent(key, person));
        }
        default -> put(key, person());
      }
    }
  }

  private void assertAnswers(String when) {
    IMap<String, Person> other = grid.elsewhere(map);
    for (Question question : QUESTIONS) {
      Map<String, Person> expected =
          model.entrySet().stream()
              .filter(entry -> question.meant.test(entry.getKey(), entry.getValue()))
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
      String as = question.name + ", " + when + ", seed " + SEED;
      assertThat(other.keySet(question.asked)).as(as).isEqualTo(expected.keySet());
      assertThat(Map.ofEntries(entries(other.entrySet(question.asked)))).as(as).isEqualTo(expected);
      assertThat(other.values(question.asked))
          .as(as)
          .containsExactlyInAnyOrderElementsOf(expected.values());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map.Entry<String, Person>[] entries(Set<Map.Entry<String, Person>> entries) {
    return entries.stream()
        .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
        .toArray(Map.Entry[]::new);
  }

  /** Field by field, as a record of ours cannot be a field of what Java serializes. */
  private record Setting(String name, int age, @Nullable String city, boolean active)
      implements EntryProcessor<String, Person, Boolean> {
    @Override
    public Boolean process(Map.Entry<String, Person> entry) {
      entry.setValue(new Person(name, age, city, active));
      return true;
    }
  }
}

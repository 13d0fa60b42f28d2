package io.keyvalueserve.maps.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.query.impl.QueryEntry;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.getters.Extractors;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: the entries of several results come each once, and one by one. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
class EntryUnionTest {
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();
  private static final Extractors EXTRACTORS = Extractors.newBuilder(SERIALIZATION).build();

  /** How many entries were taken from results. */
  private int taken;

  /** A result with these keys, which makes each entry when it is asked for. */
  private Set<QueryableEntry> result(int from, int to) {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return to - from;
      }

      @Override
      public boolean contains(@Nullable Object entry) {
        return entry instanceof QueryableEntry of
            && from <= (int) of.getKey()
            && (int) of.getKey() < to;
      }

      @Override
      public Iterator<QueryableEntry> iterator() {
        return IntStream.range(from, to).mapToObj(EntryUnionTest.this::entry).iterator();
      }
    };
  }

  private QueryableEntry entry(int key) {
    taken++;
    return new QueryEntry(SERIALIZATION, SERIALIZATION.toData(key), "value " + key, EXTRACTORS);
  }

  private static List<Integer> keys(Iterable<QueryableEntry> entries) {
    List<Integer> keys = new ArrayList<>();
    entries.forEach(entry -> keys.add((Integer) entry.getKey()));
    return keys;
  }

  @Test
  void eachEntryComesOnce() {
    EntryUnion union = new EntryUnion(List.of(result(0, 100), result(50, 60), result(90, 3_000)));
    assertThat(keys(union)).hasSize(3_000).doesNotHaveDuplicates().contains(0, 59, 99, 2_999);
    assertThat(keys(union)).as("again").hasSize(3_000);
    assertThat(union.size()).isGreaterThanOrEqualTo(3_000);
    assertThat(union.contains(entry(55))).isTrue();
    assertThat(union.contains(entry(3_000))).isFalse();
    assertThat(keys(new EntryUnion(List.of(result(0, 0), result(3, 3))))).isEmpty();
  }

  @Test
  void entriesComeOneByOne() {
    EntryUnion union = new EntryUnion(List.of(result(0, 100_000), result(50_000, 150_000)));
    Iterator<QueryableEntry> walk = union.iterator();
    for (int i = 1; i <= 10; i++) {
      QueryableEntry _ = walk.next();
      assertThat(taken).isEqualTo(i);
    }
  }

  @Test
  void keysAreTheSameIfTheirBytesAre() {
    Random random = new Random(7);
    Set<String> model = new HashSet<>();
    SeenKeys seen = new SeenKeys();
    for (int i = 0; i < 20_000; i++) {
      String key = "key " + random.nextInt(10_000);
      if (i % 1_000 == 0) {
        key += "k".repeat(70_000 + i);
      }
      assertThat(seen.contains(SERIALIZATION.toData(key))).isEqualTo(model.contains(key));
      assertThat(seen.add(SERIALIZATION.toData(key))).as(key).isEqualTo(model.add(key));
      assertThat(seen.contains(SERIALIZATION.toData(key))).isTrue();
    }
    assertThat(seen.contains(SERIALIZATION.toData("other"))).isFalse();
  }
}

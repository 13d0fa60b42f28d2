package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: no object is made of a tenant's bytes but those on the list, wherever a member reads them;
 * what is not read is kept, and neither a query nor an index stumbles over it. Method: a real
 * client sends objects whose making can be seen, and bytes that name more than there is; once to a
 * member that is alone, once to one of three.
 */
@Timeout(120)
class HostileObjectsTest {
  private static final AtomicInteger MADE = new AtomicInteger();

  /** Stands for any class that does something when it is made anew. */
  private static final class Gadget implements Serializable, Comparable<Gadget> {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      MADE.incrementAndGet();
    }

    @Override
    public int compareTo(Gadget other) {
      return 0;
    }
  }

  /** A predicate of an application's own class, with a gadget's way to be made. */
  private static final class OwnPredicate implements Predicate<Object, Object> {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      MADE.incrementAndGet();
    }

    @Override
    public boolean apply(Map.Entry<Object, Object> entry) {
      return true;
    }
  }

  /** Says that it is an EQUAL, and goes on with other bytes. */
  private record Forged(int... ints)
      implements Predicate<Object, Object>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    @Override
    public boolean apply(Map.Entry<Object, Object> entry) {
      return true;
    }

    @Override
    public int getFactoryId() {
      return PredicateDataSerializerHook.F_ID;
    }

    @Override
    public int getClassId() {
      return PredicateDataSerializerHook.EQUAL_PREDICATE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
      out.writeString("this");
      for (int each : ints) {
        out.writeInt(each);
      }
    }

    @Override
    public void readData(ObjectDataInput in) {
      throw new UnsupportedOperationException("it is only sent");
    }
  }

  private static List<Object> exponentialSets() {
    Set<Object> root = new HashSet<>();
    Set<Object> one = root;
    Set<Object> two = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      Set<Object> next = new HashSet<>();
      Set<Object> other = new HashSet<>();
      next.add("x");
      one.add(next);
      one.add(other);
      two.add(next);
      two.add(other);
      one = next;
      two = other;
    }
    return Collections.unmodifiableList(new ArrayList<>(List.of(root)));
  }

  private static List<Object> hostileValues() throws IOException {
    return List.of(
        new ArrayList<>(List.of(new Gadget())),
        new HashMap<>(Map.of("a", new Gadget())),
        new HashMap<>(Map.of("site", URI.create("http://tenant.example/").toURL())),
        exponentialSets());
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Members {
    private final int count;
    private final List<DoorMember> members = new ArrayList<>();
    private HazelcastInstance client;

    Members(int count) {
      this.count = count;
    }

    @BeforeAll
    void start() {
      for (int i = 0; i < count; i++) {
        members.add(
            i == 0
                ? new DoorMember()
                : new DoorMember(
                    null, List.of("127.0.0.1:" + members.getFirst().member.memberPort())));
      }
      client = members.getLast().client("acme");
    }

    @AfterAll
    void stop() {
      HazelcastClient.shutdownAll();
      members.reversed().forEach(DoorMember::close);
    }

    private static List<Predicate<Object, Object>> hostilePredicates() throws IOException {
      List<Predicate<Object, Object>> all = new ArrayList<>();
      all.add(new OwnPredicate());
      all.add(Predicates.equal("this", new Gadget()));
      all.add(Predicates.not(Predicates.in("this", "a", new Gadget())));
      all.add(
          Predicates.and(Predicates.alwaysTrue(), Predicates.greaterThan("this", new Gadget())));
      all.add(new Forged(SerializationConstants.CONSTANT_TYPE_LONG_ARRAY, Integer.MAX_VALUE, 0, 0));
      all.add(new Forged(SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_LIST, 0x7fffffff, 0, 0));
      all.add(
          new Forged(
              SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_LIST,
              1,
              SerializationConstants.JAVA_DEFAULT_TYPE_HASH_MAP,
              0x40000000,
              0));
      all.add(new Forged(SerializationConstants.JAVA_DEFAULT_TYPE_BIG_INTEGER, 0x7ffffff0, 0));
      all.add(new Forged(SerializationConstants.JET_SERIALIZER_FIRST, 0, 0));
      return all;
    }

    @Test
    void noPredicateBecomesMoreThanTheListHas() throws IOException {
      IMap<Object, Object> map = client.getMap("predicates");
      map.put("k", "v");
      int before = MADE.get();
      for (Predicate<Object, Object> predicate : hostilePredicates()) {
        assertThatThrownBy(() -> map.values(predicate)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> map.keySet(predicate)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> map.entrySet(predicate)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> map.values(Predicates.pagingPredicate(predicate, 5)))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> map.aggregate(Aggregators.count(), predicate))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> map.project(Projections.singleAttribute("this"), predicate))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(
                () ->
                    map.addEntryListener(
                        (EntryAddedListener<Object, Object>) _ -> {}, predicate, true))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(
                () ->
                    client.executeTransaction(
                        context -> context.getMap("predicates").values(predicate)))
            .isInstanceOf(RuntimeException.class);
      }
      assertThat(MADE).hasValue(before);
      assertThat(map.values(Predicates.equal("this", "v"))).containsExactly("v");
    }

    @Test
    void neitherQueriesNorIndexesStumbleOverValuesThatAreNotRead() throws IOException {
      IMap<Object, Object> map = client.getMap("values");
      map.put("plain", "v");
      int before = MADE.get();
      int number = 0;
      for (Object value : hostileValues()) {
        map.set("hostile-" + number++, value);
      }
      assertThat(map.keySet(Predicates.equal("this", "v"))).containsExactly("plain");
      assertThat(map.keySet(Predicates.equal("this", null))).hasSize(number);
      map.addIndex(IndexType.SORTED, "this");
      assertThat(map.keySet(Predicates.equal("this", "v"))).containsExactly("plain");
      map.set("hostile-more", hostileValues().getFirst());
      assertThat(map.keySet(Predicates.lessThan("this", "z"))).containsExactly("plain");
      assertThat(MADE).hasValue(before);
      assertThat(map.containsKey("hostile-0")).isTrue();
    }

    /** A text within so many arrays, in a field, with a field before and one behind. */
    private static HazelcastJsonValue nested(int depth) {
      return new HazelcastJsonValue(
          "{\"before\":1,\"deep\":"
              + "[".repeat(depth)
              + "\"x\""
              + "]".repeat(depth)
              + ",\"behind\":1}");
    }

    @Test
    void jsonNestedBeyondTheBoundHasNoAttributesThere() {
      IMap<Object, Object> map = client.getMap("json");
      map.set("shallow", nested(100));
      map.set("deep", nested(100_000));
      IMap<Object, Object> keys = client.getMap("json-keys");
      keys.set(nested(100_000), "key");
      for (int round = 0; round < 2; round++) {
        assertThat(map.keySet(Predicates.equal("behind", 1))).containsExactly("shallow");
        assertThat(map.keySet(Predicates.sql("before = 1")))
            .containsExactlyInAnyOrder("shallow", "deep");
        for (String path : List.of("deep[0][0]", "deep[any]", "deep[0].x", "deep")) {
          assertThat(map.keySet(Predicates.equal(path, "x"))).as(path).isEmpty();
        }
        assertThat(keys.values(Predicates.equal("__key.behind", 1))).isEmpty();
        assertThat(keys.values(Predicates.equal("__key.before", 1))).containsExactly("key");
        assertThat(map.project(Projections.singleAttribute("behind"))).contains(1L).hasSize(2);
        if (round == 0) {
          map.addIndex(IndexType.SORTED, "behind");
          map.addIndex(IndexType.HASH, "before");
        }
      }
      map.set("deeper", nested(200_000));
      assertThat(map.keySet(Predicates.equal("behind", 1))).containsExactly("shallow");
      assertThat(map.get("deeper")).isEqualTo(nested(200_000));
    }

    @Test
    void keysThatAreNotReadAreKeptToo() {
      IMap<Object, Object> map = client.getMap("keys");
      int before = MADE.get();
      map.set(new ArrayList<>(List.of(new Gadget())), "v");
      assertThat(map.values(Predicates.equal("this", "v"))).containsExactly("v");
      assertThat(MADE).hasValue(before);
    }
  }

  /** One member. */
  @Nested
  class Alone extends Members {
    Alone() {
      super(1);
    }
  }

  /** Three members: what one asks the others on a tenant's behalf. */
  @Nested
  class OfThree extends Members {
    OfThree() {
      super(3);
    }
  }
}

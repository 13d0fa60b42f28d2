package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.Config;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.PagingPredicate;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.maps.query.Questions;
import io.keyvalueserve.maps.query.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a client gets from queries what it gets of a stock member. Method: random values of each
 * form that makes no difference between members, the same random questions to both, in all shapes
 * that results have.
 */
@Timeout(240)
class QueryClientTest {
  private static final int KEYS = 150;
  private static final int QUESTIONS = Integer.getInteger("kvs.questions", 12);

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void answersAsStockMembersDo(int count) {
    List<DoorMember> members = new ArrayList<>();
    HazelcastInstance stock = stock();
    try {
      for (int i = 0; i < count; i++) {
        members.add(
            new DoorMember(
                null,
                i == 0
                    ? List.of()
                    : List.of("127.0.0.1:" + members.getFirst().member.memberPort())));
      }
      HazelcastInstance client = members.getLast().client("acme");
      for (Values values : List.of(Values.COMPACT, Values.JSON)) {
        IMap<String, Object> ours = client.getMap("rows-" + values);
        IMap<String, Object> theirs = stock.getMap("rows-" + values);
        ours.addIndex(IndexType.SORTED, "age");
        ours.addIndex(IndexType.HASH, "name");
        fill(values, ours, theirs);
        Questions questions = new Questions(values, random);
        for (int i = 0; i < QUESTIONS; i++) {
          compare(ours, theirs, questions.predicate(2), values);
        }
        assertThat(ours.values()).hasSize(KEYS);
        assertThat(ours.keySet()).isEqualTo(theirs.keySet());
        assertThat(ours.entrySet()).hasSize(KEYS);
      }
      client.shutdown();
    } finally {
      stock.shutdown();
      members.reversed().forEach(DoorMember::close);
    }
  }

  @Test
  void answersAsStockMembersDoWhileMembersDie() throws Exception {
    List<DoorMember> members = new ArrayList<>();
    HazelcastInstance stock = stock();
    try {
      members.add(new DoorMember());
      List<String> join = List.of("127.0.0.1:" + members.getFirst().member.memberPort());
      members.add(new DoorMember(null, join));
      members.add(new DoorMember(null, join));
      HazelcastInstance client = members.getFirst().client("acme");
      IMap<String, Object> ours = client.getMap("rows");
      IMap<String, Object> theirs = stock.getMap("rows");
      ours.addIndex(IndexType.SORTED, "age");
      fill(Values.COMPACT, ours, theirs);
      Questions questions = new Questions(Values.COMPACT, random);
      for (int dying = 2; dying > 0; dying--) {
        DoorMember gone = members.remove(dying);
        Thread death = Thread.ofVirtual().start(gone::terminate);
        for (int i = 0; i < QUESTIONS || members.getFirst().member.members().size() > dying; i++) {
          compare(ours, theirs, questions.predicate(2), Values.COMPACT);
        }
        death.join();
        assertThat(ours.keySet()).isEqualTo(theirs.keySet());
        await().until(members.getFirst().member::isSafe);
      }
      client.shutdown();
    } finally {
      stock.shutdown();
      members.reversed().forEach(DoorMember::close);
    }
  }

  private static HazelcastInstance stock() {
    Config config = new Config();
    config.setClusterName("stock-" + UUID.randomUUID());
    config.setProperty("hazelcast.logging.type", "jdk");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.partition.count", "7");
    config.getJetConfig().setEnabled(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    return Hazelcast.newHazelcastInstance(config);
  }

  private void fill(Values values, IMap<String, Object> ours, IMap<String, Object> theirs) {
    Map<String, Object> all = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      all.put("key-" + i, values.make(random));
    }
    ours.putAll(all);
    theirs.putAll(all);
  }

  private void compare(
      IMap<String, Object> ours,
      IMap<String, Object> theirs,
      Predicate<String, Object> predicate,
      Values values) {
    String what = "seed=" + seed + " " + values + " " + predicate;
    TreeSet<String> keys;
    try {
      keys = new TreeSet<>(theirs.keySet(predicate));
    } catch (RuntimeException e) {
      return; // it makes no sense there either
    }
    assertThat(new TreeSet<>(ours.keySet(predicate))).describedAs(what).isEqualTo(keys);
    Map<String, Object> entries = new HashMap<>();
    ours.entrySet(predicate).forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    assertThat(entries.keySet()).describedAs(what).isEqualTo(keys);
    entries.forEach((key, value) -> assertThat(value).describedAs(what).isEqualTo(ours.get(key)));
    assertThat(ours.values(predicate)).describedAs(what).hasSameSizeAs(keys);
    assertThat(ours.aggregate(Aggregators.count(), predicate))
        .describedAs(what)
        .isEqualTo(keys.size());
    assertThat(ours.aggregate(Aggregators.doubleMax("real"), predicate))
        .describedAs(what)
        .isEqualTo(theirs.aggregate(Aggregators.doubleMax("real"), predicate));
    assertThat(sorted(ours.project(Projections.singleAttribute("name"), predicate)))
        .describedAs(what)
        .isEqualTo(sorted(theirs.project(Projections.singleAttribute("name"), predicate)));
    assertThat(pages(ours, predicate)).describedAs(what).isEqualTo(new ArrayList<>(keys));
  }

  private static List<String> sorted(Collection<Object> values) {
    return values.stream().map(String::valueOf).sorted().toList();
  }

  private static List<String> pages(IMap<String, Object> map, Predicate<String, Object> predicate) {
    List<String> keys = new ArrayList<>();
    PagingPredicate<String, Object> paging = Predicates.pagingPredicate(predicate, 47);
    for (Collection<String> page = map.keySet(paging); !page.isEmpty(); page = map.keySet(paging)) {
      keys.addAll(page);
      paging.nextPage();
    }
    return keys;
  }
}

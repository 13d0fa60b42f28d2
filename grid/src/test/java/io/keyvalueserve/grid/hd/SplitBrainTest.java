package io.keyvalueserve.grid.hd;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.SocketInterceptorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.MemberSocketInterceptor;
import com.hazelcast.query.Predicates;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import com.hazelcast.spi.merge.HigherHitsMergePolicy;
import com.hazelcast.spi.merge.LatestUpdateMergePolicy;
import com.hazelcast.spi.merge.PassThroughMergePolicy;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;
import io.keyvalueserve.grid.space.TestGrid;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two halves of a cluster lose sight of each other, are both written to, and become one again. The
 * link is blocked where members connect: the connections over it are closed and new ones refused,
 * until it is healed. The smaller half then merges its entries into the larger by Hazelcast's
 * policies.
 */
final class SplitBrainTest {
  private static final Duration TWO_SECONDS_OF_STAMPS = Duration.ofMillis(2_100);

  private final Set<Integer> isolatedPorts = ConcurrentHashMap.newKeySet();

  @Test
  void halvesBecomeOneByTheMapsMergePolicies() {
    try (HdGrid grid = new HdGrid(3, this::settings)) {
      HazelcastInstance larger = grid.member(0);
      HazelcastInstance smaller = grid.member(2);
      List<String> maps = List.of("latest", "hits", "absent", "pass", "discard");
      maps.forEach(map -> larger.getMap(map).putAll(HdGrid.entries(50)));
      IMap<String, Person> people = larger.getMap("people");
      for (int i = 0; i < 100; i++) {
        people.set("p" + i, Person.of(i));
      }
      grid.awaitSafe();
      isolate(grid, smaller);
      maps.forEach(
          map -> assertThat(smaller.getMap(map).entrySet()).hasSize(50)); // backups, promoted

      for (String map : maps) {
        larger.getMap(map).set("first there", "larger");
        smaller.getMap(map).set("first here", "smaller");
      }
      letStampsPass();
      for (String map : maps) {
        IMap<String, String> there = larger.getMap(map);
        IMap<String, String> here = smaller.getMap(map);
        there.set("first here", "larger");
        here.set("first there", "smaller");
        there.set("only there", "larger");
        here.set("only here", "smaller", 1, HOURS);
      }
      IMap<String, String> hits = smaller.getMap("hits");
      for (int i = 0; i < 10; i++) {
        assertThat(hits.get("first here")).isEqualTo("smaller");
        assertThat(larger.getMap("hits").get("first there")).isEqualTo("larger");
      }
      IMap<String, Person> split = smaller.getMap("people");
      for (int i = 100; i < 150; i++) {
        split.set("p" + i, Person.of(i));
      }
      split.set("p3", new Person("moved", 3, "elsewhere", true));
      Recorder<String> recorder = new Recorder<>();
      larger.<String, String>getMap("pass").addEntryListener(recorder, true);

      heal(grid);
      assertMerged(larger, "latest", "larger", "smaller", "smaller");
      assertMerged(larger, "hits", "smaller", "larger", "smaller");
      assertMerged(larger, "absent", "larger", "larger", "smaller");
      assertMerged(larger, "pass", "smaller", "smaller", "smaller");
      assertMerged(larger, "discard", "larger", "larger", null);
      maps.forEach(map -> assertThat(smaller.getMap(map).getAll(Set.of("k1", "k49"))).hasSize(2));
      await().until(() -> recorder.count("MERGED") >= 2);
      assertThat(people.size()).isEqualTo(150);
      assertThat(people.values(Predicates.equal("city", "elsewhere"))).hasSize(1);
      assertThat(people.values(Predicates.equal("city", "city-3"))).hasSize(14);
      assertThat(smaller.getMap("people").values(Predicates.sql("age >= 0"))).hasSize(150);
      assertThat(larger.getMap("pass").getEntryView("only here").getTtl())
          .isEqualTo(HOURS.toMillis(1));
    }
  }

  /** What the larger half sees in the end; {@code firstHere} was written last over there. */
  private static void assertMerged(
      HazelcastInstance member,
      String name,
      String firstHere,
      String firstThere,
      @Nullable String onlyHere) {
    IMap<String, String> map = member.getMap(name);
    await()
        .untilAsserted(
            () -> {
              assertThat(map.get("first here")).as(name).isEqualTo(firstHere);
              assertThat(map.get("first there")).as(name).isEqualTo(firstThere);
              assertThat(map.get("only here")).as(name).isEqualTo(onlyHere);
              assertThat(map.get("only there")).as(name).isEqualTo("larger");
              assertThat(map.size()).as(name).isEqualTo(onlyHere == null ? 53 : 54);
            });
  }

  /** Hazelcast stamps entries with seconds: what is to be later must be so by more than one. */
  private static void letStampsPass() {
    long until = System.currentTimeMillis() + TWO_SECONDS_OF_STAMPS.toMillis();
    await().until(() -> System.currentTimeMillis() > until);
  }

  private void settings(Config config) {
    config.setProperty("hazelcast.merge.first.run.delay.seconds", "1");
    config.setProperty("hazelcast.merge.next.run.delay.seconds", "1");
    config.setProperty(
        "hazelcast.tcp.join.previously.joined.member.address.retention.seconds", "0");
    config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
    config.setProperty("hazelcast.max.no.heartbeat.seconds", "5");
    config.setProperty("hazelcast.connection.monitor.interval", "1");
    config.setProperty("hazelcast.connection.monitor.max.faults", "1");
    config
        .getNetworkConfig()
        .setSocketInterceptorConfig(
            new SocketInterceptorConfig()
                .setEnabled(true)
                .setImplementation(new Link(isolatedPorts)));
    addMap(config, "latest", LatestUpdateMergePolicy.class);
    addMap(config, "hits", HigherHitsMergePolicy.class);
    addMap(config, "absent", PutIfAbsentMergePolicy.class);
    addMap(config, "pass", PassThroughMergePolicy.class);
    addMap(config, "discard", DiscardMergePolicy.class);
    addMap(config, "people", PassThroughMergePolicy.class);
    config
        .getMapConfig("people")
        .addIndexConfig(new IndexConfig(IndexType.HASH, "city"))
        .addIndexConfig(new IndexConfig(IndexType.SORTED, "age"));
  }

  private static void addMap(Config config, String name, Class<?> policy) {
    config.addMapConfig(
        HdGrid.mapConfig(
            name,
            map ->
                map.setPerEntryStatsEnabled(true)
                    .setBackupCount(2)
                    .setMergePolicyConfig(new MergePolicyConfig(policy.getName(), 100))));
  }

  private void isolate(HdGrid grid, HazelcastInstance one) {
    lookFor(one, List.of());
    linkOf(one).isolated = true;
    isolatedPorts.add(port(one));
    for (int i = 0; i < grid.size(); i++) {
      HazelcastInstance member = grid.member(i);
      var connections =
          ((NodeEngineImpl) TestGrid.nodeEngine(member))
              .getNode()
              .getServer()
              .getConnectionManager(EndpointQualifier.MEMBER)
              .getConnections();
      for (ServerConnection connection : connections) {
        var remote = connection.getRemoteAddress();
        if (remote != null && isolatedPorts.contains(remote.getPort()) != member.equals(one)) {
          connection.close("the link is blocked", null);
        }
      }
    }
    await().until(() -> one.getCluster().getMembers().size() == 1);
    await().until(() -> grid.member(0).getCluster().getMembers().size() == 2);
    await().until(() -> grid.member(1).getCluster().getMembers().size() == 2);
  }

  private void heal(HdGrid grid) {
    isolatedPorts.clear();
    for (int i = 0; i < grid.size(); i++) {
      linkOf(grid.member(i)).isolated = false;
    }
    lookFor(grid.member(2), List.of("127.0.0.1:" + port(grid.member(0))));
    grid.awaitSafe();
  }

  /** Where a member looks for the other half; each address in vain costs it five seconds. */
  private static void lookFor(HazelcastInstance member, List<String> addresses) {
    member.getConfig().getNetworkConfig().getJoin().getTcpIpConfig().setMembers(addresses);
  }

  private static int port(HazelcastInstance member) {
    return member.getCluster().getLocalMember().getAddress().getPort();
  }

  private static Link linkOf(HazelcastInstance member) {
    return (Link)
        member.getConfig().getNetworkConfig().getSocketInterceptorConfig().getImplementation();
  }

  /** Lets a member connect to those of its own half only. */
  private static final class Link implements MemberSocketInterceptor {
    private final Set<Integer> isolatedPorts;
    private volatile boolean isolated;

    Link(Set<Integer> isolatedPorts) {
      this.isolatedPorts = isolatedPorts;
    }

    @Override
    public void init(Properties properties) {}

    @Override
    public void onAccept(Socket socket) {}

    @Override
    public void onConnect(Socket socket) throws IOException {
      if (isolated != isolatedPorts.contains(socket.getPort())) {
        throw new IOException("the link is blocked");
      }
    }
  }
}

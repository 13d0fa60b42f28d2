package io.keyvalueserve.grid.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.space.QuickOperations;
import io.keyvalueserve.tenancy.TenantMeters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a Hazelcast client's requests on one key that need backups or another member need not wait
 * for a partition's thread, and keep their order. Method: two members, a client of one of them, and
 * partition threads that are kept from working.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class InlineClientTest {
  private static final int KEYS = 40;
  private static final int WRITES = 2_000;

  private DoorMember near;
  private DoorMember far;
  private HazelcastInstance client;

  @BeforeAll
  void start() {
    near = new DoorMember();
    far = new DoorMember(null, List.of("127.0.0.1:" + near.member.memberPort()));
    await().atMost(Duration.ofSeconds(60)).until(near.member::isSafe);
    client = near.client("acme");
  }

  @AfterAll
  void stop() {
    client.shutdown();
    far.close();
    near.close();
  }

  @Test
  void requestsOnOneKeyDoNotWaitForAPartitionsThread() throws Exception {
    IMap<String, String> map = client.getMap("inline");
    List<String> here = keysApartFromHeld(near);
    List<String> there = keysApartFromHeld(far);
    there.forEach(key -> map.set(key, "of the other member"));
    try (HeldThreads _ = new HeldThreads(near)) {
      for (String key : here) {
        assertThat(map.put(key, "a")).isNull();
        assertThat(map.putIfAbsent(key, "b")).isEqualTo("a");
        assertThat(map.replace(key, "c")).isEqualTo("a");
        assertThat(map.replace(key, "c", "d")).isTrue();
        assertThat(map.get(key)).isEqualTo("d");
        assertThat(map.containsKey(key)).isTrue();
        assertThat(map.remove(key, "other")).isFalse();
        map.set(key, "e");
        assertThat(map.remove(key)).isEqualTo("e");
        map.delete(key);
        assertThat(map.get(key)).isNull();
      }
      for (String key : there) { // their backups are where threads are held: reads only
        assertThat(map.get(key)).isEqualTo("of the other member");
        assertThat(map.containsKey(key)).isTrue();
      }
    }
  }

  /** Some keys of a member's partitions; none of a partition that is held. */
  private List<String> keysApartFromHeld(DoorMember owner) {
    int held = HeldThreads.of(near).threads();
    return IntStream.range(0, 100 * KEYS)
        .mapToObj(i -> "key" + i)
        .filter(key -> isAt(key, owner) && partition(key) >= held)
        .limit(KEYS)
        .toList();
  }

  private int partition(String key) {
    return client.getPartitionService().getPartition(key).getPartitionId();
  }

  private boolean isAt(String key, DoorMember member) {
    UUID owner =
        Objects.requireNonNull(client.getPartitionService().getPartition(key).getOwner()).getUuid();
    return owner.equals(nodeOf(member).getThisUuid());
  }

  @Test
  void writesSentWithoutWaitingKeepTheirOrder() throws Exception {
    IMap<String, byte[]> map = client.getMap("ordered");
    for (DoorMember owner : List.of(near, far)) {
      String key =
          IntStream.range(0, 1_000)
              .mapToObj(i -> "key" + i)
              .filter(each -> isAt(each, owner))
              .findFirst()
              .orElseThrow();
      List<CompletionStage<?>> sent = new ArrayList<>();
      for (int i = 0; i < WRITES; i++) {
        if (i % 50 == 0) { // too long for the thread that reads it
          sent.add(map.setAsync(key, new byte[2 * QuickOperations.MOST_BYTES]));
        }
        sent.add(i % 7 == 0 ? map.removeAsync(key) : map.getAsync(key));
        sent.add(map.setAsync(key, utf8(Integer.toString(i)), 1, TimeUnit.HOURS));
      }
      for (CompletionStage<?> each : sent) {
        each.toCompletableFuture().get();
      }
      assertThat(map.get(key)).isEqualTo(utf8(Integer.toString(WRITES - 1)));
    }
  }

  @Test
  void requestsAreMeteredOnce() {
    HazelcastInstance metered = near.client("metered");
    try {
      IMap<String, byte[]> map = metered.getMap("m");
      map.set("k", new byte[1_000]);
      TenantMeters.Reading before = near.reading("metered");
      for (int i = 0; i < KEYS; i++) {
        assertThat(map.replace("k", new byte[1_000])).hasSize(1_000);
      }
      TenantMeters.Reading after = near.reading("metered");
      assertThat(after.operations() - before.operations()).isEqualTo(KEYS);
      assertThat(after.bytesOut() - before.bytesOut()).isBetween(KEYS * 1_000L, KEYS * 1_200L);
    } finally {
      metered.shutdown();
    }
  }

  private static Node nodeOf(DoorMember member) {
    UUID uuid =
        member.member.members().stream().filter(MemberInfo::local).findAny().orElseThrow().uuid();
    return HazelcastInstanceFactory.getAllHazelcastInstances().stream()
        .map(instance -> ((HazelcastInstanceProxy) instance).getOriginal().node)
        .filter(node -> node.getThisUuid().equals(uuid))
        .findAny()
        .orElseThrow();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The partition threads of a member, all of them kept busy, each with one partition. */
  private static final class HeldThreads implements AutoCloseable {
    private final CountDownLatch release = new CountDownLatch(1);
    private final int threads;

    private HeldThreads(int threads) {
      this.threads = threads;
    }

    HeldThreads(DoorMember member) throws InterruptedException {
      this(of(member).threads());
      OperationServiceImpl service = nodeOf(member).getNodeEngine().getOperationService();
      CountDownLatch held = new CountDownLatch(threads);
      for (int partition = 0; partition < threads; partition++) {
        service.execute(new Hold(partition, held, release));
      }
      held.await();
    }

    static HeldThreads of(DoorMember member) {
      OperationServiceImpl service = nodeOf(member).getNodeEngine().getOperationService();
      return new HeldThreads(service.getPartitionThreadCount());
    }

    int threads() {
      return threads;
    }

    @Override
    public void close() {
      release.countDown();
    }
  }

  private record Hold(int partition, CountDownLatch held, CountDownLatch release)
      implements PartitionSpecificRunnable {
    @Override
    public int getPartitionId() {
      return partition;
    }

    @Override
    public void run() {
      held.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}

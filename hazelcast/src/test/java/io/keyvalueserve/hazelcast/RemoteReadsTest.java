package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: clients that have but one member read the entries of all others as if these were asked one
 * by one. Method: all enter at the first of three members.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RemoteReadsTest {
  private static final String TENANT = "acme";
  private static final int KEYS = 600;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DoorMember entry = new DoorMember();
  private final List<DoorMember> others = new ArrayList<>(List.of(join(), join()));
  private final List<HazelcastInstance> clients = new ArrayList<>();

  RemoteReadsTest() {
    await().atMost(PATIENCE).until(entry.member::isSafe);
  }

  private DoorMember join() {
    return new DoorMember(null, List.of("127.0.0.1:" + entry.member.memberPort()));
  }

  @AfterEach
  void disconnect() {
    clients.forEach(HazelcastInstance::shutdown);
    clients.clear();
  }

  @AfterAll
  void stop() {
    others.forEach(DoorMember::close);
    entry.close();
  }

  private HazelcastInstance client(String tenant) {
    HazelcastInstance client = entry.client(tenant);
    clients.add(client);
    return client;
  }

  private static <T> T of(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void findsWhatTheOwnersHaveAndNothingElse() {
    IMap<Object, Object> map = client(TENANT).getMap("mixed");
    IMap<Object, Object> other = client("globex").getMap("mixed");
    for (int i = 0; i < KEYS; i++) {
      map.set(i, "value-" + i);
    }
    long operations = entry.reading(TENANT).operations();
    long together = entry.member.answeredTogether();
    for (int i = 0; i < KEYS; i++) {
      assertThat(map.get(i)).isEqualTo("value-" + i);
      assertThat(map.containsKey(i)).isTrue();
      assertThat(map.get("key-" + i)).isNull();
      assertThat(map.containsKey("key-" + i)).isFalse();
      assertThat(other.get(i)).isNull();
    }
    assertThat(entry.member.answeredTogether() - together).isGreaterThan(KEYS);
    await() // what was answered is counted a moment later
        .atMost(PATIENCE)
        .until(() -> entry.reading(TENANT).operations() == operations + 4 * KEYS);
  }

  /** More than fits one answer: the rest is asked for one by one. */
  @Test
  void readsCollectionDataTogether() {
    IMap<Integer, byte[]> map = client(TENANT).getMap("large");
    for (int i = 0; i < 60; i++) {
      byte[] value = new byte[300_000];
      Arrays.fill(value, (byte) i);
      map.set(i, value);
    }
    long together = entry.member.answeredTogether();
    for (int round = 0; round < 5; round++) {
      List<CompletionStage<byte[]>> reads = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        reads.add(map.getAsync(i));
      }
      for (int i = 0; i < 60; i++) {
        byte[] value = of(reads.get(i));
        assertThat(value).hasSize(300_000);
        assertThat(value[299_999]).isEqualTo((byte) i);
      }
    }
    assertThat(entry.member.answeredTogether()).isGreaterThan(together);
  }

  /** A client that does not wait for its write finds it all the same. */
  @Test
  void aReadFindsTheWriteThatWasSentBeforeIt() {
    IMap<Integer, Integer> map = client(TENANT).getMap("unawaited");
    for (int round = 0; round < 6; round++) {
      List<CompletionStage<Integer>> reads = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        CompletionStage<Void> _ = map.setAsync(i, round);
        reads.add(map.getAsync(i));
      }
      for (int i = 0; i < KEYS; i++) {
        assertThat(of(reads.get(i))).isEqualTo(round);
      }
    }
  }

  @Test
  void readsOfAnothersMapNeedAGrant() {
    IMap<String, String> own = client(TENANT).getMap("lent");
    for (int i = 0; i < 100; i++) {
      own.set("open-" + i, "o");
      own.set("closed-" + i, "c");
    }
    entry.grant(TENANT, "lent", "globex", Map.of(Scope.prefix("open-"), Rights.READ));
    long together = entry.member.answeredTogether();
    IMap<String, String> lent = client("globex").getMap("acme/lent");
    for (int i = 0; i < 100; i++) {
      String closed = "closed-" + i;
      assertThat(lent.get("open-" + i)).isEqualTo("o");
      assertThatThrownBy(() -> lent.get(closed)).hasMessageContaining("needs a grant of read");
    }
    assertThat(entry.member.answeredTogether()).isGreaterThan(together);
  }

  /** Readers note what is acknowledged, then read, and never see less, whoever dies meanwhile. */
  @Test
  void readsNothingOlderThanWasAcknowledgedBefore() throws InterruptedException {
    Map<Integer, Long> acknowledged = new ConcurrentHashMap<>();
    Queue<String> stale = new ConcurrentLinkedQueue<>();
    AtomicLong reads = new AtomicLong();
    IMap<Integer, Long> written = client(TENANT).getMap("changing");
    boolean[] stopped = {false};
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long n = 1; !isStopped(stopped); n++) {
                    written.set((int) (n % 40), n);
                    acknowledged.put((int) (n % 40), n);
                  }
                });
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      IMap<Integer, Long> map = client(TENANT).getMap("changing");
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!isStopped(stopped)) {
                      acknowledged.forEach(
                          (key, _) -> {
                            long least = acknowledged.getOrDefault(key, 0L);
                            Long seen = map.get(key);
                            if (seen == null || seen < least) {
                              stale.add(key + ": " + seen + " after " + least);
                            }
                            reads.incrementAndGet();
                          });
                    }
                  }));
    }
    proceed(reads);
    others.removeLast().terminate();
    proceed(reads);
    await().atMost(PATIENCE).until(entry.member::isSafe);
    others.add(join());
    proceed(reads);
    await().atMost(PATIENCE).until(entry.member::isSafe);
    others.removeFirst().close();
    proceed(reads);
    long together = entry.member.answeredTogether();
    proceed(reads);
    assertThat(entry.member.answeredTogether()).isGreaterThan(together);
    stop(stopped);
    writer.join();
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(stale).isEmpty();
  }

  private static void proceed(AtomicLong count) {
    long now = count.get();
    await().atMost(PATIENCE).until(() -> count.get() > now + 2_000);
  }

  private static boolean isStopped(boolean[] stopped) {
    synchronized (stopped) {
      return stopped[0];
    }
  }

  private static void stop(boolean[] stopped) {
    synchronized (stopped) {
      stopped[0] = true;
    }
  }
}

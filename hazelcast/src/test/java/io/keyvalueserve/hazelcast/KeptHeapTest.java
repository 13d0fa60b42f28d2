package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientStatisticsCodec;
import com.hazelcast.client.impl.protocol.codec.QueueSizeCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.collection.ICollection;
import com.hazelcast.collection.IQueue;
import com.hazelcast.core.DistributedObject;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.map.IMap;
import com.hazelcast.multimap.MultiMap;
import com.hazelcast.replicatedmap.ReplicatedMap;
import com.hazelcast.ringbuffer.Ringbuffer;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.heap.HeapLimits;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What a tenant makes a member keep on its heap is measured, and bounded. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeptHeapTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST = 6 << 20;
  private static final int LENGTH = 100_000;
  private static final int ENOUGH = 3 * MOST / LENGTH;

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");
  private final HeapAccount account = member.admissions.usage("acme").heap();
  private final List<DistributedObject> made = new ArrayList<>();

  KeptHeapTest() {
    member.admissions.heap().setLimits(new HeapLimits(MOST, 3L * MOST));
  }

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  @AfterEach
  void removeAll() {
    member.quota("acme", Quota.USUAL);
    made.forEach(DistributedObject::destroy);
    await().atMost(PATIENCE).until(() -> account.used() < MOST / 8);
  }

  private <T extends DistributedObject> T made(T object) {
    made.add(object);
    return object;
  }

  private interface Writing {
    void write(int number, byte[] value) throws Exception;
  }

  private static byte[] value(int number) {
    byte[] value = new byte[LENGTH];
    value[0] = (byte) number;
    value[1] = (byte) (number >> 8);
    return value;
  }

  /**
   * Writes until it is refused; the heap keeps no more than the bound, and a good part of that:
   * what is written between two measurements counts for more than it will measure.
   */
  private int fill(Writing writing) {
    int[] written = {0};
    assertThatThrownBy(
            () -> {
              for (; written[0] < ENOUGH; written[0]++) {
                writing.write(written[0], value(written[0]));
              }
            })
        .isInstanceOf(HazelcastOverloadException.class)
        .hasMessageContaining("keeps up to " + MOST + " bytes of a tenant");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(account.measuredHere()).isBetween(MOST / 3L, (long) MOST));
    assertThat(globex.<byte[]>getQueue("served").offer(value(0))).as("another tenant").isTrue();
    assertThat(globex.<byte[]>getQueue("served").poll()).isNotNull();
    return written[0];
  }

  private void awaitRoom(Runnable write) {
    await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .ignoreExceptionsMatching(thrown -> thrown instanceof HazelcastOverloadException)
        .untilAsserted(write::run);
  }

  @Test
  void queuesAreBoundedAndCanBeEmptied() {
    IQueue<byte[]> queue = made(acme.getQueue("jobs"));
    int written = fill((number, value) -> queue.offer(value));
    assertThat(queue).hasSize(written);
    for (int i = 0; i < written; i++) {
      assertThat(queue.poll()).isNotNull();
    }
    awaitRoom(() -> queue.offer(value(0)));
  }

  @Test
  void manyElementsAtOnceAreRefusedAsAWhole() {
    IQueue<byte[]> queue = made(acme.getQueue("jobs"));
    List<byte[]> many = Collections.nCopies(ENOUGH, value(0));
    assertThatThrownBy(() -> queue.addAll(many)).isInstanceOf(HazelcastOverloadException.class);
    assertThat(queue.size()).isZero();
  }

  @Test
  void listsAndSetsAreBounded() {
    for (ICollection<byte[]> each :
        List.<ICollection<byte[]>>of(acme.getList("list"), acme.getSet("set"))) {
      made(each);
      int written = fill((number, value) -> each.add(value));
      assertThat(each).hasSize(written);
      each.clear();
      awaitRoom(() -> each.add(value(0)));
      each.clear();
      await().atMost(PATIENCE).until(() -> account.used() < MOST / 8); // the next begins with room
    }
  }

  @Test
  void multimapsAreBounded() {
    MultiMap<Integer, byte[]> map = made(acme.getMultiMap("many"));
    int written = fill((number, value) -> map.put(number % 7, value));
    assertThat(map.size()).isEqualTo(written);
    map.remove(0);
    awaitRoom(() -> map.put(0, value(0)));
  }

  @Test
  void replicatedMapsAreBounded() {
    ReplicatedMap<Integer, byte[]> map = made(acme.getReplicatedMap("everywhere"));
    int written = fill(map::put);
    assertThat(map).hasSize(written);
    map.clear();
    awaitRoom(() -> map.put(0, value(0)));
  }

  @Test
  void ringbuffersAreBounded() {
    Ringbuffer<byte[]> ring = made(acme.getRingbuffer("ring"));
    int written = fill((number, value) -> ring.add(value));
    assertThat(ring.size()).isEqualTo(written);
  }

  @Test
  void manySmallElementsCountWithWhatKeepsThem() {
    IQueue<Integer> queue = made(acme.getQueue("small"));
    List<Integer> some = Collections.nCopies(1000, 7);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MOST / 60_000; i++) {
                queue.addAll(some);
              }
            })
        .isInstanceOf(HazelcastOverloadException.class);
    assertThat(queue).hasSizeLessThan(MOST / 100);
  }

  @Test
  void locksWithLargeKeysAreBounded() {
    member.quota("acme", Quota.USUAL);
    MultiMap<byte[], byte[]> many = made(acme.getMultiMap("locked"));
    IMap<byte[], byte[]> map = made(acme.getMap("locked"));
    fill(
        (number, key) -> {
          if (number % 2 == 0) {
            many.lock(key);
          } else {
            map.lock(key);
          }
        });
  }

  @Test
  void locksOfMultimapsCountAsLocks() {
    member.quota("acme", Quota.USUAL.with(Limit.LOCKS, 5L));
    MultiMap<Integer, byte[]> many = made(acme.getMultiMap("locked"));
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                many.lock(i);
              }
            })
        .hasMessageContaining("the tenant holds its 5 locks");
    many.unlock(0);
    awaitRoom(() -> many.lock(0));
  }

  @Test
  void statisticsOfAClientAreBounded() throws Exception {
    try (RawClient client = new RawClient(member.member.clientPort()).authenticate("acme")) {
      for (int length : new int[] {60_000, 70_000}) {
        ClientMessage statistics = ClientStatisticsCodec.encodeRequest(1, "", new byte[length]);
        client.send(Messages.request(statistics, length, -1));
        ClientMessage answer = client.receive();
        assertThat(answer.getCorrelationId()).isEqualTo(length);
        assertThat(answer.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE)
            .isEqualTo(length > 65_536);
      }
    }
  }

  @Test
  void namesOfObjectsAreBounded() {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MOST / 1000; i++) {
                made(acme.getQueue("name " + i));
              }
            })
        .isInstanceOf(HazelcastOverloadException.class);
    assertThat(made).hasSizeBetween(MOST / 8000, MOST / 1500);
  }

  /** Clients of other makes may use a queue that they have never asked to be created. */
  @Test
  void aNameThatIsUsedAgainAndAgainIsReservedOnce() throws Exception {
    try (RawClient client = new RawClient(member.member.clientPort()).authenticate("acme")) {
      for (int i = 0; i < MOST / 1000; i++) {
        client.send(Messages.request(QueueSizeCodec.encodeRequest("never created"), i, 0));
        assertThat(client.receive().getMessageType())
            .as("after %d requests", i)
            .isNotEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
      }
    }
    made(acme.getQueue("never created"));
  }

  @Test
  void namesOfMapsThatAreOnlyReadAreBounded() {
    member.enter("acme");
    TenantSpace space =
        member
            .member
            .engine()
            .space(new Identity(new TenantName("acme"), DoorMember.number("acme"), "k"));
    int names = MOST / 1000;
    int read = 0;
    while (read < names) {
      KeyMap map = space.map(new MapName("read " + read));
      assertThat(map.clear()).succeedsWithin(PATIENCE); // which makes none
      CompletableFuture<Outcome> answer = new CompletableFuture<>();
      map.submit(
          List.of(new KeyCommand.Read("k".getBytes(StandardCharsets.UTF_8))),
          (index, outcome) -> answer.complete(outcome));
      Outcome outcome = answer.join();
      if (outcome instanceof Outcome.Failure(Outcome.Failure.Kind kind, String message)) {
        assertThat(kind).isEqualTo(Outcome.Failure.Kind.QUOTA);
        assertThat(message).contains("keeps up to " + MOST + " bytes of a tenant");
        break;
      }
      read++;
    }
    assertThat(read).isBetween(MOST / 8000, names - 1);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(account.measuredHere()).isPositive());
    member.member.deleteData(new TenantName("acme"));
  }

  @Test
  void whatPassesThroughAQueueIsNotBounded() throws Exception {
    IQueue<byte[]> queue = made(acme.getQueue("passing"));
    for (int i = 0; i < ENOUGH; i++) {
      try {
        queue.offer(value(0));
      } catch (HazelcastOverloadException e) { // as it waits for the member to measure
        awaitRoom(() -> queue.offer(value(0)));
      }
      assertThat(queue.poll(1, TimeUnit.MINUTES)).isNotNull();
    }
  }

  @Test
  void elementsCountToTheMemoryOfTheQuota() {
    member.quota("acme", Quota.USUAL.with(Limit.MEMORY, 2L << 20));
    IQueue<byte[]> queue = made(acme.getQueue("jobs"));
    await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> queue.offer(value(0)))
                    .isInstanceOf(HazelcastOverloadException.class)
                    .hasMessageContaining("2097152 bytes of memory are used up"));
    assertThatThrownBy(() -> acme.getMap("orders").set("k", "v"))
        .hasMessageContaining("2097152 bytes of memory are used up");
    queue.clear();
    awaitRoom(() -> acme.getMap("orders").set("k", "v"));
    made(acme.getMap("orders"));
  }

  @Test
  void elementsAreBilledForAsLongAsTheyAreKept() {
    IQueue<byte[]> queue = made(acme.getQueue("billed"));
    for (int i = 0; i < 20; i++) {
      assertThat(queue.offer(value(i))).isTrue();
    }
    await().atMost(PATIENCE).until(() -> account.measuredHere() > 20L * LENGTH);
    long began = System.nanoTime();
    long _ = member.admissions.heap().takeByteSeconds("acme", began);
    long[] billed = {0};
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              long now = System.nanoTime();
              billed[0] += member.admissions.heap().takeByteSeconds("acme", now);
              return now - began > 1_000_000_000L;
            });
    assertThat(billed[0]).isGreaterThan(19L * LENGTH);
  }

  @Test
  void requestsOnManyElementsCountAsManyOperations() {
    IQueue<Integer> queue = made(acme.getQueue("many"));
    List<Integer> some = Collections.nCopies(500, 7);
    Map<Integer, Integer> entries = new HashMap<>();
    some.forEach(each -> entries.put(entries.size(), each));
    ReplicatedMap<Integer, Integer> map = made(acme.getReplicatedMap("many"));
    member.quota("acme", Quota.USUAL.with(Limit.OPERATIONS, 100L).with(Limit.BURST, 10_000L));
    for (Runnable write : List.<Runnable>of(() -> queue.addAll(some), () -> map.putAll(entries))) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10; i++) {
                  write.run();
                }
              })
          .hasMessageContaining("100 operations a second are used up");
    }
  }
}

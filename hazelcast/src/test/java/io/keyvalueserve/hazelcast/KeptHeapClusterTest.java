package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.collection.IQueue;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastOverloadException;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.heap.HeapLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bound on what a tenant makes a member keep holds whichever member its clients ask. */
@Timeout(180)
class KeptHeapClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST = 2 << 20;
  private static final int DOORS = 3;
  private static final byte[] VALUE = new byte[50_000];

  private final List<DoorMember> members = new ArrayList<>();
  private final List<HazelcastInstance> clients = new ArrayList<>();

  KeptHeapClusterTest() {
    for (int i = 0; i < DOORS; i++) {
      members.add(
          i == 0
              ? new DoorMember()
              : new DoorMember(
                  null, List.of("127.0.0.1:" + members.getFirst().member.memberPort())));
    }
    for (DoorMember each : members) {
      each.admissions.heap().setLimits(new HeapLimits(MOST, 2L * DOORS * MOST));
      clients.add(each.client("acme"));
    }
  }

  @AfterEach
  void stop() {
    HazelcastClient.shutdownAll();
    members.reversed().forEach(DoorMember::close);
  }

  private HeapAccount account(int member) {
    return members.get(member).admissions.usage("acme").heap();
  }

  private void awaitRefused(int door) {
    IQueue<byte[]> queue = clients.get(door).getQueue("jobs");
    await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> queue.offer(VALUE))
                    .isInstanceOf(HazelcastOverloadException.class)
                    .hasMessageContaining("keeps up to " + MOST + " bytes of a tenant"));
  }

  private void awaitRoom(int door) {
    await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .ignoreExceptionsMatching(thrown -> thrown instanceof HazelcastOverloadException)
        .until(() -> clients.get(door).<byte[]>getQueue("jobs").offer(VALUE));
  }

  @Test
  void everyDoorRefusesWhatWouldPassTheBoundOfTheMemberThatKeepsIt() {
    int refused = 0;
    for (int i = 0; refused < DOORS && i < 100 * DOORS * MOST / VALUE.length; i++) {
      try {
        assertThat(clients.get(i % DOORS).<byte[]>getQueue("jobs").offer(VALUE)).isTrue();
      } catch (HazelcastOverloadException e) {
        refused++;
      }
    }
    for (int door = 0; door < DOORS; door++) {
      awaitRefused(door);
      assertThat(account(door).measuredHere())
          .as("a door learns of the others' requests a moment later")
          .isLessThan((long) DOORS * MOST);
    }
    HazelcastInstance other = members.getFirst().client("globex");
    assertThat(other.getQueue("jobs").offer(VALUE)).as("another tenant").isTrue();

    clients.getFirst().getQueue("jobs").clear();
    for (int door = 0; door < DOORS; door++) {
      awaitRoom(door);
    }

    DoorMember left = members.removeLast();
    clients.removeLast().shutdown();
    left.close();
    awaitRoom(0);
    clients.getFirst().getQueue("jobs").destroy();
    for (int door = 0; door < clients.size(); door++) {
      int at = door;
      await().atMost(PATIENCE).until(() -> account(at).used() < VALUE.length);
    }
  }
}

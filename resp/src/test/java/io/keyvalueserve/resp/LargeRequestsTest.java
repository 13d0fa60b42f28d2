package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.resp.RespServerConfig.OutputLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: however many clients send large values at once, what is held of them is bounded, all are
 * served in the end, and small requests do not wait.
 */
@Timeout(120)
class LargeRequestsTest {
  private static final int MIB = 1024 * 1024;
  private static final int READ_BYTES = 64 * 1024;
  private static final int CLIENTS = 24;

  @ParameterizedTest
  @EnumSource(Way.class)
  void manyLargeValuesStayWithinTheirRoom(Way way) throws Exception {
    int value = 4 * MIB;
    int room = 10 * MIB;
    long bound = room + value + (long) CLIENTS * READ_BYTES;
    assertThat(sendByAll(way, room, value, "SET", "k", "v".repeat(value)))
        .isLessThanOrEqualTo(bound);
  }

  /** Each request needs room several times: were parts of requests to wait, all would for ever. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void requestsOfManyLargeValuesDoNotWaitForEachOther(Way way) throws Exception {
    int value = MIB;
    int room = 6 * MIB;
    String v = "v".repeat(value);
    long bound = room + 5L * value + (long) CLIENTS * READ_BYTES;
    assertThat(sendByAll(way, room, value, "MSET", "a", v, "b", v, "c", v, "d", v, "e", v))
        .isLessThanOrEqualTo(bound);
  }

  /** One request at a time goes beyond what its tenant may use; the others wait for it. */
  @Test
  void theHeapThatAllUseBoundsThemToo() throws Exception {
    try (TestMember member = TestMember.startDev(config -> config.withMostLargeBytes(64L * MIB))) {
      MemberHeap whole = member.admissions().memberHeap();
      whole.setMost(3L * MIB); // a tenant alone gets half
      assertThat(sendByAll(member, WireClient.request("SET", "k", "v".repeat(MIB))))
          .isBetween((long) MIB, 3L * MIB / 2 + MIB + (long) CLIENTS * READ_BYTES);
      assertThat(whole.used(HeapUse.VALUES)).isZero();
    }
  }

  @Test
  void aRequestThatCouldNeverFitIsRefused() throws IOException {
    try (TestMember member =
            TestMember.startDev(
                config -> config.withMostValueBytes(MIB).withMostLargeBytes(2 * MIB));
        WireClient client = member.connect()) {
      client.send("*4\r\n$3\r\nDEL\r\n"); // refused at the length of the second key
      client.send(("$" + MIB + "\r\n" + "k".repeat(MIB) + "\r\n").repeat(3));
      assertThat(client.reply()).isEqualTo("-ERR Protocol error: too big request\r\n");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void anArgumentThatIsTooLongIsPassedOverAndTheConnectionGoesOn(Way way) throws IOException {
    try (TestMember member = TestMember.startDev(way, config -> config.withMostValueBytes(MIB));
        WireClient client = member.connect()) {
      String request = WireClient.requestText("SET", "k", "v".repeat(3 * MIB));
      client.send(request + WireClient.requestText("SET", "k", "short") + request + "GET k\r\n");
      String refusal =
          "-ERR an argument of 3145728 bytes is longer than the limit of 1048576 bytes: make it"
              + " shorter, or have 'resp.max-value' raised\r\n";
      assertThat(client.reply()).isEqualTo(refusal);
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo(refusal);
      assertThat(client.reply()).isEqualTo("$5\r\nshort\r\n");
      assertThat(member.server().largeBytesHeld()).isZero();
    }
  }

  /** Each way to a longer value names the limit, changes nothing and leaves the connection open. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void noCommandMakesAValueLongerThanTheLimit(Way way) throws IOException {
    try (TestMember member = TestMember.startDev(way, config -> config.withMostValueBytes(MIB));
        WireClient client = member.connect()) {
      String whole = "v".repeat(MIB);
      String refusal =
          "-ERR string exceeds maximum allowed size (proto-max-bulk-len): the limit is 1048576"
              + " bytes; make it shorter, or have 'resp.max-value' raised\r\n";
      assertThat(client.call("SET", "k", whole)).isEqualTo("+OK\r\n");
      assertThat(client.call("APPEND", "k", "x")).isEqualTo(refusal);
      assertThat(client.call("SETRANGE", "k", "1048576", "x")).isEqualTo(refusal);
      assertThat(client.call("SETRANGE", "new", "1048576", "x")).isEqualTo(refusal);
      assertThat(client.call("MSET", "a", "1", "k", whole + "x"))
          .startsWith("-ERR an argument of 1048577 bytes is longer than the limit of 1048576");
      assertThat(client.call("CONFIG", "GET", "proto-max-bulk-len")).contains("\r\n1048576\r\n");
      assertThat(client.call("EXISTS", "a", "new")).as("nothing of it").isEqualTo(":0\r\n");
      assertThat(client.call("STRLEN", "k")).isEqualTo(":1048576\r\n");
      assertThat(member.server().largeBytesHeld()).isZero();
    }
  }

  @Test
  void whoHoldsOthersUpIsCutOffAndTheOthersGoOn() throws Exception {
    OutputLimits impatient = new OutputLimits(256 * 1024, 64L * MIB, Duration.ofMillis(300));
    try (TestMember member =
            TestMember.startDev(
                config -> config.withMostLargeBytes(2 * MIB).withOutput(impatient));
        WireClient slow = member.connect();
        WireClient good = member.connect();
        WireClient small = member.connect()) {
      String begun = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + 8 * MIB + "\r\n";
      slow.send(begun + "v".repeat(3 * MIB)); // and never the rest
      await().until(() -> member.server().largeBytesHeld() > 2 * MIB);
      CompletableFuture<String> reply =
          CompletableFuture.supplyAsync(() -> call(good, "SET", "g", "v".repeat(3 * MIB)));
      while (!reply.isDone()) {
        assertThat(small.call("SET", "s", "v")).isEqualTo("+OK\r\n");
      }
      assertThat(reply.get()).isEqualTo("+OK\r\n");
      assertThat(slow.isClosedByServer()).isTrue();
      await().until(() -> member.server().largeBytesHeld() == 0);
    }
  }

  @Test
  void repliesAreHeldUntilTheyAreSent() throws Exception {
    try (TestMember member = TestMember.startDev(config -> config.withMostLargeBytes(4 * MIB));
        WireClient client = new WireClient(member.port(), 4096)) {
      String value = "v".repeat(3 * MIB);
      assertThat(client.call("SET", "k", value)).isEqualTo("+OK\r\n");
      int count = 20;
      client.send("GET k\r\n".repeat(count));
      await().until(() -> member.server().largeBytesHeld() > 0);
      for (int i = 0; i < count; i++) {
        assertThat(client.reply()).hasSize(value.length() + "$3145728\r\n\r\n".length());
        assertThat(member.server().largeBytesHeld()).isLessThanOrEqualTo(7 * MIB);
      }
      await().until(() -> member.server().largeBytesHeld() == 0);
    }
  }

  /** Sends a request by all clients at once, several times; the most that was held at a time. */
  private static long sendByAll(Way way, int room, int value, String... request) throws Exception {
    try (TestMember member =
        TestMember.startDev(
            way, config -> config.withMostValueBytes(value).withMostLargeBytes(room))) {
      return sendByAll(member, WireClient.request(request));
    }
  }

  private static long sendByAll(TestMember member, byte[] request) throws Exception {
    long most = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(CompletableFuture.runAsync(() -> sendTwice(member, request), threads));
      }
      CompletableFuture<Void> all =
          CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
      while (!all.isDone()) {
        most = Math.max(most, member.server().largeBytesHeld());
        LockSupport.parkNanos(10_000);
      }
      all.join();
      await().until(() -> member.server().largeBytesHeld() == 0);
    }
    return most;
  }

  private static void sendTwice(TestMember member, byte[] request) {
    try (WireClient client = member.connect()) {
      for (int i = 0; i < 2; i++) {
        client.send(request);
        assertThat(client.reply()).isEqualTo("+OK\r\n");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String call(WireClient client, String... request) {
    try {
      return client.call(request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

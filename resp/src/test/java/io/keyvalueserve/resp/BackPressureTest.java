package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.resp.RespServerConfig.BacklogLimits;
import io.keyvalueserve.resp.RespServerConfig.OutputLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: a client that does not read its replies costs little, and soon nothing. */
@ParameterizedClass
@EnumSource(Way.class)
class BackPressureTest {
  private static final OutputLimits IMPATIENT =
      new OutputLimits(256 * 1024, 64L * 1024 * 1024, Duration.ofMillis(500));

  private final Way way;

  BackPressureTest(Way way) {
    this.way = way;
  }

  @ParameterizedTest
  @EnumSource(
      value = RespServerConfig.TransportPreference.class,
      names = {"AUTO", "EPOLL", "NIO"})
  void aClientThatNeverReadsIsCutOffAndOthersAreServed(
      RespServerConfig.TransportPreference transport) throws IOException {
    try (TestMember member =
            TestMember.startDev(
                way,
                config -> config.withOutput(IMPATIENT).withEventLoops(1).withTransport(transport));
        WireClient good = member.connect();
        WireClient deaf = new WireClient(member.port(), 4096)) {
      good.call("SET", "k", "v".repeat(100_000));
      deaf.call("PING");
      byte[] gets = "GET k\r\n".repeat(1000).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      CompletableFuture<Void> sender =
          CompletableFuture.runAsync(
              () -> {
                try {
                  while (true) {
                    deaf.send(gets);
                  }
                } catch (IOException e) {
                  // it was cut off, as it should
                }
              });
      await()
          .until(
              () -> {
                assertThat(good.call("PING")).isEqualTo("+PONG\r\n");
                return member.server().connections() == 1;
              });
      sender.join();
      assertThat(good.call("STRLEN", "k")).isEqualTo(":100000\r\n");
    }
  }

  @Test
  void aClientThatLetsTooMuchPileUpIsCutOffAtOnce() throws IOException {
    OutputLimits small = new OutputLimits(64 * 1024, 1024 * 1024, Duration.ofDays(1));
    try (TestMember member = TestMember.startDev(way, config -> config.withOutput(small));
        WireClient good = member.connect();
        WireClient deaf = new WireClient(member.port(), 4096)) {
      good.call("SET", "k", "v".repeat(40_000_000));
      deaf.send("GET k\r\n");
      await().until(() -> member.server().connections() == 1);
      assertThat(good.call("STRLEN", "k")).isEqualTo(":40000000\r\n");
    }
  }

  /** 100 MiB of replies wait for a client that writes all its requests before it reads one. */
  @Test
  void aClientThatWritesAllItsRequestsFirstGetsEveryReplyInItsOrder() throws IOException {
    int count = 100_000;
    String value = "v".repeat(1_000);
    BacklogLimits limits = new BacklogLimits(16 << 20, 16 << 20, 16 << 20);
    try (TestMember member = TestMember.startDev(way, config -> config.withBacklog(limits));
        WireClient client = member.connect()) {
      for (int i = 0; i < 10; i++) {
        client.call("SET", "key" + i, i + value);
      }
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < count; i++) {
        requests.append(WireClient.requestText("GET", "key" + i % 10));
      }
      client.send(requests.toString());
      for (int i = 0; i < count; i++) {
        assertThat(client.reply()).isEqualTo("$1001\r\n" + i % 10 + value + "\r\n");
      }
      assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
      await().until(() -> member.server().readAheadBytes() == 0);
      assertThat(client.call("CONFIG", "GET", "client-*-buffer-limit"))
          .contains("normal 268435456 1048576 60")
          .contains(Integer.toString(16 << 20));
    }
  }

  @Test
  void noMoreIsReadAheadThanATenantMayHave() throws IOException {
    BacklogLimits limits = new BacklogLimits(8 << 20, 1 << 20, 2 << 20);
    try (TestMember member = TestMember.startDev(way, config -> config.withBacklog(limits));
        WireClient other = member.connect()) {
      WireClient client = member.connect();
      client.call("SET", "k", "v".repeat(100_000));
      byte[] requests = "GET k\r\n".repeat(1_000_000).getBytes(US_ASCII);
      CompletableFuture<Void> sender =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client.send(requests);
                } catch (IOException e) {
                  // it ends when the client closes
                }
              });
      await().until(() -> member.server().readAheadBytes() == 1 << 20);
      MemberHeap heap = member.admissions().memberHeap();
      assertThat(heap.used(HeapUse.READ_AHEAD)).isEqualTo(1 << 20);
      for (int i = 0; i < 100; i++) {
        assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
        assertThat(member.server().readAheadBytes()).isLessThanOrEqualTo(1 << 20);
      }
      client.close();
      sender.join();
      await().until(() -> member.server().readAheadBytes() == 0);
      assertThat(heap.used(HeapUse.READ_AHEAD)).isZero();
    }
  }

  @Test
  void aClientThatReadsSlowlyGetsEverything() throws IOException {
    OutputLimits small = new OutputLimits(64 * 1024, 64L * 1024 * 1024, Duration.ofSeconds(30));
    try (TestMember member = TestMember.startDev(way, config -> config.withOutput(small));
        WireClient client = new WireClient(member.port(), 4096)) {
      client.call("SET", "k", "v".repeat(50_000));
      int count = 500;
      client.send("GET k\r\n".repeat(count));
      for (int i = 0; i < count; i++) {
        assertThat(client.reply()).hasSize(50_000 + 10);
      }
    }
  }
}

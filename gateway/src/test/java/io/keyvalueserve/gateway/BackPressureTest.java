package io.keyvalueserve.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.gateway.RespServerConfig.OutputLimits;
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

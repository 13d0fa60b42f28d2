package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.peer.PeerLimits;
import io.netty.channel.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Goal: connections without a key cost a member little, and tenants do not notice them. */
class PeersWithoutKeyTest {
  private static final int BYTES_PER_PEER = 64 * 1024;
  private static final int BYTES = 256 * 1024;

  private final AtomicLong nanos = new AtomicLong();

  private PeerBudget budget(int connections, int requestsPerSecond) {
    return budget(connections, requestsPerSecond, 10_000);
  }

  private PeerBudget budget(int connections, int requestsPerSecond, int acceptsPerSecond) {
    return new PeerBudget(
        new PeerLimits(
            connections,
            connections,
            BYTES,
            BYTES_PER_PEER,
            requestsPerSecond,
            acceptsPerSecond,
            Duration.ofSeconds(10)),
        nanos::get);
  }

  @Test
  void requestsThatNeverEndAreClosedWhenTheyHoldTooMuch() throws IOException {
    PeerBudget peers = budget(1000, 1_000_000);
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme")) {
      List<WireClient> hostile = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        WireClient client = member.connect();
        hostile.add(client);
        client.send("*10\r\n$16384\r\n" + "a".repeat(16384) + "\r\n$16384\r\nb");
      }
      await().until(() -> peers.evictions() >= 12); // each holds 32 KiB, and all may hold 256 KiB
      assertThat(peers.bytes()).isLessThanOrEqualTo(BYTES);
      assertThat(hostile.getFirst().isClosedByServer()).isTrue();
      assertThat(tenant.call("PING")).isEqualTo("+PONG\r\n");
      for (WireClient client : hostile) {
        client.close();
      }
      await().until(() -> peers.connections() == 0 && peers.bytes() == 0);
    }
  }

  @Test
  void connectionsThatNeverReadTheirRepliesAreClosed() throws IOException {
    PeerBudget peers = budget(1000, 1_000_000_000);
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme");
        WireClient deaf = new WireClient(member.port(), 4096)) {
      Thread sender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    String requests = "PING\r\n".repeat(1000);
                    try {
                      while (true) {
                        deaf.send(requests);
                      }
                    } catch (IOException e) {
                      // the server has closed it
                    }
                  });
      await()
          .untilAsserted(
              () -> {
                assertThat(peers.bytes()).isLessThanOrEqualTo(BYTES_PER_PEER);
                assertThat(tenant.call("PING")).isEqualTo("+PONG\r\n");
                assertThat(peers.evictions()).isEqualTo(1);
              });
      await().until(() -> !sender.isAlive());
      assertThat(peers.bytes()).isZero();
    }
  }

  @Test
  void keysThatAreNoneAreHeldBackAtTheirAddressAndValidOnesPass() throws IOException {
    try (TestMember member = TestMember.startWithPeers(budget(1000, 1_000_000), false);
        WireClient guesser = member.connect();
        WireClient other = member.connect()) {
      for (int i = 0; i < 20; i++) {
        assertThat(guesser.call("AUTH", "acme", "guess " + i)).startsWith("-WRONGPASS invalid ");
      }
      assertThat(guesser.call("AUTH", "acme", "guess"))
          .isEqualTo(
              "-WRONGPASS too many keys from this address were not valid; look at yours, and retry"
                  + " after 500 ms\r\n");
      assertThat(other.call("HELLO", "2", "AUTH", "acme", "guess"))
          .startsWith("-WRONGPASS too many keys from this address");
      assertThat(other.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo("+OK\r\n");
      nanos.addAndGet(Duration.ofMillis(500).toNanos());
      assertThat(guesser.call("AUTH", "guess")).startsWith("-WRONGPASS invalid ");
      assertThat(guesser.call("AUTH", "guess")).startsWith("-WRONGPASS too many keys");
    }
  }

  @Test
  void connectionsThatCannotBeAcceptedFillNoLog() throws IOException {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    try (TestMember member = TestMember.startWithPeers(budget(1000, 1_000_000), false)) {
      Channel listener = member.server().listener();
      root.addAppender(lines);
      for (int i = 0; i < 100; i++) {
        listener.pipeline().fireExceptionCaught(new IOException("accept failed: no descriptors"));
      }
      listener.eventLoop().submit(() -> {}).awaitUninterruptibly();
      assertThat(lines.list)
          .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.getFormattedMessage()).contains("no descriptors", "ulimit -n");
                assertThat(line.getThrowableProxy()).isNull();
              });
      assertThat(listener.config().isAutoRead()).as("it pauses").isFalse();
      await().until(() -> listener.config().isAutoRead());
      try (WireClient later = member.connect("acme")) {
        assertThat(later.call("PING")).isEqualTo("+PONG\r\n");
      }
    } finally {
      root.detachAppender(lines);
      lines.stop();
    }
  }

  @Test
  void pipelinesWithoutAKeyShareOneTurn() throws IOException {
    PeerBudget peers = budget(1000, 1_000_000_000);
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme");
        WireClient hostile = member.connect()) {
      int many = 3_000;
      int rounds = 0;
      while (member.server().waits().stream().noneMatch(each -> each.waits() > 0)) {
        assertThat(++rounds).as("rounds in which the tenant had no turn").isLessThan(1_000);
        hostile.send("PING\r\n".repeat(many / 2));
        tenant.send(WireClient.requestText("GET", "k").repeat(many));
        for (int i = 0; i < many; i++) {
          tenant.reply();
          if (i % 2 == 0) {
            hostile.reply();
          }
        }
      }
      assertThat(member.server().waits())
          .allMatch(each -> each.tenant() == TestMember.identity("acme").number());
    }
  }

  @Test
  void theOldestConnectionMakesRoomForANewOne() throws IOException {
    PeerBudget peers = budget(3, 1_000_000);
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme");
        WireClient oldest = member.connect()) {
      await().until(() -> peers.connections() == 1);
      try (WireClient _ = member.connect();
          WireClient _ = member.connect();
          WireClient newest = member.connect()) {
        assertThat(oldest.isClosedByServer()).isTrue();
        assertThat(newest.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo("+OK\r\n");
        assertThat(tenant.call("PING")).isEqualTo("+PONG\r\n");
      }
    }
  }

  /** Of 40 connections at most the budget and a few in turn are accepted until time passes. */
  @Test
  void connectionsBeyondTheBudgetAreAcceptedAtItsPace() throws IOException {
    PeerBudget peers = budget(3, 1_000_000, 100);
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme")) {
      List<WireClient> hostile = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        hostile.add(member.connect());
      }
      await().until(() -> !member.server().listener().config().isAutoRead());
      long accepted = peers.evictions() + peers.connections();
      assertThat(accepted).isLessThan(40);
      try (WireClient late = member.connect()) {
        late.send(WireClient.requestText("AUTH", "acme", TestMember.key("acme")));
        for (int i = 0; i < 50; i++) {
          assertThat(tenant.call("PING")).isEqualTo("+PONG\r\n");
        }
        assertThat(peers.evictions() + peers.connections()).isEqualTo(accepted);
        await()
            .untilAsserted(
                () -> {
                  nanos.addAndGet(Duration.ofMillis(10).toNanos());
                  assertThat(peers.evictions()).isGreaterThanOrEqualTo(37);
                });
        assertThat(late.reply()).isEqualTo("+OK\r\n");
        assertThat(late.call("PING")).isEqualTo("+PONG\r\n");
      }
      for (WireClient client : hostile) {
        client.close();
      }
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      try (WireClient after = member.connect("acme")) {
        assertThat(after.call("PING")).isEqualTo("+PONG\r\n");
      }
    }
  }

  @Test
  void aConnectionThatDoesNotAuthenticateInTimeIsClosedAndOthersStay() throws IOException {
    PeerBudget peers = budget(100, 1_000_000);
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme");
        WireClient idle = member.connect()) {
      await().until(() -> peers.connections() == 1);
      nanos.addAndGet(Duration.ofSeconds(10).toNanos());
      assertThat(peers.closeOverdue()).isEqualTo(1);
      assertThat(idle.isClosedByServer()).isTrue();
      assertThat(tenant.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void requestsWithoutAKeyBeyondTheRateWait() throws IOException {
    PeerBudget peers = budget(100, 100); // and a tenth of a second's at once
    try (TestMember member = TestMember.startWithPeers(peers, false);
        WireClient tenant = member.connect("acme");
        WireClient hostile = member.connect()) {
      hostile.send("PING\r\n".repeat(200));
      String refused = "-NOAUTH Authentication required.\r\n";
      assertThat(hostile.reply()).isEqualTo(refused);
      assertThat(tenant.call("SET", "k", "v")).isEqualTo("+OK\r\n");
      for (int i = 1; i < 200; i++) {
        nanos.addAndGet(Duration.ofMillis(100).toNanos());
        assertThat(hostile.reply()).isEqualTo(refused);
      }
    }
  }

  @Test
  void whatAWebPageSendsIsNotServed() throws IOException {
    for (String head : List.of("POST / HTTP/1.1\r\n", "Host: localhost:6379\r\n", "post\r\n")) {
      try (TestMember member = TestMember.startWithPeers(budget(100, 1_000_000), true);
          WireClient page = member.connect();
          WireClient user = member.connect()) {
        assertThat(user.call("SET", "k", "v")).isEqualTo("+OK\r\n");
        page.send(head + "FLUSHALL\r\nFLUSHALL\r\n");
        assertThat(page.isClosedByServer()).isTrue();
        assertThat(user.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      }
    }
  }

  @Test
  void otherProtocolsAreToldOrClosedAtOnce() throws IOException {
    try (TestMember member = TestMember.startWithPeers(budget(100, 1_000_000), false);
        WireClient http = member.connect();
        WireClient hazelcast = member.connect();
        WireClient tls = member.connect()) {
      http.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(http.rest()).startsWith("HTTP/1.1 400 ").contains("http-port");
      hazelcast.send("CP2");
      assertThat(hazelcast.isClosedByServer()).isTrue();
      tls.send("\u0016\u0003\u0001\u0002\u0000");
      assertThat(tls.rest()).isEqualTo("-ERR this port speaks no TLS: connect without it\r\n");
    }
  }
}

package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ListGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.peer.PeerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Peers without a key at both ports of a member, and what tenants' errors take in its log. */
@Timeout(120)
final class PeersWithoutKeyTest {
  private static final int MOST = 8;
  private static final int CLIENTS = 24;
  private static final byte[] CP2 = "CP2".getBytes(StandardCharsets.US_ASCII);
  private static final AtomicLong ADVANCE = new AtomicLong();
  private static final PeerBudget PEERS =
      new PeerBudget(
          new PeerLimits(MOST, MOST, 1 << 20, 64 << 10, 20_000, 500, Duration.ofSeconds(10)),
          () -> System.nanoTime() + ADVANCE.get());
  private static DoorMember member;
  private final List<Socket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() {
    member = new DoorMember(PEERS, CLIENTS);
  }

  @AfterAll
  static void stop() {
    member.close();
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
    await().until(() -> PEERS.connections() == 0 && PEERS.bytes() == 0);
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  private static boolean isClosedByMember(Socket socket) {
    try {
      byte[] _ = socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void closesTheOldestWhenThereAreTooManyAndServesTenants() throws IOException {
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < MOST + 2; i++) {
      int before = PEERS.connections();
      idle.add(connect(i % 2 == 0 ? member.member.clientPort() : member.member.memberPort()));
      await().until(() -> PEERS.connections() == Math.min(MOST, before + 1));
    }
    await().until(() -> PEERS.evictions() >= 2);
    assertThat(isClosedByMember(idle.get(0))).isTrue();
    assertThat(isClosedByMember(idle.get(1))).isTrue();
    try (RawClient tenant = new RawClient(member.member.clientPort())) {
      tenant.authenticate("acme");
    }
  }

  /** Of 40 connections at most the budget and a few in turn are accepted until time passes. */
  @Test
  void acceptsAtThePaceOfTheBudgetWhileItMakesRoom() throws IOException {
    AtomicLong clock = new AtomicLong();
    PeerBudget peers =
        new PeerBudget(
            new PeerLimits(4, 4, 1 << 20, 64 << 10, 20_000, 100, Duration.ofSeconds(10)),
            clock::get);
    try (DoorMember paced = new DoorMember(peers, CLIENTS);
        RawClient tenant = new RawClient(paced.member.clientPort()).authenticate("acme")) {
      for (int i = 0; i < 40; i++) {
        Socket _ = connect(i < 20 ? paced.member.clientPort() : paced.member.memberPort());
      }
      await().until(() -> peers.evictions() > 0);
      Socket _ = connect(paced.member.memberPort());
      try (RawClient late = new RawClient(paced.member.clientPort())) {
        CompletableFuture<Boolean> in = new CompletableFuture<>();
        Thread _ =
            Thread.startVirtualThread(
                () -> {
                  try {
                    in.complete(late.login("acme", "acme"));
                  } catch (IOException | RuntimeException e) {
                    in.completeExceptionally(e);
                  }
                });
        for (int i = 0; i < 50; i++) {
          tenant.send(Messages.request(MapSizeCodec.encodeRequest("orders"), i + 10, -1));
          assertThat(tenant.receive().getCorrelationId()).isEqualTo(i + 10);
        }
        assertThat(peers.evictions() + peers.connections()).isLessThan(20);
        assertThat(in).isNotDone();
        await()
            .until(
                () -> {
                  clock.addAndGet(Duration.ofMillis(10).toNanos());
                  return in.isDone() && peers.evictions() >= 37;
                });
        assertThat(in).isCompletedWithValue(true);
      }
    }
  }

  @Test
  void closesWhoDoesNotAuthenticateInTimeAtBothPorts() throws IOException {
    Socket client = connect(member.member.clientPort());
    Socket peer = connect(member.member.memberPort());
    await().until(() -> PEERS.connections() == 2);
    try (RawClient tenant = new RawClient(member.member.clientPort())) {
      tenant.authenticate("acme");
      ADVANCE.addAndGet(Duration.ofSeconds(11).toNanos());
      assertThat(PEERS.closeOverdue()).isEqualTo(2);
      assertThat(isClosedByMember(client)).isTrue();
      assertThat(isClosedByMember(peer)).isTrue();
      tenant.send(Messages.request(MapSizeCodec.encodeRequest("orders"), 7, -1));
      assertThat(tenant.receive().getCorrelationId()).isEqualTo(7);
    }
  }

  @Test
  void keysThatAreNoneCountAtTheirAddressAndValidOnesPass() throws IOException {
    for (int i = 0; i < 20; i++) {
      try (RawClient guesser = new RawClient(member.member.clientPort())) {
        assertThat(guesser.login("acme", "guess " + i)).isFalse();
      }
    }
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    assertThat(PEERS.failedKeys().failed(here)).isPositive();
    try (RawClient guesser = new RawClient(member.member.clientPort());
        RawClient tenant = new RawClient(member.member.clientPort())) {
      assertThat(guesser.login("acme", "guess")).isFalse();
      assertThat(tenant.login("acme", "acme")).isTrue();
    }
  }

  @Test
  void countsWhatHasComeInPart() throws IOException {
    Socket socket = connect(member.member.clientPort());
    byte[] message = RawClient.authentication("acme");
    socket.getOutputStream().write(CP2);
    socket.getOutputStream().write(message, 0, message.length - 1);
    await().until(() -> PEERS.bytes() > ClientPeer.BUFFER_BYTES + message.length);
  }

  @Test
  void closesWhoSendsALongMessageOrAnotherRequestFirst() throws IOException {
    Socket socket = connect(member.member.clientPort());
    socket.getOutputStream().write(CP2);
    byte[] message = RawClient.authentication("a".repeat(64 << 10));
    try {
      socket.getOutputStream().write(message);
    } catch (IOException e) {
      assertThat(e).isNotNull(); // it was closed before all was sent
    }
    assertThat(isClosedByMember(socket)).isTrue();
    Socket other = connect(member.member.clientPort());
    other.getOutputStream().write(CP2);
    other.getOutputStream().write(Messages.request(MapSizeCodec.encodeRequest("orders"), 1, -1));
    assertThat(isClosedByMember(other)).isTrue();
  }

  @Test
  void refusesClientsBeyondTheMostAtOnceAndGoesOn() throws IOException {
    List<RawClient> tenants = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        tenants.add(new RawClient(member.member.clientPort()).authenticate("acme"));
      }
      assertThat(isClosedByMember(connect(member.member.clientPort()))).isTrue();
    } finally {
      for (RawClient each : tenants) {
        each.close();
      }
    }
    await()
        .ignoreExceptions()
        .until(
            () -> {
              try (RawClient tenant = new RawClient(member.member.clientPort())) {
                tenant.authenticate("acme");
                return true;
              }
            });
  }

  @Test
  void slowPeersAtTheMemberPortHoldNoOtherUp() throws IOException {
    for (int i = 0; i < MOST - 1; i++) {
      connect(member.member.memberPort()).getOutputStream().write(1);
    }
    Socket next = connect(member.member.memberPort());
    assertThat(next.getInputStream().readNBytes(40)).hasSize(40);
  }

  @Test
  void logsNoStackTraceOfPeersWithoutAKey() throws IOException {
    ListAppender<ILoggingEvent> lines = listen();
    try {
      for (int i = 0; i < 5; i++) {
        Socket peer = connect(member.member.memberPort());
        peer.setSoLinger(true, 0);
        peer.close();
        Socket client = connect(member.member.clientPort());
        client
            .getOutputStream()
            .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(isClosedByMember(client)).isTrue();
      }
      await().until(() -> PEERS.connections() == 0);
      assertThat(bad(lines)).isEmpty();
    } finally {
      stop(lines);
    }
  }

  @Test
  void answersAnErrorForAPartitionThatIsNone() throws IOException {
    try (RawClient tenant = new RawClient(member.member.clientPort()).authenticate("acme")) {
      for (int partition : new int[] {271, Integer.MAX_VALUE, -2, Integer.MIN_VALUE}) {
        tenant.send(Messages.request(ListGetCodec.encodeRequest("list", 0), 9, partition));
        ClientMessage answer = tenant.receive();
        assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
        assertThat(answer.getCorrelationId()).isEqualTo(9);
      }
      tenant.send(Messages.request(ListGetCodec.encodeRequest("list", 0), 10, -1));
      assertThat(tenant.receive().getCorrelationId()).isEqualTo(10);
    }
  }

  @Test
  void logsOneLineForATenantWhoseOperationsFail() {
    HazelcastInstance client = member.client("noisy");
    ListAppender<ILoggingEvent> lines = listen();
    try {
      for (int i = 0; i < 200; i++) {
        try {
          Object _ = client.getList("few").get(1);
        } catch (IndexOutOfBoundsException e) {
          assertThat(e).isNotNull();
        }
      }
      assertThat(bad(lines)).hasSize(1);
      assertThat(bad(lines).getFirst().getFormattedMessage()).contains("tenant 'noisy'");
      assertThat(bad(lines).getFirst().getThrowableProxy()).isNull();
    } finally {
      stop(lines);
      client.shutdown();
    }
  }

  private static ListAppender<ILoggingEvent> listen() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    root().addAppender(lines);
    return lines;
  }

  private static void stop(ListAppender<ILoggingEvent> lines) {
    root().detachAppender(lines);
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private static List<ILoggingEvent> bad(ListAppender<ILoggingEvent> lines) {
    return List.copyOf(lines.list).stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .filter(line -> line.getLoggerName().startsWith("com.hazelcast"))
        .filter(line -> !line.getFormattedMessage().startsWith("hz.client")) // of another test
        .toList();
  }
}
